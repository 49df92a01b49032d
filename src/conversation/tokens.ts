/** How many tokens a conversation takes: the last response's count, plus an estimate of what came after it. */

import { ESTIMATE_LIMITS } from '../limits.ts';
import type { Entry } from './entry.ts';
import type { ContentBlock, Message, Usage } from './message.ts';

/** A cache, not state: blocks never change in place, so an estimate holds as long as its object lives. */
const estimates = new WeakMap<object, number>();

export function estimateTokens(part: Message | ContentBlock): number {
  const known = estimates.get(part);
  if (known !== undefined) return known;
  const tokens = 'role' in part ? sumOf(part.content) : measureBlock(part);
  estimates.set(part, tokens);
  return tokens;
}

export function estimateTextTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / ESTIMATE_LIMITS.bytesPerToken);
}

/** For what is sent as JSON: tool schemas, tool inputs. */
export function estimateJsonTokens(value: object): number {
  return jsonTokens(JSON.stringify(value));
}

/** Everything a request and its answer put into the window. */
export function totalTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
}

/**
 * Walks from the end and stops at the last counted response, so that the work grows with what is new.
 * An entry that survives a compaction must lose its `response`: its count is for the longer conversation.
 */
export function countWindow(entries: readonly Entry[]): number {
  let after = 0;
  for (let at = entries.length - 1; at >= 0; at--) {
    const { message, response } = entries[at]!;
    if (response && totalTokens(response.usage) > 0) {
      return totalTokens(response.usage) + after + resultsWithin(entries, at);
    }
    after += estimateTokens(message);
  }
  return after;
}

/**
 * A response may be stored as several entries with one id, with results of its first tools between them. Its usage is for
 * one request: the results in between came after it and are not included, the other parts of the response are.
 */
function resultsWithin(entries: readonly Entry[], last: number): number {
  const id = entries[last]!.response!.id;
  if (id === null) return 0;
  let within = 0;
  let sinceAnswer = 0;
  for (let at = last - 1; at >= 0; at--) {
    const { message, response } = entries[at]!;
    if (message.role === 'user') {
      sinceAnswer += estimateTokens(message);
      continue;
    }
    if (response?.id !== id) break;
    within += sinceAnswer;
    sinceAnswer = 0;
  }
  return within;
}

function measureBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return estimateTextTokens(block.text);
    case 'thinking':
      return estimateTextTokens(block.thinking) + estimateTextTokens(block.signature);
    case 'redacted_thinking':
      return estimateTextTokens(block.data);
    case 'image':
      return ESTIMATE_LIMITS.mediaTokens;
    case 'document': {
      // The flat number is for pages nobody can measure; plain text can be measured, and may be far longer.
      const measured = block.source.type === 'text' ? estimateTextTokens(block.source.data) : 0;
      return Math.max(ESTIMATE_LIMITS.mediaTokens, measured);
    }
    case 'tool_use':
      return estimateTextTokens(block.name) + estimateJsonTokens(block.input);
    case 'tool_result':
      return block.content.reduce((sum, part) => sum + measureResult(part), 0);
    case 'opaque':
      return estimateJsonTokens(block.wire);
  }
}

function measureResult(block: ContentBlock): number {
  return block.type === 'text' && isJson(block.text) ? jsonTokens(block.text) : estimateTokens(block);
}

function jsonTokens(json: string): number {
  return Math.ceil(Buffer.byteLength(json) / ESTIMATE_LIMITS.jsonBytesPerToken);
}

/** An object or a list; checking both ends spares nearly all other texts the parser. */
function isJson(text: string): boolean {
  const trimmed = text.trim();
  const ends = `${trimmed[0]}${trimmed.at(-1)}`;
  if (ends !== '{}' && ends !== '[]') return false;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}

function sumOf(blocks: readonly ContentBlock[]): number {
  return blocks.reduce((sum, block) => sum + estimateTokens(block), 0);
}
