/** Assembles the parts of an AI SDK stream: text as it comes, blocks when they are complete, a response at the end. */

import { randomUUID } from 'node:crypto';
import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import type { StopReason } from '../../conversation/entry.ts';
import type { ContentBlock, Usage } from '../../conversation/message.ts';
import { estimateJsonTokens, estimateTextTokens, estimateTokens } from '../../conversation/tokens.ts';
import { ModelFailure } from '../failure.ts';
import type { ModelEvent, ModelRequest } from '../model.ts';
import { keepThinking } from './thinking.ts';

export interface Assembly {
  add(part: LanguageModelV3StreamPart): ModelEvent[];
  /** Part of the answer has arrived. */
  readonly hasBegun: boolean;
  /** The response was emitted. */
  readonly hasEnded: boolean;
}

interface OpenPart {
  text: string;
  metadata: SharedV3ProviderMetadata | undefined;
}

export function assembleStream(facts: {
  readonly provider: string;
  readonly modelId: string;
  readonly request: ModelRequest;
  /** Ids of calls that this conversation has had; grows. */
  readonly takenIds: Set<string>;
}): Assembly {
  const open = new Map<string, OpenPart>();
  const content: ContentBlock[] = [];
  let waiting: LanguageModelV3ToolCall[] = [];
  let [id, model]: [string | null, string] = [null, facts.modelId];
  let [hasBegun, hasEnded] = [false, false];

  function give(block: ContentBlock): ModelEvent {
    content.push(block);
    return { kind: 'block', block };
  }

  function grow(
    kind: 'text' | 'thinking',
    part: { id: string; delta: string; providerMetadata?: SharedV3ProviderMetadata },
  ) {
    const known = open.get(part.id) ?? { text: '', metadata: undefined };
    known.text += part.delta;
    known.metadata = joined(known.metadata, part.providerMetadata);
    open.set(part.id, known);
    return part.delta === '' ? [] : [{ kind, text: part.delta }];
  }

  function close(part: { id: string; providerMetadata?: SharedV3ProviderMetadata }): OpenPart {
    const known = open.get(part.id) ?? { text: '', metadata: undefined };
    open.delete(part.id);
    return { text: known.text, metadata: joined(known.metadata, part.providerMetadata) };
  }

  function giveCall(call: LanguageModelV3ToolCall): ModelEvent[] {
    // Some servers number the calls of each answer from the start, or not at all; results are matched by id alone.
    const isFree = call.toolCallId !== '' && !facts.takenIds.has(call.toolCallId);
    const callId = isFree ? call.toolCallId : `call_${randomUUID()}`;
    facts.takenIds.add(callId);
    const { provider } = facts;
    const kept = call.providerMetadata
      ? [give(keepThinking('', { provider, metadata: call.providerMetadata, call: callId }))]
      : [];
    // Broken input goes to the tool's own check, whose answer shows the model what it wrote.
    const input = inputOf(call) ?? (call.input.trim() === '' ? {} : { invalid_json: call.input });
    return [...kept, give({ type: 'tool_use', id: callId, name: call.toolName, input })];
  }

  /** Empty or broken input may be the beginning of one that was cut: only the end of the answer tells. */
  function addCall(call: LanguageModelV3ToolCall): ModelEvent[] {
    if (call.providerExecuted) return [];
    if (waiting.length === 0 && inputOf(call) !== null) return giveCall(call);
    waiting.push(call);
    return [];
  }

  function finish(part: Extract<LanguageModelV3StreamPart, { type: 'finish' }>): ModelEvent[] {
    const isWhole = part.finishReason.unified !== 'length';
    const late = waiting.filter((call) => isWhole || inputOf(call) !== null).flatMap(giveCall);
    waiting = [];
    hasEnded = true;
    const stopReason = endingOf(part.finishReason, { hasCalls: content.some((block) => block.type === 'tool_use') });
    const usage = usageOf(part.usage, { request: facts.request, content });
    return [...late, { kind: 'response', response: { id, model, content, stopReason, usage } }];
  }

  function add(part: LanguageModelV3StreamPart): ModelEvent[] {
    switch (part.type) {
      case 'stream-start':
        return [];
      case 'response-metadata':
        id = part.id ?? id;
        model = part.modelId ?? model;
        return [];
      case 'finish':
        return finish(part);
      case 'error':
        throw part.error;
    }
    hasBegun = true;
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        open.set(part.id, { text: '', metadata: part.providerMetadata });
        return [];
      case 'text-delta':
        return grow('text', part);
      case 'reasoning-delta':
        return grow('thinking', part);
      case 'text-end': {
        const { text } = close(part);
        return text === '' ? [] : [give({ type: 'text', text })];
      }
      case 'reasoning-end': {
        const { text, metadata } = close(part);
        if (text === '' && !metadata) return [];
        return [give(keepThinking(text, { provider: facts.provider, ...(metadata && { metadata }) }))];
      }
      case 'tool-call':
        return addCall(part);
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'tool-approval-request':
      case 'tool-result':
      case 'file':
      case 'source':
      case 'raw':
        return [];
    }
  }

  return {
    add,
    get hasBegun() {
      return hasBegun;
    },
    get hasEnded() {
      return hasEnded;
    },
  };
}

/** Null for anything but a JSON object. */
function inputOf(call: LanguageModelV3ToolCall): Record<string, unknown> | null {
  try {
    const input: unknown = JSON.parse(call.input);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : null;
  } catch {
    return null;
  }
}

function joined(one: SharedV3ProviderMetadata | undefined, other: SharedV3ProviderMetadata | undefined) {
  if (!one || !other) return one ?? other;
  const both = { ...one };
  for (const [provider, values] of Object.entries(other)) both[provider] = { ...both[provider], ...values };
  return both;
}

// How an answer over the AI SDK ended, and what it cost.

function endingOf(reason: LanguageModelV3FinishReason, facts: { readonly hasCalls: boolean }): StopReason {
  switch (reason.unified) {
    case 'length':
      return reason.raw === 'model_context_window_exceeded' ? 'window' : 'length';
    case 'content-filter':
      return 'refusal';
    case 'error':
      throw new ModelFailure({ failure: 'server', message: 'the server ended the answer with an error' });
    case 'stop':
    case 'tool-calls':
    case 'other':
      // Servers disagree on the word for it; what counts is whether there is something to run.
      return facts.hasCalls ? 'tools' : 'end';
  }
}

/** Estimated if the server does not count, as some local ones: a window that is never counted is never kept within limits. */
function usageOf(
  usage: LanguageModelV3Usage,
  facts: { readonly request: ModelRequest; readonly content: readonly ContentBlock[] },
): Usage {
  const { inputTokens: input, outputTokens: output } = usage;
  const cacheReadTokens = input.cacheRead ?? 0;
  const cacheWriteTokens = input.cacheWrite ?? 0;
  const total = input.total ?? estimateRequest(facts.request);
  return {
    inputTokens: input.noCache ?? Math.max(0, total - cacheReadTokens - cacheWriteTokens),
    outputTokens: output.total ?? facts.content.reduce((sum, block) => sum + estimateTokens(block), 0),
    cacheReadTokens,
    cacheWriteTokens,
    cacheWriteHourTokens: 0,
  };
}

function estimateRequest(request: ModelRequest): number {
  const system = request.system.reduce((sum, block) => sum + estimateTextTokens(block.text), 0);
  const tools = request.tools.reduce((sum, tool) => sum + estimateJsonTokens(tool), 0);
  return request.messages.reduce((sum, message) => sum + estimateTokens(message), system + tools);
}
