/** Turns what the chat prints into lines for the scrollback; only the block still being written stays open. */

import { closesFence, openingFence } from '../../base/markdown/marks.ts';
import { createMarkdown, type Markdown } from '../paint-view/markdown.ts';
import type { Paint } from '../terminal/paint.ts';
import type { Output, WholeOutput } from './action.ts';
import { outputLines } from './output-lines.ts';

export interface Printer {
  /** The lines that this finishes. */
  print(output: Output): readonly string[];
  /** The block that is still being written. */
  open(): readonly string[];
  /** The lines that the change of width finishes. */
  resize(width: number): readonly string[];
}

export function createPrinter(options: {
  /** False when the terminal itself echoes what is typed. */
  readonly echoesPrompts: boolean;
  readonly width: number;
  readonly paint: Paint;
  readonly cwd: string;
}): Printer {
  const { paint } = options;
  let { width } = options;
  let markdown: Markdown | null = null;
  let open: readonly string[] = [];
  /** The line that opened the code block, so that it can continue at another width. */
  let fence: string | null = null;
  let lastLine = '';
  /** Tools that ended in the middle of a sentence wait for its end. */
  let waiting: WholeOutput[] = [];
  let hasPrinted = false;

  function stream(text: string): readonly string[] {
    const gap = markdown === null ? apart([]) : [];
    markdown ??= createMarkdown({ width, paint });
    followFence(text);
    const lines = markdown.push(text);
    open = lines.open;
    return [...gap, ...lines.finished];
  }

  function followFence(text: string): void {
    const lines = (lastLine + text).split('\n');
    lastLine = lines.pop() ?? '';
    for (const line of lines) {
      if (fence === null) fence = openingFence(line) === null ? null : line;
      else if (closesFence(line, openingFence(fence)!.marks)) fence = null;
    }
  }

  function endStream(): readonly string[] {
    const rest = markdown?.end() ?? [];
    forget();
    const held = waiting;
    waiting = [];
    return [...rest, ...held.flatMap(whole)];
  }

  function forget(): void {
    markdown = null;
    open = [];
    fence = null;
    lastLine = '';
  }

  /** An empty line separates everything from what precedes it. */
  function apart(lines: readonly string[]): readonly string[] {
    const parted = hasPrinted ? ['', ...lines] : lines;
    hasPrinted = true;
    return parted;
  }

  function whole(output: WholeOutput): readonly string[] {
    if (output.kind === 'prompt' && !options.echoesPrompts) return [];
    const lines = outputLines(output, { width, paint, cwd: options.cwd });
    if (isTight(output)) {
      hasPrinted ||= lines.length > 0;
      return lines;
    }
    return lines.length === 0 ? [] : apart(lines);
  }

  return {
    print(output) {
      switch (output.kind) {
        case 'stream':
          return stream(output.text);
        case 'stream-end':
          return endStream();
        case 'stream-void':
          forget();
          return [];
        case 'tool':
        case 'denied':
          if (markdown === null) return whole(output);
          waiting.push(output);
          return [];
        case 'prompt':
        case 'notice':
        case 'thinking':
        case 'dialog':
        case 'lines':
          return [...endStream(), ...whole(output)];
      }
    },
    open: () => open,
    resize(newWidth) {
      if (newWidth === width) return [];
      width = newWidth;
      if (markdown === null) return [];
      // The open block is finished at the old width; code continues as code.
      const finished = markdown.end();
      markdown = createMarkdown({ width, paint });
      if (fence !== null) markdown.push(`${fence}\n`);
      lastLine = '';
      open = [];
      return finished;
    },
  };
}

/** Lines that belong to what is above them. */
function isTight(output: WholeOutput): boolean {
  return output.kind === 'notice' && output.tone === 'info';
}
