/** The blocks that a request was made of, by source, short enough to list. */

import { isObject } from '../base/values.ts';
import { blockSources } from '../conversation/composition.ts';
import type { Entry } from '../conversation/entry.ts';
import type { ContentBlock } from '../conversation/message.ts';
import { estimateJsonTokens, estimateTextTokens, estimateTokens } from '../conversation/tokens.ts';
import { INSPECTOR_LIMITS } from '../limits.ts';
import { cutText } from './values.ts';

/** Blocks of one part that are listed, the newest. */
const LISTED_BLOCKS = 200;

interface ListedBlock {
  /** Null for what stands before the conversation. */
  readonly uuid: string | null;
  readonly at: string;
  readonly preview: string;
  readonly tokens: number;
}

interface ListedPart {
  readonly name: string;
  readonly blocks: readonly ListedBlock[];
  /** How many more there are. */
  readonly left: number;
}

export function partsOf(entries: readonly Entry[]): readonly ListedPart[] {
  const blocks = new Map<string, ListedBlock[]>();
  const toolNames = new Map<string, string>();
  for (const entry of entries) {
    for (const [at, name] of blockSources(entry, toolNames).entries()) {
      const block = entry.message.content[at]!;
      const preview = cutText(textOfBlock(block), INSPECTOR_LIMITS.previewCharacters).text;
      const listed = { uuid: entry.uuid, at: entry.at, preview, tokens: estimateTokens(block) };
      const known = blocks.get(name);
      if (known === undefined) blocks.set(name, [listed]);
      else known.push(listed);
    }
  }
  return [...blocks].map(([name, all]) => {
    return { name, blocks: all.slice(-LISTED_BLOCKS).reverse(), left: Math.max(0, all.length - LISTED_BLOCKS) };
  });
}

/** System prompt, tools and context of the session's first record, as far as it has them. */
export function prefixParts(rendered: unknown): readonly ListedPart[] {
  if (!isObject(rendered)) return [];
  const most = INSPECTOR_LIMITS.textCharacters;
  const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
  const block = (preview: string, tokens: number): ListedBlock => ({
    uuid: null,
    at: '',
    preview: cutText(preview, most).text,
    tokens,
  });
  const texts = (value: unknown) =>
    listOf(value).flatMap(({ text }) => (typeof text === 'string' ? [block(text, estimateTextTokens(text))] : []));
  const tools = listOf(rendered.tools).map((schema) =>
    block(JSON.stringify(schema, null, 2), estimateJsonTokens(schema)),
  );
  const parts = [
    { name: 'system prompt', blocks: texts(rendered.system), left: 0 },
    { name: 'tools', blocks: tools, left: 0 },
    { name: 'instruction files', blocks: texts(rendered.context), left: 0 },
  ];
  return parts.filter(({ blocks }) => blocks.length > 0);
}

export function previewOf(content: readonly ContentBlock[]): string {
  return content
    .map((block) => textOfBlock(block).slice(0, INSPECTOR_LIMITS.previewCharacters))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function textOfBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'redacted_thinking':
      return '(thinking that the provider keeps to itself)';
    case 'tool_use':
      return `${block.name} ${JSON.stringify(block.input, null, 2)}`;
    case 'tool_result':
      return block.content.map(textOfBlock).join('\n');
    case 'image':
      return '(an image)';
    case 'document':
      return block.source.type === 'text' ? block.source.data : '(a document)';
    case 'opaque':
      return JSON.stringify(block.wire, null, 2);
  }
}
