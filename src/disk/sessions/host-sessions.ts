/**
 * Which conversations other coding agents had in a project: one short file of lines for each project. Of a host that keeps a readable
 * transcript only its place is written down; of the others, the beginning of what the user asked last.
 */

import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Steps } from '../../base/async/in-turns.ts';
import { appendRecord, parseLine, readTailLines } from '../tail.ts';

const FOLDER = 'last-sessions';
const ENDING = '.jsonl';
/** Some hundred conversations; the older half of a longer file goes. */
const MOST_BYTES = 65_536;
/** As long as the record of a conversation's hooks. */
const KEPT_MS = 30 * 86_400_000;

/** Some fifty conversations: a start does not look at all that ever were. */
const LEFT_BYTES = 32_768;
const MOST_LEFT = 3;
/** Nothing shows whether a host is still running: a session that goes on later is looked through again, from there. */
const IDLE_MS = 30 * 60_000;
const LEFT_MS = 7 * 86_400_000;
/** What a host writes while it exits does not call for another look. */
const LEAVING_MS = 10_000;
const MOST_TRIES = 3;

interface ProjectPlace {
  readonly home: string;
  readonly slug: string;
}

export interface HostSession {
  readonly host: string;
  readonly sessionId: string;
  readonly transcriptFile: string | null;
  /** What the user asked last, where no transcript tells. */
  readonly said: string | null;
  /** ISO time. */
  readonly at: string;
  /** The user wants it to be learnt from. */
  readonly learns?: boolean;
}

type SessionName = Pick<HostSession, 'host' | 'sessionId'>;

interface KnownSession extends HostSession {
  /** When somebody last looked through all that was said in it; 0 if nobody has. */
  readonly lookedAtMs: number;
  /** How often that failed since. */
  readonly tries: number;
}

/** Never throws: it is an aid, and a hook has better things to report. */
export function recordHostSession(project: ProjectPlace, session: HostSession): void {
  append(project, session);
}

/** What was said in it until then was looked through, or could not be. Never throws. */
export function markHostSession(
  project: ProjectPlace,
  { host, sessionId }: SessionName,
  mark: { readonly lookedAtMs: number } | { readonly hasFailed: true },
): void {
  append(project, { host, sessionId, ...mark });
}

function append(project: ProjectPlace, record: object): void {
  try {
    appendRecord(fileOf(project), record, MOST_BYTES);
  } catch {}
}

function fileOf({ home, slug }: ProjectPlace): string {
  return join(home, FOLDER, `${slug}${ENDING}`);
}

/** Removes the files of projects that nobody has worked in for long. */
export function sweepHostSessions(home: string, now: Date): void {
  const folder = join(home, FOLDER);
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() && stats.mtimeMs < now.getTime() - KEPT_MS) rmSync(path, { force: true });
    }
  } catch {}
}

/** Conversations since then, of one project or, without a slug, of all; a project a step, and no further than `most`. */
export function* countingHostSessions(
  { home, slug }: { readonly home: string; readonly slug: string | null },
  { sinceMs, most }: { readonly sinceMs: number | null; readonly most: number },
): Steps<number> {
  const folder = join(home, FOLDER);
  const names = slug === null ? namesIn(folder).filter((name) => name.endsWith(ENDING)) : [`${slug}${ENDING}`];
  const since = new Date(sinceMs ?? 0).toISOString();
  let count = 0;
  for (const name of names) {
    if (count >= most) break;
    count += newestIn(join(folder, name)).filter(({ at }) => at > since).length;
    yield;
  }
  return Math.min(most, count);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The newest few sessions that have been idle for a while and whose last messages nobody looked through: their host was killed, or its
 * terminal was closed, without a hook for the end.
 */
export function leftHostSessions(project: ProjectPlace, now: Date): readonly HostSession[] {
  const isLeft = ({ at, lookedAtMs, tries }: KnownSession) => {
    const heardMs = Date.parse(at);
    const agoMs = now.getTime() - heardMs;
    return agoMs > IDLE_MS && agoMs < LEFT_MS && heardMs > lookedAtMs + LEAVING_MS && tries < MOST_TRIES;
  };
  return newestIn(fileOf(project), LEFT_BYTES).filter(isLeft).slice(0, MOST_LEFT);
}

/** One for each conversation of a project, by when it was last heard of. */
export function newestHostSessions(project: ProjectPlace): readonly HostSession[] {
  return newestIn(fileOf(project));
}

function newestIn(path: string, bytes = 2 * MOST_BYTES): readonly KnownSession[] {
  const sessions = new Map<string, KnownSession>();
  for (const record of readTailLines(path, bytes).map(parseLine)) {
    const key = `${record?.host}\0${record?.sessionId}`;
    const known = afterRecord(sessions.get(key), record ?? {});
    if (known !== undefined) sessions.set(key, known);
  }
  return [...sessions.values()]
    .map((session) => ({ ...session, at: lastHeard(session) }))
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));
}

function afterRecord(
  before: KnownSession | undefined,
  record: Readonly<Record<string, unknown>>,
): KnownSession | undefined {
  const session = sessionOf(record);
  const { lookedAtMs = 0, tries = 0, said = null } = before ?? {};
  if (session !== null) return { ...session, said: session.said ?? said, lookedAtMs, tries: 0 };
  if (before === undefined) return undefined;
  if (typeof record.lookedAtMs === 'number') return { ...before, lookedAtMs: record.lookedAtMs, tries: 0 };
  return record.hasFailed === true ? { ...before, tries: tries + 1 } : before;
}

function lastHeard({ transcriptFile, at }: HostSession): string {
  try {
    const stats = transcriptFile === null ? undefined : statSync(transcriptFile, { throwIfNoEntry: false });
    return stats === undefined ? at : new Date(stats.mtimeMs).toISOString();
  } catch {
    return at;
  }
}

function sessionOf(record: Readonly<Record<string, unknown>>): HostSession | null {
  const { host, sessionId, transcriptFile, said, at, learns } = record;
  if (typeof host !== 'string' || typeof sessionId !== 'string' || typeof at !== 'string') return null;
  return {
    ...{ host, sessionId, at, learns: learns === true },
    transcriptFile: typeof transcriptFile === 'string' ? transcriptFile : null,
    said: typeof said === 'string' ? said : null,
  };
}
