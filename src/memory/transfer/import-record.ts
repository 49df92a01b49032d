/** Makes memories of what other programs keep as records: a text, perhaps with a title, a kind and times. */

import { createHash } from 'node:crypto';
import type { MemoryScope, MemoryType } from '../../base/taxonomy.ts';
import { slugOfName } from '../../disk/safe-name.ts';
import { INDEX_LIMITS } from '../../limits.ts';
import { renderMemoryFile } from '../files/memory-file.ts';
import type { ImportCandidate } from './import-source.ts';

/** Characters of the name that is made of a memory's first line where it has none. */
const NAME_CHARACTERS = 60;

export interface ImportRecord {
  readonly text: string;
  /** Else it is made of the first line. */
  readonly title?: string;
  /** Else it is the beginning of the text. */
  readonly description?: string;
  /** Only where the source leaves no doubt. */
  readonly type?: MemoryType;
  /** ISO times, as `isoTime` gives them. */
  readonly created?: string;
  readonly modified?: string;
  readonly scope?: MemoryScope;
  /** The place it was read from, down to the record. */
  readonly from: string;
}

/** Records that would share a file name all get one from their own text, so that the order of the source does not matter. */
export function candidatesOf(records: readonly ImportRecord[]): ImportCandidate[] {
  const drafts = records.map((record) => ({ record, stem: stemOf(record) }));
  const uses = new Map<string, number>();
  for (const { stem } of drafts) uses.set(stem.toLowerCase(), (uses.get(stem.toLowerCase()) ?? 0) + 1);
  const candidates = drafts.map(({ record, stem }): ImportCandidate => {
    const isShared = uses.get(stem.toLowerCase()) !== 1;
    const file = isShared ? `${stem}-${fingerprint(record)}.md` : `${stem}.md`;
    const { scope, from } = record;
    return { file, bytes: Buffer.from(render(record)), from, ...(scope ? { scope } : {}) };
  });
  // The same text twice is one memory.
  return [...new Map(candidates.map((candidate) => [candidate.file, candidate])).values()];
}

function stemOf(record: ImportRecord): string {
  const slug = slugOfName(nameOf(record));
  return record.type === undefined ? slug : `${record.type}_${slug}`;
}

function fingerprint({ title, text }: ImportRecord): string {
  return createHash('sha256')
    .update(JSON.stringify([title ?? '', text]))
    .digest('hex')
    .slice(0, 8);
}

function nameOf({ title, text }: ImportRecord): string {
  return title?.trim() || nameFromText(text);
}

function render(record: ImportRecord): string {
  const { type, text, created, modified } = record;
  return renderMemoryFile({
    name: nameOf(record),
    description: record.description?.trim() || describeText(text),
    body: text,
    ...(type ? { type } : {}),
    ...(created ? { created } : {}),
    ...(modified ? { modified } : {}),
  });
}

/** The first words of a text, as a name. */
export function nameFromText(text: string): string {
  return cutAtWord(plainLines(text)[0] ?? '', NAME_CHARACTERS).replace(/[.:;,]$/, '');
}

/** What a text begins with, in one line and without a heading that says it already. */
export function describeText(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  const prose = lines.filter((line) => !/^\s*#{1,6}\s/.test(line)).join('\n');
  return cutAtWord(plainLines(prose)[0] ?? plainLines(text)[0] ?? '', INDEX_LIMITS.entryCharacters);
}

/** Lines without the marks of lists, headings and quotes. */
function plainLines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^\s*(?:(?:[-*+>]|#{1,6}|\d{1,3}[.)])\s+)*/, '').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}

function cutAtWord(line: string, most: number): string {
  if (line.length <= most) return line;
  const cut = line.slice(0, most).replace(/\p{Surrogate}$/u, '');
  const lastBlank = cut.lastIndexOf(' ');
  return `${(lastBlank > most / 2 ? cut.slice(0, lastBlank) : cut).trimEnd()}…`;
}

/** A time as programs write it: text, or seconds or milliseconds since 1970. */
export function isoTime(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const isSeconds = typeof value === 'number' && Math.abs(value) < 1e11;
  const time = new Date(isSeconds ? value * 1000 : value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
