/** Whether a later word has put something else in the place of a particular: "Room Birch on Mondays" where it was "Room Aspen on Mondays". */

import { sentencesOf } from '../../memory/gate/parts.ts';
import { readSentence, type Sentence, sharedTerms } from './founded.ts';
import { lostOf, type Particular, particularsOf, type Standing, standingIn } from './particulars.ts';

export interface ReplacedFacts {
  /** The text that goes. */
  readonly text: string;
  /** What was written or said after it. */
  readonly later: readonly string[];
  /** What remains: a later word counts where it stands there. */
  readonly remaining: Standing;
  /** Words that some memory writes in small letters. */
  readonly small: ReadonlySet<string>;
}

/** So much of a sentence must stand in the later one for the two to speak of one thing, or nearly all of the later one in it. */
const ALIKE_SHARE = 0.6;
const SAME_SHARE = 0.8;
/** Fewer words are in common by chance. */
const LEAST_SHARED = 2;
const NUMBER = /^\p{N}/u;

/** Reads the texts once, and only when something is lost. A particular counts in every sentence that has it: what is said of it elsewhere would be lost with it. */
export function replacing(facts: ReplacedFacts): (particular: Particular) => boolean {
  const { remaining, small } = facts;
  let later: readonly LaterSentence[] | null = null;
  let own: readonly OwnSentence[] | null = null;
  return (particular) => {
    if (particular.isNo || facts.later.length === 0) return false;
    later ??= facts.later.flatMap(sentencesOf).map((text) => ({
      sentence: readSentence(text),
      particulars: particularsOf(text, small).filter(({ isNo, standsIn }) => !isNo && standsIn(remaining)),
    }));
    own ??= sentencesOf(facts.text).map((text) => ({ sentence: readSentence(text), standing: standingIn([text]) }));
    const isNumber = NUMBER.test(particular.written);
    const having = own.filter(({ standing }) => particular.standsIn(standing));
    const isReplacedIn = ({ sentence, standing }: OwnSentence) =>
      later!.some(
        (other) =>
          areAlike(sentence, other.sentence) &&
          lostOf(other.particulars, standing).some(({ written }) => NUMBER.test(written) === isNumber),
      );
    return having.length > 0 && having.every(isReplacedIn);
  };
}

interface LaterSentence {
  readonly sentence: Sentence;
  /** Those that remain. */
  readonly particulars: readonly Particular[];
}

interface OwnSentence {
  readonly sentence: Sentence;
  readonly standing: Standing;
}

function areAlike(one: Sentence, other: Sentence): boolean {
  if (one.isNegated !== other.isNegated) return false;
  const [shared, back] = [sharedTerms(one, other.keys), sharedTerms(other, one.keys)];
  if (Math.min(shared, back) < LEAST_SHARED) return false;
  return shared >= ALIKE_SHARE * one.terms.size || back >= SAME_SHARE * other.terms.size;
}
