/** What a provider wants back with a thought or a tool call, stored where our blocks have room: in a thought's signature. */

import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';
import type { ThinkingBlock } from '../../conversation/message.ts';

/** No Anthropic signature begins like this. */
const MARK = 'ai-sdk:';

export interface KeptThinking {
  /** A thought goes back to the provider it came from, and to nobody else. */
  readonly provider: string;
  readonly metadata?: SharedV3ProviderMetadata;
  /** The tool call that the metadata belongs to; the thought itself is then empty and never sent. */
  readonly call?: string;
}

export function keepThinking(thinking: string, kept: KeptThinking): ThinkingBlock {
  return { type: 'thinking', thinking, signature: `${MARK}${JSON.stringify(kept)}` };
}

/** Null for the thought of another provider. */
export function openThinking(block: ThinkingBlock, provider: string): KeptThinking | null {
  if (!block.signature.startsWith(MARK)) return null;
  try {
    const kept = JSON.parse(block.signature.slice(MARK.length)) as KeptThinking;
    return kept.provider === provider ? kept : null;
  } catch {
    return null;
  }
}

/** A thought that Anthropic did not sign, and would refuse to take back. */
export function isForeignThought(block: ThinkingBlock): boolean {
  return block.signature === '' || block.signature.startsWith(MARK);
}
