/**
 * A small terminal: enough of a VT100 to tell what a person would see after what was written, and after a resize. As in
 * tmux, what is erased from the very first cell on goes into the scrollback.
 */

import { EventEmitter } from 'node:events';
import { textWidth } from '../../src/cli/terminal/text-width.ts';

export interface EmulatorOptions {
  readonly columns: number;
  readonly rows: number;
  /** Whether lines wrap again when the window is made narrower; true unless given. */
  readonly reflows?: boolean;
}

export interface ScreenEmulator {
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** The visible rows, without spaces at their ends, up to the last that has any. */
  visible(): string[];
  /** The same with all that has scrolled out above. */
  everything(): string[];
  cursor(): { row: number; column: number };
  /** Private modes by number, as last set. */
  mode(number: number): boolean;
  /** Sequences that this terminal does not know. */
  readonly unknown: readonly string[];
}

interface Row {
  cells: string[];
  /** The line goes on in the next row. */
  isWrapped: boolean;
}

const SEQUENCE = /^\u001b\[([?>]?)([0-9;]*)([@-~])/;

export function createScreenEmulator(options: EmulatorOptions): ScreenEmulator {
  let { columns, rows } = options;
  let lines: Row[] = [emptyRow()];
  /** Index of the first visible row. */
  let top = 0;
  let row = 0;
  let column = 0;
  let wrapsNext = false;
  const modes = new Map<number, boolean>([
    [7, true],
    [25, true],
  ]);
  const unknown: string[] = [];

  function emptyRow(): Row {
    return { cells: [], isWrapped: false };
  }

  function lineFeed(): void {
    if (row === rows - 1) top += 1;
    else row += 1;
    while (lines.length <= top + row) lines.push(emptyRow());
  }

  function put(character: string): void {
    const width = textWidth(character);
    if (width === 0) {
      combine(character);
      return;
    }
    if (wrapsNext || column + width > columns) {
      if (modes.get(7)) {
        lines[top + row]!.isWrapped = true;
        column = 0;
        lineFeed();
      } else column = Math.max(0, columns - width);
    }
    const { cells } = lines[top + row]!;
    while (cells.length < column) cells.push(' ');
    // Half of a wide character that is written over turns into a space.
    if (cells[column] === '' && column > 0) cells[column - 1] = ' ';
    cells[column] = character;
    if (width === 2) cells[column + 1] = '';
    if (cells[column + width] === '') cells[column + width] = ' ';
    column += width;
    wrapsNext = column >= columns;
    if (wrapsNext) column = columns - 1;
  }

  function combine(mark: string): void {
    const { cells } = lines[top + row]!;
    let at = (wrapsNext ? columns : column) - 1;
    if (cells[at] === '') at -= 1;
    if (at >= 0 && cells[at] !== undefined) cells[at] += mark;
  }

  function control(prefix: string, parameters: string, final: string): boolean {
    const count = Number(parameters.split(';')[0] || 1);
    if (prefix === '?' && (final === 'h' || final === 'l')) {
      modes.set(count, final === 'h');
      if (count === 7) wrapsNext = false;
      return true;
    }
    if (prefix !== '') return false;
    if (final === 'm') return true;
    wrapsNext = false;
    if (final === 'A') row = Math.max(0, row - count);
    else if (final === 'B') row = Math.min(rows - 1, row + count);
    else if (final === 'C') column = Math.min(columns - 1, column + count);
    else if (final === 'D') column = Math.max(0, column - count);
    else if (final === 'G') column = Math.min(columns - 1, count - 1);
    else if (final === 'H') [row, column] = [0, 0];
    else if (final === 'K') lines[top + row]!.cells.length = Math.min(column, lines[top + row]!.cells.length);
    else if (final === 'J' && parameters === '2') lines.length = top;
    else if (final === 'J' && row === 0 && column === 0) top = lines.length;
    else if (final === 'J') {
      lines[top + row]!.cells.length = Math.min(column, lines[top + row]!.cells.length);
      lines[top + row]!.isWrapped = false;
      lines.length = top + row + 1;
    } else return false;
    while (lines.length <= top + row) lines.push(emptyRow());
    return true;
  }

  function write(text: string): void {
    let at = 0;
    while (at < text.length) {
      const sequence = SEQUENCE.exec(text.slice(at, at + 40));
      if (sequence) {
        if (!control(sequence[1]!, sequence[2]!, sequence[3]!)) unknown.push(sequence[0]);
        at += sequence[0].length;
        continue;
      }
      const character = String.fromCodePoint(text.codePointAt(at)!);
      at += character.length;
      if (character === '\r') [column, wrapsNext] = [0, false];
      else if (character === '\n') {
        wrapsNext = false;
        lineFeed();
      } else if (character < ' ' || character === '\u007f') unknown.push(character);
      else put(character);
    }
  }

  /** Joins wrapped rows, breaks them at the new width, and finds the cursor in what came of it. */
  function reflow(): void {
    const cursorLine = top + row;
    const next: Row[] = [];
    let cursorAt = { row: 0, column: 0 };
    let firstVisible = 0;
    for (let index = 0; index < lines.length; ) {
      const cells: string[] = [];
      let offset: number | null = null;
      let isWrapped = true;
      while (isWrapped && index < lines.length) {
        if (index === top) firstVisible = next.length;
        if (index === cursorLine) offset = cells.length + column;
        isWrapped = lines[index]!.isWrapped;
        cells.push(...lines[index]!.cells);
        index += 1;
      }
      const broken = breakCells(cells);
      if (offset !== null) {
        const part = broken.findLastIndex(({ start }) => start <= offset);
        cursorAt = { row: next.length + part, column: Math.min(columns - 1, offset - broken[part]!.start) };
      }
      next.push(...broken);
    }
    lines = next;
    top = Math.max(firstVisible, cursorAt.row - rows + 1);
    row = cursorAt.row - top;
    column = cursorAt.column;
  }

  function breakCells(cells: readonly string[]): (Row & { start: number })[] {
    const broken = [{ cells: [] as string[], isWrapped: false, start: 0 }];
    for (const [at, cell] of cells.entries()) {
      if (cell === '') continue;
      const width = cells[at + 1] === '' ? 2 : 1;
      if (broken.at(-1)!.cells.length + width > columns) {
        broken.at(-1)!.isWrapped = true;
        broken.push({ cells: [], isWrapped: false, start: at });
      }
      broken.at(-1)!.cells.push(...(width === 2 ? [cell, ''] : [cell]));
    }
    return broken;
  }

  function textOf(shown: readonly Row[]): string[] {
    const text = shown.map(({ cells }) => cells.join('').trimEnd());
    while (text.at(-1) === '') text.pop();
    return text;
  }

  return {
    write,
    resize(newColumns, newRows) {
      const isNarrower = newColumns < columns;
      columns = newColumns;
      rows = newRows;
      wrapsNext = false;
      if (options.reflows ?? true) return reflow();
      if (isNarrower) for (const line of lines) line.cells.length = Math.min(line.cells.length, columns);
      column = Math.min(column, columns - 1);
      const lost = Math.max(0, row - rows + 1);
      top += lost;
      row -= lost;
    },
    visible: () => textOf(lines.slice(top, top + rows)),
    everything: () => textOf(lines),
    cursor: () => ({ row, column }),
    mode: (number) => modes.get(number) ?? false,
    unknown,
  };
}

/** The two ends of a terminal as Node gives them, with the emulator behind, and a process that only pretends. */
export function createTestTerminal(options: EmulatorOptions) {
  const emulator = createScreenEmulator(options);
  const writes: string[] = [];
  const output = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns: options.columns,
    rows: options.rows,
    write(text: string) {
      writes.push(text);
      emulator.write(text);
      return true;
    },
  });
  const input = Object.assign(new EventEmitter(), {
    isTTY: true,
    isRaw: false,
    isIdle: true,
    setRawMode(isRaw: boolean) {
      input.isRaw = isRaw;
    },
    resume() {
      input.isIdle = false;
    },
    pause() {
      input.isIdle = true;
    },
  });
  const kills: (readonly [number, string])[] = [];
  const target = Object.assign(new EventEmitter(), {
    pid: 4_711,
    platform: 'linux',
    kill: (pid: number, signal: string) => void kills.push([pid, signal]),
  });
  return {
    emulator,
    writes,
    kills,
    target,
    input: input as typeof input & NodeJS.ReadStream,
    output: output as typeof output & NodeJS.WriteStream,
    type: (text: string) => void input.emit('data', Buffer.from(text)),
    resize(columns: number, rows: number) {
      emulator.resize(columns, rows);
      Object.assign(output, { columns, rows });
      output.emit('resize');
    },
  };
}
