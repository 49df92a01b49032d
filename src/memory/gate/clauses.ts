/** A sentence taken apart into clauses, and which of them can be taken at their word: no reasons, topics, bounds or tails of a list. */

import { type Negator, negatorsIn } from './negation.ts';
import { withoutHollow } from './unclear.ts';
import { LETTER, wordPattern } from './word-pattern.ts';

/** One clause in small letters. */
export interface Piece {
  readonly text: string;
  /** Null where it says neither yes nor no for certain. */
  readonly negators: readonly Negator[] | null;
  /** "…, not in English": it is still about what went before it. */
  readonly isFragment: boolean;
}

const JOINT = wordPattern({
  en: "but|because|since|although|though|whereas|so that|so|therefore|instead(?! of)|and(?= (?:always|never|don'?t|use|please|just|then|instead|keep|do)\\b)",
  others: 'aber|sondern|weil|damit|pero|porque|sino|mais|parce que|car|perché|omdat|maar|но|потому что',
  zh: '因为|由于|但是?|而是',
});
const BREAK = new RegExp(`([,;:()…，、；：（）。]+|\\s[-–—]+\\s|${JOINT.source})`);
const REASON = /^(?:because|since|so that|weil|damit|porque|parce que|car|perché|omdat|потому что|因为|由于)$/;
const REASON_END = /(?:から|ので|ため)$/;

/** What bounds a rule leaves both sides of it open. */
const BOUNDED = wordPattern({
  en: 'unless|except|only|other than|outside|until|till|besides|apart from|(?<!any |no )more|less|fewer|at (?:most|least)|up to|maximum|minimum|too|optional(?:ly)?|sometimes|rarely|occasionally',
  de: 'nur|außer|bis|es sei denn|ausgenommen|(?<!nicht )mehr|weniger|höchstens|mindestens|zu (?:viele?|lang|oft)',
  es: 's[oó]lo|solamente|salvo|excepto|hasta|más|menos',
  fr: 'seulement|uniquement|sauf|jusqu|moins',
  it: 'soltanto|tranne|eccetto|finché|più|meno',
  pt: 'só|apenas|exceto|até',
  nl: 'alleen|behalve|tot|tenzij|meer|minder',
  ru: 'только|кроме|пока|больше|меньше|более',
  zh: '[只仅除]|直到|超过|最多|至少|以上|以下',
  ja: 'だけ|のみ|しか|以外|まで',
  ko: '만(?=\\s)|외에|까지|이상|이하',
});
/** "No tests, no merge": the one is a condition of the other. */
const NO_THEN_NO = new RegExp(
  `^\\W*(?:no|kein${LETTER}*|ohne|sin|sans|pas de|senza|nessun${LETTER}*|sem|geen|zonder|без|нет)\\s[^,;]*[,;]\\s*(?:then )?(?:no|kein${LETTER}*|pas de|nessun${LETTER}*|geen|нет)\\s`,
);
/** "…, use pnpm": what is wanted in place of what is not. */
const TAKES_UP = new RegExp(
  `^\\W*(?:(?:please|just|always|instead|rather|bitte|lieber|immer)\\s+)*(?:use|keep|make|write|put|do|take|nutze|verwende|nimm|usa|utilise|gebruik|используй|用)(?!${LETTER})`,
);
const OR = wordPattern({ words: 'or|nor|oder|noch|o|ou|ni|of|или' });

export function piecesOf(sentence: string): Piece[] {
  const text = withoutHollow(sentence.normalize('NFKC').toLowerCase().replaceAll('\u2019', "'"));
  const isBounded = BOUNDED.test(text) || NO_THEN_NO.test(text);
  const parts = text.split(BREAK);
  const pieces: Piece[] = [];
  let isDenied = false;
  for (let at = 0; at < parts.length; at += 2) {
    const part = parts[at]!;
    if (part.trim() === '') continue;
    const isReason = REASON.test(parts[at - 1]?.trim() ?? '') || REASON_END.test(part);
    const isTopic = /[:：]/.test(parts[at + 1] ?? '');
    const negators = isBounded || isReason || isTopic ? null : negatorsIn(part);
    // What goes on after a no may be denied with it: "never use var, let or goto".
    const isTail = isDenied && negators?.length === 0 && (!TAKES_UP.test(part) || OR.test(text));
    pieces.push({ text: part, negators: isTail ? null : negators, isFragment: at > 0 && beginsWithNo(part, negators) });
    isDenied ||= (negators?.length ?? 0) > 0;
  }
  return pieces;
}

function beginsWithNo(part: string, negators: readonly Negator[] | null): boolean {
  const [first] = negators ?? [];
  return first !== undefined && first.reach !== 'denies' && part.slice(0, first.start).trim() === '';
}
