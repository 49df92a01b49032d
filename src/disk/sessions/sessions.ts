/** The sessions of a project, told from the two ends of each transcript. */

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '../../base/text/shell-words.ts';
import { errnoOf, ReverieError } from '../../errors.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { homeLayout, isSessionId, projectLayout } from '../home.ts';
import { storageError } from '../storage-error.ts';
import type { TeamMember } from '../transcript/record.ts';
import { readSessionEnds } from './ends.ts';

/** Sessions that are named when the one asked for is not there. */
const MOST_SUGGESTED = 5;

export interface SessionSummary {
  readonly id: string;
  readonly file: string;
  /** The first prompt's first line; empty when neither end of the transcript tells. */
  readonly title: string;
  readonly lastPrompt: string;
  /** ISO times; the start is null where the first record is damaged. */
  readonly started: string | null;
  readonly modified: string;
  /** Null when that would mean to read it all. */
  readonly messages: number | null;
  readonly bytes: number;
  readonly forkedFrom: string | null;
  /** Whose it is among the processes of a team. */
  readonly member: TeamMember | null;
}

export interface SessionsOptions {
  readonly home: string;
  readonly slug: string;
  readonly limits?: Limits['transcripts'];
}

export interface ListOptions extends SessionsOptions {
  readonly most?: number;
  /** These do not count towards `most`. */
  readonly leaveOut?: (session: SessionSummary) => boolean;
}

/** Newest first. Sessions in which nothing was said are left out. */
export async function listSessions(options: ListOptions): Promise<SessionSummary[]> {
  const summaries: SessionSummary[] = [];
  for (const file of transcriptsOf(options)) {
    if (summaries.length >= (options.most ?? Number.POSITIVE_INFINITY)) break;
    const ends = await readSessionEnds(file.path, options.limits ?? LIMITS.transcripts);
    if (ends === null || ends.messages === 0) continue;
    const { id, path, bytes, modifiedMs } = file;
    const modified = ends.lastAt ?? new Date(modifiedMs).toISOString();
    const { title, lastPrompt, started, messages, forkedFrom, member } = ends;
    const told = { title, lastPrompt, started, messages, forkedFrom, member };
    const summary = { id, file: path, modified, bytes, ...told };
    if (options.leaveOut?.(summary) !== true) summaries.push(summary);
  }
  return summaries.sort((one, other) => (one.modified < other.modified ? 1 : -1));
}

export async function newestSession(options: SessionsOptions): Promise<SessionSummary | null> {
  return (await listSessions({ ...options, most: 1, leaveOut: isUnasked }))[0] ?? null;
}

/** A member of a team at its tasks, to whom the user said nothing. */
export function isUnasked({ member, lastPrompt }: Pick<SessionSummary, 'member' | 'lastPrompt'>): boolean {
  return member !== null && lastPrompt === '';
}

/** The session that an id or the beginning of one means. */
export async function resolveSession(options: SessionsOptions & { readonly id: string }): Promise<string> {
  const wanted = options.id.trim().toLowerCase();
  const matching = wanted === '' ? [] : transcriptsOf(options).filter(({ id }) => id.startsWith(wanted));
  if (matching.length === 1) return matching[0]!.id;
  if (matching.length > 1) {
    const ids = matching.slice(0, MOST_SUGGESTED).map(({ id }) => id);
    throw new ReverieError({
      code: 'ambiguous',
      message: `${matching.length} sessions begin with ${wanted}: ${ids.join(', ')}${matching.length > ids.length ? ' …' : ''}`,
      fix: `Give more of the id: reverie --resume ${ids[0]}`,
    });
  }
  const elsewhere = await folderOfSession({ ...options, id: wanted }).catch(() => null);
  if (elsewhere !== null) {
    throw new ReverieError({
      code: 'not-found',
      message: `The session ${wanted} belongs to another project: it was begun in ${elsewhere}`,
      fix: `Go on with it there: cd ${quoted(elsewhere)} && reverie --resume ${wanted}`,
    });
  }
  const newest = await listSessions({ ...options, most: MOST_SUGGESTED });
  const lines = newest.map(({ id, title }) => `\n  ${id}  ${title}`.trimEnd());
  throw new ReverieError({
    code: 'not-found',
    message: `This project has no session ${JSON.stringify(options.id)}${lines.length === 0 ? '' : `; its newest are:${lines.join('')}`}`,
    fix:
      newest.length === 0
        ? 'Begin one: reverie'
        : `List them with \`reverie sessions\`, or go on with the newest: reverie --resume ${newest[0]!.id}`,
  });
}

/** The folder in which another project's session was begun. By the whole id alone: the beginning of one may fit many. */
async function folderOfSession(options: SessionsOptions & { readonly id: string }): Promise<string | null> {
  const { projects } = homeLayout(options.home);
  if (!isSessionId(options.id)) return null;
  for (const slug of readdirSync(projects)) {
    const file = join(projects, slug, `${options.id}.jsonl`);
    const ends = existsSync(file) ? await readSessionEnds(file, options.limits ?? LIMITS.transcripts) : null;
    if (ends?.cwd) return ends.cwd;
  }
  return null;
}

export interface TranscriptFile {
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** By the time of the file, newest first: enough to choose which ones to open. */
export function transcriptsOf(options: SessionsOptions): TranscriptFile[] {
  const { folder } = projectLayout(options.home, options.slug);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw storageError({ path: folder, doing: 'list', error });
  }
  const files = names.flatMap((name) => {
    const id = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : '';
    if (!isSessionId(id)) return [];
    const path = join(folder, name);
    const facts = lstatSync(path, { throwIfNoEntry: false });
    return facts?.isFile() ? [{ id, path, bytes: facts.size, modifiedMs: facts.mtimeMs }] : [];
  });
  return files.sort((one, other) => other.modifiedMs - one.modifiedMs);
}
