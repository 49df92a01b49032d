/** The agent's tool `MemorySearch`: memories, and apart from them what the user typed in earlier sessions, which then counts as their word. */

import { shownLine } from '../agent/mcp-client/shown-text.ts';
import type { Tool, ToolResult } from '../agent/tool.ts';
import { escapeMarkup } from '../base/text/visible-text.ts';
import type { SpanMessage } from '../memory/gate/writer/span.ts';
import type { Memory } from '../memory/memory.ts';
import type { Place } from '../settings/place.ts';
import { type PastSentence, type PastWords, searchPastWords } from './past-words.ts';
import { findHits, type Hit } from './search-memories.ts';
import type { SessionLog } from './session-log.ts';
import { takenBack } from './taken-back.ts';

export interface AgentSearch {
  readonly tool: Tool;
  /** The sentences it showed, as the gate hears them. */
  said(): readonly SpanMessage[];
  /** Plain JSON, for the transcript. */
  state(): readonly ShownSentence[];
}

/** What was typed, and when. */
type ShownSentence = Pick<PastSentence, 'text' | 'at'>;

export interface SearchFacts {
  readonly place: Pick<Place, 'home' | 'slug' | 'limits' | 'switches'>;
  readonly memory: Memory;
  readonly log: Pick<SessionLog, 'sessionId' | 'file' | 'kept'>;
}

export function openAgentSearch(facts: SearchFacts): AgentSearch {
  const { place, log } = facts;
  const limits = place.limits.pastSearch;
  const resumed = log.kept?.states.get('pastSaid');
  let shown: readonly ShownSentence[] = Array.isArray(resumed) ? resumed.filter(isShown) : [];
  return {
    tool: searchTool(facts, (sentences) => {
      const all = [...shown, ...sentences.map(({ text, at }) => ({ text, at }))];
      const once = new Map(all.map((sentence) => [`${sentence.at} ${sentence.text}`, sentence]));
      shown = [...once.values()].slice(-limits.shownSentences);
    }),
    said: () => shown.map(({ text, at }) => ({ from: 'user', text, at })),
    state: () => shown,
  };
}

function isShown(value: unknown): value is ShownSentence {
  if (typeof value !== 'object' || value === null) return false;
  const { text, at } = value as Record<string, unknown>;
  return typeof text === 'string' && typeof at === 'string';
}

const DESCRIPTION = `Searches what is remembered, and what the user typed in earlier sessions of this project.
- Use it when something known may bear on the task, and whenever the user refers to earlier work.
- A memory comes with its score, with whose word it is, and with the words it rests on.
- A sentence of an earlier session is the user's own word of that day: it can be the \`quote\` of a memory you write.`;

function searchTool(facts: SearchFacts, onShown: (sentences: readonly PastSentence[]) => void): Tool {
  const { place, memory } = facts;
  const { hits, mostHits } = place.limits.pastSearch;
  return {
    name: 'MemorySearch',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What you want to know, as a question or a few words.' },
        limit: { type: 'integer', minimum: 1, maximum: mostHits, description: 'At most this many of each kind.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    async run({ query, limit }) {
      const asked = { query: String(query), limit: typeof limit === 'number' ? limit : hits };
      // One after the other: the first recall loads its encoder, and the look at transcripts has little time.
      const found = await findHits(memory, asked);
      const past = await pastWords(asked, facts);
      onShown(past.found);
      return resultOf(found, past);
    },
  };
}

/** Nothing where earlier sessions are not kept, or are not to be searched. */
async function pastWords(
  asked: { query: string; limit: number },
  { place, memory, log }: SearchFacts,
): Promise<PastWords> {
  if (log.file === null || !place.switches.isOn('pastSearch')) return { found: [], isCut: false };
  const { home, slug, limits } = place;
  const isTakenBack = await takenBack(memory);
  return searchPastWords(asked.query, { home, slug, limits, isTakenBack, except: log.sessionId, most: asked.limit });
}

function resultOf(hits: readonly Hit[], past: PastWords): ToolResult {
  const memories = hits.length === 0 ? ['Nothing is remembered about that.'] : ['Memories:', ...hits.flatMap(hitLines)];
  const sentences = past.found.length === 0 ? [] : ['', 'Typed by the user in earlier sessions:', ...pastLines(past)];
  const cut = past.isCut ? ['', 'Not all earlier sessions were looked at: the newest came first.'] : [];
  return {
    content: [...memories, ...sentences, ...cut].join('\n'),
    display: { kind: 'summary', text: `${hits.length} memories, ${past.found.length} sentences of earlier sessions` },
  };
}

const LINE_CHARACTERS = 400;
/** `2031-05-08` */
const DAY_CHARACTERS = 10;

function hitLines({ recalled, entry }: Hit): readonly string[] {
  const { file, scope, name, description, source, quote, refuted, supersededBy } = entry;
  const standing = [
    `score ${recalled.score.toFixed(2)}`,
    recalled.certain ? 'certain' : 'a guess',
    source,
    ...(refuted === null ? [] : ['refuted']),
    ...(supersededBy === null ? [] : [`superseded by ${line(supersededBy)}`]),
  ];
  const about = description === '' ? line(name) : `${line(name)}. ${line(description)}`;
  return [
    `- ${line(file)} (${scope}; ${standing.join(', ')}): ${about}`,
    ...quote.map(({ text, at }) => `  The user's words${at === null ? '' : `, ${dayOf(at)}`}: "${line(text)}"`),
  ];
}

function pastLines({ found }: PastWords): readonly string[] {
  return found.map(({ text, at, session }) => `- ${dayOf(at)}, session ${session}: "${escapeMarkup(text)}"`);
}

function dayOf(at: string): string {
  return line(at.slice(0, DAY_CHARACTERS));
}

function line(text: string): string {
  return escapeMarkup(shownLine(text, LINE_CHARACTERS));
}
