/** The port to any language model. One attempt per call: retry.ts waits and retries, metered.ts counts and pays. */

import type { StopReason } from '../conversation/entry.ts';
import type { ContentBlock, Message, Usage } from '../conversation/message.ts';

export interface SystemBlock {
  readonly text: string;
  /** The end of what is the same for every session: a breakpoint follows it. */
  readonly endsStaticPart?: true;
}

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' };

export type CacheTtl = '5m' | '1h';

export type Thinking =
  | { readonly kind: 'off' }
  /** The model decides; if it cannot, a budget is chosen for it. */
  | { readonly kind: 'adaptive' }
  | { readonly kind: 'budget'; readonly tokens: number };

/** Everything here except `maxOutputTokens` is part of the prompt cache's key. */
export interface ModelRequest {
  readonly system: readonly SystemBlock[];
  readonly tools: readonly ToolSchema[];
  readonly messages: readonly Message[];
  readonly thinking: Thinking;
  readonly toolChoice: 'auto' | 'none';
  readonly maxOutputTokens: number;
  readonly cache: {
    readonly ttl: CacheTtl;
    /** Messages after whose last block the cache is written, by index; includes the last message. */
    readonly breakpoints: readonly number[];
  };
  /** Passed on unchanged to a provider that supports it: `clear_tool_uses_20250919` and the like. */
  readonly contextEdits?: readonly Readonly<Record<string, unknown>>[];
  /** Only for a model that can take them: results to leave out of the cached prefix; the messages still hold them. */
  readonly cacheEdits?: readonly CacheEdit[];
  /** The answer must be JSON with this schema, if the provider can guarantee that. */
  readonly answerSchema?: JsonSchema;
}

/** Deletes results from the provider's cache; repeated at the same message with every later request. */
export interface CacheEdit {
  /** The message at whose end it goes, by position. */
  readonly message: number;
  readonly toolUseIds: readonly string[];
}

/** What a model streams. */
export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  /** The provider's count so far, if it reports one before its answer ends. For the meter, which does not pass it on. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  /** A block is complete, in the order of the answer; a tool can start. */
  | { readonly kind: 'block'; readonly block: ContentBlock }
  /** What was streamed so far is void: the request is repeated after a pause. `attempts`: the maximum number of attempts. */
  | {
      readonly kind: 'retry';
      readonly failure: FailureKind;
      readonly attempt: number;
      readonly attempts: number;
      readonly delayMs: number;
      /** What went wrong, and what may help, for people. */
      readonly detail?: string;
    }
  /** The last event. */
  | { readonly kind: 'response'; readonly response: ModelResponse };

/** A complete answer of a model. */
export interface ModelResponse {
  /** The provider's id of the message. */
  readonly id: string | null;
  /** The model that answered, as the provider names it. */
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
  /** What the server says it cleared, unchanged. */
  readonly appliedEdits?: readonly Readonly<Record<string, unknown>>[];
}

/** What a model can do. */
export interface ModelCapabilities {
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  readonly images: boolean;
  readonly documents: boolean;
  readonly thinking: 'none' | 'budget' | 'adaptive' | 'always-adaptive';
  /** Whether breakpoints are honoured and usage reports cache reads. */
  readonly promptCache: 'breakpoints' | 'automatic' | 'none';
  readonly contextEdits: boolean;
  /** Whether it can delete results from a cached prefix (`ModelRequest.cacheEdits`). */
  readonly cacheEdits?: boolean;
}

/** A model to talk to. */
export interface Model {
  /** As the user would write it in settings: `claude-opus-5-5`, `openai/gpt-6`, `ollama/qwen3`. */
  readonly name: string;
  readonly provider: string;
  readonly capabilities: ModelCapabilities;
  /** One attempt. Fails with a `ModelFailure`. Only metered.ts may call it. */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent>;
}

export type FailureKind =
  | 'overloaded' // 529
  | 'rate-limited' // 429
  | 'server' // other 5xx
  | 'cut' // the stream ended before the message did
  | 'network' // no connection, or it broke before the first byte
  | 'timeout'
  | 'too-long' // prompt over the model's window
  | 'authentication'
  | 'billing' // no credit left
  | 'unknown-model'
  | 'invalid' // the provider refused the request as malformed
  | 'aborted'
  | 'cap'; // a ledger cap forbids the call; it was not made
