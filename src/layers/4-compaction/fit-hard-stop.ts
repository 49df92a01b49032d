/**
 * The last resort: shrinks a request that would pass the point where nothing more is sent. The newest tool results lose
 * their middle first, then older ones, then long texts from the user's side, then the oldest rounds.
 */

import type { ContentBlock, Message, ResultBlock, ToolResultBlock } from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import type { Window } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';
import { headAndTail } from './cut-text.ts';
import { densityOf } from './room.ts';
import { withNoteOfLeftOut, withoutOldest } from './rounds.ts';

/** Tokens a tool result keeps when a request would not fit otherwise. */
const LEAST_RESULT_TOKENS = 100;

export interface HardStopFacts {
  readonly window: Window;
  /** System prompt and tools. */
  readonly overheadTokens: number;
  /** The window according to the provider's usage, if that is more than the estimate. */
  readonly windowTokens?: number;
  readonly limits: Limits['compaction'];
}

export interface HardStopFit {
  readonly messages: readonly Message[];
  /** Blocks that lost their middle. */
  readonly shortened: number;
  /** Whether the oldest rounds had to be dropped. */
  readonly hasDropped: boolean;
  /** False only when system prompt, tools and one round of small parts are too much. */
  readonly fits: boolean;
}

/** Messages that need no change come back as the same objects. */
export function fitHardStop(messages: readonly Message[], facts: HardStopFacts): HardStopFit {
  const { window, overheadTokens, limits } = facts;
  const total = sizeOf(messages);
  const estimatedTokens = overheadTokens + total;
  const density = densityOf({ countedTokens: facts.windowTokens ?? 0, estimatedTokens });
  const most = Math.floor(window.hardStopAt / density) - overheadTokens;
  if (total <= most) return { messages, shortened: 0, hasDropped: false, fits: true };
  const fit = { messages: [...messages], over: total - most, shortened: 0 };
  for (const step of [newestResults, olderResults, userTexts]) {
    if (fit.over > 0) step(fit);
  }
  if (fit.over <= 0) return { messages: fit.messages, shortened: fit.shortened, hasDropped: false, fits: true };
  return dropOldest(fit, { most, limits });
}

interface Fit {
  readonly messages: Message[];
  over: number;
  shortened: number;
}

function newestResults(fit: Fit): void {
  const at = fit.messages.findLastIndex(({ content }) => content.some(isResult));
  if (at >= 0) level(fit, { places: placesIn(fit.messages, at, isResult), least: LEAST_RESULT_TOKENS });
}

function olderResults(fit: Fit): void {
  for (let at = fit.messages.length - 1; at >= 0 && fit.over > 0; at--) {
    level(fit, { places: placesIn(fit.messages, at, isResult), least: LEAST_RESULT_TOKENS });
  }
}

function userTexts(fit: Fit): void {
  const isText = ({ type }: ContentBlock) => type === 'text' || type === 'image' || type === 'document';
  for (let at = fit.messages.length - 1; at >= 0 && fit.over > 0; at--) {
    if (fit.messages[at]!.role !== 'user') continue;
    level(fit, { places: placesIn(fit.messages, at, isText), least: LEAST_RESULT_TOKENS });
  }
}

interface Place {
  readonly message: number;
  readonly block: number;
  readonly tokens: number;
}

function placesIn(messages: readonly Message[], message: number, isMeant: (block: ContentBlock) => boolean): Place[] {
  return messages[message]!.content.flatMap((found, block) =>
    isMeant(found) ? [{ message, block, tokens: estimateTokens(found) }] : [],
  );
}

/** Takes from the largest, down to one height for all, so that small results stay whole. */
function level(fit: Fit, facts: { readonly places: readonly Place[]; readonly least: number }): void {
  const target = facts.places.reduce((sum, { tokens }) => sum + tokens, 0) - fit.over;
  const sizes = facts.places.map(({ tokens }) => tokens).sort((one, other) => one - other);
  let left = target;
  let height = Number.POSITIVE_INFINITY;
  for (const [at, size] of sizes.entries()) {
    const each = Math.floor(left / (sizes.length - at));
    if (size > each) {
      height = each;
      break;
    }
    left -= size;
  }
  const most = Math.max(facts.least, height);
  for (const place of facts.places) if (place.tokens > most) shortenAt(fit, place, most);
}

function shortenAt(fit: Fit, { message, block, tokens }: Place, most: number): void {
  const { role, content } = fit.messages[message]!;
  const shorter = shortened(content[block]!, most);
  const saved = tokens - estimateTokens(shorter);
  if (saved <= 0) return;
  fit.messages[message] = { role, content: content.with(block, shorter) };
  fit.over -= saved;
  fit.shortened += 1;
}

const NOTE = '[… the middle was left out: it did not fit in the window. Ask for less at a time …]';

function shortened(block: ContentBlock, tokens: number): ContentBlock {
  if (isResult(block)) return { ...block, content: [{ type: 'text', text: shortText(block.content, tokens) }] };
  if (block.type === 'text') return { type: 'text', text: headAndTail(block.text, tokens, NOTE) };
  return { type: 'text', text: `[${block.type} left out: it did not fit in the window]` };
}

function shortText(parts: readonly ResultBlock[], tokens: number): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : `[${part.type} left out]`)).join('\n');
  return headAndTail(text, tokens, NOTE);
}

function dropOldest(fit: Fit, facts: { readonly most: number; readonly limits: Limits['compaction'] }): HardStopFit {
  const { most } = facts;
  let messages: readonly Message[] = fit.messages;
  while (sizeOf(withNoteOfLeftOut(messages)) > most) {
    const rest = withoutOldest(messages, { gapTokens: sizeOf(withNoteOfLeftOut(messages)) - most });
    if (rest === null) break;
    messages = rest;
  }
  const hasDropped = messages !== fit.messages;
  const noted = hasDropped ? withNoteOfLeftOut(messages) : messages;
  return { messages: noted, shortened: fit.shortened, hasDropped, fits: sizeOf(noted) <= most };
}

function isResult(block: ContentBlock): block is ToolResultBlock {
  return block.type === 'tool_result';
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}
