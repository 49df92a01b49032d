/**
 * Layer 1, tool results: a result that is too long goes to a file, and a preview takes its place.
 *
 * When      a round's results are in, before they enter the conversation.
 * Cost      one file per result over its limit; no tokens. A result within its limit costs a look at its length.
 * Prevents  a few long outputs from filling the window, which layer 2 would have to clear.
 * On error  if the file cannot be written, head and tail of the result stay in place, with the reason. Never throws.
 */

import { createBreaker, type Trip } from '../../base/async/breaker.ts';
import type { ToolResultBlock, ToolUseBlock } from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import type { Limits } from '../../limits.ts';
import { decideBatch, type ResultPlan, type ResultSize } from './decide.ts';
import { textIn, withText } from './render.ts';
import { carryOut, type StoreResult } from './run.ts';
import type { ResultDecision, ToolResultsState } from './state.ts';

export type { StoreResult } from './run.ts';
export { type ResultDecision, readToolResultsState, type ToolResultsState } from './state.ts';

export interface ToolResultsPorts {
  /** Returns the path of the file; creates it and never overwrites another. */
  store(result: StoreResult): Promise<string>;
  /** Called once for each decision, for the transcript. */
  onDecision(made: { readonly toolUseId: string; readonly decision: ResultDecision }): void;
  /** The effective window of the current model. */
  effectiveTokens(): number;
  /** The user's limit for a tool in characters, from the setting `toolResultLimits`. */
  settingOf?(tool: string): number | undefined;
  /** The kill switch, read before each run; earlier decisions stay. */
  isOn?(): boolean;
  /** One line for the log. */
  onProblem?(problem: string): void;
  /** After this many failures in a row nothing is stored any more. */
  onPaused?(trip: Trip): void;
  readonly limits: Pick<Limits, 'toolResults' | 'window'>;
}

export interface ToolResults {
  admit(batch: readonly ToolCall[]): Promise<readonly ToolResultBlock[]>;
  state(): ToolResultsState;
  /** For a fork: the same decisions, then its own; `ports` replace the parent's where given. */
  clone(ports?: Partial<ToolResultsPorts>): ToolResults;
  /** After a compaction: forgets results that are no longer in the conversation. */
  keepOnly(isThere: (toolUseId: string) => boolean): void;
}

export interface ToolCall {
  readonly call: ToolUseBlock;
  readonly result: ToolResultBlock;
}

export function createToolResults(ports: ToolResultsPorts, resumed?: ToolResultsState): ToolResults {
  const decisions = new Map(resumed?.decisions ?? []);
  const { failures } = ports.limits.toolResults;
  const breaker = createBreaker({ limit: failures, onTrip: (trip) => ports.onPaused?.(trip) });

  function frozenOf(result: ToolResultBlock, text: string): ResultDecision | null {
    const decision = decisions.get(result.tool_use_id);
    if (decision === undefined) return null;
    const isSame = decision.characters === text.length || (decision.kind === 'replaced' && decision.text === text);
    return isSame ? decision : null;
  }

  /** After several failures the disk is left alone: trying again would only make each round wait. */
  const store: ToolResultsPorts['store'] = async (result) => {
    if (breaker.isPaused()) throw new Error(`storing failed ${failures} times in a row and is off for this session`);
    return ports.store(result);
  };

  function count(problem: string | null, plan: ResultPlan): void {
    if (plan.kind === 'whole') return;
    if (problem === null) {
      breaker.succeeded();
      return;
    }
    // Nothing is tried any more, and that was already reported.
    if (breaker.isPaused()) return;
    ports.onProblem?.(`tool results: ${problem}`);
    breaker.failed(problem);
  }

  async function decide(result: ToolResultBlock, text: string, plan: ResultPlan): Promise<ResultDecision> {
    const { decision, problem } = await carryOut(
      plan,
      { toolUseId: result.tool_use_id, text },
      { store, limits: ports.limits.toolResults },
    );
    count(problem, plan);
    decisions.set(result.tool_use_id, decision);
    try {
      ports.onDecision({ toolUseId: result.tool_use_id, decision });
    } catch (error) {
      ports.onProblem?.(`tool results: a decision was not recorded: ${String(error)}`);
    }
    return decision;
  }

  async function admit(batch: readonly ToolCall[]): Promise<readonly ToolResultBlock[]> {
    const isOn = ports.isOn?.() ?? true;
    const known = batch.map(({ call, result }) => {
      const text = textIn(result);
      const decision = frozenOf(result, text);
      return { size: sizeOf(call, result, text), text, decision, frozen: decision && takenBy(decision) };
    });
    const plans = isOn
      ? decideBatch(known, {
          effectiveTokens: ports.effectiveTokens(),
          limits: ports.limits,
          settingOf: (tool) => ports.settingOf?.(tool),
        })
      : known.map(() => null);
    return Promise.all(
      batch.map(async ({ result }, at) => {
        const { text, decision } = known[at]!;
        const plan = plans[at] ?? null;
        const made = plan === null ? decision : await decide(result, text, plan);
        return made?.kind === 'replaced' ? withText(result, made.text) : result;
      }),
    );
  }

  return {
    async admit(batch) {
      try {
        return await admit(batch);
      } catch (error) {
        ports.onProblem?.(`tool results: ${String(error)}`);
        return batch.map(({ result }) => result);
      }
    },
    state: () => ({ decisions: [...decisions] }),
    clone: (other) => createToolResults({ ...ports, ...other }, { decisions: [...decisions] }),
    keepOnly(isThere) {
      for (const id of decisions.keys()) if (!isThere(id)) decisions.delete(id);
    },
  };
}

function sizeOf(call: ToolUseBlock, result: ToolResultBlock, text: string): ResultSize {
  const texts = result.content.filter((block) => block.type === 'text');
  return {
    tool: call.name,
    isError: result.is_error === true,
    characters: text.length,
    tokens: estimateTokens(texts.length === result.content.length ? result : { ...result, content: texts }),
  };
}

function takenBy(decision: ResultDecision): number {
  return decision.kind === 'whole' ? decision.characters : decision.text.length;
}
