/** A loop over a scripted model, without disk, settings or permission: for tests of the loop itself. */

import { createConversation } from '../../src/agent/conversation.ts';
import type { AgentEvent } from '../../src/agent/event.ts';
import { type LoopParts, runTurn } from '../../src/agent/loop.ts';
import type { Tool, ToolInput, ToolResult } from '../../src/agent/tool.ts';
import { addUsage, NO_USAGE } from '../../src/conversation/message.ts';
import { LIMITS } from '../../src/limits.ts';
import type { Meter } from '../../src/model/meter.ts';
import { streamWithRetry } from '../../src/model/retry.ts';
import type { ScriptedModel } from '../../src/model/scripted.ts';

export function testTool(
  name: string,
  run: (input: ToolInput, signal: AbortSignal) => Promise<ToolResult> | ToolResult,
  isReadOnly = true,
): Tool {
  return {
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: true },
    isReadOnly: () => isReadOnly,
    run: async (input, { signal }) => run(input, signal),
  };
}

/** Retries like the real one, without waiting and without a ledger. */
export function plainMeter(): Meter {
  let usage = NO_USAGE;
  let calls = 0;
  return {
    async *call({ model, request, signal, mayRestart }) {
      calls += 1;
      const events = streamWithRetry(() => model.stream(request, { signal }), {
        signal,
        limits: LIMITS.retry,
        mayRestart: mayRestart ?? (() => true),
        sleep: async () => {},
        random: () => 0.5,
      });
      for await (const event of events) {
        if (event.kind === 'response') usage = addUsage(usage, event.response.usage);
        yield event;
      }
    },
    totals: () => ({ usage, money: null, calls, byPurpose: {} }),
  };
}

export interface LoopHarness {
  readonly parts: LoopParts;
  readonly events: AgentEvent[];
  turn(text: string, options?: { readonly signal?: AbortSignal }): ReturnType<typeof runTurn>;
}

export function loopHarness(
  model: ScriptedModel,
  tools: readonly Tool[] = [],
  more: Partial<LoopParts> = {},
): LoopHarness {
  const events: AgentEvent[] = [];
  const parts: LoopParts = {
    meter: plainMeter(),
    model,
    purpose: 'main',
    rendered: {
      system: [{ text: `You are an agent. ${'Rules. '.repeat(1_000)}`, endsStaticPart: true }],
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
      context: [{ type: 'text', text: 'The project.' }],
      thinking: { kind: 'off' },
      cacheTtl: '5m',
    },
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    conversation: createConversation({ context: [{ type: 'text', text: 'The project.' }], now: () => new Date(0) }),
    decide: async () => ({ verdict: 'allow' }),
    seams: {},
    limits: LIMITS.loop,
    onEvent: (event) => events.push(event),
    ...more,
  };
  return {
    parts,
    events,
    turn: (text, options) =>
      runTurn(parts, { prompt: [{ type: 'text', text }], signal: options?.signal ?? new AbortController().signal }),
  };
}
