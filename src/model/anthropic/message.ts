/** Our messages in the form of the Messages API; the same message always gives the same bytes. */

import type { BetaContentBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ContentBlock, Message, ResultBlock, ToolResultBlock } from '../../conversation/message.ts';
import { isForeignThought } from '../ai-sdk/thinking.ts';

export type WireBlock = BetaContentBlockParam;
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly WireBlock[];
}

/** Null when nothing of the message can be sent. */
export type RenderMessage = (message: Message) => WireMessage | null;

/** Remembers what it rendered, so that a request only costs what is new in it. */
export function createMessageRenderer(): RenderMessage {
  const rendered = new WeakMap<Message, WireMessage | null>();
  return (message) => {
    const known = rendered.get(message);
    if (known !== undefined) return known;
    const content = message.content.flatMap(renderBlock);
    const wire = content.length === 0 ? null : { role: message.role, content };
    rendered.set(message, wire);
    return wire;
  };
}

function renderBlock(block: ContentBlock): WireBlock[] {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) ? [] : [{ type: 'text', text: block.text }];
    case 'image':
    case 'document':
    case 'redacted_thinking':
      return [{ ...block }];
    case 'thinking':
      return isForeignThought(block) ? [] : [{ ...block }];
    case 'tool_use':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: block.input }];
    case 'tool_result':
      return [renderResult(block)];
    case 'opaque':
      return [block.wire as unknown as WireBlock];
  }
}

function renderResult(block: ToolResultBlock): WireBlock {
  const content = block.content.filter((each: ResultBlock) => each.type !== 'text' || !isBlank(each.text));
  return {
    type: 'tool_result',
    tool_use_id: block.tool_use_id,
    ...(content.length === 0 ? {} : { content: content.map((each) => ({ ...each })) }),
    ...(block.is_error ? { is_error: true } : {}),
  };
}

/** The API refuses text without a visible character. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
