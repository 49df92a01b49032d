/** Markdown a line at a time: each line may finish blocks, which are drawn once, and leaves at most one open. */

import { closesFence, headingAt, openingFence } from '../../base/markdown/marks.ts';
import { VIEW_LIMITS } from '../../limits.ts';
import { type HighlightState, highlightLine } from './highlight.ts';
import {
  type Container,
  isRule,
  matchContainers,
  openContainers,
  prefixesOf,
  quoteBars,
  type Remainder,
} from './markdown-containers.ts';
import { type InlineStyle, inlineSpans } from './markdown-inline.ts';
import { type Table, tableAlignments, tableCells, tableRows } from './markdown-table.ts';
import { type Row, rowWidth, type Span, span } from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

type Leaf =
  | { readonly kind: 'paragraph'; readonly text: string; readonly lastLineAt: number }
  | {
      readonly kind: 'fence';
      readonly marks: string;
      readonly column: number;
      readonly language: string;
      readonly state: HighlightState;
    }
  | { readonly kind: 'table'; readonly table: Table; readonly characters: number };

export interface BlockState {
  readonly containers: readonly Container[];
  readonly leaf: Leaf | null;
  /** Quotes around the last empty line read; null when there was none. */
  readonly blankQuotes: number | null;
  readonly hasOutput: boolean;
}

export interface BlockLayout extends InlineStyle {
  readonly width: number;
}

interface Step {
  readonly state: BlockState;
  readonly rows: readonly Row[];
}

export const NO_BLOCKS: BlockState = { containers: [], leaf: null, blankQuotes: null, hasOutput: false };

const CODE_INDENT = span('  ');

/** `continues`: the line is the rest of one that was too long to wait for. */
export function feedLine(
  line: string,
  facts: { readonly state: BlockState; readonly layout: BlockLayout; readonly continues: boolean },
): Step {
  const writer = createWriter(facts.state, facts.layout);
  const { leaf, containers } = facts.state;
  const { matched, rest } = matchContainers(line, containers);
  if (leaf?.kind === 'fence' && containers.slice(matched).every(({ kind }) => kind === 'item')) {
    return writer.code(leaf, rest);
  }
  if (facts.continues && leaf?.kind !== 'table') return writer.text(line);
  const text = rest.text.trim();
  if (text === '') return writer.blank(containers.slice(0, matched));
  const isLazy = matched < containers.length && leaf?.kind === 'paragraph' && !startsBlock(rest, containers);
  if (isLazy) return writer.text(text);
  if (matched < containers.length) writer.leave(matched);
  const current = writer.leaf();
  if (current?.kind === 'paragraph' && /^(?:=+|-{3,})$/.test(text)) return writer.headingFromParagraph();
  const { opened, rest: inner } = openContainers(rest, {
    containers: writer.containers(),
    isInParagraph: current?.kind === 'paragraph',
  });
  writer.enter(opened);
  return writer.leafLine(inner);
}

/** Draws what is open, as if the text ended here. */
export function finishBlocks(state: BlockState, layout: BlockLayout): Step {
  const writer = createWriter(state, layout);
  writer.leave(0);
  return writer.step();
}

function startsBlock(rest: Remainder, containers: readonly Container[]): boolean {
  const trimmed = rest.text.trim();
  const isInList = containers.some(({ kind }) => kind === 'item');
  const { opened } = openContainers(rest, { containers: [], isInParagraph: !isInList });
  return opened.length > 0 || isRule(trimmed) || headingAt(trimmed) !== null || openingFence(trimmed) !== null;
}

function createWriter(before: BlockState, layout: BlockLayout) {
  const { paint } = layout;
  const rows: Row[] = [];
  let { containers, leaf, blankQuotes, hasOutput } = before;

  /** `draw` gets the cells that the containers leave. */
  function emit(draw: (width: number) => readonly Row[], { isApart } = { isApart: false }): void {
    const { first, rest } = prefixesOf(containers, layout);
    const quotes = containers.filter(({ kind }) => kind === 'quote').length;
    if (hasOutput && (blankQuotes !== null || isApart))
      rows.push(quoteBars(Math.min(quotes, blankQuotes ?? quotes), paint));
    const drawn = draw(Math.max(1, layout.width - rowWidth(rest)));
    rows.push(...drawn.map((row, at) => [...(at === 0 ? first : rest), ...row]));
    containers = containers.map((each) => (each.kind === 'item' ? { ...each, isShown: true } : each));
    blankQuotes = null;
    hasOutput = true;
  }

  const emitText = (text: string) => emit((width) => wrapSpans(inlineSpans(text, layout), { width, at: 'words' }));

  function emitHeading(text: string, level: number): void {
    // When nothing is bold, the marks still show a heading.
    const marks = paint.bold('x') === 'x' ? [span(`${'#'.repeat(level)} `)] : [];
    const spans = inlineSpans(text, layout).map(({ text: piece, look }): Span => {
      return span(piece, (shown) => paint.bold(look === undefined ? shown : look(shown)));
    });
    emit((width) => wrapSpans([...marks, ...spans], { width, at: 'words' }), { isApart: true });
  }

  function emitTable(table: Table): Table {
    let widths = table.widths;
    emit((width) => {
      const drawn = tableRows(table, { width, style: layout });
      widths = drawn.widths.length === 0 ? table.widths : drawn.widths;
      return drawn.rows;
    });
    return { ...table, rows: [], widths };
  }

  function closeLeaf(): void {
    if (leaf?.kind === 'paragraph') emitText(leaf.text);
    else if (leaf?.kind === 'table' && (leaf.table.rows.length > 0 || leaf.table.widths === null))
      emitTable(leaf.table);
    leaf = null;
  }

  /** An item without words is still an item. */
  function leave(depth: number): void {
    closeLeaf();
    const isSilent = containers.slice(depth).some((each) => each.kind === 'item' && !each.isShown);
    if (isSilent) emit(() => [[]]);
    containers = containers.slice(0, depth);
  }

  function step(): Step {
    return { state: { containers, leaf, blankQuotes, hasOutput }, rows };
  }

  function text(line: string): Step {
    const before = leaf?.kind === 'paragraph' ? `${leaf.text}\n` : '';
    leaf = { kind: 'paragraph', text: before + line, lastLineAt: before.length };
    if (leaf.text.length >= VIEW_LIMITS.openCharacters) closeLeaf();
    return step();
  }

  function tableLine(line: string, open: Extract<Leaf, { kind: 'table' }>): Step {
    const table = { ...open.table, rows: [...open.table.rows, tableCells(line)] };
    const characters = open.characters + line.length + 1;
    const isFull = characters >= VIEW_LIMITS.openCharacters;
    leaf = isFull ? { kind: 'table', table: emitTable(table), characters: 0 } : { kind: 'table', table, characters };
    return step();
  }

  /** The paragraph's last line turns out to be the head of a table. */
  function startTable(line: string): boolean {
    const alignments = tableAlignments(line);
    if (alignments === null || leaf?.kind !== 'paragraph') return false;
    const head = leaf.text.slice(leaf.lastLineAt);
    if (!head.includes('|')) return false;
    if (leaf.lastLineAt > 0) emitText(leaf.text.slice(0, leaf.lastLineAt - 1));
    leaf = {
      kind: 'table',
      table: { head: tableCells(head), alignments, rows: [], widths: null },
      characters: head.length,
    };
    return true;
  }

  return {
    step,
    leave,
    text,
    leaf: () => leaf,
    containers: () => containers,
    enter(opened: readonly Container[]): void {
      if (opened.length === 0) return;
      closeLeaf();
      const isSilent = containers.some((each) => each.kind === 'item' && !each.isShown);
      if (isSilent) emit(() => [[]]);
      containers = [...containers, ...opened];
    },
    blank(stayed: readonly Container[]): Step {
      closeLeaf();
      if (stayed.length < containers.length && containers[stayed.length]?.kind === 'quote') leave(stayed.length);
      blankQuotes = stayed.filter(({ kind }) => kind === 'quote').length;
      return step();
    },
    headingFromParagraph(): Step {
      const text = leaf?.kind === 'paragraph' ? leaf.text : '';
      leaf = null;
      emitHeading(text.replaceAll('\n', ' '), 2);
      return step();
    },
    code(open: Extract<Leaf, { kind: 'fence' }>, rest: Remainder): Step {
      const indent = Math.max(0, open.column - rest.column);
      const line = rest.text.slice(Math.min(indent, rest.text.length - rest.text.trimStart().length));
      if (closesFence(line, open.marks)) {
        leaf = null;
        return step();
      }
      const { spans, state } = highlightLine(line, { language: open.language, state: open.state, paint });
      emit((width) => wrapSpans(spans, { width, first: [CODE_INDENT], at: 'anywhere' }));
      leaf = { ...open, state };
      return step();
    },
    leafLine(rest: Remainder): Step {
      const line = rest.text.trim();
      if (line === '') return step();
      if (leaf?.kind === 'table' && line.includes('|')) return tableLine(line, leaf);
      if (leaf?.kind === 'table') closeLeaf();
      if (startTable(line)) return step();
      const fence = openingFence(line);
      const heading = headingAt(line);
      if (fence !== null) {
        closeLeaf();
        const column = rest.column + rest.text.length - rest.text.trimStart().length;
        leaf = { kind: 'fence', marks: fence.marks, column, language: /^[^\s{]*/.exec(fence.info)![0], state: null };
      } else if (heading !== null) {
        closeLeaf();
        emitHeading(heading.title, heading.level);
      } else if (isRule(line)) {
        closeLeaf();
        emit((width) => [[span('─'.repeat(width), paint.dim)]]);
      } else return text(line);
      return step();
    },
  };
}
