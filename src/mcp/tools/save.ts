/** `memory_save`: keep one fact for later sessions. Its description is where a model learns what is worth keeping. */

import {
  MEMORY_SOURCES,
  MEMORY_TYPES,
  type MemoryScope,
  type MemorySource,
  type MemoryType,
  OWN_SCOPES,
} from '../../base/taxonomy.ts';
import { MCP_LIMITS } from '../../limits.ts';
import { saveUnheard, type UnheardOutcome } from '../../toolbox/unheard-save/save-unheard.ts';
import { shownLine } from '../shown-text.ts';
import { ALIASES_SCHEMA, PLACE_PROPERTIES, placeOf, type Tool, type ToolAnswer } from './tool.ts';

/** What a model may claim; only importing brings `imported`. */
const SOURCES = ['said', 'seen', 'inferred'] as const;

interface SaveInput {
  readonly type: MemoryType;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly scope?: MemoryScope;
  readonly source?: (typeof SOURCES)[number];
  readonly quote?: string;
  readonly supersedes?: string;
  readonly aliases?: readonly string[];
}

export const saveTool: Tool<SaveInput> = {
  name: 'memory_save',
  title: 'Save a memory',
  description: [
    'Keep one fact for later sessions. Save when the user asks you to remember something, corrects how you work or confirms an unusual choice, says who they are or what they prefer, or gives a reason, an owner or a date that the project itself does not show.',
    'Do not save what the project shows (code, structure, paths, git history, how a bug was fixed), what instruction files say, or the state of the task at hand. Asked to save that, ask what about it was surprising and save the answer. Never save secrets.',
    'Give the user’s own words as quote. Where Reverie saw them typed, it is kept as the user’s word; otherwise as unconfirmed, until the user runs `reverie memory confirm`.',
    'Search first: do not repeat a memory; when the user’s words replace one, name it in supersedes; when only its text is out of date, memory_update it; when it is wrong, memory_forget it.',
  ].join('\n'),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: {
    type: 'object',
    properties: {
      type: {
        type: 'string',
        enum: [...MEMORY_TYPES],
        description:
          'user: who the person is, what they know and prefer. feedback: how to work, corrected or confirmed. project: who does what, why, by when. reference: where things are in other systems, and what for.',
      },
      name: {
        type: 'string',
        minLength: 1,
        maxLength: MCP_LIMITS.nameCharacters,
        description: 'A short title; the file is named after it',
      },
      description: {
        type: 'string',
        minLength: 1,
        maxLength: MCP_LIMITS.descriptionCharacters,
        description: 'One specific line that says what it is and when it matters; search reads it',
      },
      body: {
        type: 'string',
        minLength: 1,
        maxLength: MCP_LIMITS.bodyCharacters,
        description:
          'Markdown. For feedback and project: the rule or fact, then **Why:**, then **How to apply:**. Dates absolute.',
      },
      scope: {
        type: 'string',
        enum: [...OWN_SCOPES],
        description: 'global holds in every project. Unless said otherwise: global for user, project for the rest',
      },
      source: {
        type: 'string',
        enum: [...SOURCES],
        description:
          'said: the user told you so; it counts as inferred unless Reverie saw them type the quote. seen: from a file, a page or output. inferred: your own conclusion, and what counts when this is left out',
      },
      quote: {
        type: 'string',
        maxLength: MCP_LIMITS.bodyCharacters,
        description:
          'The user’s own words it rests on, copied word for word from a message they typed; not from a file, a page or a paste. Only words that Reverie saw them type make it the user’s word',
      },
      aliases: ALIASES_SCHEMA,
      supersedes: {
        type: 'string',
        maxLength: MCP_LIMITS.nameCharacters,
        description:
          'The file of a memory that this one replaces, where the user’s newer words change what it says. The old one is kept, but no longer counts',
      },
    },
    required: ['type', 'name', 'description', 'body'],
  },
  output: {
    type: 'object',
    properties: {
      ...PLACE_PROPERTIES,
      outcome: {
        type: 'string',
        enum: ['saved', 'duplicate', 'confirmed'],
        description:
          'duplicate: the file named says it already. confirmed: it does, and is the user’s word from now on',
      },
      source: { type: 'string', enum: [...MEMORY_SOURCES], description: 'As whose word it is kept' },
      change: {
        type: 'string',
        description: 'Takes it back: reverie memory undo <change>; empty when nothing changed',
      },
      warnings: { type: 'array', items: { type: 'string' } },
    },
    required: ['file', 'scope', 'uri', 'outcome', 'source', 'change', 'warnings'],
  },
  async run(save, { memory, heard, client, now }) {
    return answerOf(await saveUnheard(save, { memory, heard: heard(), client, way: 'over MCP', now: now() }));
  },
};

function answerOf(outcome: UnheardOutcome): ToolAnswer {
  if (outcome.kind === 'saved') {
    const { saved, source } = outcome;
    const warnings = outcome.notes.map((note) => shownLine(note, MCP_LIMITS.descriptionCharacters));
    return {
      text: [`Saved as ${saved.file} (${saved.scope}), ${MEANING[source]}.`, ...warnings].join('\n'),
      data: { ...placeOf(saved), outcome: 'saved', source, change: saved.change, warnings },
    };
  }
  const { entry } = outcome;
  const place = placeOf(entry);
  const known = `${place.file} (${place.scope}) says the same already`;
  if (outcome.kind === 'duplicate') {
    return {
      text: `${known}. Nothing was written.`,
      data: { ...place, outcome: 'duplicate', source: entry.source, change: '', warnings: [] },
    };
  }
  return {
    text: `${known}, and is kept ${MEANING.said} from now on.`,
    data: { ...place, outcome: 'confirmed', source: 'said', change: outcome.change, warnings: [] },
  };
}

export const MEANING: Readonly<Record<MemorySource, string>> = {
  said: 'as the user’s word',
  inferred: 'as your conclusion',
  seen: 'as seen, not as the user’s word',
  imported: 'as imported',
};
