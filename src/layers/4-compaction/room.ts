/** How much the window may hold after a compaction, and how much each part may take. */

import { budgetWithin, type Window } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';

/** Share of the room below the compaction point that a compaction may fill. */
const FILLED_SHARE = 0.6;
/** Tokens of room below which nothing useful can replace a conversation. */
const LEAST_ROOM_TOKENS = 300;
/** How much denser than estimated a conversation's text may count, according to the provider. */
const MOST_DENSITY = 2;
/** Shares of the room: the user's last request, rules, messages, steps, files, names; and the summary's guaranteed share. */
const REQUEST_SHARE = 0.4;
const RULES_SHARE = 0.2;
const MESSAGES_SHARE = 0.2;
const TODOS_SHARE = 0.1;
const WRITTEN_SHARE = 0.05;
const TERMS_SHARE = 0.05;
const SUMMARY_SHARE = 0.25;
/** Tokens of open steps, paths of written files, and names and values that are repeated. */
const TODOS_TOKENS = 2_000;
const WRITTEN_TOKENS = 1_000;
const TERMS_TOKENS = 1_000;

export interface RoomFacts {
  readonly window: Window;
  /** System prompt and tools. */
  readonly overheadTokens: number;
  /** Instruction files and index. */
  readonly contextTokens: number;
  /** Messages that stay. */
  readonly keptTokens: number;
  /** The provider's count relative to our estimate, from 1 up: text denser than usual takes more than it seems. */
  readonly density: number;
  readonly limits: Pick<Limits, 'compaction' | 'window'>;
}

export interface Room {
  /** For everything that replaces the summarised messages. */
  readonly tokens: number;
  /** The window in estimated tokens: at this many it would be compacted again. */
  readonly compactAt: number;
  readonly request: number;
  readonly rules: number;
  readonly messages: number;
  readonly todos: number;
  readonly written: number;
  readonly terms: number;
  /** What a summary may always take. */
  readonly leastSummary: number;
}

export function roomFor(facts: RoomFacts): Room | { readonly tooSmall: string } {
  const { window, limits } = facts;
  const { compaction } = limits;
  const compactAt = Math.floor(window.compactAt / facts.density);
  const fixed = facts.overheadTokens + facts.contextTokens;
  const free = compactAt - fixed - facts.keptTokens;
  const tokens = Math.floor(free * FILLED_SHARE);
  if (tokens < LEAST_ROOM_TOKENS) return { tooSmall: tooSmall({ ...facts, fixed, compactAt }) };
  const share = (most: number, part: number) => Math.min(most, Math.floor(tokens * part));
  return {
    tokens,
    compactAt,
    request: Math.floor(tokens * REQUEST_SHARE),
    rules: share(compaction.rulesTokens, RULES_SHARE),
    messages: share(within(compaction.messagesTokens, facts), MESSAGES_SHARE),
    todos: share(TODOS_TOKENS, TODOS_SHARE),
    written: share(WRITTEN_TOKENS, WRITTEN_SHARE),
    terms: share(TERMS_TOKENS, TERMS_SHARE),
    leastSummary: Math.floor(tokens * SUMMARY_SHARE),
  };
}

/** A budget set for the usual window, scaled to this one. */
export function within(
  budgetTokens: number,
  facts: { readonly window: Window; readonly limits: Pick<Limits, 'window'> },
): number {
  return budgetWithin({ budgetTokens, effective: facts.window.effective, limits: facts.limits.window });
}

/** From 1 up: an estimate that was too high is no reason to fill more of the window. */
export function densityOf(facts: { readonly countedTokens: number; readonly estimatedTokens: number }): number {
  const ratio = facts.countedTokens / Math.max(1, facts.estimatedTokens);
  return Math.min(MOST_DENSITY, Math.max(1, ratio));
}

function tooSmall(facts: RoomFacts & { readonly fixed: number; readonly compactAt: number }): string {
  const { fixed, keptTokens, compactAt } = facts;
  const kept = keptTokens > 0 ? ` and the messages that stay about ${keptTokens}` : '';
  return `system prompt, tools and instruction files take about ${fixed} tokens${kept}, of ${compactAt} that the window has for all`;
}
