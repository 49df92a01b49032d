/** Two texts as the lines that differ, computed once; drawing them again costs no comparison. */

import { diffWordsWithSpace, structuredPatch } from 'diff';
import { VIEW_LIMITS } from '../../limits.ts';

export interface Diff {
  readonly file: string;
  readonly isNew: boolean;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
}

export type DiffLine =
  /** Number of unchanged lines that are left out. */
  | { readonly kind: 'gap' }
  | {
      readonly kind: 'same' | 'added' | 'removed';
      /** In the file after the change; for a removed line, before it. */
      readonly number: number;
      readonly text: string;
      /** The parts that differ from its counterpart line; empty when all of it does. */
      readonly changed: readonly Part[];
    };

type Part = readonly [start: number, end: number];
type TextLine = Exclude<DiffLine, { kind: 'gap' }>;

export function diffOf(change: {
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
}): Diff {
  // Line ends are shown only if they are not the same throughout.
  const isWindows = endsWindows(change.after) && (change.before === null || endsWindows(change.before));
  const clean = (text: string) => (isWindows ? text.replaceAll('\r\n', '\n') : text);
  const before = clean(change.before ?? '');
  const after = clean(change.after);
  const lines = emphasise(before === '' ? wholeLines(after, 'added') : changedLines(before, after));
  return {
    file: change.file,
    isNew: change.before === null,
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    lines,
  };
}

function endsWindows(text: string): boolean {
  return text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
}

function changedLines(before: string, after: string): DiffLine[] {
  const patch = structuredPatch('', '', before, after, '', '', {
    context: VIEW_LIMITS.diffContextLines,
    maxEditLength: VIEW_LIMITS.diffEdits,
  });
  // Too different to be worth comparing: one is removed, the other added.
  if (patch === undefined) return [...wholeLines(before, 'removed'), ...wholeLines(after, 'added')];
  const lines: DiffLine[] = [];
  for (const [at, hunk] of patch.hunks.entries()) {
    if (at > 0) lines.push({ kind: 'gap' });
    let oldNumber = hunk.oldStart;
    let newNumber = hunk.newStart;
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line[0] === '-') lines.push({ kind: 'removed', number: oldNumber++, text, changed: [] });
      else if (line[0] === '+') lines.push({ kind: 'added', number: newNumber++, text, changed: [] });
      else if (line[0] === ' ') {
        lines.push({ kind: 'same', number: newNumber++, text, changed: [] });
        oldNumber += 1;
      }
    }
  }
  return lines;
}

function wholeLines(text: string, kind: 'added' | 'removed'): DiffLine[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, at) => ({ kind, number: at + 1, text: line, changed: [] }));
}

/** If as many lines were added as removed, each is compared with its counterpart. */
function emphasise(lines: readonly DiffLine[]): DiffLine[] {
  const marked = [...lines];
  let at = 0;
  while (at < marked.length) {
    const removed = runFrom(marked, at, 'removed');
    const added = runFrom(marked, at + removed, 'added');
    if (removed > 0 && removed === added && removed <= VIEW_LIMITS.diffLines) {
      for (let offset = 0; offset < removed; offset += 1) markPair(marked, at + offset, at + removed + offset);
    }
    at += Math.max(1, removed + added);
  }
  return marked;
}

function runFrom(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let at = start;
  while (lines[at]?.kind === kind) at += 1;
  return at - start;
}

function markPair(lines: DiffLine[], oldAt: number, newAt: number): void {
  const [one, other] = [lines[oldAt] as TextLine, lines[newAt] as TextLine];
  if (Math.max(one.text.length, other.text.length) > VIEW_LIMITS.emphasisCharacters) return;
  const removed: Part[] = [];
  const added: Part[] = [];
  let [oldEnd, newEnd, different] = [0, 0, 0];
  for (const { value, removed: isRemoved, added: isAdded } of diffWordsWithSpace(one.text, other.text)) {
    if (isRemoved) removed.push([oldEnd, oldEnd + value.length]);
    if (isAdded) added.push([newEnd, newEnd + value.length]);
    if (isRemoved || isAdded) different += value.length;
    if (!isAdded) oldEnd += value.length;
    if (!isRemoved) newEnd += value.length;
  }
  // Emphasis on most of a line emphasises nothing.
  if (different > VIEW_LIMITS.emphasisShare * (one.text.length + other.text.length)) return;
  lines[oldAt] = { ...one, changed: removed };
  lines[newAt] = { ...other, changed: added };
}
