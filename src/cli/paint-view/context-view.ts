/** What fills the window: a picture by source, the numbers behind it, and the thresholds at which something happens. */

import type { Window } from '../../conversation/window.ts';
import { VIEW_LIMITS } from '../../limits.ts';
import type { Paint } from '../terminal/paint.ts';
import { percent, shortNumber, wholeNumber } from './amounts.ts';
import { columnRows } from './column-rows.ts';
import { cellsOf, cleanLine, type Look, type Row, renderRows, type Span, span } from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

export interface ContextPart {
  readonly name: string;
  readonly tokens: number;
}

interface Filled extends ContextPart {
  readonly glyph: string;
  readonly look: Look | undefined;
}

/** A glyph and a colour for each, so that they can be told apart with and without colours. */
const GLYPHS = ['█', '▓', '▒', '■', '◆', '▲', '●', '▪', '◉', '★', '▼', '◼'];

export function contextLines(facts: {
  /** What is in the window; what is free and what is reserved for the answer are computed. */
  readonly parts: readonly ContextPart[];
  /** Tokens of the whole window. */
  readonly window: number;
  readonly thresholds: Pick<Window, 'effective' | 'warnAt' | 'compactAt' | 'hardStopAt'>;
  readonly width: number | undefined;
  readonly paint: Paint;
  /** Words and numbers only, for a screen reader. */
  readonly isQuiet?: boolean | undefined;
}): string[] {
  const { paint, thresholds } = facts;
  const width = cellsOf(facts.width);
  const used = facts.parts.reduce((sum, { tokens }) => sum + Math.max(0, tokens), 0);
  const window = Math.max(1, facts.window);
  const reserve = Math.max(0, window - Math.max(thresholds.effective, used));
  const colours = [paint.cyan, paint.green, paint.yellow, paint.magenta, paint.red];
  const parts: Filled[] = facts.parts
    .filter(({ tokens }) => tokens > 0)
    .map((part, at) => ({ ...part, glyph: GLYPHS[at % GLYPHS.length]!, look: colours[at % colours.length] }));
  const all: Filled[] = [
    ...parts,
    { name: 'free', tokens: Math.max(0, window - used - reserve), glyph: '·', look: paint.dim },
    { name: 'kept for the answer', tokens: reserve, glyph: '/', look: paint.dim },
  ];
  const head: Row = [
    span(`${shortNumber(used)} of ${shortNumber(window)} tokens`, paint.bold),
    span(` (${percent(used / window)})`, paint.dim),
  ];
  return renderRows(
    [
      head,
      [],
      ...(facts.isQuiet ? [] : [...pictureRows(all, width), []]),
      ...numberRows(all, { window, width, paint, isQuiet: facts.isQuiet ?? false }),
      [],
      ...pointRows(facts, { used, width }),
    ],
    width,
  );
}

function pictureRows(parts: readonly Filled[], width: number): Row[] {
  const columns = Math.min(width, VIEW_LIMITS.windowCells);
  const cells = columns * VIEW_LIMITS.windowRows;
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const spans: Span[] = [];
  let [drawn, before] = [0, 0];
  for (const part of parts) {
    before += part.tokens;
    const end = Math.round((cells * before) / Math.max(1, total));
    spans.push(span(part.glyph.repeat(Math.max(0, end - drawn)), part.look));
    drawn = Math.max(drawn, end);
  }
  return wrapSpans(spans, { width: columns, at: 'anywhere' });
}

function numberRows(
  parts: readonly Filled[],
  facts: { window: number; width: number; paint: Paint; isQuiet: boolean },
): Row[] {
  const rows = parts.map(({ name, tokens, glyph, look }) => [
    span(facts.isQuiet ? '' : glyph, look),
    span(cleanLine(name)),
    span(wholeNumber(tokens)),
    span(percent(tokens / facts.window), facts.paint.dim),
  ]);
  return columnRows(rows, {
    columns: [{}, { least: 8 }, { align: 'right' }, { align: 'right', drop: 1 }],
    width: facts.width,
  });
}

function pointRows(
  { thresholds, paint }: { thresholds: Pick<Window, 'warnAt' | 'compactAt' | 'hardStopAt'>; paint: Paint },
  facts: { used: number; width: number },
): Row[] {
  const points: readonly (readonly [string, number])[] = [
    ['warns', thresholds.warnAt],
    ['compacts', thresholds.compactAt],
    ['stops', thresholds.hardStopAt],
  ];
  const words = points.map(([what, at]) => {
    return at <= facts.used ? `${what} now (${shortNumber(at)})` : `${what} at ${shortNumber(at)}`;
  });
  return wrapSpans([span(words.join(' · '), paint.dim)], { width: facts.width, at: 'words' });
}
