/** A memory that takes the place of others: which its writer names, which of them yield, and the mark that they get. */

import type { MemorySource } from '../base/taxonomy.ts';
import { ReverieError } from '../errors.ts';
import type { MemoryFacts } from './files/header.ts';
import { editMemoryFile, parseMemoryFile } from './files/memory-file.ts';
import type { Quote } from './files/quote.ts';
import type { FileEdit } from './history/change-files.ts';

/** `supersedes: a.md, b.md` in the front matter of a new memory. */
export function namedAsSuperseded(text: string): readonly string[] {
  const named = parseMemoryFile(Buffer.from(text)).meta.supersedes ?? '';
  return named
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((name) => name.trim().split('/').at(-1)!)
    .flatMap((name) => (name === '' ? [] : [name.endsWith('.md') ? name : `${name}.md`]));
}

type Successor = { readonly source: MemorySource; readonly quote: readonly Quote[] };
type Predecessor = Pick<MemoryFacts, 'source' | 'quote' | 'created' | 'pinned' | 'supersededBy'>;

/** Why a memory keeps its place; null when it yields. What the user said yields only to what they said later. */
export function whyNotSuperseded(old: Predecessor, next: Successor): string | null {
  if (old.pinned) return 'the user pinned it';
  if (old.supersededBy !== null) return `${old.supersededBy} superseded it already`;
  if (old.source !== 'said') return null;
  if (next.source !== 'said') return 'it is the user’s word, and nothing they typed carries the new one';
  const [before, after] = [lastSaid(old.quote) ?? old.created?.slice(0, DAY), lastSaid(next.quote)];
  return before === undefined || after === undefined || after >= before ? null : `it was said later, on ${before}`;
}

const DAY = '2026-01-07'.length;

function lastSaid(quotes: readonly Quote[]): string | undefined {
  return quotes
    .flatMap(({ at }) => at?.slice(0, DAY) ?? [])
    .sort()
    .at(-1);
}

/** The old files with the name of the new one in them. They stay, can be read and undone, and are no longer recalled as facts. */
export function supersedeEdits(
  files: readonly string[],
  facts: { readonly by: string; readonly read: (file: string) => Buffer },
): readonly FileEdit[] {
  return files.map((file) => {
    const from = facts.read(file);
    // Its time stays: it says when the memory was last what it says.
    const edited = editMemoryFile(from, { set: { superseded_by: facts.by } });
    if ('refused' in edited) throw new ReverieError({ code: 'refused', message: `${file}: ${edited.refused}` });
    return { file, from, after: edited.bytes };
  });
}
