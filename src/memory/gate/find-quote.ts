/** Looks a quote up in the conversation and says whose words it is. */

import { fold } from '../../base/text/fold.ts';
import type { Heard, SaidByUser } from './heard.ts';
import { asksToRemember } from './phrases.ts';
import type { TypedSentence } from './typed.ts';

export type FoundQuote =
  /** In the user's own words, with every sentence that the quote touches. */
  | { readonly kind: 'typed'; readonly said: SaidByUser; readonly sentences: readonly TypedSentence[] }
  /** In a quotation, or in text that somebody else brought. */
  | { readonly kind: 'elsewhere' }
  /** The user asked it, which states nothing; or the words are not there at all. */
  | { readonly kind: 'asked' | 'nowhere' };

/** "We moved … to Postgres": what stands before and behind has to be there, in that order. */
const LEFT_OUT = /\s*(?:\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3,}|…)\s*/;
const EDGES = /^[\s.,;:!?'()\-。、！？]+|[\s.,;:!?'()\-。、！？]+$/g;

export function findQuote(quote: string, { typed, others }: Heard): FoundQuote {
  const pieces = fold(quote)
    .split(LEFT_OUT)
    .map((piece) => piece.replace(EDGES, ''))
    .filter((piece) => piece !== '');
  if (pieces.length === 0) return { kind: 'nowhere' };
  let isAsked = false;
  for (const said of typed.toReversed()) {
    const ranges = rangesOf(pieces, said.folded);
    if (ranges === null) continue;
    const isOwn = said.sentences.some(({ own }) => pieces.some((piece) => own.includes(piece)));
    const isQuotation = said.quoted.some((text) => pieces.every((piece) => fold(text).includes(piece)));
    if (isQuotation && !isOwn) return { kind: 'elsewhere' };
    const touched = said.sentences.filter(({ from, to }) => ranges.some((range) => range.from < to && range.to > from));
    const sentences = touched.filter(states);
    if (sentences.length > 0) return { kind: 'typed', said, sentences };
    isAsked = true;
  }
  const isElsewhere = others.some(
    ({ voice, folded }) => voice !== 'assistant' && pieces.every((piece) => folded().includes(piece)),
  );
  if (isElsewhere) return { kind: 'elsewhere' };
  return { kind: isAsked ? 'asked' : 'nowhere' };
}

/** A question carries nothing, except an outright request to remember. */
export function states({ isQuestion, text }: TypedSentence): boolean {
  return !isQuestion || asksToRemember(text);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function rangesOf(pieces: readonly string[], text: string): readonly Range[] | null {
  const ranges: Range[] = [];
  for (const piece of pieces) {
    const from = findWhole(piece, { text, start: ranges.at(-1)?.to ?? 0 });
    if (from === null) return null;
    ranges.push({ from, to: from + piece.length });
  }
  return ranges;
}

/** Not inside a word: "art" was not said by "start". */
function findWhole(piece: string, { text, start }: { readonly text: string; readonly start: number }): number | null {
  for (let at = text.indexOf(piece, start); at >= 0; at = text.indexOf(piece, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at + 1);
    const behind = text.slice(at + piece.length - 1, at + piece.length + 1);
    if (!(at > 0 && INSIDE_WORD.test(before)) && !INSIDE_WORD.test(behind)) return at;
  }
  return null;
}

const INSIDE_WORD = /^[a-z0-9]{2}$/;
