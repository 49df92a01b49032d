/** The window over time: a column a request, stacked by source, what layers did above it and what the cache did below it. */

import { useEffect, useMemo } from 'preact/hooks';
import { type Mark, type RequestRow, type SessionWindow, type Source, totalOf } from '../requests.ts';
import { useCanvas } from '../use-canvas.ts';
import { count, moment, money } from '../words.ts';

const HEIGHT = 280;
const CACHE = 26;
const MARKS = 16;
const LEFT = 46;
const GAP = 6;
/** Marks of one kind that are nearer are one mark. */
const MARK_PX = 9;
/** What these do leaves the window as it is: they are drawn as ticks. */
const BESIDE = new Set(['recall', 'extraction', 'notes', 'tool-results', 'daily-log']);

export function WindowChart(props: {
  readonly session: SessionWindow;
  readonly sources: readonly Source[];
  /** The first request that is drawn. */
  readonly from: number;
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
  readonly onOpen: () => void;
}) {
  const { session, sources, from, chosen, onChoose } = props;
  const { requests, marks, window } = session;
  const { box, canvas, size, theme, open } = useCanvas({ width: 800, height: 0 });
  const { width } = size;
  const shown = useMemo(() => requests.slice(from), [requests, from]);
  const plot = Math.max(60, width - LEFT);
  const columns = useMemo(() => columnsOf(shown, plot), [shown, plot]);
  const step = plot / Math.max(1, columns.length);
  const top = Math.max(window.window * 0.25, ...columns.map(({ row }) => totalOf(row))) * 1.04;

  useEffect(() => {
    const { pen, colour } = open({ width, height: HEIGHT + CACHE + MARKS + GAP * 2 });
    draw(pen, {
      ...{ columns, sources, step, top, colour, width, session },
      marks: marksIn(marks, { from, columns, plot, step }),
    });
  }, [columns, sources, step, top, width, theme, marks, from]);

  const at = columns.findIndex(({ first, last }) => chosen - from >= first && chosen - from <= last);
  const row = requests[chosen];
  const words =
    row === undefined
      ? 'No request'
      : `Request ${chosen + 1} of ${session.total}: ${count(totalOf(row))} tokens, ${money(row.money)}, ${moment(row.at)}`;

  function onKeyDown(event: KeyboardEvent): void {
    const page = Math.max(10, Math.round(shown.length / 20));
    const moves: Record<string, number> = {
      ArrowRight: chosen + 1,
      ArrowLeft: chosen - 1,
      PageUp: chosen + page,
      PageDown: chosen - page,
      Home: from,
      End: requests.length - 1,
    };
    if (event.key === 'Enter') props.onOpen();
    const wanted = moves[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    onChoose(Math.min(requests.length - 1, Math.max(from, wanted)));
  }

  function pointed(event: MouseEvent): void {
    const x = event.clientX - canvas.current!.getBoundingClientRect().left - LEFT;
    const column = columns[Math.min(columns.length - 1, Math.max(0, Math.floor(x / step)))];
    if (column !== undefined && x >= -4) onChoose(from + column.highest);
  }

  return (
    <div
      ref={box}
      class="chart"
      role="slider"
      tabIndex={0}
      aria-label="Requests"
      aria-valuemin={from + 1}
      aria-valuemax={requests.length}
      aria-valuenow={chosen + 1}
      aria-valuetext={words}
      onKeyDown={onKeyDown}
      onMouseMove={pointed}
      onClick={(event) => {
        pointed(event);
        props.onOpen();
      }}
    >
      <canvas ref={canvas} style={{ width: `${width}px`, height: `${HEIGHT + CACHE + MARKS + GAP * 2}px` }} />
      {at >= 0 && <div class="cursor" style={{ left: `${LEFT + at * step}px`, width: `${Math.max(2, step)}px` }} />}
    </div>
  );
}

interface Column {
  readonly first: number;
  readonly last: number;
  /** Of several requests in one column, the longest is drawn. */
  readonly highest: number;
  readonly row: RequestRow;
  readonly isBroken: boolean;
}

/** No column is narrower than two pixels. */
function columnsOf(rows: readonly RequestRow[], plot: number): readonly Column[] {
  const most = Math.max(1, Math.floor(plot / 2));
  const each = Math.max(1, Math.ceil(rows.length / most));
  const columns: Column[] = [];
  for (let first = 0; first < rows.length; first += each) {
    const last = Math.min(rows.length, first + each) - 1;
    let highest = first;
    let isBroken = false;
    for (let at = first; at <= last; at++) {
      if (totalOf(rows[at]!) > totalOf(rows[highest]!)) highest = at;
      isBroken ||= rows[at]!.broke !== null;
    }
    columns.push({ first, last, highest, row: rows[highest]!, isBroken });
  }
  return columns;
}

function marksIn(
  marks: readonly Mark[],
  { from, columns, plot, step }: { from: number; columns: readonly Column[]; plot: number; step: number },
): readonly { readonly x: number; readonly name: string }[] {
  const each = columns.length === 0 ? 1 : columns[0]!.last - columns[0]!.first + 1;
  const lastAt = new Map<string, number>();
  return marks.flatMap(({ before, name }) => {
    const x = Math.min(plot, Math.floor((before - from) / each) * step);
    const isNear = x - (lastAt.get(name) ?? Number.NEGATIVE_INFINITY) < MARK_PX;
    if (before < from || isNear) return [];
    lastAt.set(name, x);
    return [{ x, name }];
  });
}

interface Drawing {
  readonly columns: readonly Column[];
  readonly sources: readonly Source[];
  readonly step: number;
  readonly top: number;
  readonly width: number;
  readonly session: SessionWindow;
  readonly marks: readonly { readonly x: number; readonly name: string }[];
  readonly colour: (name: string) => string;
}

function draw(
  pen: CanvasRenderingContext2D,
  { columns, sources, step, top, width, session, marks, colour }: Drawing,
): void {
  const base = MARKS + GAP + HEIGHT;
  const y = (tokens: number) => base - (tokens / top) * HEIGHT;
  const gap = step > 5 ? 1 : 0;
  const colours = new Map(sources.map((source) => [source.name, colour(source.colour)]));
  pen.clearRect(0, 0, width, base + GAP + CACHE);
  pen.font = '11px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  pen.fillStyle = colour('--dim');
  pen.textAlign = 'right';
  for (const tokens of ticksOf(top)) {
    pen.fillStyle = colour('--line');
    pen.fillRect(LEFT, Math.round(y(tokens)), width - LEFT, 1);
    pen.fillStyle = colour('--dim');
    pen.fillText(tokens === 0 ? '0' : `${tokens / 1_000}k`, LEFT - 6, y(tokens));
  }
  for (const [at, { row, isBroken }] of columns.entries()) {
    const x = LEFT + at * step;
    const wide = Math.max(1, step - gap);
    let below = 0;
    const known = row.tokens.reduce((sum, tokens) => sum + tokens, 0);
    for (const source of sources) {
      const tokens = row.tokens[source.at] ?? 0;
      if (tokens === 0) continue;
      pen.fillStyle = colours.get(source.name)!;
      pen.fillRect(x, y(below + tokens), wide, y(below) - y(below + tokens) + 0.5);
      below += tokens;
    }
    if (known === 0) {
      pen.fillStyle = colour('--c2');
      pen.fillRect(x, y(totalOf(row)), wide, base - y(totalOf(row)));
    }
    drawCache(pen, { x, wide, top: base + GAP, row, colour });
    if (isBroken) {
      pen.fillStyle = colour('--bad');
      pen.fillRect(x, base + GAP + CACHE - 4, Math.max(2, wide), 4);
    }
  }
  dashed(pen, y(session.window.compactAt), { width, colour: colour('--accent') });
  for (const { x, name } of marks) {
    const isBad = name.includes('fail') || name === 'breaker' || name === 'cap';
    pen.fillStyle = isBad ? colour('--bad') : BESIDE.has(name) ? colour('--dim') : colour('--accent');
    if (BESIDE.has(name)) {
      pen.fillRect(LEFT + x, MARKS - 4, 1.5, 5);
      continue;
    }
    pen.beginPath();
    pen.moveTo(LEFT + x - 4, 2);
    pen.lineTo(LEFT + x + 4, 2);
    pen.lineTo(LEFT + x, MARKS - 5);
    pen.fill();
  }
}

/** Read from the cache, written to it, and neither, as shares of the prompt. */
function drawCache(
  pen: CanvasRenderingContext2D,
  {
    x,
    wide,
    top,
    row,
    colour,
  }: { x: number; wide: number; top: number; row: RequestRow; colour: (name: string) => string },
): void {
  const prompt = Math.max(1, row.read + row.written + row.fresh);
  let below = top + CACHE;
  for (const [tokens, name] of [
    [row.read, '--read'],
    [row.written, '--written'],
    [row.fresh, '--fresh'],
  ] as const) {
    const high = (tokens / prompt) * CACHE;
    pen.fillStyle = colour(name);
    pen.fillRect(x, below - high, wide, high);
    below -= high;
  }
}

function dashed(pen: CanvasRenderingContext2D, y: number, { width, colour }: { width: number; colour: string }): void {
  if (y < MARKS) return;
  pen.strokeStyle = colour;
  pen.setLineDash([4, 4]);
  pen.beginPath();
  pen.moveTo(LEFT, y);
  pen.lineTo(width, y);
  pen.stroke();
  pen.setLineDash([]);
}

function ticksOf(top: number): readonly number[] {
  const steps = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000];
  const step = steps.find((each) => top / each <= 6) ?? 1_000_000;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step);
}
