/** What a tool of the AI SDK answered, as blocks that layers can shorten, and back in the form it had. */

import type { LanguageModelV3ToolResultOutput } from '@ai-sdk/provider';
import type { Block } from './parts.ts';

export interface OutputBlocks {
  readonly kind: LanguageModelV3ToolResultOutput['type'];
  readonly isError: boolean;
  readonly content: readonly Block[];
}

export function outputTo(output: LanguageModelV3ToolResultOutput): OutputBlocks {
  const kind = output.type;
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { kind, isError: output.type === 'error-text', content: [text(output.value)] };
    case 'json':
    case 'error-json':
      return { kind, isError: output.type === 'error-json', content: [text(JSON.stringify(output.value))] };
    case 'execution-denied':
      return { kind, isError: true, content: output.reason === undefined ? [] : [text(output.reason)] };
    case 'content':
      return { kind, isError: false, content: output.value.map(itemBlock) };
  }
}

/** What a layer put in place of JSON is a text about it, and goes out as one. */
export function outputFrom(facts: {
  readonly kind: unknown;
  readonly isError: boolean;
  readonly content: readonly Block[];
}): LanguageModelV3ToolResultOutput {
  const { kind, isError, content } = facts;
  const words = content.flatMap((block) => (typeof block.text === 'string' ? [block.text] : [])).join('\n');
  const plain = { type: isError ? ('error-text' as const) : ('text' as const), value: words };
  switch (kind) {
    case 'json':
    case 'error-json':
      return parsed(words, kind) ?? plain;
    case 'execution-denied':
      return { type: 'execution-denied', ...(words === '' ? {} : { reason: words }) };
    case 'content':
      return { type: 'content', value: content.map(itemOf) };
    default:
      return plain;
  }
}

type ContentItem = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number];

/** Layers keep what is no text as it is; how long it is they take from a note. */
function itemBlock(item: ContentItem): Block {
  if (item.type === 'text') return { ...item };
  if (item.type === 'image-data') {
    return { type: 'image', source: { type: 'base64', media_type: item.mediaType, data: item.data }, item };
  }
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: `[${item.type}]` }, item };
}

function itemOf(block: Block): ContentItem {
  return (block.item ?? block) as ContentItem;
}

function parsed(words: string, type: 'json' | 'error-json'): LanguageModelV3ToolResultOutput | null {
  try {
    return { type, value: JSON.parse(words) };
  } catch {
    return null;
  }
}

function text(words: string): Block {
  return { type: 'text', text: words };
}
