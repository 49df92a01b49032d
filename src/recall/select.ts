/** Asks a small model which memories matter for a message: a list of descriptions in, a few names out. */

import { fillPrompt } from '../base/prompt-file.ts';
import { escapeMarkup } from '../base/text/visible-text.ts';
import { textOf } from '../conversation/message.ts';
import type { Limits } from '../limits.ts';
import { type ListedMemory, manifestOf } from '../memory/shown/manifest.ts';
import { ModelFailure } from '../model/failure.ts';
import type { JsonSchema, ModelEvent, ModelRequest } from '../model/model.ts';

export interface SelectorQuestion {
  /** The user's own words. */
  readonly query: string;
  readonly memories: readonly ListedMemory[];
  /** Names of recently used tools. */
  readonly recentTools: readonly string[];
}

const ANSWER_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { selected_memories: { type: 'array', items: { type: 'string' } } },
  required: ['selected_memories'],
  additionalProperties: false,
};

/** Keys of the picked memories, in the order of the answer. Fails with a `ModelFailure`. */
export async function selectByModel(
  question: SelectorQuestion,
  ports: {
    /** One metered call. */
    readonly ask: (request: ModelRequest) => AsyncIterable<ModelEvent>;
    readonly limits: Limits['prefetch'];
  },
): Promise<readonly string[]> {
  const { limits } = ports;
  if (question.memories.length === 0) return [];
  const manifest = manifestOf(question.memories, limits);
  const answer = await answerOf(ports.ask(requestOf(question, manifest.text, limits)));
  const selection = readSelection(answer);
  if (selection.kind === 'unusable') throw new Error(`The selector's answer cannot be used: ${selection.reason}.`);
  return keysOf(selection.names, { keys: manifest.keys, most: limits.picked });
}

function requestOf(question: SelectorQuestion, manifest: string, limits: Limits['prefetch']): ModelRequest {
  const tools = question.recentTools.join(', ');
  const asked = [
    `<message>\n${escapeMarkup(question.query)}\n</message>`,
    `<memories>\n${manifest}\n</memories>`,
    ...(tools === '' ? [] : [`<tools-in-use>\n${escapeMarkup(tools)}\n</tools-in-use>`]),
  ];
  return {
    system: [{ text: fillPrompt('recall-select', { most: String(limits.picked) }) }],
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: asked.join('\n\n') }] }],
    thinking: { kind: 'off' },
    toolChoice: 'none',
    maxOutputTokens: limits.answerTokens,
    // Asked once: a cache entry would never be read.
    cache: { ttl: '5m', breakpoints: [] },
    answerSchema: ANSWER_SCHEMA,
  };
}

async function answerOf(events: AsyncIterable<ModelEvent>): Promise<string> {
  for await (const event of events) if (event.kind === 'response') return textOf(event.response.content);
  throw new ModelFailure({ failure: 'cut', message: 'The selector ended without an answer' });
}

// Reads a selector's answer leniently: JSON as requested, JSON in a fence, or JSON among words.

type Selection =
  | { readonly kind: 'selected'; readonly names: readonly string[] }
  | { readonly kind: 'unusable'; readonly reason: string };

export function readSelection(answer: string): Selection {
  const found = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  if (found === '') return { kind: 'unusable', reason: 'there is no JSON in the answer' };
  let parsed: unknown;
  try {
    parsed = JSON.parse(found);
  } catch {
    return { kind: 'unusable', reason: 'the JSON of the answer is broken' };
  }
  const names = (parsed as { selected_memories?: unknown }).selected_memories;
  if (!Array.isArray(names)) return { kind: 'unusable', reason: 'the answer has no list `selected_memories`' };
  return { kind: 'selected', names: names.filter((name) => typeof name === 'string') };
}

/** Only what was in the list, each once, and no more than requested. */
export function keysOf(
  names: readonly string[],
  facts: { readonly keys: ReadonlyMap<string, string>; readonly most: number },
): readonly string[] {
  const keys = names.flatMap((name) => facts.keys.get(name.trim()) ?? []);
  return [...new Set(keys)].slice(0, facts.most);
}
