/** The prompt cache of a pretended Messages API: prefixes kept at breakpoints, looked up as the real one does, priced in tokens. */

import { createHash } from 'node:crypto';

export interface WireUsage {
  readonly input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_creation: { readonly ephemeral_5m_input_tokens: number; readonly ephemeral_1h_input_tokens: number };
}

type Json = Record<string, unknown>;

interface Segment {
  readonly hash: string;
  readonly bytesUpToHere: number;
  readonly ttl: '5m' | '1h' | null;
}

const BYTES_PER_TOKEN = 4;
/** Blocks before a breakpoint at which the server still looks for what an earlier request wrote. */
const LOOK_BACK_BLOCKS = 20;
const TTL_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Tokens of the whole prompt. */
export function promptTokens(body: Json): number {
  return tokensOf(segmentsOf(body).at(-1)?.bytesUpToHere ?? 0);
}

/** Every call is one request: what it reads from the cache, and what it leaves there. */
export function createPromptCache(now: () => number): (body: Json) => WireUsage {
  const entries = new Map<string, { ttl: '5m' | '1h'; until: number }>();
  const isWarm = (hash: string) => (entries.get(hash)?.until ?? 0) > now();

  return (body) => {
    const segments = segmentsOf(body);
    const breakpoints = segments.flatMap(({ ttl }, at) => (ttl === null ? [] : [at]));
    const readUpTo = Math.max(-1, ...breakpoints.map((at) => newestWarm(segments, at, isWarm)));
    const bytesAt = (at: number) => (at < 0 ? 0 : segments[at]!.bytesUpToHere);
    const written = { '5m': 0, '1h': 0 };
    let from = readUpTo;
    for (const at of breakpoints.filter((each) => each > readUpTo)) {
      written[segments[at]!.ttl!] += tokensOf(bytesAt(at)) - tokensOf(bytesAt(from));
      from = at;
    }
    for (const at of breakpoints) {
      const { hash, ttl } = segments[at]!;
      entries.set(hash, { ttl: ttl!, until: now() + TTL_MS[ttl!] });
    }
    const read = segments[readUpTo];
    const entry = read && entries.get(read.hash);
    if (entry) entry.until = now() + TTL_MS[entry.ttl];
    return {
      input_tokens: tokensOf(bytesAt(segments.length - 1)) - tokensOf(bytesAt(from)),
      cache_read_input_tokens: tokensOf(bytesAt(readUpTo)),
      cache_creation_input_tokens: written['5m'] + written['1h'],
      cache_creation: { ephemeral_5m_input_tokens: written['5m'], ephemeral_1h_input_tokens: written['1h'] },
    };
  };
}

function newestWarm(segments: readonly Segment[], breakpoint: number, isWarm: (hash: string) => boolean): number {
  for (let at = breakpoint; at >= Math.max(0, breakpoint - LOOK_BACK_BLOCKS); at--) {
    if (isWarm(segments[at]!.hash)) return at;
  }
  return -1;
}

/** Tools, system, messages, block by block; each hash covers everything before it. */
function segmentsOf(body: Json): Segment[] {
  const hash = createHash('sha256').update(String(body.model));
  const segments: Segment[] = [];
  let bytes = 0;
  const add = (part: string, block: unknown) => {
    const { cache_control: control, ...rest } = block as Json & { cache_control?: { ttl?: '5m' | '1h' } };
    const text = JSON.stringify([part, rest]);
    bytes += Buffer.byteLength(text);
    hash.update(text);
    const ttl = control ? (control.ttl ?? '5m') : null;
    segments.push({ hash: hash.copy().digest('hex'), bytesUpToHere: bytes, ttl });
  };
  for (const tool of listOf(body.tools)) add('tool', tool);
  for (const block of blocksOf(body.system)) add('system', block);
  // A change of these leaves tools and system in the cache, and voids the messages.
  hash.update(JSON.stringify([body.tool_choice, body.thinking]));
  for (const message of listOf(body.messages)) {
    for (const block of blocksOf(message.content)) add(String(message.role), block);
  }
  return segments;
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Content as blocks, where a string stands for one text. */
export function blocksOf(content: unknown): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}
