/** `memory_list`: what there is, one line each, the most useful first. */

import { MEMORY_SCOPES, MEMORY_TYPES, type MemoryScope, type MemoryType } from '../../base/taxonomy.ts';
import { MCP_LIMITS } from '../../limits.ts';
import { byUse } from '../../memory/index/order.ts';
import type { MemoryEntry } from '../../memory/memory.ts';
import { jsonBytes, shownLine } from '../shown-text.ts';
import { offError } from './get.ts';
import { PLACE_PROPERTIES, placeOf, READS_ONLY, type Tool, TYPE_SCHEMA } from './tool.ts';

interface ListInput {
  readonly type?: MemoryType;
  readonly scope?: MemoryScope;
  readonly from?: number;
}

export const listTool: Tool<ListInput> = {
  name: 'memory_list',
  title: 'List memories',
  description:
    'See what is remembered, one line each: pinned ones first, then how to work, then the newest. To find what bears on a question, memory_search is better. A long list comes in parts: call again with from set to nextFrom.',
  annotations: READS_ONLY,
  input: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: [...MEMORY_TYPES], description: 'Only those of this type' },
      scope: {
        type: 'string',
        enum: [...MEMORY_SCOPES],
        description: 'Only those of this project, or only global ones',
      },
      from: { type: 'integer', minimum: 1, description: 'The place in the list to go on from' },
    },
  },
  output: {
    type: 'object',
    properties: {
      total: { type: 'integer' },
      memories: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            ...PLACE_PROPERTIES,
            type: TYPE_SCHEMA,
            name: { type: 'string' },
            description: { type: 'string' },
            pinned: { type: 'boolean' },
            modified: { type: 'string' },
          },
          required: ['file', 'scope', 'uri', 'type', 'name', 'description', 'pinned', 'modified'],
        },
      },
      nextFrom: { type: 'integer', description: 'Where the rest begins; absent when this is all' },
    },
    required: ['total', 'memories'],
  },
  async run({ type, scope, from = 1 }, { memory }) {
    if (!memory.enabled) throw offError(memory.offReason);
    const entries = (await memory.list())
      .filter((entry) => (type === undefined || entry.type === type) && (scope === undefined || entry.scope === scope))
      .toSorted(byUse);
    const page = pageOf(entries.slice(from - 1));
    const nextFrom = from + page.length <= entries.length ? from + page.length : null;
    const data = { total: entries.length, memories: page.map(listed) };
    if (page.length === 0) return { text: 'Nothing is remembered here.', data };
    const rest = nextFrom === null ? [] : [`[${entries.length} in all. The rest: memory_list with from ${nextFrom}.]`];
    return {
      text: [...page.map(lineOf), ...rest].join('\n'),
      data: { ...data, ...(nextFrom === null ? {} : { nextFrom }) },
    };
  },
};

/** As many as one answer holds, and always one. */
function pageOf(entries: readonly MemoryEntry[]): readonly MemoryEntry[] {
  let bytes = 0;
  const tooFar = entries.findIndex((entry) => {
    bytes += jsonBytes(listed(entry)) + 1;
    return bytes > MCP_LIMITS.answerBytes - AROUND_PAGE_BYTES;
  });
  return tooFar === -1 ? entries : entries.slice(0, Math.max(1, tooFar));
}

/** `{"total":12345,"memories":[],"nextFrom":12345}` */
const AROUND_PAGE_BYTES = 100;

function listed(entry: MemoryEntry) {
  return {
    ...placeOf(entry),
    type: entry.type ?? 'untyped',
    name: shownLine(entry.name, MCP_LIMITS.nameCharacters),
    description: shownLine(entry.description, MCP_LIMITS.nameCharacters),
    pinned: entry.pinned,
    modified: entry.modified,
  };
}

function lineOf(entry: MemoryEntry): string {
  const { type, description, pinned } = listed(entry);
  const marks = [type, ...(pinned ? ['pinned'] : [])].join(', ');
  const file = shownLine(entry.file, MCP_LIMITS.nameCharacters);
  return `- [${marks}] ${file} (${entry.scope})${description === '' ? '' : `: ${description}`}`;
}
