/** The layers as a middleware for any model of the AI SDK: every call is prepared, every answer observed. */

import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { HOST_LIMITS } from '../../limits.ts';
import { aiSdkModel } from '../../model/ai-sdk/ai-sdk.ts';
import { aiSdkFailure } from '../../model/ai-sdk/failure.ts';
import { capabilitiesOf } from '../../model/capabilities.ts';
import { createSession } from '../load.ts';
import type { HostMessage, HostRequest, HostResponse, Session, SessionOptions } from '../session.ts';
import { type Block, blockOf, marksIn, type Options, type Part, partOf, UNSEEN, withoutMarks } from './parts.ts';

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

// A whole prompt of the AI SDK as a host's request, and the prepared messages as a prompt again.

/** System messages at its beginning stay outside: they are sent as they are. */
export function requestOf(params: LanguageModelV3CallOptions, model: string): HostRequest {
  const { lead, rest } = split(params.prompt);
  return {
    model,
    system: lead.map(({ content }) => content as string).join('\n\n'),
    tools: (params.tools ?? []).flatMap((tool) =>
      tool.type === 'function'
        ? [{ name: tool.name, description: tool.description ?? '', input_schema: tool.inputSchema }]
        : [],
    ),
    messages: rest.map(messageOf),
  };
}

export function promptOf(messages: readonly HostMessage[], given: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const prompt = messages.flatMap(({ role, content }) => promptMessages(role, content as readonly Block[]));
  return [...split(given).lead, ...marked(prompt, newestMark(given))];
}

function split(prompt: LanguageModelV3Prompt): { lead: LanguageModelV3Prompt; rest: LanguageModelV3Prompt } {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const at = first < 0 ? prompt.length : first;
  return { lead: prompt.slice(0, at), rest: prompt.slice(at) };
}

function messageOf(message: LanguageModelV3Message): HostMessage {
  const { role } = message;
  if (role === 'system') return { role: 'user', content: [{ type: UNSEEN, role, message }] };
  const blocks = (message.content as readonly Part[]).map((part) => blockOf(part, role));
  const [first, ...others] = blocks;
  const messageOptions = withoutMarks(message.providerOptions);
  const content = first && messageOptions ? [{ ...first, messageOptions }, ...others] : blocks;
  return { role: role === 'assistant' ? role : 'user', content };
}

/** Results of tools are messages of their own here; what joined behind them is the user's side. */
function promptMessages(role: string, blocks: readonly Block[]): LanguageModelV3Prompt {
  const messages: { role: string; content: Part[]; providerOptions?: unknown }[] = [];
  const prompt: LanguageModelV3Prompt = [];
  for (const block of blocks) {
    const wanted = roleOf(block, role);
    if (wanted === 'system') {
      prompt.push(block.message as LanguageModelV3Message);
      messages.length = 0;
      continue;
    }
    if (messages.at(-1)?.role !== wanted) {
      const { messageOptions: providerOptions } = block;
      const message = { role: wanted, content: [], ...(providerOptions ? { providerOptions } : {}) };
      messages.push(message);
      prompt.push(message as unknown as LanguageModelV3Message);
    }
    messages.at(-1)!.content.push(partOf(block));
  }
  return prompt;
}

function roleOf(block: Block, role: string): string {
  if (block.type === UNSEEN) return block.role as string;
  return block.type === 'tool_result' ? 'tool' : role;
}

function newestMark(prompt: LanguageModelV3Prompt): Options | undefined {
  for (const { role, content, providerOptions } of prompt.slice(-HOST_LIMITS.markedMessages).reverse()) {
    if (role === 'system') continue;
    const ofParts = (content as readonly Part[]).map((part) => marksIn(part.providerOptions));
    const mark = marksIn(providerOptions) ?? ofParts.findLast((found) => found !== undefined);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

function marked(prompt: LanguageModelV3Prompt, mark: Options | undefined): LanguageModelV3Prompt {
  const last = prompt.at(-1);
  if (mark === undefined || last === undefined) return prompt;
  const known = last.providerOptions ?? {};
  const joined = Object.entries(mark).map(([provider, marks]) => [provider, { ...known[provider], ...marks }]);
  return prompt.with(-1, { ...last, providerOptions: { ...known, ...Object.fromEntries(joined) } });
}
