/** Where what a person sees as one character begins and ends; looks only at the text around, however long it is. */

import { SCREEN_LIMITS } from '../../limits.ts';

const { graphemeCharacters } = SCREEN_LIMITS;
const PRINTABLE = /^[ -~]*$/;

/** The parts of a text that a person sees as one character each. */
export function graphemesOf(text: string): string[] {
  if (PRINTABLE.test(text)) return [...text];
  return [...segmenter().segment(text)].map(({ segment }) => segment);
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

/** The first end of a character at or behind an offset that an edit may have left in the middle of one. */
export function boundaryFrom(text: string, offset: number): number {
  if (offset <= 0 || offset >= text.length || (isPlain(text, offset - 1) && isPlain(text, offset))) {
    return Math.max(0, Math.min(offset, text.length));
  }
  let at = safeStart(text, { offset, reach: graphemeCharacters });
  while (at < offset) at = nextBoundary(text, at);
  return at;
}

/** A place between two plain characters, where no character can straddle; or as far back as we look. */
function safeStart(text: string, facts: { offset: number; reach: number }): number {
  const least = Math.max(0, facts.offset - facts.reach);
  let at = facts.offset;
  while (at > least && !(isPlain(text, at - 1) && isPlain(text, at))) at -= 1;
  return at;
}

/** True outside the text too: nothing there joins anything. */
function isPlain(text: string, at: number): boolean {
  const code = at < 0 || at >= text.length ? 32 : text.charCodeAt(at);
  return code >= 32 && code < 127;
}

/** Made anew each time: it is cheap but for the first, which text in plain letters never pays for. */
function segmenter(): Intl.Segmenter {
  return new Intl.Segmenter('en', { granularity: 'grapheme' });
}
