/** The fields of a header, whichever reader found them: exact, YAML, or line by line. */

import { stripInvisible } from '../text/visible-text.ts';

export type ScalarPairs = ReadonlyArray<readonly [string, string]>;

export type FieldValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing' }
  /** A mapping of scalars. */
  | { readonly kind: 'mapping'; readonly pairs: ScalarPairs; readonly source: string }
  /** A list of scalars and of mappings of scalars. */
  | { readonly kind: 'list'; readonly items: ReadonlyArray<string | ScalarPairs>; readonly source: string }
  /** Something deeper, as it was written. */
  | { readonly kind: 'other'; readonly source: string }
  | { readonly kind: 'alias'; readonly source: string };

export interface Field {
  /** Lower case, without invisible characters. */
  readonly key: string;
  /** The mapping it is in; null at the top. */
  readonly within: string | null;
  readonly value: FieldValue;
  /** Zero-based line within the header. */
  readonly line: number;
  /** The text as written was kept, because YAML would reject it or drop a part. */
  readonly recovered: boolean;
  /** A comment cuts the value short. */
  readonly commentBehind: boolean;
  /** Null when the field cannot be changed in place. */
  readonly place: FieldPlace | null;
}

/** Offsets within the header. */
export interface FieldPlace {
  readonly context: 'block' | 'flow';
  readonly keyStart: number;
  /** After the colon. */
  readonly colonEnd: number;
  /** The value with its tag or anchor; both equal `colonEnd` when there is none. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /** The key or its colon is not YAML: both have to be written. */
  readonly rewriteKey: boolean;
}

export const NO_TEXT = /^(?:~|null|Null|NULL)?$/;

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

export function isPrototypeKey(key: string): boolean {
  return PROTOTYPE_KEYS.has(key);
}

/** The intended key: letter case and invisible characters do not matter. */
export function keyOf(written: string): string {
  return stripInvisible(written).text.trim().toLowerCase();
}

/** Plain text of a scalar: a block's final line ends are layout, not text. */
export function textOrNothing(text: string, style: 'plain' | 'marked'): FieldValue {
  if (style === 'plain' && NO_TEXT.test(text)) return { kind: 'nothing' };
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return { kind: 'text', text: text.slice(0, end) };
}

/** Finds the zero-based line of an offset. */
export function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}

/** A mapping whose fields count as the header's own: some tools nest everything below it. */
export const CONTAINER_KEY = 'metadata';

/** A value as it was written, on one line. */
export function onOneLine(source: string): string {
  return source
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
