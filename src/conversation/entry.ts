/** One message as the conversation and its transcript store it: with its place, its time and where it came from. */

import type { Message, Usage } from './message.ts';

/** One message of a conversation, as the transcript stores it. */
export interface Entry {
  readonly uuid: string;
  /** The entry before it; null for the first. */
  readonly parentUuid: string | null;
  /** ISO time. */
  readonly at: string;
  readonly message: Message;
  /** Only for an assistant's message. */
  readonly response?: EntryResponse;
  /** Which blocks Reverie added itself, by position; the rest is the user's, the model's or a tool's. */
  readonly injected?: readonly Injection[];
  /** How many characters of the user's text they typed; the rest came along. All of it if absent. */
  readonly typedCharacters?: number;
  /** What the user typed to refuse a call or to answer a question: it stands in a tool's result and is their word all the same. */
  readonly said?: readonly string[];
}

export interface EntryResponse {
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  readonly id: string | null;
}

/** Nothing enters a conversation unnamed. */
export interface Injection {
  readonly block: number;
  readonly source: InjectionSource;
  /** Of an `agent-result`: the agent whose result it is; of an `agent-message`: its own. */
  readonly id?: string;
}

export type InjectionSource =
  | 'context'
  | 'summary' // replaces messages that a compaction removed
  | 'snip' // replaces messages that the user removed
  | 'date'
  | 'recall'
  | 'index' // what changed in the memory index since it was last shown
  | 'instructions'
  | 'hook'
  | 'notification'
  | 'task' // what one agent asked of another: an agent's words
  | 'agent-result' // what came of it: an agent's words too
  | 'agent-message' // what another agent said meanwhile: an agent's words too
  | 'interruption'
  | 'continuation'
  | 'directive';

/** Why the model stopped. */
export type StopReason =
  | 'end' // the model was done
  | 'tools' // it wants results
  | 'length' // the output limit cut it
  | 'window' // the context window was full
  | 'refusal'
  | 'pause' // the server paused a long turn; sending it again continues
  | 'cut' // the stream ended early; complete blocks were kept
  | 'aborted'; // the user interrupted; complete blocks were kept
