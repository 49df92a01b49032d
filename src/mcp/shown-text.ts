/** Text that files and models wrote, made fit for a client: nothing invisible in it, and never more than was agreed. */

import { escapeMarkup, stripInvisible } from '../base/text/visible-text.ts';
import { LIMITS, MCP_LIMITS } from '../limits.ts';
import type { MemoryEntry } from '../memory/memory.ts';
import { renderSurfaced, withoutWrapper } from '../memory/shown/render.ts';

/** One line of a name, a description or a client's word about itself. */
export function shownLine(text: string, maxCharacters: number): string {
  const line = escapeMarkup(stripInvisible(text.replace(/[\s\u0085]+/g, ' ')).text).trim();
  // No character is longer than two units: what is cut here need not be split.
  const characters = [...line.slice(0, maxCharacters * 2 + 1)];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters).join('')}…` : line;
}

export interface TextPart {
  readonly text: string;
  /** The line to go on from, counted from 1; null at the end. */
  readonly nextLine: number | null;
}

/** Whole lines from one line on, within the limits; a line that is too long by itself is cut. */
export function partOf(text: string, options: { fromLine: number; maxLines: number; maxBytes: number }): TextPart {
  const lines = stripInvisible(text).text.split(/\r?\n/);
  const taken: string[] = [];
  let bytesLeft = options.maxBytes;
  for (let at = options.fromLine - 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const bytes = Buffer.byteLength(line) + 1;
    const isTooMuch = bytes > bytesLeft || taken.length >= options.maxLines;
    if (isTooMuch && taken.length > 0) return { text: taken.join('\n'), nextLine: at + 1 };
    taken.push(bytes > bytesLeft ? `${beginningOf(line, bytesLeft)}… [this line is longer]` : line);
    bytesLeft -= bytes;
  }
  return { text: taken.join('\n'), nextLine: null };
}

function beginningOf(line: string, bytes: number): string {
  // A character cut in half decodes to a replacement character, which goes.
  return Buffer.from(line)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
}

/** A memory as a model should read it: age, source and standing above the text. */
export function memoryText(entry: MemoryEntry, options: { now: Date; fromLine: number }): TextPart {
  const { textLines: maxLines, textBytes: maxBytes } = MCP_LIMITS;
  const part = partOf(entry.body, { fromLine: options.fromLine, maxLines, maxBytes });
  const whole = Number.MAX_SAFE_INTEGER;
  const text = renderSurfaced(
    { ...entry, body: part.text, check: null },
    { now: options.now, limits: { ...LIMITS.recall, surfacedLines: whole, surfacedBytes: whole } },
  );
  // What is asked for comes as an answer, not as a reminder from the host.
  return { ...part, text: withoutWrapper(text) };
}
