/** The models of a session in somebody else's loop: the one that the host talks to, known by name alone, and the one that summarises. */

import { NO_USAGE, textOf } from '../conversation/message.ts';
import type { Limits } from '../limits.ts';
import { capabilitiesOf } from '../model/capabilities.ts';
import { ModelFailure } from '../model/failure.ts';
import type { Model, ModelCapabilities, ModelEvent, ModelRequest } from '../model/model.ts';
import { toHost } from './host-messages.ts';
import type { SessionOptions, Summarise } from './host-session.ts';

/** What the host's own request says of its model, and what the summary must fit into as well. */
export function spokenModel(name: string | undefined, options: Pick<SessionOptions, 'model' | 'capabilities'>): Model {
  const summariser = typeof options.model === 'object' ? options.model : undefined;
  const byName = name === undefined ? undefined : capabilitiesOf(name);
  const known = byName?.known || summariser === undefined ? (byName ?? capabilitiesOf('')) : summariser.capabilities;
  const windowTokens = Math.min(known.windowTokens, summariser?.capabilities.windowTokens ?? Number.POSITIVE_INFINITY);
  return {
    name: name ?? summariser?.name ?? 'unknown',
    provider: 'host',
    // The host makes the request: what would need another header or another field of it is not ours to ask for.
    capabilities: { ...known, windowTokens, ...options.capabilities, contextEdits: false },
    // biome-ignore lint/correctness/useYield: it is here to complete the port.
    async *stream() {
      throw new ModelFailure({ failure: 'invalid', message: 'the host itself calls this model' });
    },
  };
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
