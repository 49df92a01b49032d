/** Where a visible character begins and ends; looks only at the nearby text, however long it is. */

import { SCREEN_LIMITS } from '../../limits.ts';

const { graphemeCharacters } = SCREEN_LIMITS;
const PRINTABLE = /^[ -~]*$/;
/**
 * Letters that combine with nothing next to them except marks: Latin, Greek, Cyrillic, punctuation, kana, Chinese, Korean
 * syllables. Between two of them a character always ends, without looking further.
 */
const PLAIN =
  /[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]/;

/** The visible characters of a text. */
export function graphemesOf(text: string): string[] {
  if (PRINTABLE.test(text)) return [...text];
  const graphemes: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = at + 1;
    while (end < text.length && !(isPlain(text, end - 1) && isPlain(text, end))) end += 1;
    if (end === at + 1 && isPlain(text, at)) graphemes.push(text[at]!);
    else segment(text.slice(at, end), graphemes);
    at = end;
  }
  return graphemes;
}

/** From the start of a character to its end. */
export function nextBoundary(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  if (isPlain(text, offset) && isPlain(text, offset + 1)) return offset + 1;
  for (let reach = graphemeCharacters; ; reach *= 2) {
    const [first = ''] = graphemesOf(text.slice(offset, offset + reach));
    if (first.length < reach || offset + reach >= text.length) return offset + first.length;
  }
}

/** From the end of a character to its start. */
export function previousBoundary(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (isPlain(text, offset - 1) && isPlain(text, offset - 2)) return offset - 1;
  for (let reach = graphemeCharacters; ; reach *= 2) {
    const start = safeStart(text, { offset: offset - 1, reach });
    const last = graphemesOf(text.slice(start, offset)).at(-1) ?? '';
    const isSafe = start === 0 || start > offset - 1 - reach;
    if (isSafe || last.length < offset - start) return offset - last.length;
  }
}

/** The first end of a character at or after an offset that an edit may have left in the middle of one. */
export function boundaryFrom(text: string, offset: number): number {
  if (offset <= 0 || offset >= text.length || (isPlain(text, offset - 1) && isPlain(text, offset))) {
    return Math.max(0, Math.min(offset, text.length));
  }
  let at = safeStart(text, { offset, reach: graphemeCharacters });
  while (at < offset) at = nextBoundary(text, at);
  return at;
}

/** A position between two plain characters, which no character can straddle; or as far back as we look. */
function safeStart(text: string, facts: { offset: number; reach: number }): number {
  const least = Math.max(0, facts.offset - facts.reach);
  let at = facts.offset;
  while (at > least && !(isPlain(text, at - 1) && isPlain(text, at))) at -= 1;
  return at;
}

/** True outside the text too: nothing there combines. */
function isPlain(text: string, at: number): boolean {
  return at < 0 || at >= text.length || PLAIN.test(text[at]!);
}

/** In pieces, because Node copies the whole text for each segment of it. */
function segment(text: string, graphemes: string[]): void {
  // Created each time: it is cheap except for the first, which plain letters never need.
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let reach: number = graphemeCharacters;
  for (let at = 0; at < text.length; ) {
    const parts = [...segmenter.segment(text.slice(at, at + reach))].map((part) => part.segment);
    // The last one may continue after the piece.
    if (at + reach < text.length) parts.pop();
    reach = parts.length === 0 ? reach * 2 : graphemeCharacters;
    for (const part of parts) {
      graphemes.push(part);
      at += part.length;
    }
  }
}
