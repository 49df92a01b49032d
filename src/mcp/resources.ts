/** Memories and indexes as resources: listed page by page, read as a model should read them, completed by name. */

import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from '@modelcontextprotocol/server';
import type { MemoryScope } from '../base/taxonomy.ts';
import { openFolder } from '../disk/folder.ts';
import { ReverieError } from '../errors.ts';
import { LIMITS, type Limits, MCP_LIMITS } from '../limits.ts';
import { INDEX_FILE } from '../memory/files/walk.ts';
import { loadIndex } from '../memory/index/index-file.ts';
import type { Memory, MemoryEntry } from '../memory/memory.ts';
import type { Connection } from './connection.ts';
import { INDEX_TEMPLATE, indexUri, MEMORY_TEMPLATE, memoryUri, parseResourceUri } from './resource-uri.ts';
import { memoryText, shownLine } from './shown-text.ts';
import { problemText } from './tools/answer.ts';

const MARKDOWN = 'text/markdown';

export function registerResources(server: McpServer, connection: Connection): void {
  const { memory, now, indexLimits = LIMITS.index } = connection;
  const scopes = () => Object.keys(memory.folders) as MemoryScope[];
  const completeScope = (typed: string) => scopes().filter((scope) => scope.startsWith(typed));

  const read = async (uri: string) => {
    const name = parseResourceUri(uri);
    if (name === null) throw notThere(uri, 'There is no such resource.');
    try {
      const text =
        name.kind === 'index'
          ? await readIndexText(memory, name.scope, indexLimits)
          : memoryText(await memory.get(name.file, { scope: name.scope }), { now: now(), fromLine: 1 }).text;
      return { contents: [{ uri, mimeType: MARKDOWN, text }] };
    } catch (error) {
      throw notThere(uri, problemText(error));
    }
  };

  server.registerResource(
    'memory',
    new ResourceTemplate(MEMORY_TEMPLATE, {
      list: undefined,
      complete: {
        scope: completeScope,
        file: (typed, context) => completeFile(memory, typed, context?.arguments?.scope),
      },
    }),
    { title: 'A memory', description: 'One memory by its scope and file', mimeType: MARKDOWN },
    (uri) => read(uri.href),
  );
  server.registerResource(
    'index',
    new ResourceTemplate(INDEX_TEMPLATE, { list: undefined, complete: { scope: completeScope } }),
    { title: 'The index', description: 'One line for each memory of a scope', mimeType: MARKDOWN },
    (uri) => read(uri.href),
  );
  // The address is read as it was sent: a parsed URL would tidy its path, and name another file.
  server.server.setRequestHandler('resources/read', ({ params }) => read(params.uri));
  server.server.setRequestHandler('resources/list', async ({ params }) => listResources(memory, params?.cursor));
}

/** Ten thousand memories are not one message: a page at a time, each going on behind the last name of the one before. */
export async function listResources(memory: Memory, cursor: string | undefined) {
  const after = cursor === undefined ? null : readCursor(cursor);
  const entries = (await memory.list()).toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const rest = after === null ? entries : entries.filter((entry) => keyOf(entry) > after);
  const page = rest.slice(0, MCP_LIMITS.listedResources);
  const last = page.at(-1);
  const indexes = after === null ? (Object.keys(memory.folders) as MemoryScope[]).map(indexResource) : [];
  return {
    resources: [...indexes, ...page.map(memoryResource)],
    ...(rest.length > page.length && last ? { nextCursor: Buffer.from(keyOf(last)).toString('base64url') } : {}),
  };
}

function keyOf({ file, scope }: Pick<MemoryEntry, 'file' | 'scope'>): string {
  return `${file}\0${scope}`;
}

function readCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (/\0(?:project|global|team)$/.test(key)) return key;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one that this server gave out.');
}

function indexResource(scope: MemoryScope) {
  const { whose, title } = INDEX_WORDS[scope];
  return {
    uri: indexUri(scope),
    name: `MEMORY.md (${scope})`,
    title,
    description: `One line for each memory ${whose}`,
    mimeType: MARKDOWN,
    annotations: { audience: ['user' as const, 'assistant' as const], priority: 0.8 },
  };
}

const INDEX_WORDS = {
  project: { whose: 'of this project', title: "Index of this project's memory" },
  global: { whose: 'that holds in every project', title: 'Index of global memory' },
  team: { whose: 'that colleagues shared', title: "Index of the team's memory" },
} as const satisfies Record<MemoryScope, object>;

function memoryResource(entry: MemoryEntry) {
  return {
    uri: memoryUri(entry.scope, entry.file),
    name: shownLine(entry.file, MCP_LIMITS.nameCharacters),
    title: shownLine(entry.name, MCP_LIMITS.nameCharacters),
    description: shownLine(`${entry.type ?? 'untyped'}: ${entry.description}`, MCP_LIMITS.descriptionCharacters),
    mimeType: MARKDOWN,
    annotations: { lastModified: entry.modified, priority: entry.pinned ? 1 : 0.5 },
  };
}

async function completeFile(memory: Memory, typed: string, scope: string | undefined): Promise<string[]> {
  const entries = (await memory.list()).filter((entry) => scope === undefined || entry.scope === scope);
  const files = [...new Set(entries.map(({ file }) => file))];
  const wanted = typed.toLowerCase();
  const begins = files.filter((file) => file.toLowerCase().startsWith(wanted));
  const holds = files.filter((file) => !file.toLowerCase().startsWith(wanted) && file.toLowerCase().includes(wanted));
  return [...begins, ...holds];
}

function notThere(uri: string, message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { uri });
}

// MEMORY.md of one scope as a conversation would get it: within the limits of the index.

async function readIndexText(memory: Memory, scope: MemoryScope, limits: Limits['index']): Promise<string> {
  const folder = memory.folders[scope];
  if (folder === undefined) throw new ReverieError({ code: 'not-found', message: `There is no ${scope} memory here` });
  const index = readIndexFile(folder);
  if (index === null) return 'Nothing is remembered yet.\n';
  const entries = new Map(
    (await memory.list()).filter((entry) => entry.scope === scope).map((entry) => [entry.file, entry]),
  );
  const { text, notice } = loadIndex(index, {
    limits,
    isPinned: (file) => entries.get(file)?.pinned === true,
    modified: (file) => Date.parse(entries.get(file)?.modified ?? '') || 0,
  });
  return notice === null ? text : `${text}\n${notice}\n`;
}

/** Through the folder's descriptor: a link in place of the index leads nowhere. */
function readIndexFile(path: string): string | null {
  const folder = openFolder(path);
  try {
    return folder?.read(INDEX_FILE)?.toString('utf8') ?? null;
  } finally {
    folder?.close();
  }
}
