/** Anthropic's models over the official SDK: one streamed attempt per call, and no unrequested calls. */

import type { BetaRawMessageStreamEvent } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { MESSAGES_API_LIMITS } from '../../limits.ts';
import { boundedAnswers } from '../bounded-answer.ts';
import { capabilitiesOf } from '../capabilities.ts';
import type { Model, ModelEvent, ModelRequest } from '../model.ts';
import { cutFailure, type FailureFacts, failureOf, strangerFailure } from './failure.ts';
import { createMessageRenderer } from './message.ts';
import { renderRequest } from './request.ts';
import { assembleStream } from './stream.ts';

/** Options of `anthropicModel`. */
export interface AnthropicOptions {
  /** `claude-opus-5-5`; a `[1m]` at its end asks for the long window. */
  readonly name: string;
  /** Without key and token the SDK looks where it always does: its variables, its profiles. */
  readonly apiKey?: string;
  readonly authToken?: string;
  readonly baseUrl?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** A model of Anthropic, or of a server that speaks the Messages API. */
export function anthropicModel(options: AnthropicOptions): Model {
  const { name } = options;
  const capabilities = capabilitiesOf(name);
  const renderMessage = createMessageRenderer();
  const secrets = [options.apiKey, options.authToken].flatMap((secret) => secret ?? []);
  let client: ReturnType<typeof createClient> | null = null;

  async function* stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncIterable<ModelEvent> {
    const assembly = assembleStream(name);
    const facts = (): FailureFacts => ({
      model: name,
      aborted: signal.aborted,
      hasBegun: assembly.hasBegun,
      secrets,
      now: Date.now(),
    });
    if (signal.aborted) throw cutFailure(facts());
    try {
      const { body, betas } = renderRequest(request, { name, capabilities, renderMessage });
      client ??= createClient(options);
      // Not `messages.create`: that writes warnings about models to the console, whatever its log level.
      const { data: events, response } = await (await client)
        .post<AsyncIterable<BetaRawMessageStreamEvent>>('/v1/messages', {
          body,
          stream: true,
          signal,
          headers: betas.length > 0 ? { 'anthropic-beta': betas.join(',') } : {},
        })
        .withResponse();
      const stranger = strangerFailure(response);
      if (stranger !== null) {
        await response.body?.cancel().catch(() => undefined);
        throw stranger;
      }
      // Read to its end even after the response: a connection that is left early cannot be reused.
      for await (const event of events) yield* assembly.add(event);
    } catch (error) {
      if (!assembly.hasEnded) throw failureOf(error, facts());
    }
    if (!assembly.hasEnded) throw cutFailure(facts());
  }

  return { name, provider: 'anthropic', capabilities, stream };
}

/** Loaded at the first call: the SDK costs more than an entire hook. */
async function createClient(options: AnthropicOptions) {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const { apiKey, authToken, baseUrl, fetch } = options;
  return new Anthropic({
    ...(apiKey !== undefined ? { apiKey } : authToken !== undefined ? { authToken } : {}),
    ...(baseUrl !== undefined ? { baseURL: baseUrl } : {}),
    fetch: boundedAnswers(fetch),
    maxRetries: 0,
    timeout: MESSAGES_API_LIMITS.answerMs,
    logLevel: 'off',
  });
}
