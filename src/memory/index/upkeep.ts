/** Keeps MEMORY.md in step with the files: a line each, the user's own lines and wording left alone. Pure. */

import { isUnconfirmed } from '../../base/taxonomy.ts';
import type { IndexLine, IndexLineChange } from '../../disk/journal/change.ts';
import { factsOf } from '../files/header.ts';
import { parseMemoryFile } from '../files/memory-file.ts';
import { parseIndex, putIndexLines, renderIndexLine, setIndexLine, takeIndexLines } from './index-file.ts';

export interface IndexWish {
  readonly file: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** Exactly these lines, or the ones that are there; by default the line follows from the content. */
  readonly lines?: readonly IndexLine[] | 'keep';
  /** The line as somebody worded it elsewhere, for a file that has none here. */
  readonly wording?: string;
  /** The content holds a secret: the line names the file and nothing of what it says. */
  readonly isWithheld?: boolean;
}

export interface EditedIndex {
  readonly text: string;
  /** Per file the lines that went and the lines that came. */
  readonly lines: ReadonlyMap<string, IndexLineChange>;
}

export function editIndex(text: string, wishes: readonly IndexWish[]): EditedIndex {
  const lines = new Map<string, IndexLineChange>();
  const { fresh, others } = wishes.length < MANY ? { fresh: [], others: wishes } : splitFresh(text, wishes);
  let current = appendLines(text, fresh, lines);
  for (const wish of others) {
    const taken = takeIndexLines(current, wish.file);
    const wanted = wantedLines(wish, taken.lines);
    if (wanted === 'keep') continue;
    if (typeof wanted === 'string') {
      const set = setIndexLine(current, wish.file, wanted);
      current = set.text;
      lines.set(wish.file, { before: taken.lines, after: set.after ? [set.after] : [] });
    } else if (wanted.length > 0 || taken.lines.length > 0) {
      current = putIndexLines(taken.text, wanted);
      lines.set(wish.file, { before: taken.lines, after: wanted });
    }
  }
  return { text: current, lines };
}

/** A line that is not as Reverie would have written it is the user's, and stays. */
function wantedLines(wish: IndexWish, present: readonly IndexLine[]): string | readonly IndexLine[] | 'keep' {
  if (wish.lines !== undefined) return wish.lines;
  if (wish.after === null) return [];
  const wanted = lineOf(wish);
  const isOurs =
    wish.before !== null && present.length === 1 && present[0]?.text === indexLineFor(wish.file, wish.before);
  if (wanted === null) return isOurs && isUnlisted(wish.after) ? [] : 'keep';
  if (present.length === 0) return wanted;
  return isOurs && present[0]?.text !== wanted ? wanted : 'keep';
}

/** Null for a name that no line can carry, since it would be added again at every start, and for what is to have none. */
function lineOf({ file, after, wording, isWithheld }: IndexWish): string | null {
  if (after !== null && isUnlisted(after)) return null;
  const line = wording ?? indexLineFor(file, isWithheld ? new Uint8Array() : (after ?? new Uint8Array()));
  return parseIndex(line).entries[0]?.file === file ? line : null;
}

/** From here on one pass for all new lines is cheaper than an edit of the text for each. */
const MANY = 8;

/** Of many wishes, those for a new line, and those that need a line looked for; what is right already is neither. */
function splitFresh(text: string, wishes: readonly IndexWish[]): { fresh: IndexWish[]; others: IndexWish[] } {
  const lines = text.split(/\r\n|\n|\r/);
  const present = new Map<string, IndexLine[]>();
  for (const { file, line } of parseIndex(text).entries) {
    present.set(file, [...(present.get(file) ?? []), { at: line, text: lines[line] ?? '' }]);
  }
  const fresh = wishes.filter(({ file, after, lines }) => after !== null && lines === undefined && !present.has(file));
  const isFresh = new Set(fresh);
  const others = wishes.filter(
    (wish) => !isFresh.has(wish) && wantedLines(wish, present.get(wish.file) ?? []) !== 'keep',
  );
  return { fresh, others };
}

/** The first line finds its place among the entries; the others follow it. */
function appendLines(text: string, fresh: readonly IndexWish[], lines: Map<string, IndexLineChange>): string {
  const added = fresh.flatMap((wish) => {
    const line = lineOf(wish);
    return line === null ? [] : [{ file: wish.file, text: line }];
  });
  const first = added[0];
  if (first === undefined) return text;
  const set = setIndexLine(text, first.file, first.text);
  const at = set.after?.at ?? 0;
  for (const [position, line] of added.entries()) {
    lines.set(line.file, { before: [], after: [{ at: at + position, text: line.text }] });
  }
  const lineEnd = set.text.includes('\r\n') ? '\r\n' : '\n';
  const end = set.text.lastIndexOf(first.text) + first.text.length;
  const rest = added.slice(1).map((line) => lineEnd + line.text);
  return set.text.slice(0, end) + rest.join('') + set.text.slice(end);
}

/**
 * `unlisted: true` in its front matter, superseded, or a rule about the user or the work that the user has not confirmed: recall finds it,
 * with its origin; the index, which is read as what holds, leaves it out. A line that somebody wrote stays.
 */
export function isUnlisted(bytes: Uint8Array): boolean {
  // Most memories never heard of it, and a folder may hold thousands.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!['unlisted', 'seen', 'inferred', 'superseded_by'].some((word) => text.includes(word))) return false;
  const { meta, type } = parseMemoryFile(bytes);
  if (meta.superseded_by !== undefined) return true;
  return meta.unlisted === 'true' || (isUnconfirmed(meta) && (type === 'user' || type === 'feedback'));
}

export function indexLineFor(file: string, bytes: Uint8Array): string {
  const { body: _body, ...parsed } = parseMemoryFile(bytes);
  const facts = factsOf(file, parsed);
  // Whoever reads the index alone sees that the user has not said it.
  const mark = isUnconfirmed(facts) ? '(unconfirmed)' : undefined;
  return renderIndexLine({ title: facts.name, file, hook: facts.description, mark });
}

/** Applies the line changes that are not there yet; lines that read otherwise than before are done or the user's. */
export function finishLines(
  text: string,
  changes: readonly { readonly file: string; readonly line?: IndexLineChange }[],
): string {
  let current = text;
  for (const { file, line } of changes) {
    if (line === undefined) continue;
    const taken = takeIndexLines(current, file);
    const isAsBefore =
      taken.lines.map(({ text }) => text).join('\n') === line.before.map(({ text }) => text).join('\n');
    if (isAsBefore) current = putIndexLines(taken.text, line.after);
  }
  return current;
}
