/** Whether a range may be removed: it has to be there, in order, and made of whole rounds. */

import type { Entry } from '../../conversation/entry.ts';
import { ownText } from '../../conversation/own-words.ts';

export interface SnipRange {
  /** Entries by uuid; both are removed. */
  readonly from: string;
  readonly to: string;
}

/** Whether it is a message that the user wrote: results and what Reverie added are nobody's words. */
export function isPrompt(entry: Entry): boolean {
  return ownText(entry) !== '' && !entry.message.content.some(({ type }) => type === 'tool_result');
}

/** A message of the user's and all up to the next one; null when it is not there. */
export function turnRange(entries: readonly Entry[], uuid: string): SnipRange | null {
  const first = entries.findIndex((entry) => entry.uuid === uuid);
  if (first === -1) return null;
  const next = entries.findIndex((entry, at) => at > first && isPrompt(entry));
  return { from: uuid, to: (next === -1 ? entries.at(-1)! : entries[next - 1]!).uuid };
}

export type SnipDecision =
  | { readonly kind: 'snip'; readonly uuids: readonly string[] }
  | { readonly kind: 'refuse'; readonly reason: 'not-found' | 'wrong-order' | 'splits-a-round' };

export function decideSnip(entries: readonly Entry[], { from, to }: SnipRange): SnipDecision {
  const first = entries.findIndex(({ uuid }) => uuid === from);
  const last = entries.findIndex(({ uuid }) => uuid === to);
  if (first === -1 || last === -1) return { kind: 'refuse', reason: 'not-found' };
  if (last < first) return { kind: 'refuse', reason: 'wrong-order' };
  const inside = entries.slice(first, last + 1);
  const bonds = new Set(inside.flatMap(bondsOf));
  const outside = [...entries.slice(0, first), ...entries.slice(last + 1)];
  if (outside.some((entry) => bondsOf(entry).some((bond) => bonds.has(bond)))) {
    return { kind: 'refuse', reason: 'splits-a-round' };
  }
  return { kind: 'snip', uuids: inside.map(({ uuid }) => uuid) };
}

/** What must stay together shares one of these: a call with its result, the parts of one response. */
function bondsOf({ message, response }: Entry): readonly string[] {
  const calls = message.content.flatMap((block) => {
    if (block.type === 'tool_use') return [`call ${block.id}`];
    return block.type === 'tool_result' ? [`call ${block.tool_use_id}`] : [];
  });
  return response?.id ? [...calls, `response ${response.id}`] : calls;
}
