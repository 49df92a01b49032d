/** What happens to the chat, what it then prints, and what it wants done: all plain data, so that every story can be told in a test. */

import type { AgentEvent, TurnOutcome } from '../../agent/event.ts';
import type { PermissionMode } from '../../agent/permission.ts';
import type { PermissionAnswer } from '../../agent/permissions/permissions.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import type { Key } from '../screen/key.ts';
import type { AskedSubject } from './asked-subject.ts';
import type { ChatState, FinishedTool, PickerItem, PickerPurpose, SessionFacts, Suggestions } from './state.ts';

export type Action =
  | { readonly kind: 'key'; readonly key: Key; readonly nowMs: number }
  /** Streamed words, gathered for a frame. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'agent'; readonly event: AgentEvent; readonly nowMs: number }
  | { readonly kind: 'turn-started'; readonly nowMs: number }
  | { readonly kind: 'tick'; readonly nowMs: number }
  /** The agent stands ready; also after another session was taken up. */
  | { readonly kind: 'opened'; readonly facts: Partial<SessionFacts> }
  | { readonly kind: 'facts'; readonly facts: Partial<SessionFacts> }
  | { readonly kind: 'asked'; readonly question: Asked; readonly nowMs: number }
  /** The turn ended before the question was answered. */
  | { readonly kind: 'ask-withdrawn' }
  | { readonly kind: 'suggested'; readonly suggestions: Suggestions | null }
  | {
      readonly kind: 'pick';
      readonly purpose: PickerPurpose;
      readonly title: string;
      readonly items: readonly PickerItem[];
    }
  | { readonly kind: 'print'; readonly output: Output }
  /** Text for the editor, in place of what is there. */
  | { readonly kind: 'edit'; readonly text: string }
  /** A prompt that nobody typed: the tour's. */
  | { readonly kind: 'submit'; readonly text: string }
  | { readonly kind: 'command-ended' };

export interface Asked {
  readonly call: ToolUseBlock;
  readonly reason: string;
  readonly suggestedRules: readonly string[];
  readonly subject: AskedSubject;
}

/** What goes into the scrollback, once. */
export type Output = StreamOutput | WholeOutput;

export type StreamOutput =
  | { readonly kind: 'stream'; readonly text: string }
  /** What was streamed and not finished is dropped. */
  | { readonly kind: 'stream-void' }
  | { readonly kind: 'stream-end' };

export type WholeOutput =
  | { readonly kind: 'prompt'; readonly text: string }
  | ({ readonly kind: 'tool'; readonly isExpanded: boolean } & FinishedTool)
  | { readonly kind: 'denied'; readonly call: ToolUseBlock; readonly reason: string }
  | { readonly kind: 'notice'; readonly tone: 'info' | 'good' | 'warning' | 'error'; readonly text: string }
  /** Lines that are painted and fitted already. */
  | { readonly kind: 'lines'; readonly lines: readonly string[] };

export type Effect =
  | { readonly kind: 'send'; readonly text: string }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'answer'; readonly answer: PermissionAnswer }
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }
  | { readonly kind: 'choose'; readonly purpose: PickerPurpose; readonly id: string }
  | { readonly kind: 'suggest-files'; readonly typed: string }
  | { readonly kind: 'set-mode'; readonly mode: PermissionMode }
  | { readonly kind: 'remember'; readonly text: string }
  | { readonly kind: 'turn-ended'; readonly outcome: TurnOutcome }
  /** Prompts that waited go back to where they were typed. */
  | { readonly kind: 'edit-queued'; readonly text: string }
  | { readonly kind: 'redraw' }
  | { readonly kind: 'leave' };

export interface Step {
  readonly state: ChatState;
  readonly output: readonly Output[];
  readonly effects: readonly Effect[];
}

export function step(state: ChatState, more: Partial<Omit<Step, 'state'>> = {}): Step {
  return { state, output: more.output ?? [], effects: more.effects ?? [] };
}

/** Two steps in a row as one. */
export function andThen(first: Step, next: (state: ChatState) => Step): Step {
  const second = next(first.state);
  return {
    state: second.state,
    output: [...first.output, ...second.output],
    effects: [...first.effects, ...second.effects],
  };
}

export function notice(text: string, tone: Extract<Output, { kind: 'notice' }>['tone'] = 'info'): Output {
  return { kind: 'notice', tone, text };
}
