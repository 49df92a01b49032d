/**
 * What the server does with a model that its client offers (`sampling/createMessage`). The server hears no conversation, so there are no
 * words of the user to look through; it has the memories, so that a dream that is due can run. With the user's consent alone.
 */

import type { McpServer } from '@modelcontextprotocol/server';
import { messageOf } from '../base/values.ts';
import { NO_USAGE } from '../conversation/message.ts';
import { estimateTextTokens } from '../conversation/tokens.ts';
import type { AskForPlan } from '../layers/6-dreaming/session/plan.ts';

/** A person may be asked by the client first. */
const ASK_MS = 600_000;
const ANSWER_TOKENS = 16_000;
/** Between two looks at whether a dream is due. */
const LOOK_MS = 600_000;

/** Dreams if one is due and the user wants it. */
export type SampledDream = (ask: AskForPlan, model: string) => Promise<unknown>;

interface SamplingFacts {
  readonly dream: SampledDream | undefined;
  writeProblem(problem: string): void;
}

/** To be called when a tool has answered; it returns at once. */
export function dreamBySampling(server: McpServer, { dream, writeProblem }: SamplingFacts): () => void {
  let lookAtMs = 0;
  return () => {
    if (dream === undefined || Date.now() < lookAtMs) return;
    if (server.server.getClientCapabilities()?.sampling === undefined) return;
    lookAtMs = Date.now() + LOOK_MS;
    const client = server.server.getClientVersion()?.name ?? 'an MCP client';
    dream(asker(server), client)
      .catch((error: unknown) => writeProblem(`No dream: ${messageOf(error)}`))
      .finally(() => {
        lookAtMs = Date.now() + LOOK_MS;
      });
  };
}

/** No client says what an answer cost, so that it is estimated from its length. */
function asker(server: McpServer): AskForPlan {
  return async (question, signal) => {
    try {
      const { content } = await server.server.createMessage(
        {
          messages: [{ role: 'user', content: { type: 'text', text: question } }],
          ...{ maxTokens: ANSWER_TOKENS, includeContext: 'none' },
        },
        { signal, timeout: ASK_MS },
      );
      if (content.type !== 'text')
        return { kind: 'failed', problem: 'the client answered with something else than text' };
      const inputTokens = estimateTextTokens(question);
      const usage = { ...NO_USAGE, inputTokens, outputTokens: estimateTextTokens(content.text) };
      return { kind: 'answered', text: content.text, usage, money: null, isEstimated: true };
    } catch (error) {
      return { kind: 'failed', problem: `the client did not answer: ${messageOf(error)}` };
    }
  };
}
