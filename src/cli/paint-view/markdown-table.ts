/** Markdown tables, fitted to the width: cells are wrapped, and if columns have no room each row becomes a short list. */

import { VIEW_LIMITS } from '../../limits.ts';
import { textWidth } from '../terminal/text-width.ts';
import { type InlineStyle, inlineSpans } from './markdown-inline.ts';
import { padRow, type Row, rowWidth, type Span, span } from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

export type Alignment = 'left' | 'right' | 'center';

export interface Table {
  readonly head: readonly string[];
  readonly alignments: readonly Alignment[];
  readonly rows: readonly (readonly string[])[];
  /** Set once the first rows are drawn; later ones follow it. */
  readonly widths: readonly number[] | null;
}

const GAP = ' │ ';

/** The cells of `| a | b |`; a bar after a backslash is text. */
export function tableCells(line: string): string[] {
  const text = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
  return atMost(cells, VIEW_LIMITS.tableColumns);
}

/** The line below a head, `|---|:-:|`, or null. */
export function tableAlignments(line: string): Alignment[] | null {
  const text = line.trim();
  if (!/^[-:| ]+$/.test(text) || !text.includes('|')) return null;
  const cells = tableCells(text);
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return null;
  return cells.map((cell) => {
    if (!cell.endsWith(':')) return 'left';
    return cell.startsWith(':') ? 'center' : 'right';
  });
}

export function tableRows(
  table: Table,
  facts: { readonly width: number; readonly style: InlineStyle },
): { rows: Row[]; widths: readonly number[] } {
  const { style } = facts;
  const columns = table.head.length;
  const inline = (cells: readonly string[]) => {
    const own = atMost(cells, columns);
    return Array.from({ length: columns }, (_, at) => inlineSpans(own[at] ?? '', style));
  };
  const body = table.rows.map(inline);
  const head = inline(table.head).map((cell) => cell.map((piece) => bolder(piece, style)));
  const room = facts.width - GAP.length * (columns - 1);
  if (room < columns * VIEW_LIMITS.leastColumnCells) {
    return { rows: body.flatMap((row, at) => listRows(row, { head, at, width: facts.width, style })), widths: [] };
  }
  const widths = table.widths ?? fittedWidths([head, ...body], { columns, room });
  const draw = (cells: readonly Span[][]) => tableRow(cells, { widths, alignments: table.alignments, style });
  const line: Row = [span(widths.map((cells) => '─'.repeat(cells)).join('─┼─'), style.paint.dim)];
  return { rows: [...(table.widths === null ? [...draw(head), line] : []), ...body.flatMap(draw)], widths };
}

/** Extra cells are joined to the last: nothing is hidden. */
function atMost(cells: readonly string[], columns: number): string[] {
  if (cells.length <= columns) return [...cells];
  return [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(' | ')];
}

function bolder(piece: Span, { paint }: InlineStyle): Span {
  return span(piece.text, (text) => paint.bold(piece.look === undefined ? text : piece.look(text)));
}

/** Columns keep what they need as long as there is room; the widest shrink first. */
function fittedWidths(rows: readonly Span[][][], facts: { columns: number; room: number }): number[] {
  const natural = Array.from({ length: facts.columns }, (_, at) =>
    rows.reduce((widest, row) => Math.max(widest, widestLine(row[at] ?? [])), 1),
  );
  let room = facts.room;
  let left = facts.columns;
  const widths = natural.map(() => 0);
  for (const at of [...natural.keys()].sort((one, other) => natural[one]! - natural[other]!)) {
    widths[at] = Math.max(1, Math.min(natural[at]!, Math.floor(room / left)));
    room -= widths[at]!;
    left -= 1;
  }
  return widths;
}

function widestLine(spans: readonly Span[]): number {
  const lines = spans
    .map(({ text }) => text)
    .join('')
    .split('\n');
  return lines.reduce((widest, line) => Math.max(widest, textWidth(line)), 0);
}

function tableRow(
  cells: readonly Span[][],
  facts: { widths: readonly number[]; alignments: readonly Alignment[]; style: InlineStyle },
): Row[] {
  const wrapped = cells.map((cell, at) => wrapSpans(cell, { width: facts.widths[at]!, at: 'words' }));
  const height = wrapped.reduce((most, rows) => Math.max(most, rows.length), 1);
  return Array.from({ length: height }, (_, line) =>
    wrapped.flatMap((rows, at) => [
      ...(at === 0 ? [] : [span(GAP, facts.style.paint.dim)]),
      ...aligned(rows[line] ?? [], { cells: facts.widths[at]!, alignment: facts.alignments[at] ?? 'left' }),
    ]),
  );
}

function aligned(row: Row, facts: { cells: number; alignment: Alignment }): Row {
  const missing = Math.max(0, facts.cells - rowWidth(row));
  const before = facts.alignment === 'left' ? 0 : facts.alignment === 'right' ? missing : Math.floor(missing / 2);
  return padRow([span(' '.repeat(before)), ...row], facts.cells);
}

function listRows(
  row: readonly Span[][],
  facts: { head: readonly Span[][]; at: number; width: number; style: InlineStyle },
): Row[] {
  const line: Row[] = facts.at === 0 ? [] : [[span('─'.repeat(Math.min(facts.width, 8)), facts.style.paint.dim)]];
  const fields = row.flatMap((cell, at) =>
    wrapSpans([...facts.head[at]!, span(': '), ...cell], { width: facts.width, at: 'words' }),
  );
  return [...line, ...fields];
}
