/** One turn: request, tools, request … until the model has answered. Whatever ends it, the conversation stays valid. */

import { chooseBreakpoints } from '../conversation/breakpoints.ts';
import type { Injection, InjectionSource } from '../conversation/entry.ts';
import type { ContentBlock, Message } from '../conversation/message.ts';
import { ReverieError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { ModelFailure } from '../model/failure.ts';
import type { Meter } from '../model/meter.ts';
import type { Model, ModelRequest, ModelResponse } from '../model/model.ts';
import type { Purpose } from '../model/purpose.ts';
import type { Conversation } from './conversation.ts';
import type { AgentEvent, TurnOutcome } from './event.ts';
import type { DecidePermission } from './permission.ts';
import type { Rendered } from './rendered.ts';
import { type RoundResult, runRound, withoutOpenThought } from './round.ts';
import type { Attachment, LoopSeams } from './seams.ts';
import type { Tool } from './tool.ts';
import { createToolRuns, isReadOnlyCall, runCall, type ToolRuns } from './tool-runs.ts';

/** How long a tool may take to end once the user has interrupted. */
const INTERRUPT_GRACE_MS = 2_000;
/** Times that one request is made again with a shorter conversation. */
const MOST_OVERFLOWS = 3;

export interface LoopParts {
  readonly meter: Meter;
  readonly model: Model;
  readonly purpose: Purpose;
  readonly rendered: Rendered;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly conversation: Conversation;
  readonly decide: DecidePermission;
  readonly seams: LoopSeams;
  readonly limits: Limits['loop'];
  readonly onEvent: (event: AgentEvent) => void;
  readonly maxRounds?: number | undefined;
  /** Told of each request right before it is made, and of its response: the prompt cache is watched there. */
  readonly watch?: RequestWatch | undefined;
}

export interface RequestWatch {
  sent(request: ModelRequest, model: Model): void;
  answered(response: ModelResponse): void;
}

/** The turn as far as it has come. */
interface Turn extends LoopParts {
  readonly signal: AbortSignal;
  rounds: number;
  outputTokens: number;
  continuations: number;
  overflows: number;
  answersSentBack: number;
}

/** What to do after a round. */
type Next = { readonly kind: 'round' } | { readonly kind: 'end'; readonly outcome: TurnOutcome };

const NEXT_ROUND: Next = { kind: 'round' };

export async function runTurn(
  parts: LoopParts,
  turn: {
    readonly prompt: readonly ContentBlock[];
    readonly signal: AbortSignal;
    readonly source?: InjectionSource;
    /** Characters of the prompt that the user typed; all, where it is not said. */
    readonly typedCharacters?: number | undefined;
  },
): Promise<TurnOutcome> {
  const state: Turn = {
    ...parts,
    signal: turn.signal,
    rounds: 0,
    outputTokens: Math.min(parts.limits.outputTokens, parts.model.capabilities.maxOutputTokens),
    continuations: 0,
    overflows: 0,
    answersSentBack: 0,
  };
  const injected = turn.source === undefined ? [] : turn.prompt.map((_, block) => ({ block, source: turn.source! }));
  await appendUserSide(state, turn.prompt, injected, { typedCharacters: turn.typedCharacters });
  for (;;) {
    if (turn.signal.aborted) return { kind: 'interrupted' };
    if (state.rounds >= (parts.maxRounds ?? Number.POSITIVE_INFINITY)) {
      return { kind: 'too-many-rounds', rounds: state.rounds };
    }
    state.rounds += 1;
    const next = await takeUp(state, await request(state));
    if (next.kind === 'end') return next.outcome;
  }
}

async function request(turn: Turn): Promise<RoundResult> {
  const { conversation, seams, model } = turn;
  const prepared = (await seams.beforeRequest?.({ signal: turn.signal })) ?? { messages: conversation.messages() };
  const { messages, contextEdits, cacheEdits, rendered = turn.rendered } = prepared;
  const modelRequest: ModelRequest = {
    system: rendered.system,
    tools: rendered.tools,
    messages,
    thinking: rendered.thinking,
    toolChoice: 'auto',
    maxOutputTokens: turn.outputTokens,
    cache: { ttl: rendered.cacheTtl, breakpoints: breakpointsOf(messages, conversation) },
    ...(contextEdits === undefined ? {} : { contextEdits }),
    ...(cacheEdits === undefined ? {} : { cacheEdits }),
  };
  turn.watch?.sent(modelRequest, model);
  return runRound(modelRequest, { ...turn, newRuns: () => newRuns(turn) });
}

function breakpointsOf(messages: readonly Message[], conversation: Conversation): readonly number[] {
  return chooseBreakpoints({ messages, sentBefore: conversation.sentBefore() });
}

function newRuns(turn: Turn): ToolRuns {
  const { tools, signal, onEvent, limits } = turn;
  return createToolRuns({
    signal,
    mostParallel: limits.parallelTools,
    interruptGraceMs: INTERRUPT_GRACE_MS,
    isReadOnly: (call) => isReadOnlyCall(call, tools),
    run: (call, runSignal) => runCall(call, runSignal, turn),
    onEvent,
    now: () => performance.now(),
  });
}

async function takeUp(turn: Turn, round: RoundResult): Promise<Next> {
  switch (round.kind) {
    case 'failed':
      return recover(turn, round.error);
    case 'cut':
      await keepCutAnswer(turn, round);
      return round.isAborted ? ended({ kind: 'interrupted' }) : NEXT_ROUND;
    case 'answered':
      turn.watch?.answered(round.response);
      return takeAnswer(turn, round.response, round.runs);
  }
}

async function recover(turn: Turn, error: Error): Promise<Next> {
  const isOverflow = error instanceof ModelFailure && error.failure === 'too-long';
  if (isOverflow && turn.overflows < MOST_OVERFLOWS && (await turn.seams.onOverflow?.(error, turn.signal)) === true) {
    turn.overflows += 1;
    turn.onEvent({ kind: 'retry', reason: 'overflow', attempt: turn.overflows, delayMs: 0 });
    return NEXT_ROUND;
  }
  return ended({ kind: 'failed', error });
}

async function takeAnswer(turn: Turn, response: ModelResponse, runs: ToolRuns): Promise<Next> {
  const longest = Math.min(turn.limits.longOutputTokens, turn.model.capabilities.maxOutputTokens);
  if (response.stopReason === 'length' && turn.outputTokens < longest && !runs.hasActed()) {
    runs.discard();
    turn.outputTokens = longest;
    turn.onEvent({ kind: 'retry', reason: 'output-limit', attempt: 1, delayMs: 0 });
    return NEXT_ROUND;
  }
  const isWhole = response.stopReason !== 'length' && response.stopReason !== 'window';
  const content = isWhole ? response.content : withoutOpenThought(response.content);
  if (content.length > 0) appendAnswer(turn, content, response);
  if (content.some(({ type }) => type === 'tool_use')) {
    await appendResults(turn, runs);
    if (turn.signal.aborted) return ended({ kind: 'interrupted' });
    const reason = turn.seams.whyStopped?.() ?? null;
    if (reason !== null) return ended({ kind: 'failed', error: stoppedByHook(reason) });
    const text = turn.seams.answerInstead?.() ?? null;
    if (text === null) return NEXT_ROUND;
    turn.onEvent({ kind: 'text', text });
    append(turn, { message: { role: 'assistant', content: [{ type: 'text', text }] } });
    return afterAnswer(turn);
  }
  switch (response.stopReason) {
    case 'pause':
      return NEXT_ROUND;
    case 'refusal':
      return ended({ kind: 'refused' });
    case 'length':
      return goOn(turn);
    case 'window':
      return recover(turn, windowFull());
    case 'end':
    case 'tools':
    case 'cut':
    case 'aborted':
      return afterAnswer(turn);
  }
}

/** The answer was cut by the longest bound there is: the model is asked for the rest. */
async function goOn(turn: Turn): Promise<Next> {
  if (turn.continuations >= turn.limits.continuations) {
    turn.onEvent({ kind: 'note', text: 'The answer was cut at the longest output the model gives.' });
    return ended({ kind: 'answered' });
  }
  turn.continuations += 1;
  const text = 'The output limit cut your answer. Go on from its last word; repeat nothing.';
  await appendUserSide(turn, [{ type: 'text', text }], [{ block: 0, source: 'continuation' }]);
  return NEXT_ROUND;
}

async function afterAnswer(turn: Turn): Promise<Next> {
  const isLast = turn.answersSentBack >= turn.limits.answersSentBack;
  const facts = { signal: turn.signal, sentBack: turn.answersSentBack, isLast };
  const sentBack = (await turn.seams.afterAnswer?.(facts)) ?? [];
  if (isLast || sentBack.length === 0) return ended({ kind: 'answered' });
  turn.answersSentBack += 1;
  await appendUserSide(turn, ...blocksOf(sentBack));
  return NEXT_ROUND;
}

async function keepCutAnswer(turn: Turn, round: Extract<RoundResult, { kind: 'cut' }>): Promise<void> {
  const { blocks, isAborted } = round;
  // Nothing was said: the user's message stays the last one.
  if (blocks.length === 0) return;
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWriteHourTokens: 0 };
  const stopReason = isAborted ? 'aborted' : 'cut';
  appendAnswer(turn, blocks, { id: null, model: turn.model.name, stopReason, usage });
  const hasTools = blocks.some(({ type }) => type === 'tool_use');
  const interruption: Attachment[] = isAborted
    ? [{ source: 'interruption', block: { type: 'text', text: '[The user interrupted here.]' } }]
    : [];
  if (hasTools) await appendResults(turn, round.runs, interruption);
  else if (isAborted) await appendUserSide(turn, ...blocksOf(interruption));
}

function appendAnswer(
  turn: Turn,
  content: readonly ContentBlock[],
  { id, model, stopReason, usage }: Pick<ModelResponse, 'id' | 'model' | 'stopReason' | 'usage'>,
): void {
  append(turn, { message: { role: 'assistant', content }, response: { id, model, stopReason, usage } });
}

async function appendResults(turn: Turn, runs: ToolRuns, more: readonly Attachment[] = []): Promise<void> {
  const finished = await runs.finished();
  const results =
    (await turn.seams.afterTools?.(finished, { signal: turn.signal })) ?? finished.map(({ result }) => result);
  const [blocks, injected] = blocksOf(more);
  await appendUserSide(
    turn,
    [...results, ...blocks],
    injected.map((each) => ({ ...each, block: each.block + results.length })),
    { said: finished.flatMap(({ said = [] }) => said) },
  );
}

/** Nothing joins the conversation but at its end; what is ready by now joins with it. */
async function appendUserSide(
  turn: Turn,
  content: readonly ContentBlock[],
  injected: readonly Injection[],
  { typedCharacters, said = [] }: { typedCharacters?: number | undefined; said?: readonly string[] } = {},
): Promise<void> {
  const [attached, sources] = blocksOf((await turn.seams.attachments?.()) ?? []);
  const shifted = sources.map((each) => ({ ...each, block: each.block + content.length }));
  const all = [...injected, ...shifted];
  append(turn, {
    message: { role: 'user', content: [...content, ...attached] },
    ...(all.length > 0 ? { injected: all } : {}),
    ...(typedCharacters === undefined ? {} : { typedCharacters }),
    ...(said.length > 0 ? { said } : {}),
  });
}

function append(turn: Turn, draft: Parameters<Conversation['append']>[0]): void {
  turn.onEvent({ kind: 'entry', entry: turn.conversation.append(draft) });
}

function blocksOf(attachments: readonly Attachment[]) {
  const injected = attachments.map(({ source, id }, block): Injection => {
    return id === undefined ? { block, source } : { block, source, id };
  });
  return [attachments.map(({ block }) => block), injected] as const;
}

function ended(outcome: TurnOutcome): Next {
  return { kind: 'end', outcome };
}

function stoppedByHook(reason: string): ReverieError {
  return new ReverieError({ code: 'refused', message: `A hook ended the turn: ${reason}` });
}

function windowFull(): ModelFailure {
  return new ModelFailure({
    failure: 'too-long',
    message: "The conversation fills the model's context window.",
    fix: 'Start a new session, or resume this one with a model that has a larger window.',
  });
}
