/** One tool as a server lists it, read into what the model may see of it. What a server says of its own tools is not believed, only shown. */

import { MCP_SERVER_LIMITS } from '../../limits.ts';
import type { JsonSchema } from '../../model/model.ts';
import { shownLine, shownText } from './shown-text.ts';
import { toolName } from './tool-name.ts';

/** Bytes of the schema of one tool's input, and how deep it may nest. */
const SCHEMA_BYTES = 65_536;
const SCHEMA_DEPTH = 64;

export interface ToolDefinition {
  /** What the model calls it. */
  readonly name: string;
  /** What its server calls it. */
  readonly remoteName: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export type DefinitionOutcome =
  | { readonly kind: 'ok'; readonly definition: ToolDefinition }
  | { readonly kind: 'left-out'; readonly tool: string; readonly reason: string };

const RULE_CHARACTERS = 600;
const SHOWN_NAME_CHARACTERS = 60;

export function readDefinition(listed: unknown, facts: { readonly server: string }): DefinitionOutcome {
  const tool = recordOf(listed);
  const remoteName = tool.name;
  if (typeof remoteName !== 'string' || remoteName === '')
    return { kind: 'left-out', tool: 'a tool without a name', reason: 'it cannot be called' };
  const read = readSchema(tool.inputSchema);
  if (read.kind === 'unfit')
    return { kind: 'left-out', tool: shownLine(remoteName, SHOWN_NAME_CHARACTERS), reason: read.reason };
  const name = toolName(facts.server, remoteName);
  const said = [tool.description, tool.title, remoteName].find(
    (each) => typeof each === 'string' && each.trim() !== '',
  );
  const description = describe(String(said), { rule: read.rule, characters: MCP_SERVER_LIMITS.descriptionCharacters });
  return { kind: 'ok', definition: { name, remoteName, description, inputSchema: read.schema } };
}

function describe(text: string, { rule, characters }: { rule: string; characters: number }): string {
  const addition =
    rule === '' || rule.length > RULE_CHARACTERS ? '' : `\n\nThe input as a whole must also fit: ${rule}`;
  return `${shownText(text, characters - addition.length)}${addition}`;
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

// Whether a server's schema may stand in a request: one that a provider refuses would fail every request of the session.

type SchemaOutcome =
  | {
      readonly kind: 'ok';
      readonly schema: JsonSchema;
      /** A rule about the whole input that providers do not take; told in words instead. */
      readonly rule: string;
    }
  | { readonly kind: 'unfit'; readonly reason: string };

type Node = Readonly<Record<string, unknown>>;

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
const KEY = /^[a-zA-Z0-9_.-]{1,64}$/;
/** Fine below the root. */
const ROOT_CHOICES = ['oneOf', 'anyOf', 'allOf'];
const NAMED_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SCHEMAS = 'items additionalProperties not if then else contains propertyNames unevaluatedProperties'.split(' ');
const NUMBERS =
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties'.split(
    ' ',
  );
const TEXTS = ['description', 'title', 'pattern', 'format', '$ref'];
/** JSON.stringify escapes only those halves of a pair that have lost the other. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;

export function readSchema(raw: unknown): SchemaOutcome {
  if (!isNode(raw) || raw.type !== 'object') return unfit('its input is no object schema');
  if (isTooDeep(raw, SCHEMA_DEPTH)) return unfit('its schema nests too deep');
  const json = JSON.stringify(raw);
  if (Buffer.byteLength(json) > SCHEMA_BYTES) return unfit(`its schema is larger than ${SCHEMA_BYTES} bytes`);
  if (LONE_SURROGATE.test(json)) return unfit('its schema holds broken characters');
  const problem = problemIn(raw) ?? keyProblem(raw);
  if (problem !== null) return unfit(problem);
  const choices = Object.entries(raw).filter(([key]) => ROOT_CHOICES.includes(key));
  const kept = Object.entries(raw).filter(([key]) => !ROOT_CHOICES.includes(key));
  const rule = choices.length === 0 ? '' : JSON.stringify(Object.fromEntries(choices));
  return { kind: 'ok', schema: { ...Object.fromEntries(kept), type: 'object' }, rule };
}

function unfit(reason: string): SchemaOutcome {
  return { kind: 'unfit', reason };
}

function keyProblem({ properties }: Node): string | null {
  const odd = Object.keys(isNode(properties) ? properties : {}).find((key) => !KEY.test(key));
  return odd === undefined ? null : `models take no property named ${JSON.stringify(odd.slice(0, 40))}`;
}

/** By a list of its own, so that no nesting can overflow the stack. */
function isTooDeep(raw: Node, depth: number): boolean {
  let level: object[] = [raw];
  for (let at = 0; level.length > 0; at++) {
    if (at > depth) return true;
    level = level.flatMap((each) => Object.values(each)).filter((each) => typeof each === 'object' && each !== null);
  }
  return false;
}

function problemIn(node: Node): string | null {
  const { type, required, enum: choices } = node;
  const types = type === undefined ? [] : Array.isArray(type) ? type : [type];
  const wrong = types.find((each) => !TYPES.has(each as string));
  if (wrong !== undefined) return `its schema has a type that does not exist: ${JSON.stringify(wrong)?.slice(0, 40)}`;
  if (required !== undefined && !(Array.isArray(required) && required.every((each) => typeof each === 'string')))
    return 'its schema has a `required` that is not a list of names';
  if (choices !== undefined && !Array.isArray(choices)) return 'its schema has an `enum` that is no list';
  const noNumber = NUMBERS.find((key) => node[key] !== undefined && typeof node[key] !== 'number');
  if (noNumber !== undefined) return `its schema has a \`${noNumber}\` that is no number`;
  const noText = TEXTS.find((key) => node[key] !== undefined && typeof node[key] !== 'string');
  if (noText !== undefined) return `its schema has a \`${noText}\` that is no text`;
  return problemBelow(node);
}

function problemBelow(node: Node): string | null {
  const below: [key: string, schema: unknown][] = [];
  for (const key of NAMED_SCHEMAS) {
    if (node[key] === undefined) continue;
    if (!isNode(node[key])) return `its schema has \`${key}\` that are no object`;
    below.push(...Object.values(node[key]).map((each): [string, unknown] => [key, each]));
  }
  for (const key of SCHEMA_LISTS) {
    if (node[key] === undefined) continue;
    if (!Array.isArray(node[key])) return `its schema has a \`${key}\` that is no list`;
    below.push(...node[key].map((each): [string, unknown] => [key, each]));
  }
  for (const key of SCHEMAS) if (node[key] !== undefined) below.push([key, node[key]]);
  for (const [key, schema] of below) {
    if (typeof schema === 'boolean') continue;
    if (!isNode(schema)) return `its schema has something in \`${key}\` that is no schema`;
    const problem = problemIn(schema);
    if (problem !== null) return problem;
  }
  return null;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
