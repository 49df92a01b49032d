/** Which results of a round stay whole, which go to a file and which are cut: sizes in, a plan with its reason out. */

import { budgetWithin } from '../../conversation/window.ts';
import { ESTIMATE_LIMITS, type Limits, TOOL_RESULT_LIMITS } from '../../limits.ts';

/** Maximum tokens of any result, whatever a setting says. */
const CEILING_TOKENS = 100_000;
/** Characters a failing command may exceed its limit by before its output is cut. */
const FAILED_SLACK_CHARACTERS = 500;

export interface ResultSize {
  readonly tool: string;
  readonly isError: boolean;
  /** Length of its text; images and documents are not counted, since they stay. */
  readonly characters: number;
  readonly tokens: number;
}

export type ResultPlan =
  | { readonly kind: 'whole'; readonly reason: 'within-limit' | 'too-small-to-pay' }
  | { readonly kind: 'store'; readonly reason: 'over-limit' | 'batch-over-limit'; readonly previewBytes: number }
  | { readonly kind: 'ends'; readonly reason: 'failed-command'; readonly keptCharacters: number };

export interface SizeLimits {
  readonly effectiveTokens: number;
  readonly limits: Pick<Limits, 'toolResults' | 'window'>;
  /** The user's limit for one tool, in characters. */
  readonly settingOf: (tool: string) => number | undefined;
}

export interface ToolLimit {
  readonly characters: number;
  readonly tokens: number;
  /** Spilled to fit its round only when nothing else is left. */
  readonly isExempt: boolean;
}

export function limitOf(tool: string, facts: SizeLimits): ToolLimit {
  const { toolResults } = facts.limits;
  const share = (budget: number) => shareOf(budget, facts);
  const tokens = share(CEILING_TOKENS);
  const setting = facts.settingOf(tool);
  // A user who sets a number knows the window it is for; only the ceiling limits it.
  if (setting !== undefined && setting > 0) return { characters: setting, tokens, isExempt: false };
  if (tool === 'Read') return { characters: Number.POSITIVE_INFINITY, tokens, isExempt: true };
  if (tool.startsWith('mcp__')) {
    const mcpTokens = Math.min(tokens, share(toolResults.mcpTokens));
    return { characters: Number.POSITIVE_INFINITY, tokens: mcpTokens, isExempt: false };
  }
  return { characters: share(charactersOf(tool, toolResults)), tokens, isExempt: false };
}

function charactersOf(tool: string, limits: Limits['toolResults']): number {
  switch (tool) {
    case 'Bash':
      return limits.bashCharacters;
    case 'Grep':
      return limits.grepCharacters;
    case 'Agent':
      return limits.agentCharacters;
    default:
      return limits.characters;
  }
}

/** A share is the same in characters as in tokens. */
function shareOf(budget: number, facts: SizeLimits): number {
  return budgetWithin({ budgetTokens: budget, effective: facts.effectiveTokens, limits: facts.limits.window });
}

export function decideResult(result: ResultSize, facts: SizeLimits): ResultPlan {
  const { failedCharacters } = facts.limits.toolResults;
  if (result.tool === 'Bash' && result.isError) {
    const keptCharacters = shareOf(failedCharacters, facts);
    if (result.characters > keptCharacters + shareOf(FAILED_SLACK_CHARACTERS, facts)) {
      return { kind: 'ends', reason: 'failed-command', keptCharacters };
    }
  }
  const limit = limitOf(result.tool, facts);
  if (result.characters <= limit.characters && result.tokens <= limit.tokens) {
    return { kind: 'whole', reason: 'within-limit' };
  }
  return store(result, 'over-limit', facts);
}

/** `frozen` is the size of results decided earlier; it counts, and stays. */
export function decideBatch(
  results: readonly { readonly size: ResultSize; readonly frozen: number | null }[],
  facts: SizeLimits,
): readonly (ResultPlan | null)[] {
  const plans = results.map(({ size, frozen }) => (frozen === null ? decideResult(size, facts) : null));
  const taken = results.map(({ size, frozen }, at) => frozen ?? takenBy(plans[at]!, size));
  let together = taken.reduce((sum, characters) => sum + characters, 0);
  const most = shareOf(facts.limits.toolResults.batchCharacters, facts);
  for (const at of spillOrder(results, facts)) {
    if (together <= most) break;
    const plan = plans[at];
    if (plan?.kind !== 'whole') continue;
    const { size } = results[at]!;
    const spilled = store(size, 'batch-over-limit', facts);
    plans[at] = spilled;
    together -= taken[at]! - takenBy(spilled, size);
  }
  return plans;
}

/** The largest first; those that limit themselves last. */
function spillOrder(results: readonly { readonly size: ResultSize }[], facts: SizeLimits): number[] {
  const ranked = results.map(({ size }, at) => ({ at, size, isExempt: limitOf(size.tool, facts).isExempt }));
  ranked.sort(
    (one, other) => Number(one.isExempt) - Number(other.isExempt) || other.size.characters - one.size.characters,
  );
  return ranked.map(({ at }) => at);
}

function store(result: ResultSize, reason: 'over-limit' | 'batch-over-limit', facts: SizeLimits): ResultPlan {
  const limit = limitOf(result.tool, facts);
  const most = Math.min(limit.characters, limit.tokens * ESTIMATE_LIMITS.bytesPerToken);
  // Half of a limit that a small window made small: a preview as long as the limit would save nothing.
  const previewBytes = Math.min(facts.limits.toolResults.previewBytes, Math.floor(most / 2));
  const taken = previewBytes + TOOL_RESULT_LIMITS.frameCharacters;
  if (result.characters <= taken) return { kind: 'whole', reason: 'too-small-to-pay' };
  return { kind: 'store', reason, previewBytes };
}

function takenBy(plan: ResultPlan, size: ResultSize): number {
  switch (plan.kind) {
    case 'whole':
      return size.characters;
    case 'store':
      return Math.min(size.characters, plan.previewBytes + TOOL_RESULT_LIMITS.frameCharacters);
    case 'ends':
      return Math.min(size.characters, plan.keptCharacters);
  }
}
