/** The chat's state as plain data: what is running, what is asked, what is shown besides the text. */

import type { PermissionMode } from '../../agent/permission.ts';
import type { ToolResult } from '../../agent/tool.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import type { DreamFooter } from '../paint-view/dream-view.ts';
import type { WindowRoom } from '../paint-view/frame-view.ts';
import type { PermissionOption } from '../paint-view/permission-view.ts';
import { matchingItems } from '../paint-view/picker-view.ts';
import type { CompletionKind } from '../screen/completion.ts';
import { createEditor, type Editor, type Submission } from '../screen/editor.ts';
import type { AskedSubject } from './asked-subject.ts';
import type { SlashCommand } from './slash/commands.ts';

export interface ChatState {
  /** `opening`: the agent is being opened, `busy`: a command has the session to itself; what is sent waits. */
  readonly phase: 'opening' | 'idle' | 'working' | 'interrupting' | 'busy' | 'leaving';
  readonly facts: SessionFacts;
  readonly editor: Editor;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly turn: TurnProgress | null;
  readonly running: readonly RunningTool[];
  /** Prompts for after the turn, in the order they were sent. */
  readonly queue: readonly Submission[];
  readonly dialog: Dialog | null;
  readonly suggestions: Suggestions | null;
  /** Skills and commands of the user's own, for `/name`. */
  readonly customs: readonly SlashCommand[];
  /** One temporary line: what another press would do. */
  readonly hint: string | null;
  readonly lastPress: { readonly key: 'ctrl-c' | 'escape'; readonly atMs: number } | null;
  /** Outputs that were shown folded, the newest last. */
  readonly folded: readonly Folded[];
  /** The dream whose end was last reported, and how it was worded. */
  readonly endedDream: { readonly id: string; readonly closing: string | null } | null;
  /** Whether the model ever answered in this session. */
  readonly hasHeard: boolean;
  /** Advances while work is running. */
  readonly frame: number;
  /** Line mode, no redrawing: dialogs are printed, and answered by a line. */
  readonly isLineMode: boolean;
  /** The lines come from a program: what stands in them may be anybody's text. */
  readonly isPiped: boolean;
  /** The input has ended: no more requests will come. */
  readonly leavesWhenDone: boolean;
}

/** For the line at the bottom. */
export interface SessionFacts {
  readonly model: string | null;
  readonly mode: PermissionMode;
  readonly windowLeftShare: number | null;
  /** Little from the point of the warning on, none from that of compaction on. */
  readonly windowRoom: WindowRoom;
  readonly cacheHitShare: number | null;
  readonly costUsd: number | null;
  readonly background: number;
  /** The running one. */
  readonly dream: DreamFooter | null;
}

export interface TurnProgress {
  readonly startedMs: number;
  readonly nowMs: number;
  readonly verb: 'Waiting' | 'Thinking' | 'Writing' | 'Working';
  /** What the model thought since it last said or did something. */
  readonly thinking: string;
  /** Why the request is made again, while that is so. */
  readonly retry: string | null;
  /** Of what was streamed so far, for an estimate of tokens. */
  readonly characters: number;
  /** Ids of denied calls: reported once, not again when they end. */
  readonly denied: readonly string[];
  /** Memories that joined are shown once a turn. */
  readonly hasToldRecall: boolean;
}

export interface RunningTool {
  readonly call: ToolUseBlock;
  /** The end of its output so far. */
  readonly progress: string;
}

export interface FinishedTool {
  readonly call: ToolUseBlock;
  readonly result: ToolResult;
}

/** What is shown by a line, and whole on request. */
export type Folded = ({ readonly kind: 'tool' } & FinishedTool) | { readonly kind: 'thinking'; readonly text: string };

export type Dialog = PermissionDialog | PickerDialog;

export interface PermissionDialog {
  readonly kind: 'permission';
  readonly call: ToolUseBlock;
  readonly reason: string;
  readonly subject: AskedSubject;
  readonly options: readonly PermissionOption[];
  readonly selected: number;
  /** What the user wants instead, typed while "no" is selected. */
  readonly words: string;
  /** Rows of the diff or command that are scrolled past. */
  readonly scroll: number;
  /** Keys that come before a pause were typed for the prompt, not as an answer. */
  readonly isArmed: boolean;
  readonly lastKeyMs: number;
}

export interface PickerDialog {
  readonly kind: 'picker';
  readonly purpose: PickerPurpose;
  readonly title: string;
  readonly items: readonly PickerItem[];
  readonly selected: number;
  /** What was typed to narrow the list down. */
  readonly query: string;
  /** What is typed is an answer of its own and never narrows the list. */
  readonly takesWords?: boolean;
  /** Of a question that comes up by itself: keys that come before a pause were typed for the prompt. */
  readonly lastKeyMs?: number;
}

/** `question`: the agent asks, and what was typed is an answer too. */
export type PickerPurpose =
  | 'question'
  | 'resume'
  | 'rewind'
  | 'rewind-way'
  | 'expand'
  | 'snip'
  | 'unfold'
  | 'model'
  | 'history'
  | 'trust'
  | 'includes';

export interface PickerItem {
  /** The value passed on when it is chosen. */
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly preview?: string;
}

export interface Suggestions {
  readonly kind: CompletionKind;
  readonly typed: string;
  /** As they are inserted, without the sign. */
  readonly items: readonly { readonly text: string; readonly detail: string }[];
  readonly selected: number;
  /** The user went through them: Enter then takes the selected one. */
  readonly hasMoved?: boolean;
}

export function initialState(facts: {
  readonly mode: PermissionMode;
  readonly isLineMode: boolean;
  readonly isPiped?: boolean;
  readonly size: ChatState['size'];
}): ChatState {
  return {
    phase: 'opening',
    facts: {
      model: null,
      mode: facts.mode,
      windowLeftShare: null,
      windowRoom: 'enough',
      cacheHitShare: null,
      costUsd: null,
      background: 0,
      dream: null,
    },
    editor: createEditor(),
    size: facts.size,
    turn: null,
    running: [],
    queue: [],
    dialog: null,
    suggestions: null,
    customs: [],
    hint: null,
    lastPress: null,
    folded: [],
    endedDream: null,
    hasHeard: false,
    frame: 0,
    isLineMode: facts.isLineMode,
    isPiped: facts.isPiped ?? false,
    leavesWhenDone: false,
  };
}

/** Something that the agent waits for; its turn's end takes it away. */
export function isAgentsQuestion(dialog: Dialog | null): boolean {
  return dialog?.kind === 'permission' || (dialog?.kind === 'picker' && dialog.purpose === 'question');
}

/** The items that match what was typed, in their order. */
export function pickedItems({ items, query, takesWords }: PickerDialog): readonly PickerItem[] {
  if (takesWords === true && query.trim() !== '') return [];
  return matchingItems(items, query);
}
