/** One request and the tools it starts: streams the answer, runs its tools meanwhile, and keeps what is whole when it is cut off. */

import type { ContentBlock } from '../conversation/message.ts';
import { ModelFailure } from '../model/failure.ts';
import type { Meter } from '../model/meter.ts';
import type { Model, ModelRequest, ModelResponse } from '../model/model.ts';
import type { Purpose } from '../model/purpose.ts';
import type { AgentEvent } from './event.ts';
import type { ToolRuns } from './tool-runs.ts';

export interface RoundPorts {
  readonly meter: Meter;
  readonly model: Model;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
  readonly newRuns: () => ToolRuns;
}

export type RoundResult =
  | { readonly kind: 'answered'; readonly response: ModelResponse; readonly runs: ToolRuns }
  /** The user interrupted, or the stream broke after a tool had acted: what was complete by then. */
  | {
      readonly kind: 'cut';
      readonly blocks: readonly ContentBlock[];
      readonly runs: ToolRuns;
      readonly isAborted: boolean;
    }
  | { readonly kind: 'failed'; readonly error: Error };

export async function runRound(request: ModelRequest, ports: RoundPorts): Promise<RoundResult> {
  const { onEvent, signal } = ports;
  let runs = ports.newRuns();
  let blocks: ContentBlock[] = [];
  /** Text of a block that is not complete yet. */
  let pieces: string[] = [];
  const cut = (isAborted: boolean): RoundResult => {
    const text = pieces.join('');
    const kept = isAborted && text !== '' ? [...blocks, { type: 'text' as const, text }] : blocks;
    return { kind: 'cut', blocks: withoutOpenThought(kept), runs, isAborted };
  };
  try {
    const { meter, model, purpose } = ports;
    for await (const event of meter.call({ purpose, model, request, signal, mayRestart: () => !runs.hasActed() })) {
      switch (event.kind) {
        case 'text':
          pieces.push(event.text);
          onEvent(event);
          break;
        case 'thinking':
          onEvent(event);
          break;
        case 'block':
          pieces = [];
          blocks.push(event.block);
          if (event.block.type === 'tool_use') runs.add(event.block);
          break;
        case 'retry':
          runs.discard();
          [runs, blocks, pieces] = [ports.newRuns(), [], []];
          onEvent({
            ...{ kind: 'retry', reason: event.failure, delayMs: event.delayMs },
            ...{ attempt: event.attempt, attempts: event.attempts, detail: event.detail },
          });
          break;
        case 'response':
          return { kind: 'answered', response: event.response, runs };
      }
    }
    throw new Error('The model ended without a response.');
  } catch (error) {
    if (signal.aborted) return cut(true);
    if (error instanceof ModelFailure && error.failure === 'cut' && runs.hasActed()) return cut(false);
    runs.discard();
    return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Thinking may not be the last thing of a message: providers refuse it. */
export function withoutOpenThought(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const isThought = ({ type }: ContentBlock) => type === 'thinking' || type === 'redacted_thinking';
  return blocks.slice(0, blocks.findLastIndex((block) => !isThought(block)) + 1);
}
