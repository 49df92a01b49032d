/** Markdown as it streams in: finished blocks come out once, and only the last open block is redrawn. */

import { VIEW_LIMITS } from '../../limits.ts';
import type { Paint } from '../terminal/paint.ts';
import { type BlockState, feedLine, finishBlocks, NO_BLOCKS } from './markdown-blocks.ts';
import { cellsOf, cleanText, type Row, renderRows } from './spans.ts';

export interface MarkdownLines {
  /** New final lines, to be shown once. */
  readonly finished: string[];
  /** The block still being written; replaces the previous one. */
  readonly open: string[];
}

export interface Markdown {
  push(text: string): MarkdownLines;
  /** The rest; what is pushed after it starts a new text. */
  end(): string[];
}

export function createMarkdown(options: {
  readonly width: number | undefined;
  readonly paint: Paint;
  /** Links as the terminal's own (OSC 8). */
  readonly hyperlinks?: boolean;
}): Markdown {
  const layout = { ...options, width: cellsOf(options.width) };
  let state = NO_BLOCKS;
  let partial = '';
  /** Whether `partial` is the rest of a line whose beginning was taken. */
  let continues = false;

  function feed(line: string, from: { state: BlockState; continues: boolean }): { state: BlockState; rows: Row[] } {
    const rows: Row[] = [];
    let now = from.state;
    for (const [at, each] of cleanText(line.replace(/\r$/, '')).split('\n').entries()) {
      const step = feedLine(each, { state: now, layout, continues: from.continues && at === 0 });
      now = step.state;
      rows.push(...step.rows);
    }
    return { state: now, rows };
  }

  function take(line: string, { isWhole }: { isWhole: boolean }): Row[] {
    const step = feed(line, { state, continues });
    state = step.state;
    continues = !isWhole;
    return step.rows;
  }

  function preview(): Row[] {
    const step = partial === '' ? { state, rows: [] } : feed(partial, { state, continues });
    return [...step.rows, ...finishBlocks(step.state, layout).rows];
  }

  return {
    push(text) {
      const rows: Row[] = [];
      const whole = partial + text;
      let at = 0;
      while (at < whole.length) {
        const newline = whole.indexOf('\n', at);
        const end = newline === -1 ? whole.length : newline;
        if (end - at > VIEW_LIMITS.openCharacters) {
          const cut = cutOf(whole, at);
          rows.push(...take(whole.slice(at, cut), { isWhole: false }));
          at = cut;
        } else if (newline === -1) break;
        else {
          rows.push(...take(whole.slice(at, newline), { isWhole: true }));
          at = newline + 1;
        }
      }
      partial = whole.slice(at);
      return { finished: renderRows(rows, layout.width), open: renderRows(preview(), layout.width) };
    },
    end() {
      const rows = preview();
      state = NO_BLOCKS;
      partial = '';
      continues = false;
      return renderRows(rows, layout.width);
    },
  };
}

/** Where to cut a line that is too long: at a blank if there is one, never within a character. */
function cutOf(text: string, from: number): number {
  const end = from + VIEW_LIMITS.openCharacters;
  const blank = text.lastIndexOf(' ', end);
  if (blank > from + VIEW_LIMITS.openCharacters / 2) return blank + 1;
  return /[\ud800-\udbff]/.test(text[end - 1]!) ? end + 1 : end;
}
