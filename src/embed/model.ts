/** The models of a session in somebody else's loop: the one that the host talks to, known by name alone, and the one that summarises. */

import { NO_USAGE, textOf } from '../conversation/message.ts';
import { type Limits, WINDOW_LIMITS } from '../limits.ts';
import { capabilitiesOf } from '../model/capabilities.ts';
import { ModelFailure } from '../model/failure.ts';
import type { Model, ModelCapabilities, ModelEvent, ModelRequest } from '../model/model.ts';
import { toHost } from './messages.ts';
import type { SessionOptions, Summarise } from './session.ts';

/** What the host's own request says of its model, and what the summary must fit into as well. */
export function spokenModel(
  name: string | undefined,
  facts: { readonly options: Pick<SessionOptions, 'model' | 'capabilities'>; readonly limits: Limits['window'] },
): Model {
  const { model, capabilities } = facts.options;
  const summariser = typeof model === 'object' ? model : undefined;
  const known = knownCapabilities(name, { summariser });
  const windowTokens = Math.min(known.windowTokens, summariser?.capabilities.windowTokens ?? Number.POSITIVE_INFINITY);
  return {
    name: name ?? summariser?.name ?? 'unknown',
    provider: 'host',
    // The host makes the request: what would need another header or another field of it is not ours to ask for.
    capabilities: { ...known, windowTokens, ...capabilities, contextEdits: false, cacheEdits: false },
    // biome-ignore lint/correctness/useYield: it is here to complete the port.
    async *stream() {
      throw new ModelFailure({ failure: 'invalid', message: 'the host itself calls this model' });
    },
  };
}

/** A name that nobody knows is another provider's: what its model takes is for the host to say, and little is assumed. */
function knownCapabilities(
  name: string | undefined,
  facts: { readonly summariser: Model | undefined },
): ModelCapabilities {
  const { known, ...byName } = capabilitiesOf(name ?? facts.summariser?.name ?? '');
  if (known || name?.includes('claude-')) return byName;
  if (facts.summariser !== undefined) return facts.summariser.capabilities;
  if (name === undefined) return byName;
  return { ...byName, windowTokens: WINDOW_LIMITS.unknownTokens, promptCache: 'automatic' };
}

/** A function of the host's as a model; what it costs is for the host to observe. */
export function summaryModel(given: Model | Summarise, facts: { readonly limits: Limits['window'] }): Model {
  if (typeof given === 'object') return given;
  const { defaultTokens, answerTokens } = facts.limits;
  const capabilities: ModelCapabilities = {
    windowTokens: defaultTokens,
    maxOutputTokens: answerTokens,
    images: true,
    documents: true,
    thinking: 'none',
    promptCache: 'automatic',
    contextEdits: false,
  };
  return {
    name: 'host',
    provider: 'host',
    capabilities,
    stream: (request, { signal }) => answer(given, request, signal),
  };
}

async function* answer(given: Summarise, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
  const text = await given({
    system: request.system.map((block) => block.text).join('\n\n'),
    messages: request.messages.map(toHost),
    maxOutputTokens: request.maxOutputTokens,
    signal,
  });
  const content = [{ type: 'text', text }] as const;
  if (textOf(content) !== '') yield { kind: 'text', text };
  yield {
    kind: 'response',
    response: { id: null, model: 'host', content, stopReason: 'end', usage: NO_USAGE },
  };
}
