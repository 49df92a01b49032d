/** What the fields of a header say about a memory. */

import { readableText } from '../../base/front-matter/bytes.ts';
import { type Field, type FieldValue, isPrototypeKey, keyOf, type ScalarPairs } from '../../base/front-matter/field.ts';
import type { HeaderMapping, HeaderProblem } from '../../base/front-matter/read-header.ts';
import { isMemoryType, type MemoryType } from '../../base/taxonomy.ts';
import { escapeMarkup, stripInvisible } from '../../base/text/visible-text.ts';
import type { Quote } from './quote.ts';
import { cleanQuotes } from './value.ts';
import { type FileWarning, type WarningCode, warning } from './warning.ts';

const TEXT_KEYS = [
  'name',
  'description',
  'type',
  'source',
  'created',
  'modified',
  'pinned',
  'superseded_by',
  'supersedes',
  'refuted',
  'unlisted',
  'share',
] as const;

const BROKEN_LIST = /^(?:[[{]|- )/;

const EXPECTED_KEYS = ['name', 'description', 'type'] as const;

export const KNOWN_KEYS: ReadonlySet<string> = new Set([...TEXT_KEYS, 'origin', 'quote', 'aliases']);

export interface Metadata {
  readonly meta: Readonly<Record<string, string>>;
  readonly origin: Readonly<Record<string, string>> | null;
  readonly quotes: readonly Quote[];
  readonly aliases: readonly string[];
  readonly type: MemoryType | null;
  readonly warnings: FileWarning[];
}

/** `firstLine` is the header's first line in the file, `endLine` the one that closes it; both one-based. */
export function readMetadata(reading: HeaderMapping, lines: { firstLine: number; endLine: number }): Metadata {
  const { firstLine, endLine } = lines;
  const meta: Record<string, string> = Object.create(null);
  const fields = effectiveFields(reading.fields);
  const warnings = reading.problems.map((problem) => problemWarning(problem, { reading, firstLine }));

  for (const key of TEXT_KEYS) {
    const field = fields.get(key);
    if (!field) continue;
    const line = firstLine + field.line;
    const value = readText(field);
    warnings.push(...value.warnings.map((code) => warning(code, { line, subject: subjectFor(code, key) })));
    if (value.text !== null) meta[key] = value.text;
  }
  const type = readType(meta, { line: firstLine + (fields.get('type')?.line ?? 0), warnings });
  for (const key of EXPECTED_KEYS) if (!(key in meta)) warnings.push(warning(`missing-${key}`, { line: endLine }));
  const quote = fields.get('quote');
  if (quote) warnings.push(...quoteWarnings(quote, firstLine + quote.line));
  const quotes = quote ? readQuotes(quote) : [];
  const aliases = readAliases(fields.get('aliases')?.value);
  return { meta, origin: readOrigin(fields.get('origin')?.value), quotes, aliases, type, warnings };
}

/** Of several the last one that says something; one that stands in `metadata:` counts when there is no other. */
export function effectiveFields(fields: readonly Field[]): ReadonlyMap<string, Field> {
  const effective = new Map<string, Field>();
  for (const field of fields) {
    const rival = effective.get(field.key);
    if (!rival || weight(field) >= weight(rival)) effective.set(field.key, field);
  }
  return effective;
}

function weight(field: Field): number {
  const says = field.value.kind !== 'nothing';
  return (says ? 2 : 0) + (field.within === null ? 1 : 0);
}

/** What the model and people get to see of a value. */
export function visibleValue(text: string): string {
  return stripInvisible(readableText(text)).text;
}

function readText(field: Field): { text: string | null; warnings: WarningCode[] } {
  const { value } = field;
  const warnings: WarningCode[] = field.commentBehind ? ['comment-in-value'] : [];
  if (value.kind === 'nothing' || value.kind === 'alias') return { text: null, warnings };
  // A list or a mapping where a text belongs: nothing of it is lost.
  if (value.kind !== 'text') warnings.push('invalid-yaml-recovered');
  const written = readableText(value.kind === 'text' ? value.text : value.source);
  const visible = visibleValue(written);
  if (visible !== written.replaceAll('\0', '')) warnings.push('invisible-characters');
  if (escapeMarkup(visible) !== visible) warnings.push('markup-in-metadata');
  return { text: visible.trim() === '' ? null : visible, warnings };
}

function readType(meta: Record<string, string>, facts: { line: number; warnings: FileWarning[] }): MemoryType | null {
  if (meta.type === undefined) return null;
  const word = meta.type.trim().toLowerCase();
  if (isMemoryType(word)) {
    meta.type = word;
    return word;
  }
  facts.warnings.push(warning('unknown-type', { line: facts.line, subject: meta.type }));
  return null;
}

function readOrigin(value: FieldValue | undefined): Readonly<Record<string, string>> | null {
  if (!value || value.kind === 'nothing' || value.kind === 'alias') return null;
  const written: ReadonlyArray<readonly [string, string]> =
    value.kind === 'mapping' ? value.pairs : [['from', value.kind === 'text' ? value.text : value.source]];
  const origin: Record<string, string> = Object.create(null);
  for (const [writtenKey, writtenText] of written) {
    const key = visibleValue(writtenKey).trim();
    const text = visibleValue(writtenText);
    if (key !== '' && text.trim() !== '' && !isPrototypeKey(key)) origin[key] = text;
  }
  return Object.keys(origin).length > 0 ? origin : null;
}

/** A text, or a list of texts and of `{text, at}`; anything else is not a quote, nor is a list that is broken. */
export function readQuotes({ value, recovered }: Field): Quote[] {
  switch (value.kind) {
    case 'text':
      return recovered && BROKEN_LIST.test(value.text) ? [] : cleanQuotes([asQuote(value.text)]);
    case 'list':
      return cleanQuotes(value.items.map(asQuote));
    default:
      return [];
  }
}

/** A list, or one text with commas in between. */
function readAliases(value: FieldValue | undefined): readonly string[] {
  if (value?.kind === 'text') return aliasesIn(value.text);
  return value?.kind === 'list' ? distinctNames(value.items) : [];
}

export function aliasesIn(text: string): readonly string[] {
  return distinctNames(text.split(','));
}

function distinctNames(written: readonly unknown[]): readonly string[] {
  const texts = written.flatMap((item) => (typeof item === 'string' ? [visibleValue(item).trim()] : []));
  return [...new Set(texts.filter((text) => text !== ''))];
}

function asQuote(item: string | ScalarPairs): Quote {
  if (typeof item === 'string') return { text: readableText(item), at: null };
  const named = (name: string) => item.findLast(([key]) => keyOf(key) === name)?.[1];
  const at = named('at');
  return { text: readableText(named('text') ?? ''), at: at === undefined ? null : readableText(at) };
}

/** Agents get to see quotes as they do other values. */
function quoteWarnings(field: Field, line: number): FileWarning[] {
  const { value, commentBehind } = field;
  const written = readableText(value.kind === 'text' ? value.text : value.kind === 'list' ? value.source : '');
  const visible = visibleValue(written);
  return [
    ...(commentBehind ? [warning('comment-in-value', { line, subject: 'quote' })] : []),
    ...(visible === written.replaceAll('\0', '')
      ? []
      : [warning('invisible-characters', { line, subject: '`quote`' })]),
    ...(escapeMarkup(visible) === visible ? [] : [warning('markup-in-metadata', { line, subject: '`quote`' })]),
  ];
}

function problemWarning(problem: HeaderProblem, facts: { reading: HeaderMapping; firstLine: number }): FileWarning {
  const subject = facts.reading.fields.find((field) => field.line === problem.line)?.key ?? '';
  return warning(problem.code, { line: facts.firstLine + problem.line, subject });
}

function subjectFor(code: WarningCode, key: string): string {
  return code === 'invisible-characters' || code === 'markup-in-metadata' ? `\`${key}\`` : key;
}
