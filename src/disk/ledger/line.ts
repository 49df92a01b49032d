/** The lines of the ledger: what a call cost, what a layer did, what became of a memory, what is reserved. Numbers and names, never text. */

import { isObject } from '../../base/values.ts';
import type { Usage } from '../../conversation/message.ts';
import type { ProcessIdentity } from '../process-identity.ts';

interface Origin {
  /** ISO time at which it began; its day (UTC) is the file it stands in. */
  readonly at: string;
  readonly session: string;
  /** The project's slug. */
  readonly project: string;
}

export interface CallFacts {
  readonly id: string;
  readonly at: string;
  readonly purpose: string;
  /** The agent that made it, by name, where it was not the conversation's own. */
  readonly agent?: string;
  /** Whether the caps bind it. */
  readonly background: boolean;
  readonly model: string;
  readonly usage: Usage;
  readonly estimated?: true;
  /** What it cost as tokens of uncached input. */
  readonly equivalentTokens: number;
  /** US dollars; null where the model has no price. */
  readonly money: number | null;
  readonly milliseconds: number;
  readonly outcome: string;
  readonly saved?: { readonly tokens: number };
  readonly broke?: { readonly tokens: number; readonly cause: string };
  /** What the window was made of, answer included (conversation/composition.ts). */
  readonly parts?: string;
}

export type CallLine = { readonly type: 'call' } & Origin & CallFacts;

export interface EventFacts {
  /** `compaction`, `cache-break`, `breaker`, `cap` … */
  readonly name: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly cause?: string;
}

export type EventLine = { readonly type: 'event' } & Origin & EventFacts;

/** That it was contradicted is not written: the journal of its folder tells that. */
export type MemoryFate = 'recalled' | 'used';

export interface MemoryFacts {
  readonly what: MemoryFate;
  /** The scope of its folder; what is of a project is meant with the line's project. */
  readonly scope: string;
  readonly file: string;
  /** Whether anybody looks for its use: where nobody does, that none was seen says nothing. */
  readonly watched: boolean;
  /** Of a recall: what called for it (`message`, `failure`, `file`), who picked it (`ranking`, `model`), its score. */
  readonly trigger?: string;
  readonly selector?: string;
  readonly score?: number;
  /** Of a use: by what it was told (`names`, `words`, `read`). */
  readonly by?: string;
}

export type MemoryLine = { readonly type: 'memory' } & Origin & MemoryFacts;

/** Room for a call that may be running; the call's line settles it, the end of its process lets it lapse. */
export type ReservationLine = { readonly type: 'reserved' } & Origin & {
    readonly id: string;
    readonly purpose: string;
    readonly model: string;
    /** At most. */
    readonly equivalentTokens: number;
    /** What it should cost with the cache and an answer of the usual length. */
    readonly likely?: { readonly tokens: number; readonly money: number | null };
    readonly process: ProcessIdentity;
  };

export type LedgerLine = CallLine | EventLine | MemoryLine | ReservationLine;

export function dayOf(at: string): string {
  return at.slice(0, 10);
}

export function serializeLine(line: LedgerLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Null for damage, and for a kind of line that a later version wrote. */
export function parseLine(text: string): LedgerLine | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isObject(value) && isLine(value) ? (value as unknown as LedgerLine) : null;
}

type Fields = Readonly<Record<string, unknown>>;

function isLine(line: Fields): boolean {
  if (![line.at, line.session, line.project].every(isText)) return false;
  switch (line.type) {
    case 'call':
      return isCall(line);
    case 'event':
      return isText(line.name) && isObject(line.numbers);
    case 'memory':
      return isMemory(line);
    case 'reserved':
      return isText(line.id) && isAmount(line.equivalentTokens) && isObject(line.process) && isLikely(line.likely);
    default:
      return false;
  }
}

const USAGE_PARTS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWriteHourTokens'];

function isCall(line: Fields): boolean {
  const { usage } = line;
  if (!isObject(usage)) return false;
  const amounts = [
    line.equivalentTokens,
    line.milliseconds,
    line.money ?? 0,
    ...USAGE_PARTS.map((part) => usage[part]),
  ];
  return [line.id, line.purpose, line.model, line.outcome, line.agent ?? ''].every(isText) && amounts.every(isAmount);
}

function isLikely(likely: unknown): boolean {
  return likely === undefined || (isObject(likely) && isAmount(likely.tokens) && isAmount(likely.money ?? 0));
}

const FATES: ReadonlySet<unknown> = new Set<MemoryFate>(['recalled', 'used']);

function isMemory(line: Fields): boolean {
  return FATES.has(line.what) && isText(line.scope) && isText(line.file) && typeof line.watched === 'boolean';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
