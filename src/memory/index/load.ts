/** The index as a conversation gets it, within its limits, and what a save says when it has outgrown them. */

import { atOnce, type Steps } from '../../base/async/in-turns.ts';
import { escapeMarkup, stripInvisible } from '../../base/text/visible-text.ts';
import { INDEX_LIMITS } from '../../limits.ts';
import { type IndexItem, readingIndex } from './parse.ts';

export interface IndexLimits {
  readonly lines: number;
  readonly bytes: number;
}

export interface LoadFacts {
  readonly limits: IndexLimits;
  readonly isPinned: (file: string) => boolean;
  /** Milliseconds. */
  readonly modified: (file: string) => number;
  /** Entries that come before newer ones where not all fit. */
  readonly isFirst?: (file: string) => boolean;
}

export interface LoadedIndex {
  readonly text: string;
  readonly loadedEntries: number;
  readonly totalEntries: number;
  readonly truncated: null | { readonly by: 'lines' | 'bytes' };
  /** For the conversation: that only a part was loaded, and how to shrink the index. */
  readonly notice: string | null;
}

const LINES_PER_STEP = 100;

interface Shown extends IndexItem {
  /** What is put before the model: nothing invisible, no markup of ours. */
  readonly shown: string;
  readonly bytes: number;
}

export function loadIndex(text: string, facts: LoadFacts): LoadedIndex {
  return atOnce(loadingIndex(text, facts));
}

/** The same in steps: an index may have a hundred thousand lines. */
export function* loadingIndex(text: string, facts: LoadFacts): Steps<LoadedIndex> {
  const all = yield* showingLines(text);
  yield;
  const totalEntries = all.filter((line) => line.entry).length;
  const size = sizeOf(all);
  if (size.lines <= facts.limits.lines && size.bytes <= facts.limits.bytes) {
    return { text: joined(all), loadedEntries: totalEntries, totalEntries, truncated: null, notice: null };
  }
  const kept = yield* keepingWhatMatters(all, facts);
  const loadedEntries = kept.filter((line) => line.entry).length;
  const isWhole = kept.length === all.filter((line) => line.kind !== 'blank').length;
  if (isWhole) return { text: joined(kept), loadedEntries, totalEntries, truncated: null, notice: null };
  const by = size.lines > facts.limits.lines ? 'lines' : 'bytes';
  const notice = `Only ${loadedEntries} of the ${totalEntries} entries of MEMORY.md are loaded; the others are found by recall. ${advice(size, facts.limits)}`;
  return { text: joined(kept), loadedEntries, totalEntries, truncated: { by }, notice };
}

/** What a save answers when the index does not fit any more; nothing while it does. */
export function indexWarnings(index: string | Buffer, limits: IndexLimits): string[] {
  const size = roughSize(Buffer.isBuffer(index) ? index : Buffer.from(index));
  if (size.lines <= limits.lines && size.bytes <= limits.bytes) return [];
  return [`MEMORY.md no longer fits into a conversation: only a part of it is loaded. ${advice(size, limits)}`];
}

/** Counted without reading the lines: every save asks, and an index of ten thousand must not make it slow. */
function roughSize(index: Buffer): { lines: number; bytes: number } {
  const visible = withoutComments(index);
  let end = visible.length;
  while (end > 0 && visible[end - 1]! <= 0x20) end -= 1;
  let lines = end === 0 ? 0 : 1;
  for (let at = visible.indexOf(0x0a); at !== -1 && at < end; at = visible.indexOf(0x0a, at + 1)) lines += 1;
  return { lines, bytes: end };
}

function withoutComments(index: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let open = index.indexOf('<!--'); open !== -1; open = index.indexOf('<!--', from)) {
    const close = index.indexOf('-->', open + '<!--'.length);
    if (close === -1) break;
    pieces.push(index.subarray(from, open));
    from = close + '-->'.length;
  }
  return from === 0 ? index : Buffer.concat([...pieces, index.subarray(from)]);
}

function advice(size: { lines: number; bytes: number }, limits: IndexLimits): string {
  const lines = Math.floor(limits.lines * INDEX_LIMITS.shrinkToShare);
  const bytes = Math.floor(limits.bytes * INDEX_LIMITS.shrinkToShare);
  return (
    `It has ${number(size.lines)} lines and ${number(size.bytes)} bytes; ${number(limits.lines)} lines and ` +
    `${number(limits.bytes)} bytes are loaded. Shrink it to ${number(lines)} lines and ${number(bytes)} bytes: one line ` +
    `per memory under about ${INDEX_LIMITS.entryCharacters} characters, detail in the topic files, and forget or merge what is outdated.`
  );
}

/**
 * Pinned entries first, then the user's own prose as far as it leaves room for an index, since recall cannot find that;
 * then the newest entries, and whatever prose still fits.
 */
function* keepingWhatMatters(all: readonly Shown[], facts: LoadFacts): Steps<Shown[]> {
  const { limits } = facts;
  const entries = all.filter((line) => line.entry);
  const isPinned = new Set(entries.filter((line) => facts.isPinned(line.entry!.file)));
  const modified = new Map<Shown, number>();
  for (const [at, line] of entries.entries()) {
    if (at % LINES_PER_STEP === 0) yield;
    modified.set(line, facts.modified(line.entry!.file) || 0);
  }
  const isFirst = new Set(entries.filter((line) => facts.isFirst?.(line.entry!.file)));
  const newestFirst = entries.toSorted(
    (left, right) =>
      Number(isFirst.has(right)) - Number(isFirst.has(left)) ||
      modified.get(right)! - modified.get(left)! ||
      right.at - left.at,
  );
  const prose = all.filter((line) => !line.entry && line.kind !== 'blank');
  yield;

  const kept = new Set<Shown>();
  let lines = 0;
  let bytes = 0;
  const admit = (candidates: Iterable<Shown>, share: number) => {
    const room = { lines: lines + limits.lines * share, bytes: bytes + limits.bytes * share };
    for (const line of candidates) {
      const cost = line.bytes + (lines > 0 ? 1 : 0);
      if (kept.has(line) || lines + 1 > Math.min(limits.lines, room.lines)) continue;
      if (bytes + cost > Math.min(limits.bytes, room.bytes)) continue;
      kept.add(line);
      lines += 1;
      bytes += cost;
    }
  };
  admit(
    newestFirst.filter((line) => isPinned.has(line)),
    1,
  );
  admit(prose, 1 - INDEX_LIMITS.shrinkToShare);
  admit(newestFirst, 1);
  admit(prose, 1);
  return all.filter((line) => kept.has(line));
}

function* showingLines(text: string): Steps<Shown[]> {
  const lines: Shown[] = [];
  for (const item of (yield* readingIndex(text)).items) {
    if (lines.length % LINES_PER_STEP === 0) yield;
    const shown = escapeMarkup(stripInvisible(item.text).text).trimEnd();
    const { kind, at, text: written, entry } = item;
    lines.push({ kind, at, text: written, entry, shown, bytes: Buffer.byteLength(shown) });
  }
  const last = lines.findLastIndex((line) => line.shown !== '');
  return lines.slice(0, last + 1);
}

function sizeOf(lines: readonly Shown[]): { lines: number; bytes: number } {
  const text = lines.reduce((sum, line) => sum + line.bytes, 0);
  return { lines: lines.length, bytes: text + Math.max(0, lines.length - 1) };
}

function joined(lines: readonly Shown[]): string {
  return lines.map((line) => line.shown).join('\n');
}

/** `25,000`, without loading the language data of `toLocaleString`, which takes longer than all else here. */
function number(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
