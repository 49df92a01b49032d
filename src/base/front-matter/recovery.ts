/** Reads a header that is not YAML, key by key, so that one bad line costs only itself. */

import { CONTAINER_KEY, type Field, type FieldPlace, keyOf, onOneLine } from './field.ts';
import { readYamlHeader } from './yaml.ts';

export type Recovery =
  | { readonly kind: 'mapping'; readonly fields: Field[]; readonly indent: string }
  /** Running text: the line that seemed to close the header does not. */
  | { readonly kind: 'text'; readonly line: number; readonly isBehindKnownKey: boolean };

interface Line {
  readonly number: number;
  readonly start: number;
  readonly text: string;
}

/** A key with the lines that belong to it. */
interface Chunk {
  readonly key: string;
  readonly indent: number;
  readonly keyStart: number;
  readonly colonEnd: number;
  readonly hasYamlKey: boolean;
  readonly lines: Line[];
}

/** Made when a header needs it, which few do: sets of characters this large take a while. */
const keyPattern = () =>
  /^([ \t\u00a0]*)("[^"]*"|'[^']*'|[\p{L}\p{N}_][\p{L}\p{N}\p{M}\p{Cf}_.-]*(?: [\p{L}\p{N}\p{M}_.-]+){0,2})[ \t\u00a0]*([:：])/u;

/** Over-indented keys are looked for this many times; deeper ones are taken as written. */
const MOST_SLIPS = 3;

export function recoverHeader(header: string, known: ReadonlySet<string>): Recovery {
  const { chunks, textLine } = chunksOf(linesOf(header), known);
  if (textLine !== null) {
    return { kind: 'text', line: textLine, isBehindKnownKey: chunks.some((chunk) => known.has(chunk.key)) };
  }
  const fields = chunks.flatMap((chunk) => readChunk(chunk, { header, known, slips: 0 }));
  return { kind: 'mapping', fields, indent: ' '.repeat(chunks[0]?.indent ?? 0) };
}

/** `textLine` is the first line that belongs to no key. */
function chunksOf(lines: readonly Line[], known: ReadonlySet<string>): { chunks: Chunk[]; textLine: number | null } {
  const chunks: Chunk[] = [];
  let isAfterBlank = true;
  for (const line of lines) {
    const current = chunks.at(-1);
    const isBlank = line.text.trim() === '';
    const isDeeper = current !== undefined && indentOf(line.text) > current.indent;
    const opened = isBlank || isDeeper ? null : openChunk(line, { known, isAfterBlank });
    const belongsToKey = isBlank || isDeeper || /^[ \t]*#/.test(line.text) || /^[-\]}]/.test(line.text);
    if (opened) chunks.push(opened);
    else if (belongsToKey || (current && !isAfterBlank)) current?.lines.push(line);
    else return { chunks, textLine: line.number };
    isAfterBlank = isBlank;
  }
  return { chunks, textLine: null };
}

function openChunk(line: Line, facts: { known: ReadonlySet<string>; isAfterBlank: boolean }): Chunk | null {
  const match = keyPattern().exec(line.text);
  if (!match) return null;
  const [whole, blanks, written, colon] = match as unknown as [string, string, string, string];
  const key = keyOf(/^["']/.test(written) ? written.slice(1, -1) : written);
  const behind = line.text[whole.length];
  const isFollowedByBlank = behind === undefined || behind === ' ' || behind === '\t';
  // "Attention: …" in running text looks like a key too; only a known key is trusted.
  const isCredible = colon === ':' ? isFollowedByBlank || behind === '\u00a0' : !facts.isAfterBlank;
  if (!facts.known.has(key) && !isCredible) return null;
  return {
    key,
    indent: indentOf(line.text),
    keyStart: line.start + blanks.length,
    colonEnd: line.start + whole.length,
    hasYamlKey: colon === ':' && isFollowedByBlank && /^ *$/.test(blanks),
    lines: [line],
  };
}

function readChunk(chunk: Chunk, facts: { header: string; known: ReadonlySet<string>; slips: number }): Field[] {
  const { header, known, slips } = facts;
  const first = chunk.lines[0]!;
  if (!known.has(chunk.key) && chunk.key !== CONTAINER_KEY) return [readRaw(chunk, { header, isKnown: false })];
  const reading = chunk.hasYamlKey ? readYamlHeader(sourceOf(chunk, header)) : null;
  const ownFields = reading?.kind === 'mapping' ? reading.fields.filter((field) => field.within === null) : [];
  if (reading?.kind === 'mapping' && ownFields.length === 1 && ownFields[0]?.key === chunk.key) {
    return reading.fields.map((field) => moved(field, first));
  }

  const isKnownKey = (line: Line) => known.has(openChunk(line, { known, isAfterBlank: true })?.key ?? '');
  const slipAt = slips < MOST_SLIPS ? chunk.lines.findIndex((line, position) => position > 0 && isKnownKey(line)) : -1;
  const slipped = slipAt === -1 ? null : chunksOf(chunk.lines.slice(slipAt), known);
  if (!slipped || slipped.textLine !== null) return [readRaw(chunk, { header, isKnown: true })];
  const own = { ...chunk, lines: chunk.lines.slice(0, slipAt) };
  return [own, ...slipped.chunks].flatMap((part) => readChunk(part, { ...facts, slips: slips + 1 }));
}

/** The text as written, without its surrounding quotes when they are complete. */
function readRaw(chunk: Chunk, facts: { header: string; isKnown: boolean }): Field {
  const last = chunk.lines.findLast((line) => line.text.trim() !== '' && !/^[ \t]*#/.test(line.text))!;
  const end = last.start + last.text.trimEnd().length;
  const source = onOneLine(facts.header.slice(chunk.colonEnd, end));
  const quoted = /^"([^"]*)"$|^'([^']*)'$/.exec(source);
  const text = quoted ? (quoted[1] ?? quoted[2]!) : source;
  const behindColon = facts.header.slice(chunk.colonEnd, end);
  const valueStart = text === '' ? chunk.colonEnd : end - behindColon.trimStart().length;
  const place: FieldPlace = {
    context: 'block',
    keyStart: chunk.keyStart,
    colonEnd: chunk.colonEnd,
    valueStart,
    valueEnd: text === '' ? chunk.colonEnd : Math.max(end, chunk.colonEnd),
    rewriteKey: !chunk.hasYamlKey,
  };
  return {
    key: chunk.key,
    within: null,
    value: text === '' ? { kind: 'nothing' } : { kind: 'text', text },
    line: chunk.lines[0]!.number,
    recovered: facts.isKnown,
    commentBehind: false,
    place,
  };
}

/** A field read from a piece of the header, in the header's own lines and offsets. */
function moved(field: Field, to: Line): Field {
  const { place } = field;
  const shifted = place && {
    ...place,
    keyStart: place.keyStart + to.start,
    colonEnd: place.colonEnd + to.start,
    valueStart: place.valueStart + to.start,
    valueEnd: place.valueEnd + to.start,
  };
  return { ...field, line: field.line + to.number, place: shifted };
}

function sourceOf(chunk: Chunk, header: string): string {
  const last = chunk.lines.at(-1)!;
  return header.slice(chunk.lines[0]!.start, last.start + last.text.length);
}

function linesOf(header: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const [number, text] of header.split(/\r\n|\n|\r/).entries()) {
    lines.push({ number, start, text });
    start += text.length;
    start += header.startsWith('\r\n', start) ? 2 : 1;
  }
  return lines;
}

function indentOf(text: string): number {
  return /^[ \t]*/.exec(text)![0].length;
}
