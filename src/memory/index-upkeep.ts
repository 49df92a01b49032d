/** Keeps MEMORY.md in step with the files: a line each, the user's own lines and wording left alone. */

import type { IndexLine, IndexLineChange } from '../store/change.ts';
import { readFile } from '../store/commit.ts';
import type { JournalledFolder } from '../store/journalled-folder.ts';
import type { Stamp } from '../store/stamp.ts';
import { dropIndexLine, parseIndex, putIndexLineAt, renderIndexLine, setIndexLine } from './index-file.ts';
import { parseMemoryFile } from './memory-file.ts';
import { factsOf } from './memory-header.ts';
import { INDEX_FILE } from './walk.ts';

/** The index as Reverie last left it, so that a person's edit of it can be told and taken back. */
const LAST_INDEX = 'index-as-left.md';

export interface IndexWish {
  readonly file: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly line?: IndexLine | null;
}

export function readIndex(store: JournalledFolder): { text: string; onDisk: { bytes: Buffer; stamp: Stamp } } | null {
  const onDisk = readFile(store.root, INDEX_FILE);
  return onDisk && { text: onDisk.bytes.toString('utf8'), onDisk };
}

/** The index's text after the wishes, and per file the line that went and the line that came. */
export function editIndex(
  text: string,
  wishes: readonly IndexWish[],
): { text: string; lines: ReadonlyMap<string, IndexLineChange> } {
  const lines = new Map<string, IndexLineChange>();
  const { fresh, others } = wishes.length < MANY ? { fresh: [], others: wishes } : splitFresh(text, wishes);
  let current = appendLines(text, fresh, lines);
  for (const wish of others) {
    const dropped = dropIndexLine(current, wish.file);
    const line = wantedLine(wish, dropped.before);
    if (line === 'keep') continue;
    if (line === null) {
      current = dropped.text;
      if (dropped.before) lines.set(wish.file, { before: dropped.before, after: null });
    } else if (typeof line === 'string') {
      const set = setIndexLine(current, wish.file, line);
      current = set.text;
      // The dropped line knows how it ended, which undo needs where line ends are mixed.
      lines.set(wish.file, { before: dropped.before, after: set.after });
    } else {
      current = putIndexLineAt(dropped.text, line);
      lines.set(wish.file, { before: dropped.before, after: line });
    }
  }
  return { text: current, lines };
}

/** From here on one pass for all new lines is cheaper than an edit of the text for each. */
const MANY = 8;

function splitFresh(text: string, wishes: readonly IndexWish[]): { fresh: IndexWish[]; others: IndexWish[] } {
  const listed = new Set(parseIndex(text).entries.map((entry) => entry.file));
  const isFresh = (wish: IndexWish) => wish.after !== null && !listed.has(wish.file);
  return { fresh: wishes.filter(isFresh), others: wishes.filter((wish) => !isFresh(wish)) };
}

/** The first line finds its place among the entries; the others follow it. */
function appendLines(text: string, fresh: readonly IndexWish[], lines: Map<string, IndexLineChange>): string {
  const [first, ...rest] = fresh.map(({ file, after, line }) => {
    return { file, text: line?.text ?? indexLineFor(file, after ?? new Uint8Array()) };
  });
  if (first === undefined) return text;
  const set = setIndexLine(text, first.file, first.text);
  const at = set.after?.at ?? 0;
  for (const [position, line] of [first, ...rest].entries()) {
    lines.set(line.file, { before: null, after: { at: at + position, text: line.text } });
  }
  const lineEnd = set.text.includes('\r\n') ? '\r\n' : '\n';
  const end = set.text.lastIndexOf(first.text) + first.text.length;
  return set.text.slice(0, end) + rest.map((line) => lineEnd + line.text).join('') + set.text.slice(end);
}

/** A line that is not as Reverie would have written it is the user's, and stays. */
function wantedLine(wish: IndexWish, present: IndexLine | null): string | IndexLine | null | 'keep' {
  if (wish.after === null) return null;
  if (wish.line) return wish.line;
  const wanted = indexLineFor(wish.file, wish.after);
  if (present === null) return wanted;
  const isOurs = wish.before !== null && present.text === indexLineFor(wish.file, wish.before);
  return isOurs && present.text !== wanted ? wanted : 'keep';
}

export function indexLineFor(file: string, bytes: Uint8Array): string {
  const { body: _body, ...parsed } = parseMemoryFile(bytes);
  const facts = factsOf(file, parsed);
  return renderIndexLine({ title: facts.name, file, hook: facts.description });
}

export async function rememberIndex(store: JournalledFolder): Promise<void> {
  const index = readFile(store.root, INDEX_FILE);
  if (index === null) {
    store.journalFolder.remove(LAST_INDEX);
    return;
  }
  const name = await store.temporary.stage(index.bytes, { durable: false });
  store.journalFolder.moveIn({ from: store.temporary, name }, LAST_INDEX, 'replace');
}

export function lastIndex(store: JournalledFolder): Buffer | null {
  return store.journalFolder.read(LAST_INDEX);
}
