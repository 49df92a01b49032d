/** The estimated cost of a call: before it is made, when its stream ended too early to say, and as tokens of one kind. */

import { NO_USAGE, type Usage } from '../conversation/message.ts';
import { estimateJsonTokens, estimateTextTokens, estimateTokens } from '../conversation/tokens.ts';
import { CAP_LIMITS } from '../limits.ts';
import type { ModelEvent, ModelRequest } from './model.ts';

/** What a token costs relative to uncached input, at typical prices. */
const CACHE_WRITE_HOUR_WEIGHT = 2;

export type Weights = unknown;

/** As many tokens of uncached input as would cost the same. */
export function equivalentTokens(usage: Usage): number {
  const shortWriteTokens = Math.max(0, usage.cacheWriteTokens - usage.cacheWriteHourTokens);
  return (
    usage.inputTokens +
    usage.outputTokens * CAP_LIMITS.outputWeight +
    usage.cacheReadTokens * CAP_LIMITS.cacheReadWeight +
    shortWriteTokens * CAP_LIMITS.cacheWriteWeight +
    usage.cacheWriteHourTokens * CACHE_WRITE_HOUR_WEIGHT
  );
}

/** The most that a request should cost: nothing cached, and the longest possible answer. */
export function estimateMost(request: ModelRequest): Usage {
  return { ...NO_USAGE, inputTokens: estimateInput(request), outputTokens: request.maxOutputTokens };
}

/** The expected cost: cached parts are read, the rest is written to the cache, and the answer has the usual length. */
export function estimateLikely(
  request: ModelRequest,
  expected: { readonly cachedTokens: number; readonly outputTokens: number },
): Usage {
  const input = estimateInput(request);
  const outputTokens = Math.min(request.maxOutputTokens, expected.outputTokens);
  if (request.cache.breakpoints.length === 0) return { ...NO_USAGE, inputTokens: input, outputTokens };
  const cacheReadTokens = Math.min(input, expected.cachedTokens);
  return { ...NO_USAGE, cacheReadTokens, cacheWriteTokens: input - cacheReadTokens, outputTokens };
}

export function promptTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

function estimateInput(request: ModelRequest): number {
  const system = request.system.reduce((sum, block) => sum + estimateTextTokens(block.text), 0);
  const tools = request.tools.length === 0 ? 0 : estimateJsonTokens(request.tools);
  return request.messages.reduce((sum, message) => sum + estimateTokens(message), system + tools);
}

/** Watches one attempt, so that one that ends without reporting usage does not count as free. */
export interface AttemptWatch {
  see(event: ModelEvent): void;
  /** Null when the provider had not begun to answer, which costs nothing. */
  estimate(request: ModelRequest, cachedTokens: number): Usage | null;
  restart(): void;
}

export function watchAttempt(): AttemptWatch {
  let hasBegun = false;
  let told: Usage | null = null;
  let outputTokens = 0;
  /** Of the block that is not complete yet. */
  let pending = '';

  return {
    see(event) {
      if (event.kind === 'text' || event.kind === 'thinking') {
        hasBegun = true;
        pending += event.text;
      }
      if (event.kind === 'usage') {
        hasBegun = true;
        told = event.usage;
      }
      if (event.kind !== 'block') return;
      hasBegun = true;
      outputTokens += estimateTokens(event.block);
      pending = '';
    },
    estimate(request, cachedTokens) {
      if (!hasBegun) return null;
      const output = outputTokens + estimateTextTokens(pending);
      // The prompt was counted as the answer began; of the answer only its first tokens. Some gateways count nothing by then.
      if (told !== null && promptTokens(told) > 0)
        return { ...told, outputTokens: Math.max(told.outputTokens, output) };
      const input = estimateInput(request);
      const cacheReadTokens = Math.min(input, cachedTokens);
      return { ...NO_USAGE, inputTokens: input - cacheReadTokens, cacheReadTokens, outputTokens: output };
    },
    restart() {
      hasBegun = false;
      told = null;
      outputTokens = 0;
      pending = '';
    },
  };
}
