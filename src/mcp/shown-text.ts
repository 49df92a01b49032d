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

interface PartLimits {
  readonly fromLine: number;
  readonly maxLines: number;
  /** As JSON, in which most clients show it to the model. */
  readonly maxBytes: number;
  /** A line alone may be longer than the rest may be together: nobody could ask for what is cut off. */
  readonly maxLineBytes?: number;
}

/** Whole lines from one line on, within the limits; a line that is too long by itself is cut. */
export function partOf(text: string, limits: PartLimits): TextPart {
  const { fromLine, maxLines, maxBytes, maxLineBytes = maxBytes } = limits;
  const lines = stripInvisible(text).text.split(/\r?\n/);
  const taken: string[] = [];
  let bytesLeft = maxBytes;
  for (let at = fromLine - 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const bytes = jsonBytes(line);
    const isTooMuch = bytes > bytesLeft || taken.length >= maxLines;
    if (isTooMuch && taken.length > 0) return { text: taken.join('\n'), nextLine: at + 1 };
    taken.push(bytes > maxLineBytes ? `${beginningOf(line, maxLineBytes)}… [this line is longer]` : line);
    bytesLeft -= bytes;
  }
  return { text: taken.join('\n'), nextLine: null };
}

/** How long a value is in an answer. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function beginningOf(line: string, bytes: number): string {
  // A character cut in half decodes to a replacement character, which goes.
  return Buffer.from(line)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
}

/** A memory as a model should read it: age, source and standing above the text. */
export function memoryText(
  entry: MemoryEntry,
  options: { readonly now: Date; readonly fromLine: number; readonly maxBytes?: number },
): TextPart {
  const { textLines: maxLines, textBytes: maxLineBytes } = MCP_LIMITS;
  const { fromLine, maxBytes = maxLineBytes } = options;
  const part = partOf(entry.body, { fromLine, maxLines, maxBytes, maxLineBytes });
  const whole = Number.MAX_SAFE_INTEGER;
  const text = renderSurfaced(
    { ...entry, body: part.text, check: null },
    { now: options.now, limits: { ...LIMITS.recall, surfacedLines: whole, surfacedBytes: whole } },
  );
  // What is asked for comes as an answer, not as a reminder from the host.
  return { ...part, text: withoutWrapper(text) };
}
