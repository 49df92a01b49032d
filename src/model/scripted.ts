/** A model that answers from a script and bills like a real one: for tests, examples and the tour. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { StopReason } from '../conversation/entry.ts';
import { type ContentBlock, textOf, type Usage } from '../conversation/message.ts';
import { estimateTokens } from '../conversation/tokens.ts';
import { LIMITS } from '../limits.ts';
import { ModelFailure } from './failure.ts';
import type { FailureKind, Model, ModelCapabilities, ModelEvent, ModelRequest } from './model.ts';
import { createPromptCache, type PromptCache } from './prompt-cache.ts';

/** One answer; its blocks come in the order thinking, text, tools. */
export interface ScriptStep {
  readonly thinking?: string;
  readonly text?: string;
  readonly tools?: readonly { readonly name: string; readonly input: Record<string, unknown>; readonly id?: string }[];
  /** `tools` if there are some, else `end`. */
  readonly stopReason?: StopReason;
  /** Fails at once, before anything is streamed. */
  readonly fail?: FailureKind | ModelFailure;
  /** The stream ends after this many complete blocks. */
  readonly cutAfter?: number;
  /** Instead of what the prompt cache and the estimate say. */
  readonly usage?: Partial<Usage>;
}

export interface ScriptOptions {
  readonly name?: string;
  readonly capabilities?: Partial<ModelCapabilities>;
  /** To share one between models, or to inspect it. */
  readonly cache?: PromptCache;
  /** The time in milliseconds, for what the cache forgets. */
  readonly clock?: () => number;
  /** Between two pieces of text. */
  readonly delayMs?: number;
}

export type ScriptSource =
  | { readonly steps: readonly ScriptStep[] }
  | { readonly answer: (request: ModelRequest, index: number) => ScriptStep | Promise<ScriptStep> };

/** A model that follows a script, and records its requests. */
export type ScriptedModel = Model & {
  /** The requests in order, as they were at the time. */
  readonly requests: readonly ModelRequest[];
};

/** A model that follows a script, for tests and examples. */
export function scriptedModel(script: ScriptSource & ScriptOptions): ScriptedModel {
  const requests: ModelRequest[] = [];
  const name = script.name ?? 'scripted';
  const cache = script.cache ?? createPromptCache({ now: script.clock ?? Date.now });

  async function* stream(request: ModelRequest, { signal }: { signal: AbortSignal }): AsyncIterable<ModelEvent> {
    // The list is copied, since a conversation may keep growing the one it sent.
    const index = requests.push({ ...request, messages: [...request.messages] }) - 1;
    throwIfAborted(signal);
    const step = 'answer' in script ? await script.answer(request, index) : script.steps[index];
    if (step === undefined) throw new Error(noStep(request, index));
    if (step.fail !== undefined) throw failureOf(step.fail);
    const price = cache.price(request);
    const content = blocksOf(step, index);
    for (const [at, block] of content.entries()) {
      if (at === step.cutAfter) break;
      for await (const event of piecesOf(block, { delayMs: script.delayMs ?? 0, signal })) yield event;
      yield { kind: 'block', block };
    }
    throwIfAborted(signal);
    if (step.cutAfter !== undefined) throw failureOf('cut');
    const outputTokens = content.reduce((sum, block) => sum + estimateTokens(block), 0);
    yield {
      kind: 'response',
      response: {
        id: `msg_s${index + 1}`,
        model: name,
        content,
        stopReason: step.stopReason ?? (step.tools?.length ? 'tools' : 'end'),
        usage: { ...price, outputTokens, ...step.usage },
      },
    };
  }

  return { name, provider: 'scripted', capabilities: { ...CAPABILITIES, ...script.capabilities }, requests, stream };
}

const CAPABILITIES: ModelCapabilities = {
  windowTokens: LIMITS.window.defaultTokens,
  maxOutputTokens: LIMITS.window.answerTokens,
  images: true,
  documents: true,
  thinking: 'budget',
  promptCache: 'breakpoints',
  contextEdits: false,
};

function blocksOf(step: ScriptStep, index: number): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  if (step.thinking) blocks.push({ type: 'thinking', thinking: step.thinking, signature: 'scripted' });
  if (step.text) blocks.push({ type: 'text', text: step.text });
  for (const [at, { name, input, id }] of (step.tools ?? []).entries()) {
    blocks.push({ type: 'tool_use', id: id ?? `toolu_s${index + 1}_${at + 1}`, name, input });
  }
  return blocks;
}

async function* piecesOf(
  block: ContentBlock,
  { delayMs, signal }: { delayMs: number; signal: AbortSignal },
): AsyncIterable<ModelEvent> {
  const text = block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : '';
  // Words with the space after them: split like tokens, never within a character.
  for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
    throwIfAborted(signal);
    if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => throwIfAborted(signal));
    yield { kind: block.type === 'text' ? 'text' : 'thinking', text: piece };
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw failureOf('aborted');
}

function failureOf(fail: FailureKind | ModelFailure): ModelFailure {
  if (fail instanceof ModelFailure) return fail;
  return new ModelFailure({ failure: fail, message: `the scripted model failed as its script says: ${fail}` });
}

/** Loud, and not a ModelFailure: retrying would only hide that the script is too short. */
function noStep(request: ModelRequest, index: number): string {
  const last = request.messages.at(-1);
  const said = last ? textOf(last.content) || JSON.stringify(last.content) : '';
  return `THE SCRIPT HAS NO STEP for request ${index + 1}. Its last message, of the ${last?.role ?? 'nobody'}: ${said}`;
}
