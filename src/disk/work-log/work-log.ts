/**
 * What coding agents did in a project, session by session: files, commands and errors, kept only where the user asked for it. It is a log
 * and no memory: nothing is learnt from it, it is short, and it goes after a month.
 */

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/text/sha256.ts';

export type WorkKind = 'read' | 'edited' | 'ran';

/** One thing that an agent did. */
export interface WorkStep {
  readonly kind: WorkKind;
  /** A file, by its path in the project where it is inside, or a command. */
  readonly what: string;
  /** What a command said when it failed; null when it did not. */
  readonly failure: string | null;
}

export interface LoggedStep extends WorkStep {
  /** ISO time. */
  readonly at: string;
  /** Whose session it was: the host's name. */
  readonly host: string;
}

export interface LoggedSession {
  /** By which the session is known here; see `workSessionName`. */
  readonly name: string;
  /** Oldest first. */
  readonly steps: readonly LoggedStep[];
}

/** Half of a longer file goes, the older one. */
const MOST_BYTES = 131_072;
/** Of one project: the sessions that were gone on with last. */
const MOST_SESSIONS = 40;
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
const SESSION_FILE = /^[0-9a-f]{32}\.jsonl$/;
const KINDS: ReadonlySet<unknown> = new Set<WorkKind>(['read', 'edited', 'ran']);

/** Where all of it is. */
export function workLogFolder(home: string): string {
  return join(home, 'work-log');
}

/** Says that something may be captured: a hook asks for it before it loads anything. */
export function workLogMark(home: string): string {
  return join(workLogFolder(home), 'on');
}

/** Follows the setting, so that the mark is there while work is captured and only then. */
export function markWorkLog(home: string, isOn: boolean): void {
  const mark = workLogMark(home);
  if (existsSync(mark) === isOn) return;
  if (!isOn) {
    rmSync(mark, { force: true });
    return;
  }
  mkdirSync(workLogFolder(home), { recursive: true, mode: 0o700 });
  writeFileSync(mark, '', { mode: 0o600 });
}

/** Hashed, because the id comes from outside and becomes a file's name. */
export function workSessionName({ host, sessionId }: { readonly host: string; readonly sessionId: string }): string {
  return sha256(`${host}\0${sessionId}`).slice(0, 32);
}

export interface ProjectLog {
  append(session: string, step: LoggedStep): void;
  /** Of one session, oldest first; none where nothing was logged. */
  steps(session: string): readonly LoggedStep[];
  /** The session that was gone on with last comes first. */
  sessions(): readonly LoggedSession[];
  /** Removes what is too old, and the oldest of too many. */
  sweep(now: Date): void;
}

export function openProjectLog({ home, slug }: { readonly home: string; readonly slug: string }): ProjectLog {
  const folder = join(workLogFolder(home), slug);
  const pathOf = (session: string) => join(folder, `${session}.jsonl`);
  const steps = (session: string) => readSteps(pathOf(session));
  return {
    append(session, step) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = pathOf(session);
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) keepNewerHalf(path);
      appendLine(path, JSON.stringify(step));
    },
    steps,
    sessions: () => namesByAge(folder).map(({ name }) => ({ name, steps: steps(name) })),
    sweep(now) {
      const oldest = now.getTime() - KEPT_DAYS * DAY_MS;
      for (const [place, { name, changedMs }] of namesByAge(folder).entries()) {
        if (place >= MOST_SESSIONS || changedMs < oldest) rmSync(pathOf(name), { force: true });
      }
    },
  };
}

/** The files of all projects. */
export function workLogFiles(home: string): readonly string[] {
  const root = workLogFolder(home);
  return namesIn(root).flatMap((slug) => {
    const folder = join(root, slug);
    return namesIn(folder)
      .filter((name) => SESSION_FILE.test(name))
      .map((name) => join(folder, name));
  });
}

/** Takes the lines out that hold one of these texts, in all projects. Returns how many went. */
export function purgeWorkLog(home: string, needles: readonly string[]): number {
  let removed = 0;
  for (const path of workLogFiles(home)) {
    const lines = readLines(path);
    const kept = lines.filter((line) => !needles.some((needle) => line.includes(needle)));
    if (kept.length === lines.length) continue;
    removed += lines.length - kept.length;
    replaceLines(path, kept);
  }
  return removed;
}

/** All of it, and the mark with it: the next session makes that again where work is captured. Returns how many sessions went. */
export function clearWorkLog(home: string): number {
  const count = workLogFiles(home).length;
  rmSync(workLogFolder(home), { recursive: true, force: true });
  return count;
}

function appendLine(path: string, line: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    // The line break before it ends a line that a killed process left torn.
    writeSync(descriptor, `\n${line}\n`);
  } finally {
    closeSync(descriptor);
  }
}

function keepNewerHalf(path: string): void {
  let bytes = 0;
  const kept = readLines(path)
    .toReversed()
    .filter((line) => {
      bytes += Buffer.byteLength(line) + 1;
      return bytes <= MOST_BYTES / 2;
    });
  replaceLines(path, kept.reverse());
}

function replaceLines(path: string, lines: readonly string[]): void {
  if (lines.length === 0) {
    rmSync(path, { force: true });
    return;
  }
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
}

function namesByAge(folder: string): readonly { readonly name: string; readonly changedMs: number }[] {
  return namesIn(folder)
    .filter((name) => SESSION_FILE.test(name))
    .map((name) => {
      const changedMs = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      return { name: name.slice(0, -'.jsonl'.length), changedMs };
    })
    .toSorted((one, other) => other.changedMs - one.changedMs);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readSteps(path: string): readonly LoggedStep[] {
  return readLines(path).flatMap((line): LoggedStep[] => {
    const step = stepIn(line);
    return step === null ? [] : [step];
  });
}

/** Null for a torn or foreign line. */
function stepIn(line: string): LoggedStep | null {
  try {
    const { at, host, kind, what, failure } = JSON.parse(line) as Record<string, unknown>;
    if (typeof at !== 'string' || typeof host !== 'string' || typeof what !== 'string' || !KINDS.has(kind)) return null;
    return { at, host, kind: kind as WorkKind, what, failure: typeof failure === 'string' ? failure : null };
  } catch {
    return null;
  }
}

/** Whole lines of a regular file; of one that somebody made large, the last ones. */
function readLines(path: string): readonly string[] {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return [];
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return [];
    const from = Math.max(0, facts.size - 2 * MOST_BYTES);
    const bytes = Buffer.alloc(facts.size - from);
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, from));
    return text
      .split('\n')
      .slice(from === 0 ? 0 : 1)
      .filter((line) => line !== '');
  } catch {
    return [];
  } finally {
    closeSync(descriptor);
  }
}
