/** Whether a model's input fits a tool's schema, forgiving what models get slightly wrong; the reason is what the model reads. */

import { isObject } from '../base/values.ts';
import type { JsonSchema } from '../model/model.ts';
import type { ToolInput } from './tool.ts';
import { nearest } from './tools/likeness.ts';

export type CheckedInput =
  | { readonly kind: 'ok'; readonly input: ToolInput }
  | { readonly kind: 'wrong'; readonly reason: string };

type Schema = Readonly<Record<string, unknown>>;

/** What is not understood of a schema (a tool server's may hold anything) is not checked: the tool itself will object. */
export function checkInput(schema: JsonSchema, input: unknown): CheckedInput {
  const wrongs: string[] = [];
  const checked = checkValue(schema, input ?? {}, { path: '', wrongs });
  if (wrongs.length === 0) return { kind: 'ok', input: checked as ToolInput };
  return {
    kind: 'wrong',
    reason: `The input is wrong: ${wrongs.join('; ')}. Nothing was done; call again with it corrected.`,
  };
}

interface At {
  readonly path: string;
  readonly wrongs: string[];
}

function checkValue(schema: Schema, given: unknown, at: At): unknown {
  const types = typesOf(schema);
  const value = forgive(types, given);
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) {
    at.wrongs.push(`${nameOf(at.path)} must be ${types.map(withArticle).join(' or ')}, not ${describe(given)}`);
    return given;
  }
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) {
    const known = schema.enum.map((each) => JSON.stringify(each)).join(', ');
    at.wrongs.push(`${nameOf(at.path)} must be one of ${known}, not ${describe(given)}`);
  }
  if (typeof value === 'number') checkRange(schema, value, at);
  if (Array.isArray(value)) return checkList(schema, value, at);
  if (isObject(value)) return checkRecord(schema, value, at);
  return value;
}

function checkRange(schema: Schema, value: number, at: At): void {
  if (typeof schema.minimum === 'number' && value < schema.minimum)
    at.wrongs.push(`${nameOf(at.path)} must be at least ${schema.minimum}`);
  if (typeof schema.maximum === 'number' && value > schema.maximum)
    at.wrongs.push(`${nameOf(at.path)} must be at most ${schema.maximum}`);
}

function checkList(schema: Schema, value: readonly unknown[], at: At): unknown {
  const { items } = schema;
  if (!isObject(items)) return value;
  return value.map((item, index) => checkValue(items, item, { ...at, path: `${at.path}[${index}]` }));
}

function checkRecord(schema: Schema, value: Schema, at: At): unknown {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  // A model that writes null for what it leaves out means that it is left out.
  const given = Object.entries(value).filter(
    ([name, each]) => each !== undefined && (each !== null || !isOptional(name, { properties, required })),
  );
  const missing = required.filter((name) => !given.some(([each]) => each === name));
  for (const name of missing) at.wrongs.push(`${nameOf(join(at.path, name))} is missing`);
  const checked = given.map(([name, each]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isObject(property)) return [name, checkValue(property, each, { ...at, path: join(at.path, name) })];
    if (property === undefined && schema.additionalProperties === false)
      at.wrongs.push(unknownProperty(join(at.path, name), name, Object.keys(properties)));
    return [name, each];
  });
  return Object.fromEntries(checked);
}

function isOptional(name: string, schema: { properties: Schema; required: readonly string[] }): boolean {
  const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  return !schema.required.includes(name) && isObject(property) && !typesOf(property).includes('null');
}

function unknownProperty(path: string, name: string, known: readonly string[]): string {
  const [near] = nearest(name, known);
  const hint = near === undefined ? `known: ${known.join(', ')}` : `did you mean \`${near}\`?`;
  return `${nameOf(path)} is not known (${hint})`;
}

/** A number or a yes written as text, and a list or an object written as JSON, are taken for what they stand for. */
function forgive(types: readonly string[], value: unknown): unknown {
  if (typeof value !== 'string' || types.length === 0 || types.includes('string')) return value;
  const text = value.trim();
  if (types.includes('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const isNumeric = types.includes('number') || types.includes('integer');
  if (isNumeric && /^[-+]?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const isNested =
    (types.includes('array') && text.startsWith('[')) || (types.includes('object') && text.startsWith('{'));
  return isNested ? parsedOr(value, text) : value;
}

function parsedOr(value: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return value;
  }
}

function typesOf(schema: Schema): readonly string[] {
  if (typeof schema.type === 'string') return [schema.type];
  return Array.isArray(schema.type) ? schema.type.filter((type) => typeof type === 'string') : [];
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
  }
  return true;
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

const SHOWN_CHARACTERS = 60;

function describe(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length <= SHOWN_CHARACTERS ? json : `${json.slice(0, SHOWN_CHARACTERS)}…`;
}

function nameOf(path: string): string {
  return path === '' ? 'the input' : `\`${path}\``;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
