/** Several versions of one memory as one: fields and paragraphs united, and of what contradicts both kept. Pure. */

import { fenceFollower } from '../base/markdown/marks.ts';
import type { MemoryType } from '../base/taxonomy.ts';
import { editMemoryFile, type ParsedMemory, parseMemoryFile, renderMemoryFile } from '../memory/files/memory-file.ts';
import { supersededIds } from './layout.ts';

export interface Version {
  readonly text: string;
  /** Who has it so: shown beside a paragraph that the other side has otherwise. */
  readonly label?: string;
}

/** `base`: the text that both come from, if it is known; what one side took out and the other left alone goes. */
export function uniteVersions(versions: readonly Version[], base?: string): string {
  const [first, ...others] = versions;
  if (first === undefined) return '';
  if (others.every(({ text }) => text === first.text)) return first.text;
  const parsed = versions.map(({ text }) => parseMemoryFile(Buffer.from(text)));
  const known = base === undefined ? null : parseMemoryFile(Buffer.from(base));
  const name = chosen(parsed, known, 'name');
  const description = chosen(parsed, known, 'description');
  const paragraphs = uniteParagraphs(
    parsed.map(({ body }, at) => ({ paragraphs: paragraphsOf(body), label: versions[at]?.label })),
    known === null ? null : paragraphsOf(known.body),
  );
  const more = [
    ...name.others.map((other) => `Also called: ${other}`),
    ...description.others.map((other) => `Also described as: ${other}`),
  ].filter((line) => !paragraphs.includes(line));
  const text = renderMemoryFile({
    name: name.value ?? '',
    description: description.value ?? '',
    ...typeOf(parsed),
    ...sourceOf(parsed),
    quote: unitedQuotes(parsed),
    ...originOf(parsed),
    ...timesOf(parsed),
    body: [...paragraphs, ...more].join('\n\n'),
  });
  return withMarks(text, parsed);
}

interface Chosen {
  readonly value: string | undefined;
  readonly others: readonly string[];
}

/** Of values that differ the first that is not the base's; those of the others are kept beside it. */
function chosen(parsed: readonly ParsedMemory[], known: ParsedMemory | null, key: 'name' | 'description'): Chosen {
  const values = [...new Set(parsed.flatMap(({ meta }) => meta[key] ?? []))];
  const fresh = values.filter((value) => value !== known?.meta[key]);
  const [value = values[0], ...others] = fresh;
  return { value, others };
}

/** Private on any side is private. */
function typeOf(parsed: readonly ParsedMemory[]): { type?: MemoryType } {
  const types = parsed.flatMap(({ type }) => type ?? []);
  const type = types.includes('user') ? 'user' : types[0];
  return type === undefined ? {} : { type };
}

/** The least that any side says: a merge raises nobody's word. */
function sourceOf(parsed: readonly ParsedMemory[]): { source?: 'said' | 'seen' | 'inferred' | 'imported' } {
  const order = ['inferred', 'seen', 'imported', 'said'] as const;
  const source = order.find((each) => parsed.some(({ meta }) => meta.source === each));
  return source === undefined ? {} : { source };
}

function unitedQuotes(parsed: readonly ParsedMemory[]): ParsedMemory['quotes'] {
  const quotes = parsed.flatMap(({ quotes }) => quotes);
  return quotes.filter(({ text }, at) => quotes.findIndex((each) => each.text === text) === at);
}

function originOf(parsed: readonly ParsedMemory[]): { origin?: NonNullable<ParsedMemory['origin']> } {
  const origin = parsed.find((each) => each.origin !== null)?.origin;
  return origin == null ? {} : { origin };
}

/** From the first that was created to the last that was changed. */
function timesOf(parsed: readonly ParsedMemory[]): { created?: string; modified?: string } {
  const created = parsed.flatMap(({ meta }) => meta.created ?? []).toSorted()[0];
  const modified = parsed
    .flatMap(({ meta }) => meta.modified ?? [])
    .toSorted()
    .at(-1);
  return { ...(created === undefined ? {} : { created }), ...(modified === undefined ? {} : { modified }) };
}

function withMarks(text: string, parsed: readonly ParsedMemory[]): string {
  const supersedes = [...new Set(parsed.flatMap(({ meta }) => supersededIds(meta.supersedes)))];
  const refuted = parsed.find(({ meta }) => meta.refuted !== undefined)?.meta.refuted;
  const set = {
    ...(supersedes.length === 0 ? {} : { supersedes: supersedes.join(' ') }),
    ...(refuted === undefined ? {} : { refuted }),
  };
  if (Object.keys(set).length === 0) return text;
  const edited = editMemoryFile(Buffer.from(text), { set });
  return 'bytes' in edited ? Buffer.from(edited.bytes).toString('utf8') : text;
}

interface Paragraphs {
  readonly paragraphs: readonly string[];
  readonly label: string | undefined;
}

/** Each once, in the order of the first version that has it, behind what stood before it there. */
function uniteParagraphs(versions: readonly Paragraphs[], base: readonly string[] | null): string[] {
  const known = new Set(base ?? []);
  const held = versions.map(({ paragraphs }) => new Set(paragraphs));
  // Every side put something else in the place of a paragraph: what they put there may contradict.
  const isContested = [...known].some((paragraph) => held.every((each) => !each.has(paragraph)));
  const united: string[] = [];
  for (const { paragraphs, label } of versions) {
    let at = 0;
    for (const paragraph of paragraphs) {
      const isFresh = !known.has(paragraph) && held.some((each) => !each.has(paragraph));
      const shown = isContested && isFresh && label !== undefined ? `${paragraph} (${label})` : paragraph;
      const found = united.indexOf(shown);
      if (found < 0) united.splice(at, 0, shown);
      at = (found < 0 ? at : found) + 1;
    }
  }
  return united.filter((paragraph) => !known.has(paragraph) || held.every((each) => each.has(paragraph)));
}

/** Fenced code stays whole. */
export function paragraphsOf(body: string): readonly string[] {
  const isCode = fenceFollower();
  const paragraphs: string[][] = [[]];
  for (const line of body.split(/\r?\n/)) {
    const isInCode = isCode(line);
    if (line.trim() === '' && !isInCode) paragraphs.push([]);
    else paragraphs.at(-1)!.push(line.trimEnd());
  }
  return paragraphs.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')]));
}
