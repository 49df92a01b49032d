/**
 * Which conversations other coding agents had in a project: one short file of lines for each project. Of a host that keeps a readable
 * transcript only its place is written down; of the others, the beginning of what the user asked last.
 */

import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { withoutInjected } from '../../base/text/injected-text.ts';
import { titleOf } from '../../disk/sessions/ends.ts';
import type { HostFacts } from '../hosts/host.ts';
import { findHost } from '../hosts/hosts.ts';
import { parseLine, readTailLines } from '../run/tail.ts';
import { isHostsOwn } from '../run/typed.ts';

const FOLDER = 'last-sessions';
/** Some hundred conversations; the older half of a longer file goes. */
const MOST_BYTES = 65_536;
/** The last request stands in it unless the answer to it is longer. */
const TRANSCRIPT_BYTES = 262_144;
const SAID_CHARACTERS = 300;
/** As long as the record of a conversation's hooks. */
const KEPT_MS = 30 * 86_400_000;

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
}

export interface HostRequest {
  readonly host: string;
  /** As its makers write it. */
  readonly title: string;
  readonly at: string;
  readonly lastRequest: string;
}

/** Never throws: it is an aid, and a hook has better things to report. */
export function recordHostSession({ home, slug }: ProjectPlace, session: HostSession): void {
  const folder = join(home, FOLDER);
  const path = join(folder, `${slug}.jsonl`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) keepNewerHalf(path);
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(path, flags, 0o600);
    try {
      writeSync(descriptor, `\n${JSON.stringify(session)}\n`);
    } finally {
      closeSync(descriptor);
    }
  } catch {}
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

/** The beginning of a request; null where it holds a secret or nothing that a person typed. */
export async function keptRequest(text: string): Promise<string | null> {
  const request = titleOf(withoutInjected(text), SAID_CHARACTERS);
  if (request === '') return null;
  const { findSecrets } = await import('../../base/secrets/secrets.ts');
  return (await findSecrets(text)).length === 0 ? request : null;
}

/** Newest first. Only so many transcripts are opened as there are requests wanted. */
export function readHostRequests(
  { home, slug }: ProjectPlace,
  facts: HostFacts & { readonly most: number; readonly except?: string },
): readonly HostRequest[] {
  const found: HostRequest[] = [];
  for (const session of newestSessions(join(home, FOLDER, `${slug}.jsonl`))) {
    if (found.length >= facts.most) break;
    if (session.sessionId === facts.except) continue;
    const request = requestOf(session, facts);
    if (request !== null) found.push(request);
  }
  return found;
}

function requestOf({ host: name, transcriptFile, said, at }: HostSession, facts: HostFacts): HostRequest | null {
  const host = findHost(name);
  if (host === null) return null;
  if (said !== null) return { host: name, title: host.title, at, lastRequest: said };
  if (transcriptFile === null || !isHostsOwn(transcriptFile, host, facts)) return null;
  const texts = host.userTexts(readTailLines(transcriptFile, TRANSCRIPT_BYTES));
  const last = texts.findLast(({ text }) => withoutInjected(text).trim() !== '');
  if (last === undefined) return null;
  const lastRequest = titleOf(withoutInjected(last.text), SAID_CHARACTERS);
  return { host: name, title: host.title, at, lastRequest };
}

/** Conversations since then, of one project or, without a slug, of all. */
export function countHostSessions(
  { home, slug }: { readonly home: string; readonly slug: string | null },
  sinceMs: number | null,
): number {
  const folder = join(home, FOLDER);
  const names = slug === null ? namesIn(folder) : [`${slug}.jsonl`];
  const since = new Date(sinceMs ?? 0).toISOString();
  return names.flatMap((name) => newestSessions(join(folder, name))).filter(({ at }) => at > since).length;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** One for each conversation, by when it was last heard of. */
function newestSessions(path: string): readonly HostSession[] {
  const sessions = new Map<string, HostSession>();
  for (const line of readTailLines(path, 2 * MOST_BYTES)) {
    const session = sessionOf(parseLine(line));
    if (session === null) continue;
    const key = `${session.host}\0${session.sessionId}`;
    const before = sessions.get(key);
    sessions.set(key, { ...session, said: session.said ?? before?.said ?? null });
  }
  return [...sessions.values()]
    .map((session) => ({ ...session, at: lastHeard(session) }))
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));
}

function lastHeard({ transcriptFile, at }: HostSession): string {
  try {
    const stats = transcriptFile === null ? undefined : statSync(transcriptFile, { throwIfNoEntry: false });
    return stats === undefined ? at : new Date(stats.mtimeMs).toISOString();
  } catch {
    return at;
  }
}

function sessionOf(record: ReturnType<typeof parseLine>): HostSession | null {
  const { host, sessionId, transcriptFile, said, at } = record ?? {};
  if (typeof host !== 'string' || typeof sessionId !== 'string' || typeof at !== 'string') return null;
  return {
    ...{ host, sessionId, at },
    transcriptFile: typeof transcriptFile === 'string' ? transcriptFile : null,
    said: typeof said === 'string' ? said : null,
  };
}

function keepNewerHalf(path: string): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${readTailLines(path, MOST_BYTES / 2).join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
}
