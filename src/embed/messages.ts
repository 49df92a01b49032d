/** A host's messages in our shape and back: what we do not know goes through untouched, and marks for a cache are left out. */

import type { ContentBlock, Message, ResultBlock, ToolResultBlock } from '../conversation/message.ts';
import { ReverieError } from '../errors.ts';
import type { HostMessage } from './session.ts';

export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly WireBlock[];
}

export type WireBlock = Readonly<Record<string, unknown>> & { readonly type: string };

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a block that we do not know stay on it: they are sent with it, and kept with the session's state. */
export function fromHost(message: HostMessage): Message {
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') {
    throw usage(`A message has the role ${JSON.stringify(role)}; Reverie takes "user" and "assistant".`);
  }
  if (typeof content === 'string') return { role, content: content === '' ? [] : [{ type: 'text', text: content }] };
  if (!Array.isArray(content)) throw usage('The content of a message is neither a text nor a list of blocks.');
  return { role, content: content.flatMap(blockFrom) };
}

/** Always a copy, so that a host that writes into what it sends does not write into ours. */
export function toHost(message: Message): WireMessage {
  return { role: message.role, content: message.content.map(blockTo) };
}

function blockFrom(given: unknown): ContentBlock[] {
  if (!isFields(given) || typeof given.type !== 'string') throw usage('A block of a message has no type.');
  const block = withoutMark(given);
  switch (block.type) {
    case 'text':
      // A provider refuses text without a character; whoever streams gets such blocks now and then.
      if (block.text === '') return [];
      return [typeof block.text === 'string' ? as(block) : opaque(block)];
    case 'image':
    case 'document':
      return [isFields(block.source) ? as(block) : opaque(block)];
    case 'thinking':
      return [typeof block.thinking === 'string' && typeof block.signature === 'string' ? as(block) : opaque(block)];
    case 'redacted_thinking':
      return [typeof block.data === 'string' ? as(block) : opaque(block)];
    case 'tool_use': {
      const isWhole = typeof block.id === 'string' && typeof block.name === 'string';
      return [isWhole ? as({ ...block, input: isFields(block.input) ? block.input : {} }) : opaque(block)];
    }
    case 'tool_result':
      return [typeof block.tool_use_id === 'string' ? resultFrom(block) : opaque(block)];
    default:
      return [opaque(block)];
  }
}

function resultFrom({ is_error: isError, content, ...rest }: Fields): ContentBlock {
  return as({ ...rest, content: resultBlocks(content), ...(isError === true ? { is_error: true } : {}) });
}

function resultBlocks(content: unknown): readonly ResultBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isFields).flatMap((given) => {
    const block = withoutMark(given);
    const isKnown = block.type === 'text' ? typeof block.text === 'string' : isFields(block.source);
    if (block.type === 'text' && block.text === '') return [];
    // What layers cannot look into is counted by its length and otherwise left alone, as in a message.
    return [(isKnown ? block : opaque(block)) as unknown as ResultBlock];
  });
}

function blockTo(block: ContentBlock): WireBlock {
  if (block.type === 'opaque') return { ...(block.wire as WireBlock) };
  if (block.type !== 'tool_result') return { ...block };
  const { content, ...rest } = block;
  // The least that a provider takes for an empty result is none at all.
  return { ...rest, ...(content.length === 0 ? {} : { content: content.map(resultTo) }) };
}

function resultTo(block: ToolResultBlock['content'][number] | ContentBlock): WireBlock {
  return block.type === 'opaque' ? { ...(block.wire as WireBlock) } : { ...block };
}

function withoutMark({ cache_control: _, ...block }: Fields): Fields {
  return block;
}

function as(block: Fields): ContentBlock {
  return block as unknown as ContentBlock;
}

function opaque(wire: Fields): ContentBlock {
  return { type: 'opaque', wire };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function usage(message: string): ReverieError {
  const fix = 'Give the messages in the shape of the Messages API: { role, content }.';
  return new ReverieError({ code: 'usage', message, fix });
}
