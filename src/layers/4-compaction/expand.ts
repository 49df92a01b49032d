/** Restores a summarised range as text, from the entries that the transcript still has. */

import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import { headCharacters, headOf } from './cut-text.ts';

/** Tokens of a summarised range that is shown again, and characters of one block of it. */
const EXPANDED_TOKENS = 10_000;
const EXPANDED_BLOCK_CHARACTERS = 2_000;

export interface Expanded {
  readonly text: string;
  readonly shown: number;
  /** The entry to continue from; null when the end of the range is shown. */
  readonly nextUuid: string | null;
  /** Whether a text that is shown was cut: only the transcript has all of it. */
  readonly isCut: boolean;
}

const CUT_MARK = ' [… cut]';
const CUT_MARK_TOKENS = estimateTextTokens(CUT_MARK);

/** Null when either end of the range is not among the entries. */
export function expand(
  entries: readonly Entry[],
  facts: {
    readonly range: { readonly from: string; readonly to: string };
    /** At most what the limits allow. */
    readonly mostTokens?: number;
  },
): Expanded | null {
  const { range } = facts;
  const from = entries.findIndex(({ uuid }) => uuid === range.from);
  const to = entries.findIndex(({ uuid }) => uuid === range.to);
  if (from < 0 || to < from) return null;
  const parts: string[] = [];
  let isCut = false;
  let left = Math.min(EXPANDED_TOKENS, facts.mostTokens ?? EXPANDED_TOKENS);
  for (const entry of entries.slice(from, to + 1)) {
    const { text, isShortened } = entryText(entry, EXPANDED_BLOCK_CHARACTERS);
    const tokens = estimateTextTokens(`${text}\n\n`);
    // A message longer than everything that may be shown is cut: continuing from it would never get past it.
    if (tokens > left && parts.length === 0) {
      parts.push(headOf(text, left - CUT_MARK_TOKENS) + CUT_MARK);
      isCut = true;
      left = 0;
      continue;
    }
    if (tokens > left) return { text: parts.join('\n\n'), shown: parts.length, nextUuid: entry.uuid, isCut };
    left -= tokens;
    isCut ||= isShortened;
    parts.push(text);
  }
  return { text: parts.join('\n\n'), shown: parts.length, nextUuid: null, isCut };
}

function entryText(
  { uuid, at, message, injected = [] }: Entry,
  characters: number,
): { readonly text: string; readonly isShortened: boolean } {
  const isOurs = new Set(injected.map(({ block }) => block));
  let isShortened = false;
  const lines = message.content.flatMap((block, index) => {
    if (isOurs.has(index)) return [];
    const text = blockText(block);
    const head = headCharacters(text, characters);
    const rest = text.length - head.length;
    isShortened ||= rest > 0;
    return [rest > 0 ? `${head} [… ${rest} characters more]` : head];
  });
  const shown = lines.length === 0 ? ['(nothing but what Reverie added)'] : lines;
  return { text: [`[${message.role}, ${at}, ${uuid}]`, ...shown].join('\n'), isShortened };
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
    case 'redacted_thinking':
      return '(thought)';
    case 'tool_use':
      return `call of ${block.name}: ${JSON.stringify(block.input)}`;
    case 'tool_result':
      return `${block.is_error ? 'failed' : 'result'}: ${block.content.map(blockText).join('\n')}`;
    case 'image':
    case 'document':
    case 'opaque':
      return `(${block.type})`;
  }
}
