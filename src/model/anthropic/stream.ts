/** The events of one streamed answer as ours: text as it comes, each block when it is complete, the response last. */

import type { BetaRawMessageStreamEvent, BetaUsage } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ContentBlock, Usage } from '../../conversation/message.ts';
import type { ModelEvent, ModelResponse } from '../model.ts';
import { assembleBlock, type BlockAssembly } from './block.ts';
import { stopReasonOf } from './stop-reason.ts';

export interface StreamAssembly {
  readonly hasBegun: boolean;
  /** The response was emitted. */
  readonly hasEnded: boolean;
  /** In the order to emit them; the response once the message has stopped. */
  add(event: BetaRawMessageStreamEvent): readonly ModelEvent[];
}

type WireUsage = Partial<Record<'input_tokens' | 'output_tokens', number | null>> &
  Partial<Record<'cache_read_input_tokens' | 'cache_creation_input_tokens', number | null>> &
  Partial<Pick<BetaUsage, 'cache_creation'>>;

const NOTHING: readonly ModelEvent[] = [];

export function assembleStream(modelName: string): StreamAssembly {
  const open = new Map<number, BlockAssembly>();
  const content: ContentBlock[] = [];
  let id: string | null = null;
  let model = modelName;
  let usage: WireUsage = {};
  let stopReason: string | null = null;
  let appliedEdits: ModelResponse['appliedEdits'];
  let hasBegun = false;
  let hasEnded = false;

  function endBlock(index: number): readonly ModelEvent[] {
    const block = open.get(index)?.end() ?? null;
    open.delete(index);
    if (block === null) return NOTHING;
    content.push(block);
    return [{ kind: 'block', block }];
  }

  function response(): ModelResponse {
    return {
      id,
      model,
      content,
      stopReason: stopReasonOf(stopReason),
      usage: usageOf(usage),
      ...(appliedEdits ? { appliedEdits } : {}),
    };
  }

  return {
    get hasBegun() {
      return hasBegun;
    },
    get hasEnded() {
      return hasEnded;
    },
    add(event) {
      switch (event.type) {
        case 'message_start':
          hasBegun = true;
          id = event.message.id ?? null;
          model = event.message.model ?? modelName;
          usage = withoutNulls(event.message.usage);
          return [{ kind: 'usage', usage: usageOf(usage) }];
        case 'content_block_start':
          open.set(event.index, assembleBlock(event.content_block));
          return NOTHING;
        case 'content_block_delta': {
          const shown = open.get(event.index)?.add(event.delta) ?? null;
          return shown === null ? NOTHING : [shown];
        }
        case 'content_block_stop':
          return endBlock(event.index);
        case 'message_delta':
          // Cumulative: named fields replace those from the start, the others stay.
          usage = { ...usage, ...withoutNulls(event.usage) };
          stopReason = event.delta.stop_reason ?? stopReason;
          appliedEdits = editsOf(event.context_management) ?? appliedEdits;
          return [{ kind: 'usage', usage: usageOf(usage) }];
        case 'message_stop':
          hasEnded = true;
          return [{ kind: 'response', response: response() }];
        default:
          // The API may add events at any time.
          return NOTHING;
      }
    },
  };
}

function withoutNulls(usage: object | null | undefined): WireUsage {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value !== null && value !== undefined));
}

function usageOf(usage: WireUsage): Usage {
  return {
    inputTokens: usage.input_tokens ?? 0,
    outputTokens: usage.output_tokens ?? 0,
    cacheReadTokens: usage.cache_read_input_tokens ?? 0,
    cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
    cacheWriteHourTokens: usage.cache_creation?.ephemeral_1h_input_tokens ?? 0,
  };
}

function editsOf(management: unknown): ModelResponse['appliedEdits'] {
  const edits = (management as { applied_edits?: unknown } | null | undefined)?.applied_edits;
  return Array.isArray(edits) && edits.length > 0 ? edits : undefined;
}
