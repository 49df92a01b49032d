/** Where a conversation may be cut: never between a tool call and its result, never within one response. */

import type { Entry } from '../../conversation/entry.ts';
import type { Message } from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';

/** Share of the oldest rounds to drop when the error names no gap. */
const DROPPED_SHARE = 0.2;

type Part = { readonly message: Message; readonly response?: Entry['response'] };

/** Every index before which it may be cut, including 0 and the length. */
export function cutsOf(parts: readonly Part[]): readonly number[] {
  const furthest = reaches(parts);
  const cuts: number[] = [];
  let reach = -1;
  for (let at = 0; at <= parts.length; at++) {
    if (reach < at) cuts.push(at);
    reach = Math.max(reach, furthest[at] ?? -1);
  }
  return cuts;
}

/** For each part, the last one that must stay with it. */
function reaches(parts: readonly Part[]): readonly number[] {
  const furthest = parts.map((_, at) => at);
  const callAt = new Map<string, number>();
  const responseAt = new Map<string, number>();
  for (const [at, { message, response }] of parts.entries()) {
    if (response?.id) {
      const first = responseAt.get(response.id) ?? at;
      responseAt.set(response.id, first);
      furthest[first] = at;
    }
    for (const block of message.content) {
      if (block.type === 'tool_use') callAt.set(block.id, at);
      if (block.type !== 'tool_result') continue;
      const call = callAt.get(block.tool_use_id);
      if (call !== undefined) furthest[call] = Math.max(furthest[call]!, at);
    }
  }
  return furthest;
}

/** The last allowed cut at or before the wanted one. */
export function cutAtOrBefore(parts: readonly Part[], wanted: number): number {
  return cutsOf(parts).findLast((cut) => cut <= wanted) ?? 0;
}

const LEFT_OUT = '[The oldest messages are left out here: they do not fit.]';

/**
 * Without its oldest rounds: as many as cover the gap, or a share of them when no gap is known. The last round always
 * stays; null when nothing can go. It may begin with the assistant: `withNoteOfLeftOut` fixes that.
 */
export function withoutOldest(
  messages: readonly Message[],
  { gapTokens }: { readonly gapTokens: number | null },
): readonly Message[] | null {
  const cuts = cutsOf(messages.map((message) => ({ message }))).slice(1, -1);
  if (cuts.length === 0) return null;
  return messages.slice(gapTokens === null ? byShare(cuts) : byGap(messages, cuts, gapTokens));
}

export function withNoteOfLeftOut(messages: readonly Message[]): readonly Message[] {
  const note = { type: 'text', text: LEFT_OUT } as const;
  const [first, ...rest] = messages;
  // A part that begins with a user message holds no result whose call was removed.
  if (first?.role === 'user') return [{ role: 'user', content: [note, ...first.content] }, ...rest];
  return [{ role: 'user', content: [note] }, ...messages];
}

function byShare(cuts: readonly number[]): number {
  const dropped = Math.ceil((cuts.length + 1) * DROPPED_SHARE);
  return cuts[Math.min(cuts.length, Math.max(1, dropped)) - 1]!;
}

function byGap(messages: readonly Message[], cuts: readonly number[], gapTokens: number): number {
  let dropped = 0;
  let at = 0;
  for (const cut of cuts) {
    for (; at < cut; at++) dropped += estimateTokens(messages[at]!);
    if (dropped >= gapTokens) return cut;
  }
  return cuts.at(-1)!;
}

/** Whether a transcript links each to the next, so that naming the first and the last names them all. */
export function areLinked(entries: readonly Entry[]): boolean {
  return entries.every((entry, at) => at === 0 || entry.parentUuid === entries[at - 1]!.uuid);
}

/** The usage on messages that survive a compaction was for the longer conversation. */
export function withoutResponse(entry: Entry): Entry {
  if (entry.response === undefined) return entry;
  const { response: _, ...rest } = entry;
  return rest;
}
