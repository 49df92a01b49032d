/** The layers of our own agent's session, joined over a host's conversation; without a model, a cut takes the place of the summary. */

import type { Conversation } from '../agent/conversation.ts';
import type { Rendered } from '../agent/rendered.ts';
import type { Entry } from '../conversation/entry.ts';
import { NO_USAGE } from '../conversation/message.ts';
import { estimateTokens } from '../conversation/tokens.ts';
import { windowOf } from '../conversation/window.ts';
import type { Model, ModelEvent } from '../model/model.ts';
import { type CompactionSession, openAgentCompaction } from '../session/window/compaction.ts';
import { type AgentLayers, openAgentLayers } from '../session/window/layers.ts';
import type { Place } from '../settings/place.ts';
import type { AgentMeter } from '../toolbox/meter.ts';
import type { SessionLog } from '../toolbox/session-log.ts';
import { summaryModel } from './model.ts';
import type { SessionOptions } from './session.ts';

/** Where no model can summarise: the share of the point of compaction that stays when the oldest messages go. */
const CUT_KEPT_SHARE = 0.4;
/** Lines that tell what was done in them, and characters of one. */
const CUT_LINES = 60;
const CUT_LINE_CHARACTERS = 200;

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
  const cut = summariser ? {} : cutInPlaceOfSummary({ entries, compactAt });
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

// Compaction for a host without a model: the oldest messages go, and code tells what was done in them.

/** What the user said, rules, files and names are carried by compaction itself, whoever wrote the summary. */
function cutInPlaceOfSummary(facts: {
  readonly entries: () => readonly Entry[];
  /** The point of compaction. */
  readonly compactAt: () => number;
}): Required<Pick<CompactionSession, 'summarise' | 'pivot'>> {
  let uuid: string | null = null;
  return {
    pivot() {
      const entries = facts.entries();
      const tokens = entries.reduce((sum, { message }) => sum + estimateTokens(message), 0);
      // A provider may count more than we do, and refuse what we think is short.
      const at = firstKept(entries, Math.min(tokens, facts.compactAt()) * CUT_KEPT_SHARE);
      uuid = entries[at]?.uuid ?? null;
      return uuid === null ? undefined : { uuid, side: 'up-to' };
    },
    async *summarise(): AsyncIterable<ModelEvent> {
      const entries = facts.entries();
      const end = entries.findIndex((entry) => entry.uuid === uuid);
      const gone = end < 0 ? entries : entries.slice(0, end);
      const content = [{ type: 'text', text: `<summary>${tellOf(gone)}</summary>` }] as const;
      yield { kind: 'response', response: { id: null, model: '', content, stopReason: 'end', usage: NO_USAGE } };
    },
  };
}

/** The newest that fit, and always the last one: whoever cuts goes back from there to the beginning of its round. */
function firstKept(entries: readonly Entry[], mostTokens: number): number {
  let tokens = 0;
  for (let at = entries.length - 1; at >= 0; at--) {
    tokens += estimateTokens(entries[at]!.message);
    if (tokens > mostTokens) return Math.min(at + 1, entries.length - 1);
  }
  return 0;
}

const OPENING =
  'The oldest messages were cut to make room, and no model summarised them. What was done in them, oldest first:';

function tellOf(entries: readonly Entry[]): string {
  const lines: string[] = [];
  for (let at = entries.length - 1; at >= 0 && lines.length < CUT_LINES; at--) {
    lines.unshift(...linesOf(entries[at]!));
  }
  return [OPENING, ...(lines.length === 0 ? ['- nothing but what the user said'] : lines.slice(-CUT_LINES))].join('\n');
}

function linesOf({ message }: Entry): readonly string[] {
  if (message.role !== 'assistant') return [];
  return message.content.flatMap((block) => {
    switch (block.type) {
      case 'text':
        return [line(`said: ${block.text}`)];
      case 'tool_use':
        return [line(`called ${block.name} with ${JSON.stringify(block.input)}`)];
      default:
        return [];
    }
  });
}

function line(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  const most = CUT_LINE_CHARACTERS;
  // Tags would end the summary before its end.
  const shown = plain.length <= most ? plain : `${plain.slice(0, most)}…`;
  return `- ${shown.replaceAll('<', '&lt;')}`;
}
