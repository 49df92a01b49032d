/** The messages of one conversation, in the shapes of the Messages API: plain data, never marked for a cache. */

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageBlock {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: ImageType; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
}

export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

export interface DocumentBlock {
  readonly type: 'document';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
    | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string };
  readonly title?: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: readonly ResultBlock[];
  readonly is_error?: true;
}

/** What a tool may answer with. */
export type ResultBlock = TextBlock | ImageBlock | DocumentBlock;

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  /** Proves to the provider that it wrote this; sent back unchanged. */
  readonly signature: string;
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

/** A provider's block that we do not interpret (a compaction, a server tool's result): it goes back byte for byte. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  readonly wire: Readonly<Record<string, unknown>>;
}

/** One part of a message: text, an image, a tool call or its result. */
export type ContentBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ToolUseBlock
  | ToolResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | OpaqueBlock;

/** One message of the user or of the model. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
}

/** What one response cost, in tokens. `inputTokens` were neither read from the cache nor written to it. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  /** Written to the cache, whatever its time to live. */
  readonly cacheWriteTokens: number;
  /** The part of it that lives for an hour. */
  readonly cacheWriteHourTokens: number;
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWriteHourTokens: 0,
};

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    cacheWriteHourTokens: one.cacheWriteHourTokens + other.cacheWriteHourTokens,
  };
}

export function textOf(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

export function toolUsesOf(blocks: readonly ContentBlock[]): readonly ToolUseBlock[] {
  return blocks.filter((block) => block.type === 'tool_use');
}
