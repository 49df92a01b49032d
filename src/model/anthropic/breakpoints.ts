/** Where a request asks for the prompt cache to be written: at most four places, the most valuable first. */

import type { BetaCacheControlEphemeral, BetaTextBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { MESSAGES_API_LIMITS } from '../../limits.ts';
import type { CacheTtl } from '../model.ts';
import type { WireBlock, WireMessage } from './message.ts';

export interface Breakpoints {
  /** Indices into the system blocks, and into the messages. */
  readonly system: readonly number[];
  readonly messages: readonly number[];
}

/**
 * The static part of the system first, because every session shares it; then the last requested message, then those
 * before it, newest first; the whole system only with what is left.
 */
export function chooseBreakpoints(facts: {
  readonly systemBlocks: number;
  /** The last block of the static part; null when there is none. */
  readonly staticEnd: number | null;
  readonly messages: readonly WireMessage[];
  /** Indices into `messages`, in any order. */
  readonly wanted: readonly number[];
}): Breakpoints {
  const { systemBlocks, staticEnd, messages, wanted } = facts;
  const system = staticEnd === null ? [] : [staticEnd];
  const places = new Set<number>();
  for (const index of [...wanted].sort((one, other) => other - one)) {
    const place = lastMarkable(messages, index);
    if (place !== null && system.length + places.size < MESSAGES_API_LIMITS.breakpoints) places.add(place);
  }
  const isRoomLeft = system.length + places.size < MESSAGES_API_LIMITS.breakpoints;
  if (isRoomLeft && systemBlocks > 0 && staticEnd !== systemBlocks - 1) system.push(systemBlocks - 1);
  return { system, messages: [...places].sort((one, other) => one - other) };
}

export function cacheControl(ttl: CacheTtl): BetaCacheControlEphemeral {
  return ttl === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
}

export function markSystem(block: BetaTextBlockParam, control: BetaCacheControlEphemeral): BetaTextBlockParam {
  return { ...block, cache_control: control };
}

/** A copy: the rendered message itself stays unmarked, because the mark moves on. */
export function markMessage(message: WireMessage, control: BetaCacheControlEphemeral): WireMessage {
  const at = message.content.findLastIndex(canCarry);
  const content = message.content.map((block, index) =>
    index === at ? ({ ...block, cache_control: control } as WireBlock) : block,
  );
  return { ...message, content };
}

function lastMarkable(messages: readonly WireMessage[], from: number): number | null {
  for (let at = Math.min(from, messages.length - 1); at >= 0; at--) {
    if (messages[at]!.content.some(canCarry)) return at;
  }
  return null;
}

/** Thinking cannot be marked, and blocks we do not interpret stay unchanged. */
function canCarry(block: WireBlock): boolean {
  switch (block.type) {
    case 'text':
    case 'image':
    case 'document':
    case 'tool_use':
    case 'tool_result':
      return true;
    default:
      return false;
  }
}
