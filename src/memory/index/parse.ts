/** Reads MEMORY.md: its entries, the user's own prose, and what is odd about it. */

import { atOnce, type Steps } from '../../base/async/in-turns.ts';
import { escapeMarkup, stripInvisible } from '../../base/text/visible-text.ts';
import { type FileWarning, warning } from '../files/warning.ts';
import { readIndexLine } from './line.ts';
import { type ScannedLine, scanningIndexLines } from './scan.ts';

export interface IndexEntry {
  readonly title: string;
  readonly file: string;
  readonly hook: string;
  /** Zero-based. */
  readonly line: number;
}

const LINES_PER_STEP = 100;

/** One visible line of the index. */
export interface IndexItem {
  readonly kind: 'entry' | 'prose' | 'blank';
  readonly at: number;
  /** Without comments. */
  readonly text: string;
  /** Of an entry; null for a second line of the same file. */
  readonly entry: IndexEntry | null;
}

export interface ParsedIndex {
  readonly entries: IndexEntry[];
  readonly prose: string[];
  readonly warnings: FileWarning[];
}

interface ParseFacts {
  readonly exists?: (file: string) => boolean;
}

export function parseIndex(text: string, facts: ParseFacts = {}): ParsedIndex {
  return atOnce(parsingIndex(text, facts));
}

/** The same in steps. */
export function* parsingIndex(text: string, facts: ParseFacts = {}): Steps<ParsedIndex> {
  const { items, warnings } = yield* readingIndex(text);
  const entries = items.flatMap((item) => item.entry ?? []);
  const exists = facts.exists ?? (() => true);
  const dangling = entries
    .filter((entry) => !exists(entry.file))
    .map((entry) => warning('dangling-pointer', { line: entry.line + 1, subject: entry.file }));
  const prose = items.filter((item) => item.kind === 'prose').map((item) => item.text.trimEnd());
  return { entries, prose, warnings: [...warnings, ...dangling].toSorted((left, right) => left.line - right.line) };
}

/** Every visible line in order: neither comments nor front matter nor the marks of a merge. */
export function* readingIndex(written: string): Steps<{ items: IndexItem[]; warnings: FileWarning[] }> {
  const lines = yield* scanningIndexLines(written);
  yield;
  const items: IndexItem[] = [];
  const warnings: FileWarning[] = [];
  const seen = new Set<string>();
  const frontMatterEnd = endOfFrontMatter(lines);
  if (frontMatterEnd > 0) warnings.push(warning('frontmatter-in-index', { line: lines[0]!.at + 1 }));
  const markers = /[<>]{7}/.test(written) ? conflictMarkers(lines) : new Set();

  for (const line of lines.slice(frontMatterEnd)) {
    if (line.at % LINES_PER_STEP === 0) yield;
    const at = { line: line.at + 1 };
    if (line.opensComment) warnings.push(warning('invisible-comment', at));
    if (line.state === 'hidden') continue;
    if (markers.has(line.at)) {
      if (!warnings.some((one) => one.code === 'conflict-markers')) warnings.push(warning('conflict-markers', at));
      continue;
    }
    warnings.push(...textWarnings(line));
    const { kind, entry, problem } = readItem(line, seen);
    if (problem) warnings.push(warning(problem.code, { line: at.line, subject: problem.subject }));
    items.push({ kind, at: line.at, text: line.visible, entry });
  }
  return { items, warnings };
}

type ItemReading = Pick<IndexItem, 'kind' | 'entry'> & {
  problem?: { code: 'bad-target' | 'duplicate-entry'; subject: string };
};

/** `seen` are the files that have an entry already; this one is added. */
function readItem(line: ScannedLine, seen: Set<string>): ItemReading {
  if (line.visible.trim() === '') return { kind: 'blank', entry: null };
  const read = line.state === 'plain' ? readIndexLine(line.visible) : null;
  if (!read || (read.file === null && !read.isListItem)) return { kind: 'prose', entry: null };
  const { title, file, hook } = read;
  if (file === null) return { kind: 'entry', entry: null, problem: { code: 'bad-target', subject: read.target } };
  if (seen.has(file)) return { kind: 'entry', entry: null, problem: { code: 'duplicate-entry', subject: file } };
  seen.add(file);
  return { kind: 'entry', entry: { title, file, hook, line: line.at } };
}

function textWarnings({ visible, at }: ScannedLine): FileWarning[] {
  const warnings: FileWarning[] = [];
  const line = at + 1;
  if (stripInvisible(visible).changed) warnings.push(warning('invisible-characters', { line, subject: 'this line' }));
  if (escapeMarkup(visible) !== visible) warnings.push(warning('markup-in-metadata', { line, subject: 'This line' }));
  return warnings;
}

/** How many leading lines are front matter: fences around keys. A line across the page with entries below it is none. */
function endOfFrontMatter(lines: readonly ScannedLine[]): number {
  const open = lines.findIndex((line) => line.visible.trim() !== '');
  if (open === -1 || !/^---\s*$/.test(lines[open]!.visible)) return 0;
  const close = lines.findIndex((line, position) => position > open && /^(?:---|\.\.\.)\s*$/.test(line.visible));
  if (close === -1) return 0;
  const inside = lines.slice(open + 1, close);
  const isHeader = inside.every(
    (line) => /^\s*(?:$|#|- |[\w"'-]+\s*:|\s)/.test(line.visible) && !readIndexLine(line.visible),
  );
  return isHeader ? close + 1 : 0;
}

/** Which lines are the marks of an unsettled merge; the lines between them are kept, of both sides. */
function conflictMarkers(lines: readonly ScannedLine[]): Set<number> {
  const marks = new Set<number>();
  let isInside = false;
  for (const { visible, at } of lines) {
    if (/^<{7}(?: |$)/.test(visible)) isInside = true;
    else if (/^>{7}(?: |$)/.test(visible)) isInside = false;
    else if (!isInside || !/^(?:={7}$|\|{7}(?: |$))/.test(visible)) continue;
    marks.add(at);
  }
  return marks;
}
