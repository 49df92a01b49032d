/** An answer of the Messages API as the events it is streamed in. */

import type { WireUsage } from './messages-cache.ts';

/** A content block as on the wire; `rawInput` of a tool_use is streamed in place of its input's JSON, however broken. */
export type WireBlock = { readonly type: string; readonly rawInput?: string } & Readonly<Record<string, unknown>>;

export interface WireMessage {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly WireBlock[];
  readonly stop_reason: string;
  readonly stop_sequence: null;
  readonly usage: Partial<WireUsage> & { readonly output_tokens?: number };
}

export type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Characters of one delta, at least. */
const PIECE_CHARACTERS = 24;
/** Deltas of one block, unless somebody watches them come: reading each takes time. */
const MOST_PIECES = 32;

interface EventOptions {
  readonly contextManagement?: unknown;
  /** Every delta is short, however many that makes. */
  readonly isWatched?: boolean;
}

export function eventsOf(message: WireMessage, extra: EventOptions = {}): WireEvent[] {
  const opening = { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } };
  const management = extra.contextManagement === undefined ? {} : { context_management: extra.contextManagement };
  return [
    { type: 'message_start', message: opening },
    ...message.content.flatMap((block, index) => [
      ...blockEvents(block, index, extra.isWatched ? Number.POSITIVE_INFINITY : MOST_PIECES),
      ...(index === 0 ? [PING] : []),
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: message.usage,
      ...management,
    },
    { type: 'message_stop' },
  ];
}

const PING: WireEvent = { type: 'ping' };

function blockEvents(block: WireBlock, index: number, mostPieces: number): WireEvent[] {
  const start = (content_block: unknown): WireEvent => ({ type: 'content_block_start', index, content_block });
  const deltas = (type: string, key: string, text: unknown): WireEvent[] =>
    piecesOf(String(text), mostPieces).map((piece) => ({
      type: 'content_block_delta',
      index,
      delta: { type, [key]: piece },
    }));
  const stop: WireEvent = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'text':
      return [start({ ...block, text: '' }), ...deltas('text_delta', 'text', block.text), stop];
    case 'thinking': {
      const signature = { type: 'signature_delta', signature: block.signature };
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...deltas('thinking_delta', 'thinking', block.thinking),
        { type: 'content_block_delta', index, delta: signature },
        stop,
      ];
    }
    case 'tool_use':
    case 'server_tool_use': {
      const { rawInput, ...rest } = block;
      const json = rawInput ?? JSON.stringify(block.input ?? {});
      return [start({ ...rest, input: {} }), ...deltas('input_json_delta', 'partial_json', json), stop];
    }
    case 'compaction': {
      const delta = { ...block, type: 'compaction_delta' };
      return [start({ type: 'compaction', content: null }), { type: 'content_block_delta', index, delta }, stop];
    }
    default:
      return [start(block), stop];
  }
}

/** By whole characters, so that no delta ends in half of one. */
function piecesOf(text: string, most: number): string[] {
  const characters = [...text];
  const size = Math.max(PIECE_CHARACTERS, Math.ceil(characters.length / most));
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, at) => characters.slice(at * size, (at + 1) * size).join(''));
}
