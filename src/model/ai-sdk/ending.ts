/** How an answer over the AI SDK ended, and what it cost. */

import type { LanguageModelV3FinishReason, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { StopReason } from '../../conversation/entry.ts';
import type { ContentBlock, Usage } from '../../conversation/message.ts';
import { estimateJsonTokens, estimateTextTokens, estimateTokens } from '../../conversation/tokens.ts';
import { ModelFailure } from '../failure.ts';
import type { ModelRequest } from '../model.ts';

export function endingOf(reason: LanguageModelV3FinishReason, facts: { readonly hasCalls: boolean }): StopReason {
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

/** Estimated where the server does not count, as some local ones: a window that is never counted is never kept. */
export function usageOf(
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
