/** `memory_update`: change the text of one memory that is there. */

import { MEMORY_SOURCES } from '../../base/taxonomy.ts';
import { MCP_LIMITS } from '../../limits.ts';
import { type UnheardChanges, updateUnheard } from '../../toolbox/unheard-save/update-unheard.ts';
import { shownLine } from '../shown-text.ts';
import { offError } from './get.ts';
import { MEANING } from './save.ts';
import {
  ALIASES_SCHEMA,
  FILE_SCHEMA,
  fileOf,
  type NamedFile,
  PLACE_PROPERTIES,
  placeOf,
  SCOPE_SCHEMA,
  type Tool,
} from './tool.ts';

interface UpdateInput extends NamedFile {
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
  readonly quote?: string;
  readonly aliases?: readonly string[];
}

export const updateTool: Tool<UpdateInput> = {
  name: 'memory_update',
  title: 'Update a memory',
  description: [
    'Change the text of one memory that is still right but out of date or unclear. What you leave out stays; aliases take the place of those it has.',
    'What the user said, or pinned, changes only by what they typed since: give their newer words as quote. A new fact is a new memory: memory_save.',
  ].join('\n'),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: {
    type: 'object',
    properties: {
      file: FILE_SCHEMA,
      scope: SCOPE_SCHEMA,
      name: { type: 'string', minLength: 1, maxLength: MCP_LIMITS.nameCharacters, description: 'A new title' },
      description: {
        type: 'string',
        minLength: 1,
        maxLength: MCP_LIMITS.descriptionCharacters,
        description: 'A new line that says what it is and when it matters',
      },
      body: {
        type: 'string',
        minLength: 1,
        maxLength: MCP_LIMITS.bodyCharacters,
        description: 'The whole new text in markdown; read the old one with memory_get first',
      },
      aliases: ALIASES_SCHEMA,
      quote: {
        type: 'string',
        maxLength: MCP_LIMITS.bodyCharacters,
        description: 'The user’s own words that the change rests on, word for word as they typed them',
      },
    },
    required: ['file'],
  },
  output: {
    type: 'object',
    properties: {
      ...PLACE_PROPERTIES,
      source: { type: 'string', enum: [...MEMORY_SOURCES], description: 'As whose word it is kept' },
      change: { type: 'string', description: 'Takes it back: reverie memory undo <change>' },
      warnings: { type: 'array', items: { type: 'string' } },
    },
    required: ['file', 'scope', 'uri', 'source', 'change', 'warnings'],
  },
  async run({ file: named, scope, ...changes }, { memory, heard, client, now }) {
    if (!memory.enabled) throw offError(memory.offReason);
    const { file, options } = fileOf({ file: named, ...(scope === undefined ? {} : { scope }) });
    const old = await memory.get(file, options);
    const facts = { memory, heard: heard(), client, way: 'over MCP', now: now() };
    const { saved, source } = await updateUnheard(old, changes satisfies UnheardChanges, facts);
    const warnings = saved.warnings.map((warning) => shownLine(warning, MCP_LIMITS.descriptionCharacters));
    return {
      text: [`Updated ${saved.file} (${saved.scope}), kept ${MEANING[source]}.`, ...warnings].join('\n'),
      data: { ...placeOf(saved), source, change: saved.change, warnings },
    };
  },
};
