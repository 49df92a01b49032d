/** A message of the user's taken apart: the sentences they typed, and the quotations in it that are not their own word. */

import { fenceFollower } from '../../base/markdown/marks.ts';
import { fold } from '../../base/text/fold.ts';
import { withoutInjected } from '../../base/text/injected-text.ts';
import { sentencesOf } from './parts.ts';

export interface TypedMessage {
  readonly sentences: readonly TypedSentence[];
  /** Fences, quoted lines, headings and quotations. */
  readonly quoted: readonly string[];
  /** The sentences, folded and joined, to find a quote in. */
  readonly folded: string;
}

export interface TypedSentence {
  readonly text: string;
  /** Folded, without quotations: the user may only be talking about those. */
  readonly own: string;
  readonly isQuestion: boolean;
  /** Where it stands in the message's folded text. */
  readonly from: number;
  readonly to: number;
}

const QUESTION = /[?？؟]["'”’»)\]]*\s*$/u;

/** Nobody types more in one message: what is behind is nobody's own word. */
const MOST_CHARACTERS = 100_000;

export function readTyped(text: string): TypedMessage {
  const { own, quoted } = withoutBlocks(withoutInjected(text.slice(0, MOST_CHARACTERS)));
  const quotations = quotationsIn(own);
  const folds = [...new Set(quotations.map(fold))];
  const sentences: TypedSentence[] = [];
  let folded = '';
  /** The end of `folded`, which is read only when it is whole: reading it while it grows copies it each time. */
  let end = '';
  for (const sentence of sentencesOf(own)) {
    const piece = fold(sentence);
    const glue = folded === '' || UNSPACED_END.test(end) ? '' : ' ';
    const from = folded.length + glue.length;
    folded += glue + piece;
    end = (glue + piece).slice(-2) || end;
    sentences.push({
      ...{ text: sentence, own: withoutQuotations(piece, folds), isQuestion: QUESTION.test(sentence) },
      ...{ from, to: folded.length },
    });
  }
  return { sentences, quoted: [...quoted, ...quotations], folded };
}

const UNSPACED_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff00-\uffef]$/u;

/** One pair of marks an alternative, and none inside itself, so that a row of opening marks is looked at once; an apostrophe inside a word is none. */
const QUOTATION =
  /"([^"\n]{2,2000}?)"|“([^“”]{2,2000}?)”|„([^„“”]{2,2000}?)[“”]|«([^«»]{2,2000}?)»|「([^「」]{2,2000}?)」|『([^『』]{2,2000}?)』|(?<![\p{L}\p{N}])['‘]([^\n‘]{2,500}?)['’](?![\p{L}\p{N}])/gu;

/** 'Atlas v3' and "sign in" name a thing; a whole clause in quotation marks is somebody's statement. */
const NAME_WORDS = 3;
const NAME_CHARACTERS = 24;

function quotationsIn(text: string): string[] {
  return [...text.matchAll(QUOTATION)]
    .map(([, ...groups]) => groups.find((group) => group !== undefined)!.trim())
    .filter((inner) => widthOf(inner) > NAME_CHARACTERS || inner.split(/\s+/).length > NAME_WORDS);
}

/** In scripts that set no blanks a character says as much as three letters. */
function widthOf(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu) ?? [];
  return text.length + 2 * dense.length;
}

/** Nobody types more of them: of such a message, no sentence counts as the user's own. */
const MOST_QUOTATIONS = 200;

function withoutQuotations(sentence: string, quotations: readonly string[]): string {
  if (quotations.length > MOST_QUOTATIONS) return '';
  let own = sentence;
  for (const quotation of quotations) {
    if (own === '') return '';
    if (own.includes(quotation)) own = own.replaceAll(quotation, ' ');
    const rest = own.replace(/^[\s']+|[\s']+$/g, '');
    // A quotation of several sentences holds this one whole.
    if (rest !== '' && quotation.includes(rest)) own = '';
  }
  return own;
}

function withoutBlocks(text: string): { readonly own: string; readonly quoted: readonly string[] } {
  const own: string[] = [];
  const quoted: string[] = [];
  const isCode = fenceFollower();
  for (const line of text.split('\n')) {
    if (isCode(line) || /^\s*(?:>|#{1,6}\s)/.test(line)) quoted.push(line.replace(/^\s*>+\s?/, ''));
    else own.push(line);
  }
  return { own: own.join('\n'), quoted: quoted.length === 0 ? [] : [quoted.join('\n')] };
}
