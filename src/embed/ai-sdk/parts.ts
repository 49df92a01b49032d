/** Parts of an AI SDK prompt as blocks and back: what a block has no place for travels on it, so that nothing is lost on the way. */

import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';

export type Part = Exclude<LanguageModelV3Message['content'], string>[number];
export type Options = NonNullable<Part['providerOptions']>;
/** A block of the Messages API, with fields of ours on it. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** What no block of the Messages API stands for: it goes through unseen. */
export const UNSEEN = 'ai-sdk-part';

export function blockOf(part: Part, role: LanguageModelV3Message['role']): Block {
  const providerOptions = withoutMarks(part.providerOptions);
  const extra = providerOptions === undefined ? {} : { providerOptions };
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...extra };
    case 'reasoning':
      return { type: 'thinking', thinking: part.text, signature: '', ...extra };
    case 'file':
      return role === 'user' ? { ...fileBlock(part), ...extra } : unseen({ ...part, ...encodedData(part) }, role);
    case 'tool-call':
      return part.providerExecuted === true ? unseen(part, role) : { ...callBlock(part), ...extra };
    case 'tool-result':
      // A result of the provider's own stands in the answer, without a message of its own.
      return role === 'assistant' ? unseen(part, role) : { ...resultBlock(part), ...extra };
    case 'tool-approval-response':
      return unseen(part, role);
  }
}

export function partOf(block: Block): Part {
  return { ...plainPart(block), ...(block.providerOptions ? { providerOptions: block.providerOptions } : {}) } as Part;
}

function plainPart(block: Block): object {
  switch (block.type) {
    case 'thinking':
      return { type: 'reasoning', text: block.thinking };
    case 'image':
    case 'document':
      return filePart(block);
    case 'tool_use':
      return {
        type: 'tool-call',
        toolCallId: block.id,
        toolName: block.name,
        input: 'given' in block ? block.given : block.input,
      };
    case 'tool_result': {
      const { tool_use_id: toolCallId, tool, kind, content } = block;
      const output = outputFrom({
        kind,
        isError: block.is_error === true,
        content: (content ?? []) as readonly Block[],
      });
      return { type: 'tool-result', toolCallId, toolName: tool, output };
    }
    case UNSEEN:
      return decodedData(block.part as Record<string, unknown>);
    default:
      return { type: 'text', text: block.text };
  }
}

function callBlock({ toolCallId: id, toolName: name, input }: LanguageModelV3ToolCallPart): Block {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return { type: 'tool_use', id, name, ...(isObject ? { input } : { input: {}, given: input }) };
}

function resultBlock({ toolCallId, toolName: tool, output }: LanguageModelV3ToolResultPart): Block {
  const { kind, isError, content } = outputTo(output);
  return { type: 'tool_result', tool_use_id: toolCallId, tool, kind, content, ...(isError ? { is_error: true } : {}) };
}

function fileBlock(part: LanguageModelV3FilePart): Block {
  const { data, mediaType, filename } = part;
  const source =
    data instanceof URL
      ? { type: 'url', url: data.href }
      : { type: 'base64', media_type: mediaType, data: encodedData(part).data };
  const type = mediaType.startsWith('image/') ? 'image' : 'document';
  return { type, source, mediaType, ...(filename === undefined ? {} : { title: filename }) };
}

/** A block that a layer put in place of a file is a text; this one is still what it was. */
function filePart(block: Block): object {
  const { url, data } = block.source as { readonly url?: string; readonly data?: string };
  const filename = block.title === undefined ? {} : { filename: block.title };
  return { type: 'file', mediaType: block.mediaType, data: url === undefined ? data : new URL(url), ...filename };
}

/** As JSON can hold it, since a session's state is JSON. */
function encodedData({ data }: LanguageModelV3FilePart): { readonly data: unknown } {
  if (data instanceof URL) return { data: { url: data.href } };
  return { data: typeof data === 'string' ? data : Buffer.from(data).toString('base64') };
}

function decodedData(part: Readonly<Record<string, unknown>>): object {
  const { url } = (typeof part.data === 'object' && part.data !== null ? part.data : {}) as { readonly url?: string };
  return url === undefined ? part : { ...part, data: new URL(url) };
}

function unseen(part: object, role: LanguageModelV3Message['role']): Block {
  return { type: UNSEEN, role, part };
}

/** Marks for a prompt cache, by provider: they move with the end of the conversation and are no part of what is said. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['cacheControl', 'cache_control'],
  bedrock: ['cachePoint'],
};

export function marksIn(options: Options | undefined): Options | undefined {
  return picked(options, (provider, name) => MARKS[provider]?.includes(name) === true);
}

export function withoutMarks(options: Options | undefined): Options | undefined {
  return picked(options, (provider, name) => MARKS[provider]?.includes(name) !== true);
}

function picked(
  options: Options | undefined,
  isMeant: (provider: string, name: string) => boolean,
): Options | undefined {
  const kept = Object.entries(options ?? {}).flatMap(([provider, values]) => {
    const left = Object.entries(values).filter(([name]) => isMeant(provider, name));
    return left.length === 0 ? [] : [[provider, Object.fromEntries(left)] as const];
  });
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Options);
}

// What a tool of the AI SDK answered, as blocks that layers can shorten, and back in the form it had.

interface OutputBlocks {
  readonly kind: LanguageModelV3ToolResultOutput['type'];
  readonly isError: boolean;
  readonly content: readonly Block[];
}

function outputTo(output: LanguageModelV3ToolResultOutput): OutputBlocks {
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
function outputFrom(facts: {
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
