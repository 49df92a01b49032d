/** Reads the blocks and the usage of a recorded message; what is not understood is passed on unread, what is broken is left out. */

import type { ContentBlock, ResultBlock, Usage } from '../../conversation/message.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function readContent(content: unknown): readonly ContentBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.flatMap(readBlock) : [];
}

function readBlock(value: unknown): readonly ContentBlock[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!isFields(value)) return [];
  switch (value.type) {
    case 'text':
      return typeof value.text === 'string' && value.text !== '' ? [{ type: 'text', text: value.text }] : [];
    case 'thinking': {
      const { thinking, signature } = value;
      return typeof thinking === 'string' ? [{ type: 'thinking', thinking, signature: textOr(signature, '') }] : [];
    }
    case 'redacted_thinking':
      return [{ type: 'redacted_thinking', data: textOr(value.data, '') }];
    case 'tool_use': {
      const { id, name, input } = value;
      if (typeof id !== 'string' || typeof name !== 'string') return [];
      return [{ type: 'tool_use', id, name, input: isFields(input) ? input : {} }];
    }
    case 'tool_result': {
      const { tool_use_id: id, is_error: isError } = value;
      if (typeof id !== 'string') return [];
      const content = readContent(value.content).flatMap(asResult);
      return [{ type: 'tool_result', tool_use_id: id, content, ...(isError === true ? { is_error: true } : {}) }];
    }
    case 'image':
    case 'document':
      // Only its kind counts: the size of a picture says nothing about its tokens.
      return [{ type: 'image', source: { type: 'url', url: '' } }];
    default:
      return typeof value.type === 'string' ? [{ type: 'opaque', wire: value }] : [];
  }
}

function asResult(block: ContentBlock): readonly ResultBlock[] {
  if (block.type === 'text' || block.type === 'image' || block.type === 'document') return [block];
  return block.type === 'opaque' ? [{ type: 'text', text: JSON.stringify(block.wire) }] : [];
}

/** As providers name the numbers, or as we do; null where there is no count. */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const count = (...names: readonly string[]) => {
    const found = names.map((name) => value[name]).find((each) => typeof each === 'number' && each >= 0);
    return typeof found === 'number' && Number.isFinite(found) ? found : 0;
  };
  const detail = isFields(value.cache_creation) ? value.cache_creation.ephemeral_1h_input_tokens : undefined;
  const usage = {
    inputTokens: count('input_tokens', 'inputTokens'),
    outputTokens: count('output_tokens', 'outputTokens'),
    cacheReadTokens: count('cache_read_input_tokens', 'cacheReadTokens'),
    cacheWriteTokens: count('cache_creation_input_tokens', 'cacheWriteTokens'),
    cacheWriteHourTokens: typeof detail === 'number' ? detail : count('cacheWriteHourTokens'),
  };
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens > 0 ? usage : null;
}

export function readTime(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
