/** Writes a fresh memory file. */

import { singleLine, writeMapping, writeScalar } from '../lib/front-matter-scalar.ts';
import { stripInvisible } from '../lib/visible-text.ts';
import type { MemorySource, MemoryType } from './taxonomy.ts';

export interface MemoryFileFields {
  readonly name: string;
  readonly description: string;
  /** Left out where it is not known. */
  readonly type?: MemoryType;
  readonly body: string;
  readonly source?: MemorySource;
  readonly origin?: Readonly<Record<string, string>>;
  /** ISO times. */
  readonly created?: string;
  readonly modified?: string;
  readonly pinned?: boolean;
}

export type HeaderValue = string | boolean | Readonly<Record<string, string>>;

export function renderMemoryFile(fields: MemoryFileFields): string {
  const { name, description, type, source, origin, created, modified, pinned, body } = fields;
  const header: Record<string, HeaderValue | undefined> = {
    name,
    description,
    type,
    source,
    origin: origin && Object.keys(origin).length > 0 ? origin : undefined,
    created,
    modified,
    pinned,
  };
  const lines = Object.entries(header).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${writeValue(value, 'block')}`],
  );
  return `---\n${lines.join('\n')}\n---\n${renderBody(body)}`;
}

/** A body as it stands behind a header: after a blank line, ended by one line end; nothing when there is no text. */
export function renderBody(body: string, lineEnd = '\n'): string {
  const text = cleanBody(body)
    .trimEnd()
    .replace(/^(?:[^\S\r\n]*(?:\r\n|\r|\n))+/, '');
  return text === '' ? '' : `${lineEnd}${text}${lineEnd}`;
}

export function writeValue(value: HeaderValue, context: 'block' | 'flow'): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeScalar(cleanValue(value), context);
  const pairs = Object.entries(value).map(([key, text]) => [cleanValue(key), cleanValue(text)] as const);
  return writeMapping(Object.fromEntries(pairs));
}

/** A body that survives being written and read: no halves of characters, no NUL bytes. */
export function cleanBody(body: string): string {
  return body.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', '');
}

/** A header's values have one line and nothing invisible in it. */
export function cleanValue(text: string): string {
  return singleLine(stripInvisible(text.replace(/\p{Surrogate}/gu, '\ufffd')).text);
}
