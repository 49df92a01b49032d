/** Everything in a request that the prompt cache is keyed by, by reference: nothing is copied. */

import type { Message } from './message.ts';
import type { Chain } from './prefix-chain.ts';

/** What is sent; a request of the model port has this shape once the model's name is added. */
export interface PrefixParts {
  readonly model: string;
  readonly system: readonly { readonly text: string }[];
  readonly tools: readonly { readonly name: string }[];
  readonly messages: readonly Message[];
  readonly toolChoice: string;
  readonly thinking: object;
  readonly cache: { readonly ttl: string };
  /** Headers that enable something. */
  readonly betas?: readonly string[];
  readonly contextEdits?: readonly object[];
  readonly answerSchema?: object;
}

export interface PrefixSnapshot {
  readonly model: string;
  readonly system: PrefixParts['system'];
  readonly tools: PrefixParts['tools'];
  /** What else counts, as text, by the name used in messages. */
  readonly options: Readonly<Record<string, string>>;
  readonly messages: Chain;
  /** Breaks that were announced for this request. */
  readonly announced: readonly { readonly reason: string }[];
}

export function snapshotOf(parts: PrefixParts, known: Pick<PrefixSnapshot, 'messages' | 'announced'>): PrefixSnapshot {
  return {
    model: parts.model,
    system: parts.system,
    tools: parts.tools,
    options: {
      'tool choice': parts.toolChoice,
      thinking: JSON.stringify(parts.thinking),
      'cache lifetime': parts.cache.ttl,
      'beta headers': (parts.betas ?? []).join(', ') || 'none',
      'context edits': parts.contextEdits ? JSON.stringify(parts.contextEdits) : 'none',
      'answer schema': parts.answerSchema ? JSON.stringify(parts.answerSchema) : 'none',
    },
    ...known,
  };
}
