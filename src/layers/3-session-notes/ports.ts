/** What a session gives to the notes, and the outcome of an update. */

import type { Conversation } from '../../agent/conversation.ts';
import type { LoopParts } from '../../agent/loop.ts';
import type { LoopSeams } from '../../agent/seams.ts';
import type { Tool } from '../../agent/tool.ts';
import type { Trip } from '../../base/async/breaker.ts';
import type { Window } from '../../conversation/window.ts';
import type { Limits } from '../../limits.ts';
import type { NotesConfig } from './prompt.ts';
import type { NotesState } from './state.ts';

export interface NotesPorts {
  /** The notes' file; absolute. */
  readonly path: string;
  /** The file as it is; null when there is none. Throws when it cannot be read. */
  readNotes(): string | null;
  /** Replaces the whole file, only if it still holds `before`; false when it does not. */
  writeNotes(text: string, facts: { readonly before: string | null }): Promise<boolean>;
  readConfig(): NotesConfig;
  describeSecretsIn(text: string): Promise<string | null>;
  /** The loop of the conversation itself. */
  parent(): LoopParts;
  /** The parent's view for a fork. */
  forkSeams(conversation: Conversation): LoopSeams;
  /** The parent's tools for a fork. */
  forkTools(): ReadonlyMap<string, Tool>;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  isOn(): boolean;
  isAutoCompactionOn(): boolean;
  /** What the session has cost so far, in one unit. */
  spent(): { readonly main: number; readonly notes: number };
  /** After each update, whatever the outcome. */
  onUpdate(outcome: UpdateOutcome): void;
  onState(state: NotesState): void;
  /** One line for the user; the same line is shown once. */
  onProblem(line: string): void;
  /** After this many failures in a row no more notes are made. */
  onPaused(trip: Trip): void;
  readonly limits: Limits;
}

/** The conversation right after a response. */
export interface ResponseFacts {
  /** The message that the response became. */
  readonly uuid: string;
  readonly toolCalls: number;
  /** Tokens of messages, without system prompt and tools. */
  readonly tokens: number;
  /** Tokens of everything that is sent. */
  readonly windowTokens: number;
  readonly window: Window;
}

export type UpdateOutcome =
  | { readonly kind: 'updated'; readonly notesTokens: number; readonly requests: number }
  | { readonly kind: 'failed'; readonly failure: UpdateFailure; readonly problem: string }
  /** Expected: nothing is wrong with the notes. */
  | { readonly kind: 'cap'; readonly problem: string }
  | { readonly kind: 'aborted' };

export type UpdateFailure =
  | 'model' // the call failed
  | 'no-edit' // the model changed nothing
  | 'changed-meanwhile' // somebody else wrote to the file
  | 'too-large'
  | 'broken'; // the disk, or ours
