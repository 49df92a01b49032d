/** Memories in a conversation's terminal: the list of `/memory`, and which ones were recalled. */

import type { MemoryHeader } from '../../memory/memory.ts';
import { ageInDays, ageText } from '../../memory/shown/age.ts';
import { marks } from '../memory-text.ts';
import type { Paint } from '../terminal/paint.ts';
import { counted } from './amounts.ts';
import { columnRows } from './column-rows.ts';
import { cellsOf, cleanLine, type Row, renderRows, span } from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

interface Drawn {
  readonly now: Date;
  readonly width: number | undefined;
  readonly paint: Paint;
}

/** Pinned ones first; otherwise in the order given. `selected` counts in that order. */
export function memoryLines(
  facts: Drawn & { readonly entries: readonly MemoryHeader[]; readonly selected?: number },
): string[] {
  const { paint } = facts;
  const width = cellsOf(facts.width);
  if (facts.entries.length === 0) return renderRows([[span('Nothing is remembered here yet.', paint.dim)]], width);
  const rows = pinnedFirst(facts.entries).map((entry, at) => [
    span(at === facts.selected ? '❯' : entry.pinned ? '★' : ' ', paint.yellow),
    span(cleanLine(entry.file), at === facts.selected ? paint.bold : undefined),
    span(entry.type ?? 'untyped', paint.cyan),
    span(entry.scope, paint.dim),
    span(ageText(ageInDays(entry.modified, facts.now)), paint.dim),
    span([...otherMarks(entry), cleanLine(entry.description) || cleanLine(entry.name)].join(' '), paint.dim),
  ]);
  const listed = columnRows(rows, {
    columns: [{}, { least: 12 }, { drop: 4 }, { drop: 3 }, { drop: 2 }, { drop: 1, least: 16 }],
    width,
  });
  return renderRows([...listed, [span(counted(facts.entries.length, 'memory', 'memories'), paint.dim)]], width);
}

export function pinnedFirst<Entry extends Pick<MemoryHeader, 'pinned'>>(entries: readonly Entry[]): Entry[] {
  return [...entries.filter(({ pinned }) => pinned), ...entries.filter(({ pinned }) => !pinned)];
}

/** The star says that it is pinned. */
function otherMarks(entry: MemoryHeader): string[] {
  return marks(entry)
    .filter((mark) => mark !== 'pinned')
    .map((mark) => `(${mark})`);
}

/** Said once where memories joined the conversation: which, and how old. */
export function recalledLines(
  facts: Drawn & { readonly memories: readonly Pick<MemoryHeader, 'file' | 'modified'>[] },
): string[] {
  const { paint } = facts;
  const width = cellsOf(facts.width);
  if (facts.memories.length === 0) return [];
  const named = facts.memories.map(({ file, modified }) => {
    return `${cleanLine(file)} (${ageText(ageInDays(modified, facts.now))})`;
  });
  const rows: Row[] = wrapSpans([span(`remembers ${named.join(', ')}`, paint.dim)], {
    ...{ width, first: [span('◐ ', paint.cyan)], rest: [span('  ')], at: 'words' },
  });
  return renderRows(rows, width);
}
