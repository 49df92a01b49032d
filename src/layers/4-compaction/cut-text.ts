/** Cuts text to an estimated number of tokens, never splitting a character. */

import { estimateTextTokens } from '../../conversation/tokens.ts';
import { ESTIMATE_LIMITS } from '../../limits.ts';

/** The beginning that fits. */
export function headOf(text: string, tokens: number): string {
  if (estimateTextTokens(text) <= tokens) return text;
  const bytes = Math.max(0, Math.floor(tokens)) * ESTIMATE_LIMITS.bytesPerToken;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** The end that fits. */
export function tailOf(text: string, tokens: number): string {
  if (estimateTextTokens(text) <= tokens) return text;
  const bytes = Math.max(0, Math.floor(tokens)) * ESTIMATE_LIMITS.bytesPerToken;
  if (bytes === 0) return '';
  const encoded = Buffer.from(text.slice(-bytes));
  let from = Math.max(0, encoded.length - bytes);
  while (from < encoded.length && (encoded[from]! & 0xc0) === 0x80) from += 1;
  return encoded.subarray(from).toString('utf8');
}

/** Whole lines from the beginning, so that code is not cut mid-statement; a single long line is cut. */
export function headLines(text: string, tokens: number): string {
  const head = headOf(text, tokens);
  if (head.length === text.length) return head;
  const end = head.lastIndexOf('\n');
  return end <= 0 ? head : head.slice(0, end);
}

/** Beginning and end with a note between them, all within the tokens. */
export function headAndTail(text: string, tokens: number, note: string): string {
  if (estimateTextTokens(text) <= tokens) return text;
  const middle = `\n${note}\n`;
  const each = Math.floor((tokens - estimateTextTokens(middle) - 1) / 2);
  if (each <= 0) return headOf(note, tokens);
  return `${headOf(text, each)}${middle}${tailOf(text, each)}`;
}

/** Characters from the beginning, without splitting a surrogate pair. */
export function headCharacters(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const isParted = /[\ud800-\udbff]/.test(text[characters - 1] ?? '');
  return text.slice(0, isParted ? characters - 1 : characters);
}
