/** `memory_save`: keep one fact for later sessions. Its description is where a model learns what is worth keeping. */

import { MCP_LIMITS } from '../../limits.ts';
import { MEMORY_SCOPES, MEMORY_TYPES, type MemoryScope, type MemoryType } from '../../memory/taxonomy.ts';
import { shownLine } from '../shown-text.ts';
import { PLACE_PROPERTIES, placeOf, type Tool } from './tool.ts';

/** What a model may claim; only importing brings `imported`. */
const SOURCES = ['said', 'seen', 'inferred'] as const;

interface SaveInput {
  readonly type: MemoryType;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly scope?: MemoryScope;
  readonly source?: (typeof SOURCES)[number];
}

export const saveTool: Tool<SaveInput> = {
  name: 'memory_save',
  title: 'Save a memory',
  description: [
    'Keep one fact for later sessions. Save when the user asks you to remember something, corrects how you work or confirms an unusual choice, says who they are or what they prefer, or gives a reason, an owner or a date that the project itself does not show.',
    'Do not save what the project shows (code, structure, paths, git history, how a bug was fixed), what instruction files say, or the state of the task at hand. Asked to save that, ask what about it was surprising and save the answer. Never save secrets.',
    'Search first: do not repeat a memory; when one is wrong, memory_forget it and save the right one.',
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
        enum: [...MEMORY_SCOPES],
        description: 'global holds in every project. Unless said otherwise: global for user, project for the rest',
      },
      source: {
        type: 'string',
        enum: [...SOURCES],
        description:
          'said: the user told you so. seen: from a file, a page or output. inferred: your own conclusion, and what counts when this is left out',
      },
    },
    required: ['type', 'name', 'description', 'body'],
  },
  output: {
    type: 'object',
    properties: {
      ...PLACE_PROPERTIES,
      change: { type: 'string', description: 'Takes it back: reverie memory undo <change>' },
      warnings: { type: 'array', items: { type: 'string' } },
    },
    required: ['file', 'scope', 'uri', 'change', 'warnings'],
  },
  async run({ type, name, description, body, scope, source = 'inferred' }, { memory, client }) {
    const origin = client === '' ? {} : { origin: { client } };
    const saved = await memory.save(
      { type, name, description, body, source, ...origin, ...(scope === undefined ? {} : { scope }) },
      { who: 'agent', reason: client === '' ? 'saved over MCP' : `saved over MCP by ${client}` },
    );
    const warnings = saved.warnings.map((warning) => shownLine(warning, MCP_LIMITS.descriptionCharacters));
    return {
      text: [`Saved as ${saved.file} (${saved.scope}).`, ...warnings].join('\n'),
      data: {
        ...placeOf(saved),
        change: saved.change,
        warnings,
      },
    };
  },
};
