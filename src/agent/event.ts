/** What a turn tells whoever watches it: the terminal, print mode, a program. Exhaustive: a new kind fails the type-check where it must be shown. */

import type { Entry } from '../conversation/entry.ts';
import type { ToolUseBlock } from '../conversation/message.ts';
import type { FailureKind } from '../model/model.ts';
import type { ToolResult } from './tool.ts';

/** What `agent.send` yields while a turn runs. */
export type AgentEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  /** What was streamed since the last entry is void. `attempts`: how often the request is made at most, where that is bound. */
  | {
      readonly kind: 'retry';
      readonly reason: RetryReason;
      readonly attempt: number;
      readonly attempts?: number;
      readonly delayMs: number;
      /** What went wrong, for people. */
      readonly detail?: string;
    }
  | { readonly kind: 'tool-started'; readonly call: ToolUseBlock }
  | { readonly kind: 'tool-progress'; readonly call: ToolUseBlock; readonly text: string }
  | {
      readonly kind: 'tool-ended';
      readonly call: ToolUseBlock;
      readonly result: ToolResult;
      readonly milliseconds: number;
    }
  | { readonly kind: 'denied'; readonly call: ToolUseBlock; readonly reason: string }
  /** A message joined the conversation and is in the transcript. */
  | { readonly kind: 'entry'; readonly entry: Entry }
  /** What an agent that this one started does: an event of its own turn. */
  | {
      readonly kind: 'agent';
      readonly agent: StartedAgent;
      readonly event: AgentEvent;
    }
  /** One line for the user, not for the model. */
  | { readonly kind: 'note'; readonly text: string }
  /** The last event of a turn. */
  | { readonly kind: 'turn-ended'; readonly outcome: TurnOutcome };

/** Which agent an event is of. */
export interface StartedAgent {
  readonly id: string;
  readonly name: string;
  /** The call that started it; null where a program did. */
  readonly toolUseId: string | null;
}

/** `output-limit`: once more with room for a longer answer; `overflow`: once more with a shorter conversation. */
export type RetryReason = FailureKind | 'output-limit' | 'overflow';

/** How a turn ended. */
export type TurnOutcome =
  | { readonly kind: 'answered' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'too-many-rounds'; readonly rounds: number }
  | { readonly kind: 'failed'; readonly error: Error };
