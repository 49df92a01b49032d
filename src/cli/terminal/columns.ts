/** Aligned columns: every cell padded to the widest of its column, coloured after measuring. */

import { cutInMiddle, cutToWidth, padToWidth, textWidth } from './text-width.ts';

export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

export interface Column {
  /** `whole` is never cut, `middle` keeps both ends, `rest` takes what is left of the line. */
  readonly fit: 'whole' | 'middle' | 'rest';
  /** May be left out when there is no room, lowest first. */
  readonly drop?: number;
  /** Cells reserved for free text before anything else is dropped. */
  readonly least?: number;
  /** On a narrow terminal it goes to a second line. */
  readonly below?: true;
}

type Rows = readonly (readonly Cell[])[];

/** Never cut: for pipes, and for rows that need no more than a line. */
export function alignColumns(rows: Rows, layout: { indent?: string } = {}): string[] {
  return joinCells(rows, { widths: naturalWidths(rows), indent: layout.indent ?? '' });
}

/** No line is wider than `width`; a row on a narrow terminal may be two lines. Without a width nothing is cut. */
export function fitColumns(rows: Rows, layout: { columns: readonly Column[]; width: number | undefined }): string[] {
  const { columns, width } = layout;
  if (width === undefined) return alignColumns(rows);
  const positions = [...columns.keys()];
  if (width >= NARROW_CELLS) return fitPart(rows, { columns, positions, width, indent: '' });
  const above = positions.filter((at) => !columns[at]!.below);
  const below = positions.filter((at) => columns[at]!.below);
  const first = fitPart(rows, { columns, positions: above, width, indent: '' });
  const second = fitPart(rows, { columns, positions: below, width, indent: '  ' });
  return first.map((line, row) => (second[row]!.trim() === '' ? line : `${line}\n${second[row]}`));
}

const GAP = '  ';
/** Below this width, the free text of rows goes under them. */
const NARROW_CELLS = 60;
const REST_CELLS = 20;
const REST_SHARE = 0.35;
const NAME_CELLS = 24;
const NAME_SHARE = 0.45;
const LEAST_NAME_CELLS = 12;

interface Part {
  readonly columns: readonly Column[];
  /** The columns of this line. */
  readonly positions: readonly number[];
  readonly width: number;
  readonly indent: string;
}

function fitPart(rows: Rows, part: Part): string[] {
  const cells = rows.map((row) => part.positions.map((at) => row[at]!));
  const columns = part.positions.map((at) => part.columns[at]!);
  const widths = fittedWidths(naturalWidths(cells), { columns, room: part.width - part.indent.length });
  const kept = [...columns.keys()].filter((at) => widths[at]! > 0);
  const shown = cells.map((row) =>
    kept.map((at) => {
      const cell = row[at]!;
      const cut = columns[at]!.fit === 'middle' ? cutInMiddle : cutToWidth;
      return { ...cell, text: cut(cell.text, widths[at]!) };
    }),
  );
  return joinCells(shown, { widths: kept.map((at) => widths[at]!), indent: part.indent });
}

/** Cells for each column; 0 for one that is left out. */
function fittedWidths(natural: readonly number[], facts: { columns: readonly Column[]; room: number }): number[] {
  const { columns, room } = facts;
  const widths = columns.map(({ fit, least = REST_CELLS }, at) =>
    fit === 'rest' ? Math.min(natural[at]!, least, Math.floor(room * REST_SHARE)) : natural[at]!,
  );
  const middle = columns.findIndex(({ fit }) => fit === 'middle');
  const rest = columns.findIndex(({ fit }) => fit === 'rest');
  const spare = () => {
    const kept = widths.filter((cells) => cells > 0);
    return room - kept.reduce((sum, cells) => sum + cells, 0) - GAP.length * Math.max(0, kept.length - 1);
  };
  /** Takes away what is missing, down to `least`. */
  const shrink = (at: number, least: number) => () => {
    if (at !== -1) widths[at] = Math.min(widths[at]!, Math.max(least, widths[at]! + spare()));
  };
  const drop = (at: number) => () => {
    widths[at] = 0;
  };
  const droppable = [...columns.keys()].filter((at) => columns[at]!.drop !== undefined);
  const [first, ...others] = droppable.sort((one, other) => columns[one]!.drop! - columns[other]!.drop!).map(drop);
  const capName = () => {
    if (middle !== -1) widths[middle] = Math.min(widths[middle]!, Math.max(NAME_CELLS, Math.floor(room * NAME_SHARE)));
  };
  const sacrifices = [
    ...[capName, first ?? capName, shrink(middle, NAME_CELLS), ...others],
    ...[shrink(middle, LEAST_NAME_CELLS), shrink(rest, 0)],
  ];
  for (const sacrifice of sacrifices) if (spare() < 0) sacrifice();
  // The rest goes to the free text, and what that does not need back to the names.
  for (const at of [rest, middle]) {
    if (at !== -1 && widths[at]! > 0) widths[at] = Math.min(natural[at]!, widths[at]! + Math.max(0, spare()));
  }
  return widths;
}

function naturalWidths(rows: Rows): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell.text));
  }
  return widths;
}

function joinCells(rows: Rows, layout: { widths: readonly number[]; indent: string }): string[] {
  return rows.map((row) => {
    const cells = row.map((cell, at) => {
      const shown = at === row.length - 1 ? cell.text : padToWidth(cell.text, layout.widths[at] ?? 0);
      return cell.paint ? cell.paint(shown) : shown;
    });
    return (layout.indent + cells.join(GAP)).trimEnd();
  });
}
