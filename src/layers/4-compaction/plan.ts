/** Which messages a compaction replaces and which stay: all of them, around a message the user chose, or after the notes. */

import type { Entry } from '../../conversation/entry.ts';
import { type Message, textOf } from '../../conversation/message.ts';
import { ownText } from '../../conversation/own-words.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import type { Limits } from '../../limits.ts';
import type { CompactionFailure, CompactionRequest, SessionNotes } from './ports.ts';
import { cutAtOrBefore, cutsOf } from './rounds.ts';

/** `before`, then what is replaced, then `after`: together all entries. */
export interface Plan {
  readonly before: readonly Entry[];
  readonly replaced: readonly Entry[];
  readonly after: readonly Entry[];
}

export type Planned = Plan | { readonly failure: CompactionFailure; readonly reason: string };

/** A prompt that is not answered yet stays as it is, images and all, unless it is too large. */
export function planWhole(entries: readonly Entry[], mostPendingTokens: number): Plan {
  const last = entries.at(-1);
  const isPending =
    last !== undefined &&
    entries.length > 1 &&
    ownText(last) !== '' &&
    !last.message.content.some(({ type }) => type === 'tool_result') &&
    estimateTokens(last.message) <= mostPendingTokens;
  const end = isPending ? entries.length - 1 : entries.length;
  return { before: [], replaced: entries.slice(0, end), after: entries.slice(end) };
}

/** `from`: replaces that message and everything after it; `up-to`: everything before it. Moved back to where a cut is allowed. */
export function planAround(entries: readonly Entry[], pivot: NonNullable<CompactionRequest['pivot']>): Planned {
  const wanted = entries.findIndex(({ uuid }) => uuid === pivot.uuid);
  if (wanted < 0) return { failure: 'unknown-message', reason: 'the chosen message is not in this conversation' };
  const cut = cutAtOrBefore(entries, wanted);
  const [first, second] = [entries.slice(0, cut), entries.slice(cut)];
  if (pivot.side === 'from') return { before: first, replaced: second, after: [] };
  if (first.length === 0) {
    return { failure: 'nothing-to-summarise', reason: 'nothing stands before the chosen message' };
  }
  return { before: [], replaced: first, after: second };
}

/**
 * What the notes do not cover stays, with enough before it to make the work readable. Null when what they do not cover
 * is more than may stay: it must not be lost.
 */
export function planBehindNotes(
  entries: readonly Entry[],
  facts: {
    readonly notes: SessionNotes;
    readonly within: (tokens: number) => number;
    readonly limits: Limits['compaction'];
  },
): Plan | null {
  const { limits, within } = facts;
  const covered = entries.findIndex(({ uuid }) => uuid === facts.notes.coveredUuid);
  if (covered < 0) return null;
  const most = within(limits.mostKeptTokens);
  let start = cutAtOrBefore(entries, covered + 1);
  if (sizeOf(entries.slice(start)) > most) return null;
  for (const cut of cutsOf(entries).toReversed()) {
    if (cut >= start) continue;
    const kept = entries.slice(start);
    if (sizeOf(kept) >= within(limits.keptTokens) && withText(kept) >= limits.keptMessages) break;
    if (sizeOf(entries.slice(cut)) > most) break;
    start = cut;
  }
  return start === 0 ? null : { before: [], replaced: entries.slice(0, start), after: entries.slice(start) };
}

export function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { message }) => sum + estimateTokens(message), 0);
}

function withText(entries: readonly Entry[]): number {
  return entries.filter(({ message }) => textOf(message.content).trim() !== '').length;
}

/** The messages as they are sent, up to an entry: neighbours with one role go out as one message, after the context. */
export function sentBefore(
  messages: readonly Message[],
  facts: { readonly entries: readonly Entry[]; readonly index: number; readonly contextBlocks: number },
): readonly Message[] {
  let at = facts.contextBlocks > 0 ? 0 : -1;
  let role: Message['role'] | null = facts.contextBlocks > 0 ? 'user' : null;
  let blocks = facts.contextBlocks;
  for (const { message } of facts.entries.slice(0, facts.index)) {
    if (message.role !== role) [at, blocks] = [at + 1, 0];
    role = message.role;
    blocks += message.content.length;
  }
  const last = messages[at];
  if (last === undefined || blocks >= last.content.length) return messages.slice(0, at + 1);
  return [...messages.slice(0, at), { role: last.role, content: last.content.slice(0, blocks) }];
}
