/** Whether a claim rests on words that want to rule, or only on a plain fact that stands beside them. */

import type { OutsideSupport } from './evidence.ts';
import { sentencesOf } from './parts.ts';
import { speaksForUser, speaksToAgents } from './phrasing.ts';
import { eachWord, type Word } from './words.ts';

/** What follows "note to assistants" is part of it, and so is what "remember this" points back to; other neighbours are not. */
export function isPlanted(claim: string, passage: OutsideSupport): boolean {
  if (!wantsToRule(passage.text, passage)) return false;
  const sentences = sentencesOf(passage.text);
  const wanting = sentences.flatMap((sentence, at) => (wantsToRule(sentence, passage) ? [at] : []));
  const carrying = carryingSentences(claim, sentences);
  if (wanting.length === 0 || carrying.length === 0) return true;
  const last = carrying.at(-1)!;
  return wanting.some((at) => at <= last || pointsBack(sentences[at]!));
}

/** Text that speaks to whoever remembers; of another agent also what it has from the user, who can say it here. */
function wantsToRule(text: string, { voice }: OutsideSupport): boolean {
  return speaksToAgents(text) || (voice === 'agent' && speaksForUser(text));
}

/** A word may be met by chance. */
const FEWEST_WORDS = 2;

function carryingSentences(claim: string, sentences: readonly string[]): number[] {
  const known = new Map<string, Word | null>();
  const wanted = new Set<string>();
  eachWord(claim, known, ({ keys }) => {
    for (const key of keys) wanted.add(key);
  });
  return sentences.flatMap((sentence, at) => {
    const met = new Set<string>();
    eachWord(sentence, known, ({ keys }) => {
      if (keys.some((key) => wanted.has(key))) met.add(keys[0]!);
    });
    return met.size >= FEWEST_WORDS ? [at] : [];
  });
}

/** The reader of the text, or the text itself, is nothing that it says. */
const ITSELF =
  /\b(?:read(?:s|ing)? this|this (?:page|site|website|text|document|message|file|note|notice|repository|service|banner))\b/gi;
const BACK =
  /\b(?:this|that|these|those|it|them|there|above|accordingly|das|dies\w*|es|sie|dort|daran|obige\w*|esto|eso|ello|anterior|ceci|cela|ça|ci-dessus|questo|ciò|isto|isso|dit|dat)\b|[这此它]|上述|以上|これ|それ|上記|이것|그것|위의|это|этого|выше/iu;

function pointsBack(sentence: string): boolean {
  return BACK.test(sentence.replace(ITSELF, ' '));
}
