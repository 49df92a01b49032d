/** `memory_get`: one memory in full, part by part where it is long. */

import { ReverieError } from '../../errors.ts';
import { MCP_LIMITS } from '../../limits.ts';
import { jsonBytes, memoryText, shownLine } from '../shown-text.ts';
import {
  FILE_SCHEMA,
  fileOf,
  type NamedFile,
  PLACE_PROPERTIES,
  placeOf,
  READS_ONLY,
  SCOPE_SCHEMA,
  type Tool,
  TYPE_SCHEMA,
} from './tool.ts';

interface GetInput extends NamedFile {
  readonly line?: number;
}

export const getTool: Tool<GetInput> = {
  name: 'memory_get',
  title: 'Read a memory',
  description:
    'Read one memory in full, by the file that memory_search, memory_list or the index named. A long one comes in parts: call again with line set to nextLine.',
  annotations: READS_ONLY,
  input: {
    type: 'object',
    properties: {
      file: FILE_SCHEMA,
      scope: SCOPE_SCHEMA,
      line: { type: 'integer', minimum: 1, description: 'The line of the text to go on from' },
    },
    required: ['file'],
  },
  output: {
    type: 'object',
    properties: {
      ...PLACE_PROPERTIES,
      type: TYPE_SCHEMA,
      name: { type: 'string' },
      description: { type: 'string' },
      source: { type: 'string', description: 'Whose word it is: said by the user, seen, inferred or imported' },
      modified: { type: 'string' },
      pinned: { type: 'boolean' },
      text: { type: 'string', description: 'The memory as it should be read' },
      nextLine: { type: 'integer', description: 'Where the rest begins; absent when this is all' },
    },
    required: ['file', 'scope', 'uri', 'type', 'name', 'description', 'source', 'modified', 'text'],
  },
  async run({ line = 1, ...named }, { memory, now }) {
    if (!memory.enabled) throw offError(memory.offReason);
    const { file, options } = fileOf(named);
    const entry = await memory.get(file, options);
    const about = {
      ...placeOf(entry),
      type: entry.type ?? 'untyped',
      name: shownLine(entry.name, MCP_LIMITS.nameCharacters),
      description: shownLine(entry.description, MCP_LIMITS.descriptionCharacters),
      source: entry.source,
      modified: entry.modified,
      pinned: entry.pinned,
    };
    const heading = memoryText({ ...entry, body: '' }, { now: now(), fromLine: 1 }).text;
    const maxBytes = MCP_LIMITS.answerBytes - jsonBytes({ ...about, text: heading, nextLine: line });
    const { text, nextLine } = memoryText(entry, { now: now(), fromLine: line, maxBytes });
    const rest = nextLine === null ? '' : `\n[Cut here. The rest: memory_get with line ${nextLine}.]`;
    return { text: text + rest, data: { ...about, text, ...(nextLine === null ? {} : { nextLine }) } };
  },
};

export function offError(reason: string | null): ReverieError {
  return new ReverieError({ code: 'memory-off', message: `Memory is switched off: ${reason ?? 'by the settings'}` });
}
