/** What became of each memory after it was recalled: used, contradicted, or nothing; read from the ledger and the journals. */

import type { Change, FileChange } from '../../disk/journal/change.ts';
import { type LedgerReadOptions, readLedger } from '../../disk/ledger/read.ts';
import type { Place } from '../../settings/place.ts';
import { parseMemoryFile } from '../files/memory-file.ts';
import { openReadScopes } from '../read-scopes.ts';

/** What is done to a memory this long after the last sign of a session still is an answer to that session. */
const AFTER_SESSION_MINUTES = 60;

export interface MemoryUsefulness {
  /** Times that it was put before a model unasked. */
  readonly recalled: number;
  /** Of these, the times after which a use would have been seen: hooks and other people's loops do not show theirs. */
  readonly watched: number;
  readonly used: number;
  /** Changes that spoke against it while a conversation that had recalled it went on, or soon after. */
  readonly contradicted: number;
  /** ISO times. */
  readonly firstRecalledAt: string;
  readonly lastRecalledAt: string;
}

export interface UsefulnessOptions {
  readonly place: Place;
  readonly now: Date;
  /** The last so many days, today included; all unless given. */
  readonly days?: number;
  /** By `scope:file`: what was recalled before this ISO time does not count; all of it unless given. */
  readonly since?: (key: string) => string | undefined;
  /** The time of each line of the ledger, as it is read. */
  readonly onProgress?: (at: string) => void;
  /** A ledger that cannot be read; thrown unless given. */
  readonly onProblem?: LedgerReadOptions['onProblem'];
}

/** By `scope:file`, for the project and what is global; only what was recalled. */
export async function readUsefulness(options: UsefulnessOptions): Promise<ReadonlyMap<string, MemoryUsefulness>> {
  const { counts, sessionEnds } = await readCounts(options);
  if (counts.size === 0) return new Map();
  const graceMs = AFTER_SESSION_MINUTES * 60_000;
  const isAnswered = (key: string, at: string) =>
    [...(counts.get(key)?.sessions ?? [])].some(
      ([session, from]) => from <= at && Date.parse(at) <= Date.parse(sessionEnds.get(session) ?? from) + graceMs,
    );
  const contradicted = await readContradictions(options, { since: earliestOf(counts), isAnswered, counts });
  return new Map(
    [...counts].map(([key, { sessions: _, ...count }]) => [
      key,
      { ...count, contradicted: contradicted.get(key) ?? 0 },
    ]),
  );
}

interface Count extends Omit<MemoryUsefulness, 'contradicted'> {
  /** When each session first recalled it. */
  readonly sessions: Map<string, string>;
}

type Counts = ReadonlyMap<string, Count>;

async function readCounts({ place, now, days, since, onProgress, onProblem }: UsefulnessOptions) {
  const counts = new Map<string, Count>();
  const sessionEnds = new Map<string, string>();
  const within = { ...(days === undefined ? {} : { days }), ...(onProblem === undefined ? {} : { onProblem }) };
  for await (const line of readLedger({ home: place.home, now, ...within })) {
    const { at, session } = line;
    onProgress?.(at);
    if ((sessionEnds.get(session) ?? '') < at) sessionEnds.set(session, at);
    if (line.type !== 'memory') continue;
    if (line.scope !== 'global' && line.project !== place.slug) continue;
    const key = `${line.scope}:${line.file}`;
    const from = since?.(key);
    if (from !== undefined && Date.parse(at) < Date.parse(from)) continue;
    const before = counts.get(key);
    if (line.what === 'recalled') counts.set(key, plusRecall(before, line));
    // A use whose recall was before the days that are looked at counts with that one.
    else if (before !== undefined) counts.set(key, { ...before, used: Math.min(before.used + 1, before.watched) });
  }
  return { counts, sessionEnds };
}

function plusRecall(
  before: Count | undefined,
  line: { readonly at: string; readonly session: string; readonly watched: boolean },
): Count {
  const { at, session } = line;
  const sessions = before?.sessions ?? new Map<string, string>();
  if (!sessions.has(session)) sessions.set(session, at);
  return {
    recalled: (before?.recalled ?? 0) + 1,
    watched: (before?.watched ?? 0) + (line.watched ? 1 : 0),
    used: before?.used ?? 0,
    firstRecalledAt: before?.firstRecalledAt ?? at,
    lastRecalledAt: at,
    sessions,
  };
}

function earliestOf(counts: Counts): string {
  return [...counts.values()].reduce((first, { firstRecalledAt: at }) => (at < first ? at : first), '9');
}

interface Answering {
  /** Nothing before this time can have been an answer to a recall. */
  readonly since: string;
  readonly counts: Counts;
  /** Whether that time is within a session that had recalled the memory by then. */
  readonly isAnswered: (key: string, at: string) => boolean;
}

async function readContradictions(
  { place }: UsefulnessOptions,
  { since, counts, isAnswered }: Answering,
): Promise<ReadonlyMap<string, number>> {
  const contradicted = new Map<string, number>();
  const scopes = await openReadScopes(place);
  try {
    for (const { scope, history, content } of scopes.folders) {
      for (const change of standing(history(), since)) {
        for (const file of change.files) {
          const key = `${scope}:${file.file}`;
          const recalledAt = counts.get(key)?.firstRecalledAt;
          if (recalledAt === undefined || !isAnswered(key, change.at)) continue;
          // What only takes back a change of the same time leaves the memory as it was recalled.
          if (change.undoneAt !== undefined && change.undoneAt >= recalledAt) continue;
          if (!judgeContradiction({ change, file, content }).isContradicted) continue;
          contradicted.set(key, (contradicted.get(key) ?? 0) + 1);
        }
      }
    }
  } finally {
    await Promise.all(scopes.folders.map((folder) => folder.close()));
  }
  return contradicted;
}

/** Changes since then that were not undone; an undo knows the time of what it took back, where that is no older. */
function standing(history: Iterable<Change>, since: string): readonly (Change & { readonly undoneAt?: string })[] {
  const undone = new Set<string>();
  const changes: Change[] = [];
  for (const change of history) {
    if (change.at < since) break;
    changes.push(change);
    if (change.undoes !== undefined && !undone.has(change.id)) undone.add(change.undoes);
  }
  const times = new Map(changes.map(({ id, at }) => [id, at]));
  return changes
    .filter(({ id }) => !undone.has(id))
    .map((change) => {
      const undoneAt = change.undoes === undefined ? undefined : times.get(change.undoes);
      return { ...change, ...(undoneAt === undefined ? {} : { undoneAt }) };
    });
}

// Whether a change to a memory speaks against what it said: a removal, a correction, a standing that it lost; not an addition, not a pin.

type Contradiction =
  | { readonly isContradicted: true; readonly how: 'removed' | 'refuted' | 'superseded' | 'corrected' }
  | {
      readonly isContradicted: false;
      readonly reason: 'new' | 'moved' | 'not-a-judgement' | 'text-unknown' | 'added-to';
    };

interface ChangedMemory {
  readonly change: Pick<Change, 'who' | 'files'>;
  readonly file: FileChange;
  readonly content: (hash: string) => Uint8Array | null;
}

export function judgeContradiction({ change, file, content }: ChangedMemory): Contradiction {
  // A dream tidies up and an import brings in; neither answers to a conversation.
  if (change.who === 'dream' || change.who === 'import') return no('not-a-judgement');
  if (file.before === null) return no('new');
  if (file.after === null)
    return change.files.some(({ after }) => after === file.before) ? no('moved') : yes('removed');
  const before = content(file.before);
  const after = content(file.after);
  if (before === null || after === null) return no('text-unknown');
  return judgeTexts(parseMemoryFile(before), parseMemoryFile(after));
}

type Parsed = ReturnType<typeof parseMemoryFile>;

function judgeTexts(before: Parsed, after: Parsed): Contradiction {
  const isNewlySet = (field: string) => before.meta[field] === undefined && after.meta[field] !== undefined;
  if (isNewlySet('refuted')) return yes('refuted');
  if (isNewlySet('superseded_by')) return yes('superseded');
  const kept = new Set([...linesOf(after.body), ...linesOf(after.meta.description ?? '')]);
  const isGone = [...linesOf(before.body), ...linesOf(before.meta.description ?? '')].some((line) => !kept.has(line));
  return isGone ? yes('corrected') : no('added-to');
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '');
}

function yes(how: Extract<Contradiction, { isContradicted: true }>['how']): Contradiction {
  return { isContradicted: true, how };
}

function no(reason: Extract<Contradiction, { isContradicted: false }>['reason']): Contradiction {
  return { isContradicted: false, reason };
}
