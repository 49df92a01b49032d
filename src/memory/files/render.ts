/** Writes a fresh memory file. */

import type { MemorySource, MemoryType } from '../../base/taxonomy.ts';
import type { Quote } from './quote.ts';
import { type HeaderValue, quotesToWrite, writeValue } from './value.ts';

export interface MemoryFileFields {
  readonly name: string;
  readonly description: string;
  /** Left out where it is not known. */
  readonly type?: MemoryType;
  readonly body: string;
  readonly source?: MemorySource;
  /** The user's words that it rests on. */
  readonly quote?: readonly Quote[];
  readonly origin?: Readonly<Record<string, string>>;
  /** Other names for what it is about. */
  readonly aliases?: readonly string[];
  /** ISO times. */
  readonly created?: string;
  readonly modified?: string;
  readonly pinned?: boolean;
  /** A suggestion to the user to share it. */
  readonly share?: 'team';
}

/** As they stand in the front matter; a comma would make two of one. */
export function aliasesText(aliases: readonly string[]): string {
  const names = aliases.flatMap((alias) => alias.split(',')).map((alias) => alias.replace(/\s+/g, ' ').trim());
  return [...new Set(names.filter((alias) => alias !== ''))].join(', ');
}

export function renderMemoryFile(fields: MemoryFileFields): string {
  const { name, description, type, source, quote = [], origin, aliases = [] } = fields;
  const { created, modified, pinned, share, body } = fields;
  const header: Record<string, HeaderValue | undefined> = {
    name,
    description,
    type,
    aliases: aliasesText(aliases) || undefined,
    source,
    quote: quotesToWrite(quote).length > 0 ? quote : undefined,
    origin: origin && Object.keys(origin).length > 0 ? origin : undefined,
    created,
    modified,
    pinned,
    share,
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

/** A body that survives being written and read: no halves of characters, no NUL bytes. */
export function cleanBody(body: string): string {
  return body.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', '');
}
