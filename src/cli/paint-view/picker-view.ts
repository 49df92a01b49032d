/** A list to pick from: sessions, earlier messages, models, completions. The chosen one is always in view. */

import type { Paint } from '../terminal/paint.ts';
import { cutToWidth, textWidth } from '../terminal/text-width.ts';
import { counted } from './amounts.ts';
import { cellsOf, cleanLine, cleanText, firstCells, type Row, renderRows, type Span, span } from './spans.ts';

export interface PickerItem {
  readonly title: string;
  readonly detail: string;
  /** Shown below the list while the item is chosen. */
  readonly preview?: string | undefined;
}

export interface PickerView {
  /** Only matching ones: see `matchingItems`. */
  readonly items: readonly PickerItem[];
  readonly selected: number;
  /** Null when nothing is searched for, as in completions. */
  readonly query: string | null;
  /** In front of the query, where it is more than a search. */
  readonly label?: string | undefined;
  readonly title?: string | undefined;
  /** Shown when there is nothing to pick. */
  readonly empty?: string | undefined;
  /** Rows for all of it. */
  readonly rows: number;
  readonly width: number | undefined;
  readonly paint: Paint;
}

/** Items that hold every word of the query, in any case and order. */
export function matchingItems<Item extends PickerItem>(items: readonly Item[], query: string): Item[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return items.filter(({ title, detail }) => {
    const text = `${title} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function pickerLines(view: PickerView): string[] {
  const { items, query, paint } = view;
  const width = cellsOf(view.width);
  const selected = Math.min(items.length - 1, Math.max(0, view.selected));
  const head: Row[] = [
    ...(view.title === undefined ? [] : [[span(cleanLine(view.title), paint.bold)]]),
    ...(query === null
      ? []
      : [[span(view.label ?? 'search: ', paint.dim), span(cleanLine(query)), span('▏', paint.dim)]]),
  ];
  const rows = Math.max(1, Math.floor(view.rows));
  if (items.length === 0) {
    const empty = view.empty ?? (query ? 'Nothing matches.' : 'There is nothing to pick.');
    return renderRows([...head, [span(cleanLine(empty), paint.dim)]].slice(-rows), width);
  }
  const shownHead = head.slice(0, Math.max(0, rows - 1));
  const room = rows - shownHead.length;
  const preview = previewRows(items[selected]!, { most: Math.floor(room / 3), paint, width });
  const listed = Math.max(1, Math.min(items.length, room - preview.length));
  const isCut = listed < items.length && listed > 2;
  const count = isCut ? listed - 1 : listed;
  const first = Math.min(Math.max(0, selected - Math.floor(count / 2)), items.length - count);
  const list = items.slice(first, first + count).map((item, at) => {
    return itemRow(item, { isSelected: first + at === selected, query: query ?? '', width, paint });
  });
  const position: Row[] = isCut
    ? [[span(`  ${selected + 1} of ${counted(items.length, 'entry', 'entries')}`, paint.dim)]]
    : [];
  return renderRows([...shownHead, ...list, ...position, ...preview], width);
}

function itemRow(item: PickerItem, facts: { isSelected: boolean; query: string; width: number; paint: Paint }): Row {
  const { paint, width } = facts;
  const room = Math.max(1, width - 2);
  const detail = cleanLine(firstCells(item.detail, width));
  const title = cleanLine(firstCells(item.title, width));
  // The title keeps at least half; what it does not need goes to the detail.
  const titleCells = Math.min(textWidth(title), Math.max(Math.ceil(room / 2), room - textWidth(detail) - 2));
  const shown = cutToWidth(title, titleCells);
  const detailCells = room - textWidth(shown) - 2;
  return [
    span(facts.isSelected ? '❯ ' : '  ', paint.cyan),
    ...markedSpans(shown, { query: facts.query, look: facts.isSelected ? paint.bold : undefined, mark: paint.yellow }),
    ...(detail === '' || detailCells < 4 ? [] : [span(`  ${cutToWidth(detail, detailCells)}`, paint.dim)]),
  ];
}

/** The position of the first matching word of the query. */
function markedSpans(
  text: string,
  facts: { query: string; look: Span['look']; mark: NonNullable<Span['look']> },
): Span[] {
  const { look } = facts;
  const low = text.toLowerCase();
  const word = facts.query
    .toLowerCase()
    .split(/\s+/)
    .find((each) => each !== '' && low.includes(each));
  // Lower case may be longer than the original; then nothing is marked rather than the wrong thing.
  if (word === undefined || low.length !== text.length) return [span(text, look)];
  const at = low.indexOf(word);
  const found = text.slice(at, at + word.length);
  return [
    span(text.slice(0, at), look),
    span(found, (shown) => facts.mark(look === undefined ? shown : look(shown))),
    span(text.slice(at + word.length), look),
  ];
}

function previewRows(item: PickerItem, facts: { most: number; paint: Paint; width: number }): Row[] {
  if (item.preview === undefined || facts.most < 2) return [];
  const most = facts.most - 1;
  const text = cleanText(firstCells(item.preview, facts.width * most)).trim();
  if (text === '') return [];
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, most);
  return [[], ...lines.map((line): Row => [span('  │ ', facts.paint.dim), span(line, facts.paint.dim)])];
}
