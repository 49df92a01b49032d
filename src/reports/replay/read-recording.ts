/** Reads a recording in any of three forms, recognised by content: our transcript, Claude Code's, or plain JSON. */

import type { ContentBlock, ResultBlock, Usage } from '../../conversation/message.ts';
import { parseRecord } from '../../disk/transcript/record.ts';
import type { RecordedMessage, Recording } from './recording.ts';

interface Part extends RecordedMessage {
  readonly model: string | null;
}

/** Null when nothing in it is a message. */
export function readRecording(text: string, name: string): Recording | null {
  const whole = parsed(text);
  const {
    parts,
    damaged,
    windowTokens = null,
  } = isFields(whole) && Array.isArray(whole.messages) ? readMessages(whole.messages) : readLines(text);
  const messages = joinResponses(parts);
  if (messages.length === 0) return null;
  return { name, model: mostUsed(parts) ?? modelIn(whole), windowTokens, messages, damaged };
}

interface Read {
  readonly parts: readonly Part[];
  readonly damaged: number;
  readonly windowTokens?: number | null;
}

function readMessages(values: readonly unknown[]): Read {
  const parts = values.flatMap((value) => (isFields(value) ? partOf(value, value) : []));
  return { parts, damaged: values.length - parts.length };
}

/** A broken line costs only itself. */
function readLines(text: string): Read {
  const parts: Part[] = [];
  let damaged = 0;
  let windowTokens: number | null = null;
  const seen = new Set<string>();
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (!isFields(value)) {
      damaged += 1;
      continue;
    }
    // A continued session repeats what came before.
    const { uuid } = value;
    if (typeof uuid === 'string' && seen.has(uuid)) continue;
    if (typeof uuid === 'string') seen.add(uuid);
    if (value.type === 'message') {
      const ours = readOwn(line);
      if (ours === null) damaged += 1;
      else parts.push(...ours);
    } else if (value.type === 'session' && typeof value.windowTokens === 'number') {
      windowTokens = value.windowTokens;
    } else if (value.type === 'user' || value.type === 'assistant') {
      parts.push(...readForeign(value));
    }
  }
  return { parts, damaged, windowTokens };
}

/** Null for damage; our summary replaces messages that the recording has anyway. */
function readOwn(line: string): readonly Part[] | null {
  const found = parseRecord(line);
  if (found.kind !== 'record' || found.record.type !== 'message') return null;
  const { message, at, response, injected = [] } = found.record;
  if (injected.some(({ source }) => source === 'summary')) return [];
  return [
    {
      role: message.role,
      atMs: readTime(at),
      content: readContent(message.content),
      injected: injected.map(({ block }) => block),
      usage: readUsage(response?.usage),
      responseId: response?.id ?? null,
      model: response?.model ?? null,
    },
  ];
}

function readForeign(record: Fields): readonly Part[] {
  if (record.isSidechain === true || record.isCompactSummary === true || !isFields(record.message)) return [];
  return partOf(record.message, record).map((part) =>
    record.isMeta === true ? { ...part, injected: part.content.map((_, at) => at) } : part,
  );
}

/** `around` is the record that holds the message; the two are the same if it stands alone. */
function partOf(message: Fields, around: Fields): readonly Part[] {
  const { role } = message;
  if (role !== 'user' && role !== 'assistant') return [];
  const content = readContent(message.content);
  if (content.length === 0) return [];
  return [
    {
      role,
      atMs: readTime(around.timestamp ?? around.ts ?? around.at),
      content,
      injected: role === 'assistant' ? [] : content.flatMap((block, at) => (isMachineMade(block) ? [at] : [])),
      usage: role === 'assistant' ? readUsage(message.usage) : null,
      responseId: role === 'assistant' && typeof message.id === 'string' ? message.id : null,
      model: typeof message.model === 'string' && !message.model.startsWith('<') ? message.model : null,
    },
  ];
}

/** What programs put into a user's message: a note between their tags, or that somebody pressed a key. */
function isMachineMade(block: ContentBlock): boolean {
  if (block.type !== 'text') return false;
  const text = block.text.trim();
  return /^<[a-z]+(?:-[a-z]+)+>/.test(text) || /^\[Request interrupted[^\n\]]*\]$/.test(text);
}

/** Several records of one response are one; results of its first tools between them come after it. */
function joinResponses(parts: readonly Part[]): readonly RecordedMessage[] {
  const joined: RecordedMessage[] = [];
  let last = -1;
  for (const { model: _, ...part } of parts) {
    if (part.role === 'user') {
      joined.push(part);
      continue;
    }
    const before = joined[last];
    if (before !== undefined && part.responseId !== null && before.responseId === part.responseId) {
      joined[last] = {
        ...before,
        content: [...before.content, ...part.content],
        usage: larger(before.usage, part.usage),
      };
      continue;
    }
    last = joined.push(part) - 1;
  }
  return joined;
}

/** Each record has the usage known at that time. */
function larger(one: Usage | null, other: Usage | null): Usage | null {
  if (one === null || other === null) return one ?? other;
  return other.outputTokens >= one.outputTokens ? other : one;
}

function mostUsed(parts: readonly Part[]): string | null {
  const counts = new Map<string, number>();
  for (const { model } of parts) if (model !== null) counts.set(model, (counts.get(model) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/** `models` of a plain recording: an object of counts, or a list. */
function modelIn(whole: unknown): string | null {
  if (!isFields(whole)) return null;
  const { models, model } = whole;
  if (typeof model === 'string') return model;
  if (Array.isArray(models)) return models.find((name) => typeof name === 'string') ?? null;
  if (!isFields(models)) return null;
  const counted = Object.entries(models).sort(([, one], [, other]) => Number(other) - Number(one));
  return counted[0]?.[0] ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Reads the blocks and the usage of a recorded message; unknown ones are passed on unread, broken ones left out.

type Fields = Readonly<Record<string, unknown>>;

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

/** With the providers' names for the numbers, or ours; null when there is no count. */
function readUsage(value: unknown): Usage | null {
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

function readTime(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
