/** What a tool is here: what the client is told about it, and a function over the memory that answers in words and data. */

import type { JsonSchemaType, ToolAnnotations } from '@modelcontextprotocol/server';
import { MEMORY_SCOPES, MEMORY_TYPES, type MemoryScope } from '../../base/taxonomy.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { MCP_LIMITS } from '../../limits.ts';
import { parseReference } from '../../memory/find-memory.ts';
import type { SpanMessage } from '../../memory/gate/index.ts';
import type { Memory } from '../../memory/memory.ts';
import type { McpPorts } from '../connection.ts';
import { memoryUri } from '../resource-uri.ts';

export interface ToolPorts extends Pick<McpPorts, 'searchPast' | 'mailbox'> {
  readonly memory: Memory;
  /** What the user is known to have typed lately, with what came along. */
  heard(): readonly SpanMessage[];
  /** The client by its own account, for the journal; empty when it did not say. */
  readonly client: string;
  now(): Date;
}

export interface ToolAnswer {
  /** What the model reads. */
  readonly text: string;
  /** The same as data, by the tool's output schema. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Tool<Input = never> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: JsonSchemaType;
  readonly output: JsonSchemaType;
  run(input: Input, ports: ToolPorts): Promise<ToolAnswer>;
}

export interface NamedFile {
  readonly file: string;
  readonly scope?: MemoryScope;
}

/** Other names for what a memory is about. */
export const ALIASES_SCHEMA: JsonSchemaType = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: MCP_LIMITS.aliasCharacters },
  maxItems: MCP_LIMITS.aliases,
  description:
    'What else people call its subject: k8s, a code name, a nickname. A question in those words then finds it',
};

export const FILE_SCHEMA: JsonSchemaType = {
  type: 'string',
  minLength: 1,
  maxLength: 4_096,
  description: 'The file as memory_search or the index names it, such as feedback_no-mocks.md; `.md` may be left out',
};

/** Models leave `.md` out, or put the scope in front as the terminal does. */
export function fileOf({ file, scope }: NamedFile): { file: string; options: { scope?: MemoryScope } } {
  const named = parseReference(file);
  const chosen = scope ?? named.scope;
  return { file: named.file, options: chosen === undefined ? {} : { scope: chosen } };
}

export const SCOPE_SCHEMA: JsonSchemaType = {
  type: 'string',
  enum: [...MEMORY_SCOPES],
  description: 'Needed only when both scopes have a file of that name',
};

/** Where a memory is. A name with invisible characters is exact in the address only. */
export function placeOf(place: { readonly scope: MemoryScope; readonly file: string }) {
  const { scope, file } = place;
  return { file: stripInvisible(file).text, scope, uri: memoryUri(scope, file) };
}

export const PLACE_PROPERTIES: Record<string, JsonSchemaType> = {
  file: { type: 'string' },
  scope: { type: 'string', enum: [...MEMORY_SCOPES] },
  uri: { type: 'string', description: 'Its address as a resource' },
};

/** One type a property: some clients map schemas onto a dialect that knows no null. */
export const TYPE_SCHEMA: JsonSchemaType = { type: 'string', enum: [...MEMORY_TYPES, 'untyped'] };

/** For clients: a tool that changes nothing. */
export const READS_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
