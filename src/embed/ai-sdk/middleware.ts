/** The layers as a middleware for any model of the AI SDK: every call is prepared, every answer observed. */

import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { aiSdkModel } from '../../model/ai-sdk/ai-sdk.ts';
import { aiSdkFailure } from '../../model/ai-sdk/failure.ts';
import { capabilitiesOf } from '../../model/capabilities.ts';
import { createSession } from '../load.ts';
import type { HostResponse, Session, SessionOptions } from '../session.ts';
import { promptOf, requestOf } from './prompt.ts';

/** Options of `reverieMiddleware`. */
export interface MiddlewareOptions extends Omit<SessionOptions, 'cacheControl'> {
  /** One that was made with `createSession`, in place of the other options. */
  readonly session?: Session;
}

/** A `LanguageModelV3Middleware` of the AI SDK, by its shape: who uses none of it needs none of its types. */
export interface ReverieMiddleware {
  readonly specificationVersion: 'v3';
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types say what is asked and answered.
  transformParams(call: any): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  wrapGenerate(call: any): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  wrapStream(call: any): Promise<any>;
  /** Lets go of the session that it made; one that was given is left to whoever made it. */
  close(): Promise<void>;
}

interface Call {
  readonly params: LanguageModelV3CallOptions;
  readonly model: LanguageModelV3;
}

/**
 * A middleware for `wrapLanguageModel({ model, middleware })` of the AI SDK. One for each conversation, since it remembers
 * what was sent. The window is what `capabilities` or the model's name say; summaries are asked of the wrapped model itself
 * unless another is given.
 */
export function reverieMiddleware(options: MiddlewareOptions = {}): ReverieMiddleware {
  const { session: given, ...rest } = options;
  let opening: Promise<Session> | null = given === undefined ? null : Promise.resolve(given);
  /** As the host gave them, so that a call that was refused can be prepared again. */
  const originals = new WeakMap<LanguageModelV3CallOptions, LanguageModelV3CallOptions>();

  function sessionFor(model: LanguageModelV3): Promise<Session> {
    opening ??= createSession({ ...rest, model: rest.model ?? wrappedModel(model, rest) });
    return opening;
  }

  async function prepare({ params, model }: Call): Promise<LanguageModelV3CallOptions> {
    const session = await sessionFor(model);
    const request = requestOf(params, model.modelId);
    const { messages } = await session.prepare(request, { signal: params.abortSignal });
    const prepared = { ...params, prompt: promptOf(messages, params.prompt) };
    originals.set(prepared, params);
    return prepared;
  }

  /** Once more with a shorter conversation, where the provider says that it is too long. */
  async function withRoom<Result>(
    call: Call,
    facts: {
      readonly first: () => PromiseLike<Result>;
      again(params: LanguageModelV3CallOptions): PromiseLike<Result>;
    },
  ): Promise<Result> {
    try {
      return await facts.first();
    } catch (error) {
      const { params, model } = call;
      const original = originals.get(params);
      const session = await sessionFor(model);
      const isRoom = await session.refused(failureIn(error, call), { signal: params.abortSignal });
      if (original === undefined || !isRoom) throw error;
      return facts.again(await prepare({ params: original, model }));
    }
  }

  return {
    specificationVersion: 'v3',
    transformParams: prepare,
    async wrapGenerate({ doGenerate, ...call }: Call & { doGenerate(): PromiseLike<LanguageModelV3GenerateResult> }) {
      const result = await withRoom(call, { first: doGenerate, again: (params) => call.model.doGenerate(params) });
      const { response, usage, finishReason } = result;
      await (await sessionFor(call.model)).observe(
        responseOf({ id: response?.id, modelId: response?.modelId, usage, reason: finishReason.unified }),
      );
      return result;
    },
    async wrapStream({ doStream, ...call }: Call & { doStream(): PromiseLike<LanguageModelV3StreamResult> }) {
      const result = await withRoom(call, { first: doStream, again: (params) => call.model.doStream(params) });
      const session = await sessionFor(call.model);
      return { ...result, stream: result.stream.pipeThrough(observed(session)) };
    },
    async close() {
      if (given === undefined) await (await opening)?.close();
    },
  };
}

/** Observed before the end is passed on: whoever has it may ask again at once. */
function observed(session: Session): TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart> {
  let metadata: { readonly id?: string | undefined; readonly modelId?: string | undefined } = {};
  return new TransformStream({
    async transform(part, controller) {
      if (part.type === 'response-metadata') metadata = part;
      if (part.type === 'finish') {
        const { usage, finishReason } = part;
        await session.observe(responseOf({ ...metadata, usage, reason: finishReason.unified }));
      }
      controller.enqueue(part);
    },
  });
}

function responseOf(facts: {
  readonly id?: string | undefined;
  readonly modelId?: string | undefined;
  readonly usage: LanguageModelV3Usage;
  readonly reason: string;
}): HostResponse {
  const { inputTokens, outputTokens } = facts.usage;
  const cached = (inputTokens.cacheRead ?? 0) + (inputTokens.cacheWrite ?? 0);
  return {
    id: facts.id ?? null,
    ...(facts.modelId === undefined ? {} : { model: facts.modelId }),
    stop_reason: STOP_REASONS[facts.reason] ?? 'end_turn',
    usage: {
      input_tokens: inputTokens.noCache ?? Math.max(0, (inputTokens.total ?? 0) - cached),
      output_tokens: outputTokens.total ?? 0,
      cache_read_input_tokens: inputTokens.cacheRead ?? 0,
      cache_creation_input_tokens: inputTokens.cacheWrite ?? 0,
    },
  };
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
};

function failureIn(error: unknown, { params, model }: Call): Error {
  return aiSdkFailure(error, {
    model: model.modelId,
    provider: model.provider,
    aborted: params.abortSignal?.aborted === true,
    hasBegun: false,
    now: Date.now(),
    secrets: [],
  });
}

function wrappedModel(model: LanguageModelV3, { capabilities }: MiddlewareOptions) {
  const { known, ...byName } = capabilitiesOf(model.modelId);
  return aiSdkModel({
    name: model.modelId,
    provider: model.provider,
    model,
    capabilities: { ...(known ? byName : {}), ...capabilities },
  });
}
