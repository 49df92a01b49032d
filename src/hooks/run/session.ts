/**
 * What the hooks of one conversation know of each other. Each hook is a process of its own and several run at once, so
 * the file only ever grows by whole lines; who claims something first in the file has it.
 */

import { closeSync, constants, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/text/sha256.ts';
import { isProcess, livenessOf, thisProcess } from '../../disk/process-identity.ts';
import { parseLine, readTailLines } from '../../disk/tail.ts';
import type { SaidText } from './event.ts';

export interface HookSessionState {
  /** `scope:file` of what this conversation was given since it was last compacted. */
  readonly surfaced: ReadonlySet<string>;
  readonly bytesSurfaced: number;
  /** How many of them a hook put before it: some the agent read itself, or the user said them there. */
  readonly given: number;
  /** Whether the conversation was told of its memory, and whether that was lost to a compaction since. */
  readonly start: 'never' | 'told' | 'lost';
  /** When it was told last; 0 if it never was. */
  readonly toldAtMs: number;
  /** What hooks reported as typed and nobody has looked through yet. */
  readonly waiting: readonly ReportedText[];
  /** Hashes of what was looked through. */
  readonly handled: ReadonlySet<string>;
  /** By hash, who claimed to look through it and has not let go. */
  readonly claimed: ReadonlyMap<string, readonly Claim[]>;
  /** ISO time before which all was said in another conversation, of which this one is a fork; empty if it is none. */
  readonly forkedAt: string;
  /** ISO time up to which a model has looked for what to keep, or another conversation sees to it; empty if neither. */
  readonly learntUntil: string;
}

/** It counts while its process lives, and until that must be done. */
interface Claim {
  readonly by: unknown;
  readonly untilMs: number;
}

/** Words that a hook reported as typed, and by what that can be told. */
export interface ReportedText extends SaidText {
  readonly host: string;
  readonly transcriptFile: string | null;
}

export interface Surfacing {
  readonly key: string;
  readonly bytes: number;
}

export interface HookSession {
  read(): HookSessionState;
  /** Those of the items that no other hook surfaced before. */
  claimSurfaced(items: readonly Surfacing[]): readonly Surfacing[];
  /** False when it was looked through, or another hook is at it. The claim of a process that is gone does not count. */
  claimSaid(hash: string, forMs?: number): boolean;
  /** It was looked through: nobody needs to do that again. */
  finishSaid(hash: string): void;
  /** It could not be kept: the next hook tries again. */
  releaseSaid(hash: string): void;
  /** With the transcript that should come to hold it. */
  keepSaid(said: SaidText, transcriptFile: string | null): void;
  /** The conversation was compacted or cleared: what was shown is gone from it. */
  forgetSurfaced(): void;
  /** The conversation was told of its memory. */
  markStarted(): void;
  /** What was said up to this ISO time is looked through in the conversation that it was said in. */
  markForked(at: string): void;
  /** A model has looked through what was said up to this ISO time. */
  markLearnt(until: string): void;
}

const FOLDER = 'hook-sessions';
const FILE_NAME = /^[0-9a-f]{32}\.jsonl$/;
/** Longer than a hook lives. */
const CLAIM_MS = 30_000;
/** More than any conversation gathers; only the end of a longer file counts. */
const MOST_BYTES = 4_194_304;

export function openHookSession(home: string, conversation: { host: string; sessionId: string }): HookSession {
  const folder = join(home, FOLDER);
  // Hashed, because the id comes from outside and becomes a file's name.
  const name = sha256(`${conversation.host}\0${conversation.sessionId}`).slice(0, 32);
  const path = join(folder, `${name}.jsonl`);
  const records = () => readTailLines(path, MOST_BYTES).map(parseLine);

  function append(record: Readonly<Record<string, unknown>>): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { O_WRONLY, O_APPEND, O_CREAT } = constants;
    const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
    try {
      // The line break before it ends a line that a killed process left torn.
      writeSync(descriptor, `\n${JSON.stringify(record)}\n`);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Where nothing can be written, a memory that is shown twice is better than none. */
  function tryAppend(record: Readonly<Record<string, unknown>>): boolean {
    try {
      append(record);
      return true;
    } catch {
      return false;
    }
  }

  return {
    read: () => foldRecords(records()),
    claimSurfaced(items) {
      if (items.length === 0) return [];
      const id = newId();
      if (!tryAppend({ surfaced: items, id })) return items;
      const before = recordsBefore(records(), id);
      const taken = foldRecords(before).surfaced;
      return items.filter(({ key }) => !taken.has(key));
    },
    claimSaid(hash, forMs = CLAIM_MS) {
      const id = newId();
      const nowMs = Date.now();
      append({ claimed: hash, id, by: thisProcess(), untilMs: nowMs + forMs });
      const { handled, claimed } = foldRecords(recordsBefore(records(), id));
      const isHeld = ({ by, untilMs }: Claim) => untilMs >= nowMs && !(isProcess(by) && livenessOf(by) === 'gone');
      return !handled.has(hash) && !claimed.get(hash)?.some(isHeld);
    },
    finishSaid: (hash) => append({ handled: hash }),
    releaseSaid: (hash) => append({ released: hash }),
    keepSaid: (said, transcript) => append({ said: said.text, at: said.at, host: conversation.host, transcript }),
    forgetSurfaced: () => void tryAppend({ reset: true }),
    markStarted: () => void tryAppend({ started: true, atMs: Date.now() }),
    markForked: (at) => void tryAppend({ forked: at }),
    markLearnt: (until) => append({ learnt: until }),
  };
}

/** No other line has it, whichever process wrote that. */
function newId(): string {
  return `${process.pid}-${process.hrtime.bigint()}-${Math.random()}`;
}

type Line = Readonly<Record<string, unknown>> | null;

function recordsBefore(records: readonly Line[], id: string): readonly Line[] {
  const at = records.findIndex((record) => record?.id === id);
  return at === -1 ? records : records.slice(0, at);
}

function foldRecords(records: readonly Line[]): HookSessionState {
  const surfaced = new Map<string, number>();
  const handled = new Set<string>();
  const claimed = new Map<string, Claim[]>();
  const waiting: ReportedText[] = [];
  let start: HookSessionState['start'] = 'never';
  let toldAtMs = 0;
  let forkedAt = '';
  let learntUntil = '';
  for (const record of records) {
    if (record === null) continue;
    if (record.reset === true) surfaced.clear();
    if (record.reset === true) start = 'lost';
    if (record.started === true) [start, toldAtMs] = ['told', Number(record.atMs) || 0];
    for (const item of Array.isArray(record.surfaced) ? record.surfaced : []) {
      const { key, bytes } = (item ?? {}) as { key?: unknown; bytes?: unknown };
      if (typeof key === 'string') surfaced.set(key, typeof bytes === 'number' ? bytes : 0);
    }
    if (typeof record.handled === 'string') handled.add(record.handled);
    if (typeof record.forked === 'string') forkedAt = record.forked;
    for (const until of [record.learnt, record.forked]) {
      if (typeof until === 'string' && until > learntUntil) learntUntil = until;
    }
    if (typeof record.claimed === 'string') {
      const claim = { by: record.by, untilMs: Number(record.untilMs) || 0 };
      claimed.set(record.claimed, [...(claimed.get(record.claimed) ?? []), claim]);
    }
    if (typeof record.released === 'string') claimed.delete(record.released);
    if (typeof record.said === 'string') waiting.push(reportedText(record, record.said));
  }
  const bytesSurfaced = [...surfaced.values()].reduce((sum, bytes) => sum + bytes, 0);
  const given = [...surfaced.values()].filter((bytes) => bytes > 0).length;
  const told = { surfaced: new Set(surfaced.keys()), bytesSurfaced, given, start, toldAtMs };
  return { ...told, waiting, handled, claimed, forkedAt, learntUntil };
}

function reportedText({ at, host, transcript }: Readonly<Record<string, unknown>>, text: string): ReportedText {
  const transcriptFile = typeof transcript === 'string' ? transcript : null;
  return { text, at: String(at), host: String(host), transcriptFile };
}

/** Removes the files of conversations that nobody has gone on with for long. */
export function sweepHookSessions(home: string, facts: { now: Date; keptDays: number }): void {
  const folder = join(home, FOLDER);
  const oldest = facts.now.getTime() - facts.keptDays * 86_400_000;
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const stats = FILE_NAME.test(name) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (stats !== undefined && stats.mtimeMs < oldest) rmSync(path, { force: true });
  }
}

/** What hooks reported as typed in any conversation that went on since then, oldest conversation first. */
export function saidInHooks(home: string, facts: { readonly since: Date }): readonly ReportedText[] {
  const folder = join(home, FOLDER);
  return namesIn(folder)
    .filter((name) => FILE_NAME.test(name))
    .map((name) => ({ path: join(folder, name), changed: changedAt(join(folder, name)) }))
    .filter(({ changed }) => changed >= facts.since.getTime())
    .toSorted((one, other) => one.changed - other.changed)
    .flatMap(({ path }) => foldRecords(readTailLines(path, MOST_BYTES).map(parseLine)).waiting);
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
