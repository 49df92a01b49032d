/** One block of an answer, assembled from its streamed pieces. */

import type {
  BetaRawContentBlockDelta,
  BetaRawContentBlockStartEvent,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { isObject } from '../../base/values.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import type { ModelEvent } from '../model.ts';

/** The one key of a tool's input that was not JSON: its value is what the model wrote instead. */
export const INVALID_JSON_KEY = '__invalid_json';

export interface BlockAssembly {
  /** What can be shown at once, or null. */
  add(delta: BetaRawContentBlockDelta): ModelEvent | null;
  /** Null for a block that says nothing. */
  end(): ContentBlock | null;
}

export function assembleBlock(start: BetaRawContentBlockStartEvent['content_block']): BlockAssembly {
  switch (start.type) {
    case 'text':
      return assembleText(start.text);
    case 'thinking':
      return assembleThinking(start.thinking, start.signature);
    case 'redacted_thinking':
      return { add: () => null, end: () => ({ type: 'redacted_thinking', data: start.data }) };
    case 'tool_use':
      return assembleToolUse(start);
    default:
      return assembleOpaque(start as unknown as Readonly<Record<string, unknown>>);
  }
}

/** What the model wrote instead of a tool's input, or null when the input is valid. */
export function invalidJsonOf(input: Readonly<Record<string, unknown>>): string | null {
  const written = input[INVALID_JSON_KEY];
  return typeof written === 'string' && Object.keys(input).length === 1 ? written : null;
}

function assembleText(opening: string): BlockAssembly {
  let text = opening;
  return {
    add(delta) {
      if (delta.type !== 'text_delta' || delta.text === '') return null;
      text += delta.text;
      return { kind: 'text', text: delta.text };
    },
    end: () => (text === '' ? null : { type: 'text', text }),
  };
}

function assembleThinking(opening: string, openingSignature: string): BlockAssembly {
  let thinking = opening;
  let signature = openingSignature;
  return {
    add(delta) {
      if (delta.type === 'signature_delta') signature += delta.signature;
      if (delta.type !== 'thinking_delta' || delta.thinking === '') return null;
      thinking += delta.thinking;
      return { kind: 'thinking', text: delta.thinking };
    },
    end: () => ({ type: 'thinking', thinking, signature }),
  };
}

function assembleToolUse(start: { id: string; name: string; input: unknown }): BlockAssembly {
  const json = collectJson();
  return {
    add: json.add,
    end() {
      const input = json.read(start.input);
      return {
        type: 'tool_use',
        id: start.id,
        name: start.name,
        // The input check finds none of the tool's arguments in it, and shows the model what it wrote.
        input: input.kind === 'object' ? input.value : { [INVALID_JSON_KEY]: input.written },
      };
    },
  };
}

/** Anything else a server sends goes back unchanged, so it is assembled as the server would. */
function assembleOpaque(start: Readonly<Record<string, unknown>>): BlockAssembly {
  const json = collectJson();
  let wire = start;
  return {
    add(delta) {
      const { type, ...fields } = delta as unknown as { type: string } & Record<string, unknown>;
      if (type === 'input_json_delta') return json.add(delta);
      if (type === 'compaction_delta') wire = { ...wire, ...fields };
      else wire = { ...wire, ...joined(wire, fields) };
      return null;
    },
    end() {
      if (!('input' in wire)) return { type: 'opaque', wire };
      const input = json.read(wire.input);
      return { type: 'opaque', wire: { ...wire, input: input.kind === 'object' ? input.value : {} } };
    },
  };
}

/** Pieces of text are appended to what is there; anything else replaces it. */
function joined(wire: Readonly<Record<string, unknown>>, fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([key]) => key in wire);
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const before = wire[key];
      return [key, typeof before === 'string' && typeof value === 'string' ? before + value : value];
    }),
  );
}

type ReadJson =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'broken'; readonly written: string };

function collectJson(): { add(delta: BetaRawContentBlockDelta): null; read(opening: unknown): ReadJson } {
  let written = '';
  return {
    add(delta) {
      if (delta.type === 'input_json_delta') written += delta.partial_json;
      return null;
    },
    read(opening) {
      if (written === '') return isObject(opening) ? { kind: 'object', value: opening } : { kind: 'object', value: {} };
      try {
        const value: unknown = JSON.parse(written);
        if (isObject(value)) return { kind: 'object', value };
      } catch {
        // Reported below, like JSON that is not an object.
      }
      return { kind: 'broken', written };
    },
  };
}
