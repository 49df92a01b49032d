/** The public shape of Reverie's layers in a loop of somebody else's: two calls around each call of a model. `createSession` makes one. */

import type { Usage } from '../conversation/message.ts';
import type { Memory } from '../memory/memory.ts';
import type { Model, ModelCapabilities } from '../model/model.ts';
import type { Flags } from '../settings/flags.ts';
import type { PlaceOptions } from '../settings/place.ts';
import type { CacheBreak } from '../toolbox/cache-watch.ts';
import type { SessionState } from './state.ts';

/** A message as the Messages API takes it; blocks and fields that Reverie does not know go through as they are. */
export interface HostMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

/**
 * What the host is about to send. `messages` is the host's own array, whole, each time; it is never changed. Reverie
 * knows what it has seen by the objects, else by their content, so that the host may only append. Everything else in the
 * request comes back as it is.
 */
export interface HostRequest {
  readonly messages: readonly HostMessage[];
  readonly system?: string | readonly object[] | null;
  readonly tools?: readonly object[] | null;
  /** Its name says how large the window is, unless `capabilities` do. */
  readonly model?: string;
}

/** What the model answered: a message of the Messages API has this shape. Without `usage` the window is estimated. */
export interface HostResponse {
  readonly id?: string | null;
  readonly model?: string;
  readonly stop_reason?: string | null;
  readonly usage?: HostUsage | null;
}

/** Token counts of a response, as the Messages API reports them. */
export interface HostUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number | null } | null;
}

/** Answers with the model's text. The instruction is the end of the last message; nothing is to be added. */
export type Summarise = (request: SummaryRequest) => Promise<string>;

/** What a `Summarise` function is asked. */
export interface SummaryRequest {
  readonly system: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly object[] }[];
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
}

/** Without `directory` and `bare`: the memory is opened by the host, and handed over. */
export interface SessionOptions extends Omit<PlaceOptions, 'directory' | 'bare'> {
  /**
   * Summarises when the window is full: best the model that the host talks to, which then reads from its warm cache.
   * Without one the oldest messages are cut; what the user said, rules and files are carried over by code all the same.
   */
  readonly model?: Model | Summarise;
  /** From `openMemory`; the host closes it. Recall needs it, and so do the instructions. */
  readonly memory?: Memory;
  /** What the host's model can do, in place of what its name says. */
  readonly capabilities?: Partial<ModelCapabilities>;
  /**
   * True: marks for the prompt cache are placed by Reverie, on the system and the newest messages, in place of any others.
   * Unless given: where the host has marked one of its newest messages, Reverie marks the newest of what is sent.
   */
  readonly cacheControl?: boolean;
  /** The host's tools whose results can be had again by asking again: `read_file`, `run_command`. Only such results are cleared. */
  readonly clearableTools?: readonly string[];
  /** A kill switch of the host's own for layers and mechanisms, asked before each run. */
  readonly flags?: Flags;
  /** What `state()` gave: the session goes on, and sends the same bytes. */
  readonly resumed?: SessionState;
  /** One line for people: what was compacted, and what went wrong. */
  readonly onNote?: (line: string) => void;
}

/** Decides what of your messages to send; `createSession` makes one. */
export interface Session {
  readonly sessionId: string;
  /**
   * Before each call of the model: a new request whose messages are what should be sent. Long results of tools are stored
   * and stand there as previews, old ones are cleared when it pays, memories that matter join the user's newest message, and
   * a conversation that fills the window is compacted. Whatever was sent once is sent the same way again, unless a break was
   * announced. One at a time: a second call waits for the first.
   */
  prepare<Request extends HostRequest>(
    request: Request,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Request>;
  /** After it: the usage goes to the ledger, and says how full the window is and whether the prompt cache held. */
  observe(response: HostResponse): Promise<void>;
  /** The provider refused a request: true when it was too long and room was made, so that it can be prepared and sent again. */
  refused(error: unknown, options?: { readonly signal?: AbortSignal | undefined }): Promise<boolean>;
  /**
   * For the host's system prompt: how memory works, where it is, and its index. Rendered when the session was opened and the
   * same ever after; empty without a memory. Nothing of it is put into a request unasked.
   */
  instructions(): string;
  stats(): SessionStats;
  /** Plain JSON, for `resumed`. */
  state(): SessionState;
  /** Lets go of the ledger. The memory stays open. */
  close(): Promise<void>;
}

/** What a session has done so far. */
export interface SessionStats {
  /** Requests that were prepared. */
  readonly requests: number;
  /** Of the responses that were observed. */
  readonly usage: Usage;
  /** Share of all prompt tokens that were read from the cache; null before the first response. */
  readonly cacheReadShare: number | null;
  /** Where the cache broke, and why. */
  readonly cacheBreaks: readonly CacheBreak[];
  /** Breaks that were announced, with the number of the request that differs, from 1. */
  readonly announced: readonly { readonly request: number; readonly reason: string }[];
  readonly compactions: number;
  /** Results of tools in the conversation that stand there as previews, and results that were cleared. */
  readonly storedResults: number;
  readonly clearedResults: number;
  /** Memories that joined since the last compaction. */
  readonly recalled: readonly string[];
  /** Times that the host's history was another one. */
  readonly rewrites: number;
  readonly notes: readonly string[];
}
