/** Reads a memory file: whatever is wrong with it, it gives a memory and says what is wrong. */

import { type DecodedText, decodeText, readableText, wholeCharacters } from '../../base/front-matter/bytes.ts';
import { type Located, locateFrontMatter } from '../../base/front-matter/locate.ts';
import { readHeader } from '../../base/front-matter/read-header.ts';
import { withoutFences } from '../../base/markdown/marks.ts';
import type { MemoryType } from '../../base/taxonomy.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { HEADER_LIMITS } from '../../limits.ts';
import { KNOWN_KEYS, readMetadata } from './metadata.ts';
import type { Quote } from './quote.ts';
import { type FileWarning, firstOfEach, warning } from './warning.ts';

export interface ParsedMemory {
  readonly hasFrontMatter: boolean;
  /** Known scalar keys as text, lower-cased; what is missing or empty is not there. Has no prototype. */
  readonly meta: Readonly<Record<string, string>>;
  /** A plain `origin: text` reads as `{ from: text }`. */
  readonly origin: Readonly<Record<string, string>> | null;
  /** The user's words that it rests on; empty when there are none. */
  readonly quotes: readonly Quote[];
  /** Other names for what it is about. */
  readonly aliases: readonly string[];
  readonly type: MemoryType | null;
  /** Without blank lines around it; otherwise as it stands in the file. */
  readonly body: string;
  readonly warnings: FileWarning[];
}

export type ParsedHeader = Omit<ParsedMemory, 'body'>;

export type FoundHeader = Extract<Located, { kind: 'found' | 'unterminated' }>;

/** Of a longer text than any conversation gets, the rest is not searched for invisible characters. */
const SEARCHED_CHARACTERS = 100_000;
const BLANK_LINES_BEFORE = /^(?:[^\S\r\n]*(?:\r\n|\r|\n))+/;

export function parseMemoryFile(bytes: Uint8Array): ParsedMemory {
  const decoded = decodeText(bytes);
  const { text } = decoded;
  const located = locateFrontMatter(text, { partial: false });
  const header = parseLocated(decoded, located);
  const { bodyStart, bodyEnd } = header.hasFrontMatter && located.kind === 'found' ? located : wholeText(text);
  const body = bodyText(text.slice(bodyStart, bodyEnd));
  const warnings = [...header.warnings, ...bodyWarnings(text, body)];
  return { ...header, body, warnings: firstOfEach(warnings) };
}

/**
 * Reads the header from a file's first bytes. `need-more` when they end before it does; from `LIMITS.header.bytes` on it
 * is read as far as it goes.
 */
export function parseMemoryHeader(firstBytes: Uint8Array, facts: { wholeFile: boolean }): ParsedHeader | 'need-more' {
  const mayAskForMore = !facts.wholeFile && firstBytes.length < HEADER_LIMITS.bytes;
  const given = facts.wholeFile ? firstBytes : firstBytes.subarray(0, wholeCharacters(firstBytes));
  const decoded = decodeText(given);
  const located = locateFrontMatter(decoded.text, { partial: !facts.wholeFile });
  if (mayAskForMore && (located.kind === 'undecided' || located.kind === 'unterminated')) return 'need-more';
  if (located.kind === 'unterminated' && !facts.wholeFile) return parseFound(decoded, located);
  return parseLocated(decoded, located);
}

function parseLocated(decoded: DecodedText, located: Located): ParsedHeader {
  switch (located.kind) {
    case 'blank':
      return withoutHeader(decoded, [warning('empty-file', { line: 1 })]);
    case 'absent':
    case 'undecided':
      return withoutHeader(decoded, [warning('no-frontmatter', { line: 1 })]);
    case 'unterminated':
      return withoutHeader(decoded, [warning('unterminated', { line: located.openLine + 1 })]);
    case 'found':
      return parseFound(decoded, located);
  }
}

/** A header that is there; an unterminated one is cut where the bytes to read for it end. */
function parseFound(decoded: DecodedText, located: FoundHeader): ParsedHeader {
  const { header, isCut } = headerText(decoded.text, located);
  const firstLine = located.openLine + 2;
  const reading = readHeader(header, { known: KNOWN_KEYS });
  if (reading.kind !== 'mapping') {
    const code = reading.kind === 'runs-into-text' ? 'unterminated' : 'not-a-mapping';
    return withoutHeader(decoded, [warning(code, { line: firstLine + reading.line })]);
  }
  // A code block that shows some front matter is not a memory in a code block.
  const isMemory = reading.fields.some((field) => KNOWN_KEYS.has(field.key));
  if (located.wrapped && !isMemory) return withoutHeader(decoded, [warning('no-frontmatter', { line: 1 })]);

  const endLine = located.kind === 'found' && !isCut ? located.closeLine + 1 : firstLine;
  const { meta, origin, quotes, aliases, type, warnings } = readMetadata(reading, { firstLine, endLine });
  const warned = [...layoutWarnings(located, { isCut }), ...warnings, ...byteWarnings(decoded)];
  const kept = firstOfEach(isCut ? withoutCutDamage(warned) : warned);
  return { hasFrontMatter: true, meta, origin, quotes, aliases, type, warnings: kept };
}

/** The header's own text, of which nothing beyond the limit is looked at. */
export function headerText(text: string, located: FoundHeader): { header: string; isCut: boolean } {
  const most = HEADER_LIMITS.bytes;
  const start = located.headerStart;
  const end = located.kind === 'found' ? located.headerEnd : text.length;
  const reach = located.kind === 'found' ? located.bodyStart : Number.POSITIVE_INFINITY;
  const fits = reach * 3 <= most || (reach <= most && Buffer.byteLength(text.slice(0, reach)) <= most);
  if (fits) return { header: text.slice(start, end), isCut: false };
  const bytes = Buffer.from(text.slice(0, Math.min(end, most))).subarray(0, most);
  const length = bytes.subarray(0, wholeCharacters(bytes)).toString().length;
  const within = text.slice(start, Math.max(start, length));
  const lastLineEnd = Math.max(within.lastIndexOf('\n'), within.lastIndexOf('\r'));
  return { header: within.slice(0, lastLineEnd + 1), isCut: true };
}

function layoutWarnings(located: FoundHeader, facts: { isCut: boolean }): FileWarning[] {
  const at = { line: located.openLine + 1 };
  return [
    ...(located.late ? [warning('late-frontmatter', at)] : []),
    ...(located.wrapped ? [warning('wrapped-in-code-fence', { line: 1 })] : []),
    ...(facts.isCut ? [warning('header-too-large', at)] : []),
  ];
}

/** The cut may have gone through a value, and what is missing may stand behind it: no fault of the file's. */
function withoutCutDamage(warnings: readonly FileWarning[]): FileWarning[] {
  return warnings.filter((one) => one.code !== 'invalid-yaml-recovered' && !one.code.startsWith('missing-'));
}

function withoutHeader(decoded: DecodedText, warnings: readonly FileWarning[]): ParsedHeader {
  const all = firstOfEach([...byteWarnings(decoded), ...warnings]);
  const nothing = { meta: Object.create(null), origin: null, quotes: [], aliases: [], type: null };
  return { hasFrontMatter: false, ...nothing, warnings: all };
}

function byteWarnings(decoded: DecodedText): FileWarning[] {
  const { text } = decoded;
  const nul = text.indexOf('\0');
  const stray = decoded.encoding === 'utf-8' ? text.search(/[\udc80-\udcff]/u) : 0;
  return [
    ...(nul >= 0 ? [warning('nul-bytes', { line: lineOf(text, nul) })] : []),
    ...(decoded.validUtf8 ? [] : [warning('invalid-utf8', { line: lineOf(text, stray) })]),
  ];
}

function bodyWarnings(text: string, body: string): FileWarning[] {
  const searched = body.slice(0, SEARCHED_CHARACTERS);
  const start = Math.max(0, text.indexOf(searched.slice(0, 40)));
  const conflict = conflictAt(searched);
  return [
    ...(stripInvisible(searched).changed
      ? [warning('invisible-characters', { line: lineOf(text, start), subject: 'the text' })]
      : []),
    ...(conflict === null ? [] : [warning('conflict-markers', { line: lineOf(text, start + conflict) })]),
  ];
}

/** All three marks in order, outside of code: a text may well be about merging. */
function conflictAt(body: string): number | null {
  if (!body.includes('<<<<<<<')) return null;
  const outsideCode = withoutFences(body);
  const open = /^<{7}(?: |$)/m.exec(outsideCode);
  const middle = open && /^={7}$/m.exec(outsideCode.slice(open.index));
  const isClosed = middle && /^>{7}(?: |$)/m.test(outsideCode.slice(open.index + middle.index));
  return isClosed ? open.index : null;
}

function wholeText(text: string): { bodyStart: number; bodyEnd: number } {
  return { bodyStart: 0, bodyEnd: text.length };
}

/** What a file's text is as a body: readable, without NUL bytes and without blank lines around it. */
export function bodyText(text: string): string {
  const readable = readableText(text);
  const withoutNul = readable.includes('\0') ? readable.replaceAll('\0', '') : readable;
  return withoutNul.replace(BLANK_LINES_BEFORE, '').trimEnd();
}

function lineOf(text: string, offset: number): number {
  const lineEnd = text.includes('\n') ? '\n' : '\r';
  let line = 1;
  for (let at = text.indexOf(lineEnd); at >= 0 && at < offset; at = text.indexOf(lineEnd, at + 1)) line += 1;
  return line;
}
