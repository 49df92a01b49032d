/** The layers of our own agent's session, joined over a host's conversation; without a model, a cut takes the place of the summary. */

import type { Entry } from '../conversation/entry.ts';
import { NO_USAGE } from '../conversation/message.ts';
import { estimateTokens } from '../conversation/tokens.ts';
import type { Limits } from '../limits.ts';
import type { Model, ModelEvent } from '../model/model.ts';
import { type CompactionSession, openAgentCompaction } from '../session/window/compaction.ts';
import { type AgentLayers, type LayerSession, openAgentLayers } from '../session/window/layers.ts';
import { windowFor } from '../toolbox/window.ts';

export function openHostLayers(
  session: LayerSession,
  host: {
    /** Undefined where the host gave no model to summarise with. */
    readonly summariser: Model | undefined;
    readonly clearableTools: readonly string[];
    readonly onCompacted: () => void;
  },
): AgentLayers {
  const { summariser, clearableTools, onCompacted } = host;
  const { place, conversation } = session;
  const entries = () => conversation.entries;
  const compactAt = () => windowFor(session).compactAt;
  const cut = summariser ? {} : cutInPlaceOfSummary({ entries, compactAt, limits: place.limits.host });
  return openAgentLayers({ ...session, clearableTools }, (layerParts) =>
    openAgentCompaction(
      {
        ...session,
        model: () => summariser ?? session.model(),
        ...cut,
        // What the host put into its own system prompt or messages is the host's to renew.
        renderContext: async () => [],
        tools: { readText: async () => null, readState: () => [] },
        hooks: {},
        onReplaced: onCompacted,
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
  readonly limits: Limits['host'];
}): Required<Pick<CompactionSession, 'summarise' | 'pivot'>> {
  let uuid: string | null = null;
  return {
    pivot() {
      const entries = facts.entries();
      const tokens = entries.reduce((sum, { message }) => sum + estimateTokens(message), 0);
      // A provider may count more than we do, and refuse what we think is short.
      const at = firstKept(entries, Math.min(tokens, facts.compactAt()) * facts.limits.cutKeptShare);
      uuid = entries[at]?.uuid ?? null;
      return uuid === null ? undefined : { uuid, side: 'up-to' };
    },
    async *summarise(): AsyncIterable<ModelEvent> {
      const entries = facts.entries();
      const end = entries.findIndex((entry) => entry.uuid === uuid);
      const gone = end < 0 ? entries : entries.slice(0, end);
      const content = [{ type: 'text', text: `<summary>${tellOf(gone, facts.limits)}</summary>` }] as const;
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

function tellOf(entries: readonly Entry[], limits: Limits['host']): string {
  const lines: string[] = [];
  for (let at = entries.length - 1; at >= 0 && lines.length < limits.cutLines; at--) {
    lines.unshift(...linesOf(entries[at]!, limits));
  }
  return [OPENING, ...(lines.length === 0 ? ['- nothing but what the user said'] : lines.slice(-limits.cutLines))].join(
    '\n',
  );
}

function linesOf({ message }: Entry, limits: Limits['host']): readonly string[] {
  if (message.role !== 'assistant') return [];
  return message.content.flatMap((block) => {
    switch (block.type) {
      case 'text':
        return [line(`said: ${block.text}`, limits)];
      case 'tool_use':
        return [line(`called ${block.name} with ${JSON.stringify(block.input)}`, limits)];
      default:
        return [];
    }
  });
}

function line(text: string, limits: Limits['host']): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  const most = limits.cutLineCharacters;
  // Tags would end the summary before its end.
  const shown = plain.length <= most ? plain : `${plain.slice(0, most)}…`;
  return `- ${shown.replaceAll('<', '&lt;')}`;
}
