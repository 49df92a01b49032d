/** The places where whoever owns the loop may act. The loop knows nothing of memory; what it is handed here does. */

import type { InjectionSource } from '../conversation/entry.ts';
import type { Message, TextBlock, ToolResultBlock, ToolUseBlock } from '../conversation/message.ts';
import type { ModelFailure } from '../model/failure.ts';
import type { CacheEdit } from '../model/model.ts';
import type { Rendered } from './rendered.ts';

export interface LoopSeams {
  /** What is to be sent. Whoever changes what was sent before announces it to the prefix watch. */
  beforeRequest?(facts: { readonly signal: AbortSignal }): Promise<PreparedMessages>;
  /** The provider says that the prompt is too long: true when room was made and the request may be made again. */
  onOverflow?(failure: ModelFailure, signal: AbortSignal): Promise<boolean>;
  /** The results of one round, before they enter the conversation. */
  afterTools?(
    results: readonly { readonly call: ToolUseBlock; readonly result: ToolResultBlock }[],
    facts: { readonly signal: AbortSignal },
  ): Promise<readonly ToolResultBlock[]> | readonly ToolResultBlock[];
  /** What joins a user-side message at its end; asked whenever one is appended: a prompt, tool results, a continuation. */
  attachments?(): Promise<readonly Attachment[]> | readonly Attachment[];
  /** Why the turn must end once the results of a round are in the conversation; null where it goes on. */
  whyStopped?(): string | null;
  /** What the turn answers with once the results of a round are in the conversation, though the model was not asked again; null where it goes on. */
  answerInstead?(): string | null;
  /** The model gave its final answer. What comes back goes to the model as the user's side, and the turn goes on. */
  afterAnswer?(facts: AnswerFacts): Promise<readonly Attachment[]> | readonly Attachment[];
}

export interface AnswerFacts {
  readonly signal: AbortSignal;
  /** How often an answer of this turn was sent back before. */
  readonly sentBack: number;
  /** The turn ends here, whatever comes back. */
  readonly isLast: boolean;
}

export interface PreparedMessages {
  readonly messages: readonly Message[];
  readonly contextEdits?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** What stands before the messages, where a compaction in this turn rendered it again. */
  readonly rendered?: Rendered;
  readonly cacheEdits?: readonly CacheEdit[] | undefined;
}

export interface Attachment {
  readonly source: InjectionSource;
  readonly block: TextBlock;
  /** Of an `agent-result`: the agent whose result it is; of an `agent-message`: its own. */
  readonly id?: string;
}
