/** One message as the conversation and its transcript keep it: with its place, its time and where it came from. */

import type { Message, Usage } from './message.ts';

/** One message of a conversation, as the transcript keeps it. */
export interface Entry {
  readonly uuid: string;
  /** The entry before it; null for the first. */
  readonly parentUuid: string | null;
  /** ISO time. */
  readonly at: string;
  readonly message: Message;
  /** Only of an assistant's message. */
  readonly response?: EntryResponse;
  /** What of the message Reverie put there itself, by the block's position; the rest is the user's, the model's or a tool's. */
  readonly injected?: readonly Injection[];
  /** How many characters of the user's text they typed; the rest came along. All of it where this is not said. */
  readonly typedCharacters?: number;
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
}

export type InjectionSource =
  | 'context'
  | 'summary' // stands in for messages that a compaction took out
  | 'snip' // stands in for messages that the user took out
  | 'date'
  | 'recall'
  | 'index' // what changed in the index of memories since it was told
  | 'instructions'
  | 'hook'
  | 'notification'
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
  | 'pause' // the server paused a long turn; sending it again goes on
  | 'cut' // the stream ended early; complete blocks were kept
  | 'aborted'; // the user interrupted; complete blocks were kept
