/** `memory_search`: what is remembered about a question; certain memories in full, guesses by name, silence in words. */

import { escapeMarkup } from '../../base/text/visible-text.ts';
import { MCP_LIMITS } from '../../limits.ts';
import { withoutWrapper } from '../../memory/shown/render.ts';
import type { PastSentence } from '../../toolbox/past-words.ts';
import { findHits, type Hit } from '../../toolbox/search-memories.ts';
import { jsonBytes, shownLine } from '../shown-text.ts';
import { PLACE_PROPERTIES, placeOf, READS_ONLY, type Tool, TYPE_SCHEMA } from './tool.ts';

interface SearchInput {
  readonly query: string;
  readonly limit?: number;
  readonly includeTranscripts?: boolean;
}

export const searchTool: Tool<SearchInput> = {
  name: 'memory_search',
  title: 'Search memory',
  description: [
    'Find what earlier sessions kept about this user and this project: preferences, corrections, decisions and their reasons, where things are.',
    'Call it before you plan or answer anything that may have been settled before, and whenever the user refers to the past.',
    'Certain results bear on the question; the others are guesses; no result means that nothing is remembered. A memory is a claim about the past: check the files and names in it before you rely on them.',
  ].join('\n'),
  annotations: READS_ONLY,
  input: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: MCP_LIMITS.queryCharacters,
        description: 'What you want to know, as a question or a few words',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: MCP_LIMITS.mostSearchHits,
        description: `At most this many; ${MCP_LIMITS.searchHits} unless said otherwise`,
      },
      includeTranscripts: {
        type: 'boolean',
        description: 'Also look for sentences that the user typed in earlier sessions of this project',
      },
    },
    required: ['query'],
  },
  output: {
    type: 'object',
    properties: {
      outcome: {
        type: 'string',
        enum: ['certain', 'guesses', 'nothing', 'off'],
        description: 'certain: at least one memory clearly bears on the question; off: memory is switched off',
      },
      memories: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            ...PLACE_PROPERTIES,
            type: TYPE_SCHEMA,
            name: { type: 'string' },
            description: { type: 'string' },
            certain: { type: 'boolean' },
            score: { type: 'number' },
            text: {
              type: 'string',
              description: 'The memory as it should be read; certain ones only, while there is room',
            },
          },
          required: ['file', 'scope', 'uri', 'type', 'name', 'description', 'certain', 'score'],
        },
      },
      typed: {
        type: 'array',
        description: 'What the user typed in earlier sessions, where that was asked for',
        items: {
          type: 'object',
          properties: { text: { type: 'string' }, at: { type: 'string' }, session: { type: 'string' } },
          required: ['text', 'at', 'session'],
        },
      },
    },
    required: ['outcome', 'memories'],
  },
  async run({ query, limit = MCP_LIMITS.searchHits, includeTranscripts = false }, { memory, searchPast }) {
    if (!memory.enabled) {
      return {
        text: `Memory is switched off: ${memory.offReason ?? 'by the settings'}.`,
        data: { outcome: 'off', memories: [] },
      };
    }
    const typed = (includeTranscripts ? await searchPast?.(query, limit) : undefined)?.found ?? [];
    const hits = fitted(await findHits(memory, { query, limit }), MCP_LIMITS.answerBytes - jsonBytes(typed));
    const outcome = hits.some(({ recalled }) => recalled.certain) ? 'certain' : hits.length > 0 ? 'guesses' : 'nothing';
    const data = { outcome, memories: hits.map(hitData), ...(includeTranscripts ? { typed } : {}) };
    return { text: hitsText(hits) + pastText(typed), data };
  },
};

interface Shown extends Hit {
  /** Null: the model is told of it, and reads it with memory_get. */
  readonly text: string | null;
}

/** Certain ones in full while there is room, then by name as guesses are; of those that have no room at all, the nearest stays. */
export function fitted(hits: readonly Hit[], maxBytes: number = MCP_LIMITS.answerBytes): readonly Shown[] {
  let bytesLeft = maxBytes - AROUND_HITS_BYTES;
  return hits.flatMap((hit, at): Shown[] => {
    const { certain, text } = hit.recalled;
    const forms = [...(certain ? [{ ...hit, text: withoutWrapper(text) }] : []), { ...hit, text: null }];
    const form = forms.find((each) => jsonBytes(hitData(each)) < bytesLeft) ?? (at === 0 ? forms.at(-1) : undefined);
    if (form === undefined) return [];
    bytesLeft -= jsonBytes(hitData(form)) + 1;
    return [form];
  });
}

/** `{"outcome":"certain","memories":[],"typed":}` */
const AROUND_HITS_BYTES = 100;

export function hitsText(hits: readonly Shown[]): string {
  if (hits.length === 0) return 'Nothing is remembered about that.';
  const certain = hits.filter(({ recalled }) => recalled.certain);
  const guesses = hits.filter(({ recalled }) => !recalled.certain);
  const parts = certain.flatMap(({ text }) => text ?? []);
  const unread = certain.filter(({ text }) => text === null);
  if (unread.length > 0)
    parts.push(
      ['Certain as well, but not shown here for their length; memory_get reads one:', ...unread.map(guessLine)].join(
        '\n',
      ),
    );
  if (guesses.length > 0) {
    const heading =
      certain.length > 0
        ? 'Less certain; read one with memory_get if it may matter:'
        : 'No memory clearly bears on that. The nearest, which may have nothing to do with it; memory_get reads one:';
    parts.push([heading, ...guesses.map(guessLine)].join('\n'));
  }
  return parts.join('\n\n---\n\n');
}

function pastText(typed: readonly PastSentence[]): string {
  if (typed.length === 0) return '';
  const lines = typed.map(
    ({ text, at, session }) => `- ${at.slice(0, DAY_CHARACTERS)}, session ${session}: "${escapeMarkup(text)}"`,
  );
  return ['', '', 'Typed by the user in earlier sessions:', ...lines].join('\n');
}

/** `2031-05-08` */
const DAY_CHARACTERS = 10;

function guessLine({ entry }: Hit): string {
  const description = shownLine(entry.description, MCP_LIMITS.nameCharacters);
  const name = shownLine(entry.name, MCP_LIMITS.nameCharacters);
  return `- [${entry.type ?? 'untyped'}] ${shownLine(entry.file, MCP_LIMITS.nameCharacters)} (${entry.scope}): ${name}${description === '' ? '' : `. ${description}`}`;
}

function hitData({ recalled, entry, text }: Shown) {
  return {
    ...placeOf(entry),
    type: entry.type ?? 'untyped',
    name: shownLine(entry.name, MCP_LIMITS.nameCharacters),
    description: shownLine(entry.description, MCP_LIMITS.descriptionCharacters),
    certain: recalled.certain,
    score: recalled.score,
    ...(text === null ? {} : { text }),
  };
}
