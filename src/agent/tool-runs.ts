/**
 * The tools of one answer, started while it still streams: those that only read run together, one that writes waits for
 * all before it and holds up all after it, so that a read asked for after a write sees what was written.
 */

import { setMaxListeners } from 'node:events';
import { messageOf } from '../base/values.ts';
import type { ToolResultBlock, ToolUseBlock } from '../conversation/message.ts';
import { ReverieError } from '../errors.ts';
import { invalidJsonOf } from '../model/anthropic/block.ts';
import { checkInput } from './check-input.ts';
import type { AgentEvent } from './event.ts';
import type { Confinement, DecidePermission } from './permission.ts';
import type { Tool, ToolInput, ToolResult } from './tool.ts';

export interface ToolRuns {
  /** Takes the next call of the answer and starts it as soon as its turn comes. */
  add(call: ToolUseBlock): void;
  /** Whether something that changes the world has been started: then the answer cannot be thrown away any more. */
  hasActed(): boolean;
  /** Every call with its result, in the order of the answer, once all have ended. */
  finished(): Promise<readonly FinishedCall[]>;
  /** Ends what runs and forgets it: the answer is made again. */
  discard(): void;
}

export interface FinishedCall {
  readonly call: ToolUseBlock;
  readonly result: ToolResultBlock;
  /** What the user typed of it. */
  readonly said?: readonly string[];
}

export interface ToolRunPorts {
  readonly signal: AbortSignal;
  readonly mostParallel: number;
  /** How long a tool may take to end once the user has interrupted. */
  readonly interruptGraceMs: number;
  readonly isReadOnly: (call: ToolUseBlock) => boolean;
  /** Asks for permission and runs; answers instead of throwing. */
  readonly run: (call: ToolUseBlock, signal: AbortSignal) => Promise<ToolResult>;
  readonly onEvent: (event: AgentEvent) => void;
  readonly now: () => number;
}

interface Waiting {
  readonly call: ToolUseBlock;
  readonly isReadOnly: boolean;
  state: 'waiting' | 'running' | 'done';
  result?: ToolResultBlock;
  said?: readonly string[];
}

export function createToolRuns(ports: ToolRunPorts): ToolRuns {
  const discarding = new AbortController();
  const signal = AbortSignal.any([ports.signal, discarding.signal]);
  // Every call of an answer listens, and some twice: Node takes more than ten for a leak and says so on the screen.
  setMaxListeners(0, signal);
  const calls: Waiting[] = [];
  let acted = false;
  let onAllDone: (() => void) | null = null;

  function startWhatMay(): void {
    if (discarding.signal.aborted) return;
    let running = calls.filter(({ state }) => state === 'running').length;
    for (const each of calls) {
      if (each.state === 'done') continue;
      if (each.state === 'waiting') {
        if (!each.isReadOnly && running > 0) return;
        if (running >= ports.mostParallel) return;
        running += 1;
        void start(each);
      }
      // A writer holds up everything behind it.
      if (!each.isReadOnly) return;
    }
    if (running === 0) onAllDone?.();
  }

  async function start(each: Waiting): Promise<void> {
    each.state = 'running';
    acted ||= !each.isReadOnly;
    const from = ports.now();
    ports.onEvent({ kind: 'tool-started', call: each.call });
    const result = ports.signal.aborted ? interruptedResult() : await runOrGiveUp(each.call);
    if (discarding.signal.aborted) return;
    each.state = 'done';
    each.result = resultBlock(each.call, result);
    each.said = result.said ?? [];
    ports.onEvent({ kind: 'tool-ended', call: each.call, result, milliseconds: ports.now() - from });
    startWhatMay();
  }

  /** A tool that does not heed the interruption is left behind: the user's next word is not for it to hold up. */
  async function runOrGiveUp(call: ToolUseBlock): Promise<ToolResult> {
    let timer: NodeJS.Timeout | undefined;
    let giveUp = () => {};
    const givenUp = new Promise<ToolResult>((resolve) => {
      giveUp = () => {
        timer = setTimeout(() => resolve(abandonedResult()), ports.interruptGraceMs);
      };
      signal.addEventListener('abort', giveUp);
    });
    try {
      return await Promise.race([ports.run(call, signal).catch(failedResult), givenUp]);
    } finally {
      signal.removeEventListener('abort', giveUp);
      clearTimeout(timer);
    }
  }

  return {
    add(call) {
      calls.push({ call, isReadOnly: ports.isReadOnly(call), state: 'waiting' });
      startWhatMay();
    },
    hasActed: () => acted,
    async finished() {
      if (calls.some(({ state }) => state !== 'done')) {
        await new Promise<void>((resolve) => {
          onAllDone = resolve;
          startWhatMay();
        });
      }
      return calls.map(({ call, result, said }) => ({ call, result: result!, said: said ?? [] }));
    },
    discard: () => discarding.abort(),
  };
}

export function resultBlock(call: ToolUseBlock, result: ToolResult): ToolResultBlock {
  const content =
    typeof result.content === 'string' ? [{ type: 'text' as const, text: result.content }] : result.content;
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content,
    ...(result.isError === true ? { is_error: true as const } : {}),
  };
}

export function interruptedResult(): ToolResult {
  return { content: 'The user interrupted before this ran; nothing was done.', isError: true };
}

function abandonedResult(): ToolResult {
  return { content: 'The user interrupted while this ran; what it did until then stands.', isError: true };
}

function failedResult(error: unknown): ToolResult {
  return { content: `The tool failed: ${messageOf(error)}`, isError: true };
}

// One call of the model's, from its raw input to an answer the model can act on: known tool, checked input, permission, run.

interface CallPorts {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly decide: DecidePermission;
  readonly onEvent: (event: AgentEvent) => void;
}

/** A call that cannot run changes nothing either. */
export function isReadOnlyCall(call: ToolUseBlock, tools: ReadonlyMap<string, Tool>): boolean {
  const tool = tools.get(call.name);
  if (tool === undefined) return true;
  const checked = checkInput(tool.inputSchema, call.input);
  return checked.kind === 'wrong' || tool.isReadOnly(checked.input);
}

export async function runCall(call: ToolUseBlock, signal: AbortSignal, ports: CallPorts): Promise<ToolResult> {
  const tool = ports.tools.get(call.name);
  if (tool === undefined) return wrong(`There is no tool ${call.name}. Tools: ${[...ports.tools.keys()].join(', ')}.`);
  const broken = invalidJsonOf(call.input);
  if (broken !== null)
    return wrong(`The input is not valid JSON, so nothing was done. It began: ${broken.slice(0, 200)}`);
  const checked = checkInput(tool.inputSchema, call.input);
  if (checked.kind === 'wrong') return wrong(checked.reason);
  const isReadOnly = tool.isReadOnly(checked.input);
  const decision = await ports.decide({ ...call, input: checked.input }, { tool, isReadOnly, signal });
  if (decision.verdict === 'deny') {
    ports.onEvent({ kind: 'denied', call, reason: decision.reason });
    return { ...wrong(decision.reason), ...(decision.said === undefined ? {} : { said: decision.said }) };
  }
  if (decision.verdict === 'fail') return wrong(decision.reason);
  return runChecked(tool, checked.input, { call, confined: decision.confined, signal, ports });
}

async function runChecked(
  tool: Tool,
  input: ToolInput,
  facts: { call: ToolUseBlock; confined: Confinement | undefined; signal: AbortSignal; ports: CallPorts },
): Promise<ToolResult> {
  const { call, confined, signal, ports } = facts;
  try {
    return await tool.run(input, {
      signal,
      confined,
      toolUseId: call.id,
      onProgress: (text) => ports.onEvent({ kind: 'tool-progress', call, text }),
    });
  } catch (error) {
    if (error instanceof ReverieError) return wrong([error.message, error.fix].filter((part) => part !== '').join(' '));
    throw error;
  }
}

function wrong(content: string): ToolResult {
  return { content, isError: true };
}
