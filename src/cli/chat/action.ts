/** What happens to the chat, what it then prints, and what it wants done: all plain data, so that every case can be tested. */

import type { AgentEvent } from '../../agent/event.ts';
import type { PermissionMode } from '../../agent/permission.ts';
import type { PermissionAnswer } from '../../agent/permissions/permissions.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import type { DreamProgress } from '../../layers/6-dreaming/progress.ts';
import type { NoticeKind } from '../paint-view/frame-view.ts';
import type { Submission } from '../screen/editor.ts';
import type { Key } from '../screen/key.ts';
import type { AskedSubject } from './asked-subject.ts';
import type { RunName, SlashCommand } from './slash/commands.ts';
import type { ChatState, Dialog, FinishedTool, PickerItem, PickerPurpose, SessionFacts, Suggestions } from './state.ts';

export type Action =
  | { readonly kind: 'key'; readonly key: Key; readonly nowMs: number }
  | { readonly kind: 'resized'; readonly size: ChatState['size'] }
  /** What was typed here before, oldest first. */
  | { readonly kind: 'history'; readonly prompts: readonly string[] }
  /** A prompt that nobody typed. */
  | { readonly kind: 'submit'; readonly text: string; readonly nowMs: number }
  /** Streamed text, gathered for a frame. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'agent'; readonly event: AgentEvent; readonly nowMs: number }
  /** A turn has begun by itself. */
  /** By results of these agents; by a message where there are none. */
  | { readonly kind: 'woken'; readonly agents: readonly string[]; readonly nowMs: number }
  | { readonly kind: 'tick'; readonly nowMs: number }
  /** Another session is being resumed. */
  | { readonly kind: 'opening' }
  /** The agent is ready. */
  | { readonly kind: 'opened'; readonly facts: Partial<SessionFacts>; readonly nowMs: number }
  /** The command that had the session to itself has ended. */
  | { readonly kind: 'freed'; readonly nowMs: number }
  /** Everything that was started has ended. */
  | { readonly kind: 'settled'; readonly nowMs: number }
  | { readonly kind: 'facts'; readonly facts: Partial<SessionFacts> }
  /** A dream made progress or ended. */
  | { readonly kind: 'dream'; readonly progress: DreamProgress }
  | { readonly kind: 'asked'; readonly question: Asked; readonly nowMs: number }
  /** The turn ended before the question was answered. */
  | { readonly kind: 'ask-withdrawn' }
  /** Skills and commands of the user's own. */
  | { readonly kind: 'customs'; readonly commands: readonly SlashCommand[] }
  | { readonly kind: 'arguments-found'; readonly typed: string; readonly items: Suggestions['items'] }
  | { readonly kind: 'files-found'; readonly typed: string; readonly files: readonly string[] }
  | {
      readonly kind: 'pick';
      readonly purpose: PickerPurpose;
      readonly title: string;
      readonly items: readonly PickerItem[];
      readonly selected?: number;
      readonly takesWords?: boolean;
      /** Given where it comes up by itself. */
      readonly nowMs?: number;
    }
  | { readonly kind: 'print'; readonly output: WholeOutput }
  /** Text for the editor, replacing what is there. */
  | { readonly kind: 'edit'; readonly text: string }
  | { readonly kind: 'leave' };

export interface Asked {
  readonly call: ToolUseBlock;
  readonly reason: string;
  readonly suggestedRules: readonly string[];
  /** Whether a rule can be kept for later sessions too. */
  readonly canKeep?: boolean;
  readonly subject: AskedSubject;
}

/** What goes into the scrollback, once. */
export type Output = StreamOutput | WholeOutput;

export type StreamOutput =
  | { readonly kind: 'stream'; readonly text: string }
  /** Streamed text that was not finished is dropped. */
  | { readonly kind: 'stream-void' }
  | { readonly kind: 'stream-end' };

export type WholeOutput =
  | { readonly kind: 'prompt'; readonly text: string }
  | ({ readonly kind: 'tool'; readonly isExpanded: boolean } & FinishedTool)
  | { readonly kind: 'thinking'; readonly isExpanded: boolean; readonly text: string }
  | { readonly kind: 'denied'; readonly call: ToolUseBlock; readonly reason: string }
  | { readonly kind: 'notice'; readonly tone: NoticeKind; readonly text: string }
  /** A question in line mode: answered by a line. */
  | { readonly kind: 'dialog'; readonly dialog: Dialog }
  /** Lines that are already painted and fitted. */
  | { readonly kind: 'lines'; readonly lines: readonly string[] };

export type Effect =
  | { readonly kind: 'send'; readonly prompt: Submission }
  | { readonly kind: 'interrupt' }
  /** Agents that are waited for go on in the background. */
  | { readonly kind: 'to-background' }
  | { readonly kind: 'answer'; readonly answer: PermissionAnswer }
  /** Rules for the project's local settings. */
  | { readonly kind: 'keep-rules'; readonly rules: readonly string[] }
  | { readonly kind: 'command'; readonly name: RunName; readonly argument: string }
  /** Null: nothing was chosen, and a session or an answer is still needed. */
  | { readonly kind: 'choose'; readonly purpose: PickerPurpose; readonly id: string | null }
  | { readonly kind: 'find-files'; readonly typed: string }
  | {
      readonly kind: 'find-arguments';
      readonly command: string;
      readonly before: readonly string[];
      readonly typed: string;
    }
  /** Runs in the user's own shell. */
  | { readonly kind: 'run'; readonly command: string }
  /** What is typed goes to the user's editor. */
  | { readonly kind: 'edit-prompt'; readonly text: string }
  /** Somebody who looked away should look. */
  | { readonly kind: 'notify'; readonly why: string }
  | { readonly kind: 'set-mode'; readonly mode: PermissionMode }
  | { readonly kind: 'remember'; readonly text: string }
  | { readonly kind: 'redraw' }
  /** `waits`: for background work that still needs a model. */
  | { readonly kind: 'leave'; readonly waits: boolean };

export interface Step {
  readonly state: ChatState;
  readonly output: readonly Output[];
  readonly effects: readonly Effect[];
}

export function step(state: ChatState, more: Partial<Omit<Step, 'state'>> = {}): Step {
  return { state, output: more.output ?? [], effects: more.effects ?? [] };
}

/** Combines two consecutive steps. */
export function andThen(first: Step, next: (state: ChatState) => Step): Step {
  const second = next(first.state);
  return {
    state: second.state,
    output: [...first.output, ...second.output],
    effects: [...first.effects, ...second.effects],
  };
}

export function notice(text: string, tone: NoticeKind = 'info'): WholeOutput {
  return { kind: 'notice', tone, text };
}
