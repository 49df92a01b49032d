/** The layers of our own agent's session, joined over a host's conversation; without a model, a cut takes the place of the summary. */

import type { Conversation } from '../agent/conversation.ts';
import type { Rendered } from '../agent/rendered.ts';
import { windowOf } from '../conversation/window.ts';
import type { Model } from '../model/model.ts';
import { openAgentCompaction } from '../session/window/compaction.ts';
import { type AgentLayers, openAgentLayers } from '../session/window/layers.ts';
import type { Place } from '../settings/place.ts';
import type { AgentMeter } from '../toolbox/meter.ts';
import type { SessionLog } from '../toolbox/session-log.ts';
import { cutInPlaceOfSummary } from './cut.ts';
import { summaryModel } from './model.ts';
import type { SessionOptions } from './session.ts';

export interface HostLayerFacts {
  readonly options: SessionOptions;
  readonly place: Place;
  readonly log: SessionLog;
  readonly toolResultsFolder: string;
  readonly conversation: Conversation;
  /** What stands before the messages of the request at hand. */
  readonly rendered: () => Rendered;
  /** The model that the host talks to. */
  readonly spoken: () => Model;
  readonly meter: AgentMeter;
  readonly announceBreak: (reason: string) => void;
  readonly now: () => Date;
  readonly tell: (line: string) => void;
  readonly onCompacted: () => void;
}

export function openHostLayers(facts: HostLayerFacts): AgentLayers {
  const { options, place, log, conversation, spoken, meter, announceBreak, now, tell } = facts;
  const environmentWindow = (options.env ?? process.env).REVERIE_CONTEXT_WINDOW;
  const summariser = options.model && summaryModel(options.model, { limits: place.limits.window });
  const compactAt = () => {
    const { windowTokens: modelWindowTokens, maxOutputTokens } = spoken().capabilities;
    return windowOf({ modelWindowTokens, maxOutputTokens, environmentWindow, limits: place.limits.window }).compactAt;
  };
  const entries = () => conversation.entries;
  const cut = summariser ? {} : cutInPlaceOfSummary({ entries, compactAt, limits: place.limits.host });
  return openAgentLayers(
    {
      place,
      log,
      conversation,
      announceBreak,
      now,
      get rendered() {
        return facts.rendered();
      },
      model: spoken,
      prices: meter.prices,
      environmentWindow,
      toolResultsFolder: facts.toolResultsFolder,
      clearableTools: options.clearableTools ?? [],
      ledger: meter,
      onProblem: tell,
    },
    (layerParts) =>
      openAgentCompaction(
        {
          place,
          log,
          conversation,
          announceBreak,
          now,
          get rendered() {
            return facts.rendered();
          },
          model: () => summariser ?? spoken(),
          meter: meter.meter,
          ...cut,
          // What the host put into its own system prompt or messages is the host's to renew.
          renderContext: async () => [],
          readFile: async () => null,
          readPaths: () => [],
          hooks: {},
          tell,
          onReplaced: facts.onCompacted,
          ledger: meter,
        },
        layerParts,
      ),
  );
}
