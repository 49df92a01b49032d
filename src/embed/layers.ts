/** The layers of our own agent's session, joined over a host's conversation; without a model, a cut takes the place of the summary. */

import type { Entry } from '../conversation/entry.ts';
import { NO_USAGE } from '../conversation/message.ts';
import { estimateTokens } from '../conversation/tokens.ts';
import type { Model, ModelEvent } from '../model/model.ts';
import { type CompactionSession, openAgentCompaction } from '../session/window/compaction.ts';
import { type AgentLayers, type LayerSession, openAgentLayers } from '../session/window/layers.ts';
import { windowFor } from '../toolbox/window.ts';

/** Where no model can summarise: the share of the point of compaction that stays when the oldest messages go. */
const CUT_KEPT_SHARE = 0.4;
/** Lines that tell what was done in them, and characters of one. */
const CUT_LINES = 60;
const CUT_LINE_CHARACTERS = 200;

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
  const { conversation } = session;
  const entries = () => conversation.entries;
  const compactAt = () => windowFor(session).compactAt;
  const cut = summariser ? {} : cutInPlaceOfSummary({ entries, compactAt });
  return openAgentLayers({ ...session, clearableTools }, (layerParts) =>
    openAgentCompaction(
      {
        ...session,
        model: () => summariser ?? session.model(),
        ...cut,
        // What the host put into its own system prompt or messages is the host's to renew.
        renderContext: async () => [],
        tools: { readText: async () => null },
        restorable: () => ({ readPaths: [], skills: [], plan: null, notices: [], hookTexts: [] }),
        hooks: {},
        onReplaced: onCompacted,
      },
      layerParts,
    ),
  );
}

// Compaction for a host without a model: the oldest messages go, and code tells what was done in them.

/** What the user said, files and names are carried by compaction itself, whoever wrote the summary; rules, only a model can name. */
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
