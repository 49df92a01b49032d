/** One request for the Messages API: deterministic, so that the next one repeats its bytes and appends. */

import type {
  BetaTextBlockParam,
  BetaThinkingConfigParam,
  BetaToolUnion,
  MessageCreateParamsStreaming,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { MESSAGES_API_LIMITS } from '../../limits.ts';
import { asksForLongWindow, type KnownCapabilities, wireNameOf } from '../capabilities.ts';
import type { ModelFacts } from '../capabilities-table.ts';
import type { ModelRequest, Thinking } from '../model.ts';
import { cacheControl, chooseBreakpoints, markMessage, markSystem } from './breakpoints.ts';
import { isBlank, type RenderMessage, type WireMessage } from './message.ts';

export interface RenderedRequest {
  readonly body: Omit<MessageCreateParamsStreaming, 'betas'>;
  /** Sorted, so that the same request has the same header. */
  readonly betas: readonly string[];
}

const BETAS = {
  longWindow: 'context-1m-2025-08-07',
  contextEdits: 'context-management-2025-06-27',
  thinkingBinding: 'thinking-binding-controls-2026-08-01',
};

export function renderRequest(
  request: ModelRequest,
  facts: { readonly name: string; readonly capabilities: KnownCapabilities; readonly renderMessage: RenderMessage },
): RenderedRequest {
  const { name, capabilities, renderMessage } = facts;
  const maxOutputTokens = Math.min(request.maxOutputTokens, capabilities.maxOutputTokens);
  const thinking = renderThinking({ thinking: request.thinking, model: capabilities, maxOutputTokens });
  const edits = capabilities.contextEdits ? (request.contextEdits ?? []) : [];
  const { system, messages } = renderContent(request, renderMessage);
  const body = {
    model: wireNameOf(name),
    max_tokens: maxOutputTokens,
    stream: true,
    ...(thinking ? { thinking } : {}),
    ...(request.tools.length > 0 && request.toolChoice === 'none' ? { tool_choice: { type: 'none' } } : {}),
    ...(edits.length > 0 ? { context_management: { edits } } : {}),
    ...renderOutput(request, capabilities),
    ...(request.tools.length > 0 ? { tools: request.tools.map(renderTool) } : {}),
    ...(system.length > 0 ? { system } : {}),
    // Last: what is appended is then at the end of the bytes too.
    messages,
  };
  const betas = [
    ...(asksForLongWindow(name) ? [BETAS.longWindow] : []),
    ...(edits.length > 0 ? [BETAS.contextEdits] : []),
    ...(thinking && 'block_binding' in thinking ? [BETAS.thinkingBinding] : []),
  ];
  return { body: body as unknown as RenderedRequest['body'], betas: betas.sort() };
}

function renderOutput(request: ModelRequest, capabilities: KnownCapabilities): object {
  const { answerSchema, thinking } = request;
  const config = {
    // If thinking cannot be turned off, low effort is the nearest to it.
    ...(thinking.kind === 'off' && capabilities.thinking === 'always-adaptive' ? { effort: 'low' } : {}),
    ...(answerSchema ? { format: { type: 'json_schema', schema: answerSchema } } : {}),
  };
  return Object.keys(config).length > 0 ? { output_config: config } : {};
}

function renderTool(tool: ModelRequest['tools'][number]): BetaToolUnion {
  return { name: tool.name, description: tool.description, input_schema: tool.input_schema };
}

function renderContent(
  request: ModelRequest,
  renderMessage: RenderMessage,
): { system: BetaTextBlockParam[]; messages: WireMessage[] } {
  const systemBlocks = request.system.filter((block) => !isBlank(block.text));
  const staticEnd = systemBlocks.findLastIndex((block) => block.endsStaticPart);
  const messages: WireMessage[] = [];
  /** The position of each message; one that cannot be sent maps to the one before it. */
  const places = request.messages.map((message) => {
    const wire = renderMessage(message);
    if (wire) messages.push(wire);
    return messages.length - 1;
  });
  const wanted = request.cache.breakpoints.flatMap((index) => places[index] ?? []);
  const marks = chooseBreakpoints({
    systemBlocks: systemBlocks.length,
    staticEnd: staticEnd < 0 ? null : staticEnd,
    messages,
    wanted,
  });
  const control = cacheControl(request.cache.ttl);
  const system = systemBlocks.map((block, index) => {
    const wire: BetaTextBlockParam = { type: 'text', text: block.text };
    return marks.system.includes(index) ? markSystem(wire, control) : wire;
  });
  for (const index of marks.messages) messages[index] = markMessage(messages[index]!, control);
  return { system, messages };
}

// How a request asks a model to think, in the form this model takes.

/** Undefined when the model has no such setting. */
function renderThinking(facts: {
  readonly thinking: Thinking;
  readonly model: Pick<ModelFacts, 'thinking' | 'thinkingOff' | 'bindsThinking'>;
  readonly maxOutputTokens: number;
}): BetaThinkingConfigParam | undefined {
  const { thinking, model, maxOutputTokens } = facts;
  switch (model.thinking) {
    case 'none':
      return undefined;
    case 'budget':
      return renderBudget(thinking, maxOutputTokens);
    case 'adaptive':
    case 'always-adaptive':
      if (thinking.kind === 'off' && model.thinkingOff === 'disabled') return { type: 'disabled' };
      if (thinking.kind === 'off' && model.thinkingOff === 'between-tools') return { type: 'between_tools' };
      return {
        type: 'adaptive',
        // Newer models hide their thoughts, and what they say between two tools, unless asked.
        display: thinking.kind === 'off' ? 'omitted' : 'summarized',
        // Our layers clear old results: a thought after them may be dropped then, and must not fail the request.
        ...(model.bindsThinking ? { block_binding: { prefix_mismatch_behavior: 'drop_block' } } : {}),
      };
  }
}

function renderBudget(thinking: Thinking, maxOutputTokens: number): BetaThinkingConfigParam {
  if (thinking.kind === 'off') return { type: 'disabled' };
  const wanted = thinking.kind === 'budget' ? thinking.tokens : MESSAGES_API_LIMITS.thinkingTokens;
  // The budget is part of the answer's limit, and has to leave some of it.
  const tokens = Math.min(Math.max(wanted, MESSAGES_API_LIMITS.leastThinkingTokens), maxOutputTokens - 1);
  return tokens < MESSAGES_API_LIMITS.leastThinkingTokens
    ? { type: 'disabled' }
    : { type: 'enabled', budget_tokens: tokens };
}
