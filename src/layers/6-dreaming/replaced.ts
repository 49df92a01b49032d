/** Whether a later word has put something else in the place of a particular: "Room Birch on Mondays" where it was "Room Aspen on Mondays". */

import { sentencesOf } from '../../memory/gate/parts.ts';
import { readSentence, type Sentence, sharedTerms } from './founded.ts';
import { lostOf, type Particular, particularsOf, standingIn } from './particulars.ts';

export interface ReplacedFacts {
  /** The text that goes. */
  readonly text: string;
  /** What was written or said after it. */
  readonly later: readonly string[];
  /** What remains: a later word counts where it stands there. */
  readonly kept: readonly string[];
  /** Words that some memory writes in small letters. */
  readonly small: ReadonlySet<string>;
}

/** So much of a sentence must stand in the later one for the two to speak of one thing, or nearly all of the later one in it. */
const ALIKE_SHARE = 0.6;
const SAME_SHARE = 0.8;
/** Fewer words are in common by chance. */
const LEAST_SHARED = 2;
const NUMBER = /^\p{N}/u;

/** In every sentence that has it: what is said of it elsewhere would be lost with it. */
export function isReplaced(particular: Particular, facts: ReplacedFacts): boolean {
  if (particular.isNo || facts.later.length === 0) return false;
  const sentences = sentencesOf(facts.text).filter((sentence) => particular.standsIn(standingIn([sentence])));
  const remains = standingIn(facts.kept);
  const later = facts.later.flatMap(sentencesOf).map(readSentence);
  const isInItsPlace = (sentence: string, { text }: Sentence) => {
    const others = lostOf(particularsOf(text, facts.small), standingIn([sentence]));
    return others.some(
      ({ written, isNo, standsIn }) =>
        !isNo && NUMBER.test(written) === NUMBER.test(particular.written) && standsIn(remains),
    );
  };
  return (
    sentences.length > 0 &&
    sentences.every((sentence) => {
      const own = readSentence(sentence);
      return later.some((other) => areAlike(own, other) && isInItsPlace(sentence, other));
    })
  );
}

function areAlike(one: Sentence, other: Sentence): boolean {
  if (one.isNegated !== other.isNegated) return false;
  const [shared, back] = [sharedTerms(one, other.keys), sharedTerms(other, one.keys)];
  if (Math.min(shared, back) < LEAST_SHARED) return false;
  return shared >= ALIKE_SHARE * one.terms.size || back >= SAME_SHARE * other.terms.size;
}
