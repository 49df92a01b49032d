/** A recorded conversation as the replay needs it, whatever program wrote it. */

import type { ContentBlock, Usage } from '../../conversation/message.ts';

export interface Recording {
  readonly name: string;
  /** The model that answered most; null when unknown. */
  readonly model: string | null;
  /** Of its window; null when unknown. */
  readonly windowTokens: number | null;
  readonly messages: readonly RecordedMessage[];
  /** Lines or messages that could not be read. */
  readonly damaged: number;
}

export interface RecordedMessage {
  readonly role: 'user' | 'assistant';
  /** Null when it was not recorded. */
  readonly atMs: number | null;
  readonly content: readonly ContentBlock[];
  /** Blocks that a program added and nobody typed, by position. */
  readonly injected: readonly number[];
  /** For an assistant's message, if it was recorded. */
  readonly usage: Usage | null;
  /** Parts of one response share it. */
  readonly responseId: string | null;
}
