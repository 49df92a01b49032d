/** Decides how a window looks before a request: one of ours at an economy, or one that others use. */

import type { Entry } from '../../conversation/entry.ts';
import type { Message } from '../../conversation/message.ts';
import type { Window } from '../../conversation/window.ts';
import type { Economy } from '../../layers/2-microcompact/index.ts';
import type { Limits } from '../../limits.ts';
import type { CacheTtl } from '../../model/model.ts';
import type { Price } from '../../model/prices.ts';
import type { Sizes } from './sizes.ts';

export interface PolicyPorts {
  readonly sizes: Sizes;
  readonly prefixTokens: number;
  readonly window: Window;
  readonly ttl: CacheTtl;
  readonly price: Price;
  readonly limits: Limits;
  /** A call alongside the conversation: it reads the cache after these messages, and is paid for. */
  call(facts: {
    readonly messages: readonly Message[];
    readonly atMs: number;
    readonly addedTokens: number;
    readonly outputTokens: number;
    readonly purpose: 'notes' | 'compaction';
  }): void;
  /** What a layer removed from the window. */
  freed(by: FreedBy, tokens: number): void;
  compacted(): void;
}

export type FreedBy = 'toolResults' | 'clearing' | 'notes' | 'compaction' | 'dropping';

export interface RequestFacts {
  /** New since the last request. */
  readonly entries: readonly Entry[];
  readonly atMs: number;
  /** Since the last answer; null before the first. */
  readonly idleMs: number | null;
  /** Requests made so far. */
  readonly requests: number;
}

export interface Policy {
  /** The messages to send. */
  request(facts: RequestFacts): Promise<readonly Message[]>;
  answered(answer: Entry, facts: { readonly atMs: number }): Promise<void>;
}

export interface PolicyKind {
  readonly name: string;
  readonly economy?: Economy;
  create(ports: PolicyPorts): Policy;
}
