/** Any other provider's model, over the provider interface of the AI SDK: one streamed attempt per call. */

import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { toolUsesOf } from '../../conversation/message.ts';
import { LIMITS, WINDOW_LIMITS } from '../../limits.ts';
import type { Model, ModelCapabilities, ModelEvent, ModelRequest } from '../model.ts';
import { aiSdkFailure, endedEarly } from './failure.ts';
import { renderPrompt } from './prompt.ts';
import { assembleStream } from './stream.ts';

type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined };

/** A `LanguageModelV3` of the AI SDK, by its shape: users without the SDK do not need its types. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: 'v3';
  readonly provider: string;
  readonly modelId: string;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types say what is asked and answered.
  doStream(options: any): PromiseLike<{ readonly stream: ReadableStream<any> }>;
}

/** Options of `aiSdkModel`. */
export interface AiSdkOptions {
  /** As the user writes it: `openai/gpt-6`. */
  readonly name: string;
  /** `openai('gpt-6')`, or a promise of one if its package is loaded at use. */
  readonly model: AiSdkLanguageModel | (() => Promise<AiSdkLanguageModel>);
  readonly provider: string;
  /** What the model is known to do, instead of the safe assumptions. */
  readonly capabilities?: Partial<ModelCapabilities>;
  /** Passed with every call. */
  readonly providerOptions?: Readonly<Record<string, Record<string, JsonValue>>>;
  /** Keys that must not appear in a failure's message. */
  readonly secrets?: readonly string[];
}

/** A model of the AI SDK. */
export function aiSdkModel(options: AiSdkOptions): Model {
  const { name, provider } = options;
  const capabilities = withAssumptions(options.capabilities ?? {});
  const takenIds = new Set<string>();
  let isFirst = true;

  async function* stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncIterable<ModelEvent> {
    // Once, for a resumed conversation; from then on the calls of each answer are added as they come.
    if (isFirst) for (const { content } of request.messages) for (const { id } of toolUsesOf(content)) takenIds.add(id);
    isFirst = false;
    let assembly: ReturnType<typeof assembleStream> | null = null;
    const facts = () => ({
      model: name,
      provider,
      aborted: signal.aborted,
      hasBegun: assembly?.hasBegun ?? false,
      now: Date.now(),
      secrets: options.secrets ?? [],
    });
    if (signal.aborted) throw endedEarly(facts());
    const model = (typeof options.model === 'function' ? await options.model() : options.model) as LanguageModelV3;
    assembly = assembleStream({ provider, modelId: model.modelId, request, takenIds });
    try {
      const answer = await model.doStream(renderCall(request, { signal, provider, capabilities, options }));
      for await (const part of answer.stream) yield* assembly.add(part);
    } catch (error) {
      if (!assembly.hasEnded) throw aiSdkFailure(error, facts());
    }
    if (!assembly.hasEnded) throw endedEarly(facts());
  }

  return { name, provider, capabilities, stream };
}

/** Conservative, so that nothing is asked of a model that it may not have; an answer gets no more room than the window keeps free. */
function withAssumptions(known: Partial<ModelCapabilities>): ModelCapabilities {
  const { answerTokens } = LIMITS.window;
  const windowTokens = known.windowTokens ?? WINDOW_LIMITS.unknownTokens;
  return {
    windowTokens,
    maxOutputTokens: Math.min(answerTokens, Math.floor(windowTokens / WINDOW_LIMITS.answerDivisor)),
    images: false,
    documents: false,
    thinking: 'none',
    promptCache: 'automatic',
    contextEdits: false,
    ...known,
  };
}

function renderCall(
  request: ModelRequest,
  facts: { signal: AbortSignal; provider: string; capabilities: ModelCapabilities; options: AiSdkOptions },
): LanguageModelV3CallOptions {
  const { tools, toolChoice, answerSchema } = request;
  return {
    prompt: renderPrompt(request, facts),
    maxOutputTokens: Math.min(request.maxOutputTokens, facts.capabilities.maxOutputTokens),
    abortSignal: facts.signal,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input_schema }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema: input_schema,
      })),
      toolChoice: { type: toolChoice },
    }),
    ...(answerSchema && { responseFormat: { type: 'json' as const, schema: answerSchema, name: 'answer' } }),
    ...(facts.options.providerOptions && { providerOptions: facts.options.providerOptions }),
  };
}
