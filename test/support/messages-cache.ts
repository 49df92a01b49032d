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
  return tokensOf(partsOf(body).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0));
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

/** Tools, system, messages, block by block, each without its mark for the cache. */
function partsOf(body: Json): { readonly text: string; readonly ttl: '5m' | '1h' | null }[] {
  const part = (name: string, block: unknown) => {
    const { cache_control: control, ...rest } = block as Json & { cache_control?: { ttl?: '5m' | '1h' } };
    return { text: JSON.stringify([name, rest]), ttl: control ? (control.ttl ?? ('5m' as const)) : null };
  };
  return [
    ...listOf(body.tools).map((tool) => part('tool', tool)),
    ...blocksOf(body.system).map((block) => part('system', block)),
    ...listOf(body.messages).flatMap(({ role, content }) =>
      blocksOf(content).map((block) => part(String(role), block)),
    ),
  ];
}

/** Each hash covers everything before it. One that no breakpoint looks back to is left empty: hashing takes long. */
function segmentsOf(body: Json): Segment[] {
  const parts = partsOf(body);
  const beforeMessages = listOf(body.tools).length + blocksOf(body.system).length;
  const breakpoints = parts.flatMap(({ ttl }, at) => (ttl === null ? [] : [at]));
  const isLookedAt = (at: number) => breakpoints.some((each) => at <= each && at >= each - LOOK_BACK_BLOCKS);
  const hash = createHash('sha256').update(String(body.model));
  let bytes = 0;
  return parts.map(({ text, ttl }, at) => {
    // A change of these leaves tools and system in the cache, and voids the messages.
    if (at === beforeMessages) hash.update(JSON.stringify([body.tool_choice, body.thinking]));
    bytes += Buffer.byteLength(text);
    hash.update(text);
    return { hash: isLookedAt(at) ? hash.copy().digest('hex') : '', bytesUpToHere: bytes, ttl };
  });
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Content as blocks, where a string stands for one text. */
export function blocksOf(content: unknown): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}
