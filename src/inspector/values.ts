/** Reads what the page sends: a wrong value is refused by name, never guessed at. */

import { MEMORY_SCOPES, type MemoryScope } from '../base/taxonomy.ts';
import { Refusal } from './refusal.ts';

type Fields = Readonly<Record<string, unknown>>;

export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal({ status: 400, message: `"${name}" is missing.` });
}

export function scopeOf(fields: Fields): MemoryScope {
  const scope = MEMORY_SCOPES.find((each) => each === fields.scope);
  if (scope !== undefined) return scope;
  throw new Refusal({ status: 400, message: '"scope" is neither project nor global.' });
}

export function numbersOf(fields: Fields, name: string): readonly number[] | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((each) => Number.isSafeInteger(each))) return value as number[];
  throw new Refusal({ status: 400, message: `"${name}" is no list of numbers.` });
}

/** Long texts are cut where nobody reads on: a page must not stall over one message. */
export function cutText(text: string, most: number): { readonly text: string; readonly cutCharacters: number } {
  return text.length <= most
    ? { text, cutCharacters: 0 }
    : { text: text.slice(0, most), cutCharacters: text.length - most };
}
