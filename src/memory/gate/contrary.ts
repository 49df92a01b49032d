/** Whether a write says the opposite of the only words of the user's that carry it: "squash" where they said "don't squash". */

import { type Part, sentencesOf } from './parts.ts';
import { type Clause, clausesOf, type SidedWord } from './polarity.ts';
import type { Passage } from './voices.ts';
import { eachWord, isNegation, type Word } from './words.ts';

export interface ContraryFacts {
  readonly parts: readonly Part[];
  readonly type: string;
  readonly passages: readonly Passage[];
  /** What the memory held before: nobody has to say that again. */
  readonly before: string;
}

/** A write says what it wants early on, and a longer clause is no rule that could be turned around. */
const MOST_CLAIMS = 24;
const MOST_SENTENCES = 300;
const LONGEST_SENTENCE = 400;

/** The sentence that turns the user's words around; null when none plainly does. */
export function findContrary(facts: ContraryFacts): string | null {
  const known = new Map<string, Word | null>();
  const claims = facts.parts
    .filter(({ kind, text }) => kind === 'core' && text.length <= LONGEST_SENTENCE && !facts.before.includes(text))
    .slice(0, MOST_CLAIMS);
  const said = heardFrom(facts.passages, { claims, known });
  if (!said.some(({ isStated }) => isStated)) return null;
  const turned = claims.find(({ text }) =>
    clausesOf(text, known).some((clause) => {
      return isContrary(meantAs(clause, facts.type), { said, isWordedAsOrder: clause.mood === 'order' });
    }),
  );
  return turned?.text ?? null;
}

/** `feedback` rules even where it is worded as a fact. */
function meantAs(clause: Clause, type: string): Clause {
  return clause.mood === 'told' && type === 'feedback' ? { ...clause, mood: 'order' } : clause;
}

interface Heard {
  readonly clause: Clause;
  /** What is asked or reported cannot be turned around, but it may carry a claim. */
  readonly isStated: boolean;
}

/** A suggestion put as a question is for what it asks: "can't we", "why don't you". */
const SUGGESTS =
  /\b(?:why (?:don'?t|not)|(?:can|could|should|would)(?:n'?t)? (?:we|you|i)|shall we|what about|how about|let's)\b/i;
const TAG = /,\s*(?:ok(?:ay)?|right|please|alright|yes|understood|deal|ja|oder|vale|d'accord|va bene)\s*\?\s*$/i;

interface HearingFacts {
  readonly claims: readonly Part[];
  readonly known: Map<string, Word | null>;
}

/** The newest sentences of the user's that have a word in common with a claim. */
function heardFrom(passages: readonly Passage[], { claims, known }: HearingFacts): Heard[] {
  const wanted = new Set<string>();
  for (const { text } of claims)
    eachWord(text, known, ({ keys }) => {
      for (const key of keys) wanted.add(key);
    });
  const sentences = passages.flatMap(({ voice, lines }) => {
    if (voice !== 'states' && voice !== 'asks' && voice !== 'reports') return [];
    return lines.flatMap(sentencesOf).map((text) => ({ text: text.replace(TAG, '.'), voice }));
  });
  return sentences.slice(-MOST_SENTENCES).flatMap(({ text, voice }) => {
    const isAsked = voice === 'asks' || /[?？]\s*$/.test(text);
    if (text.length > LONGEST_SENTENCE || (isAsked && !SUGGESTS.test(text)) || !hasAny(text, { wanted, known }))
      return [];
    return clausesOf(text, known).map((clause) => ({ clause, isStated: voice === 'states' && !isAsked }));
  });
}

function hasAny(
  text: string,
  facts: { readonly wanted: ReadonlySet<string>; readonly known: HearingFacts['known'] },
): boolean {
  let isMet = false;
  eachWord(text, facts.known, (word) => {
    isMet ||= !isNegation(word) && word.keys.some((key) => facts.wanted.has(key));
  });
  return isMet;
}

function isContrary(
  claim: Clause,
  facts: { readonly said: readonly Heard[]; readonly isWordedAsOrder: boolean },
): boolean {
  if (claim.mood === 'open') return false;
  const { said } = facts;
  // What is told of a thing may judge it: "the passive voice is dull". An order takes its other words from anywhere.
  const everywhere = facts.isWordedAsOrder ? said.flatMap(({ clause }) => clause.words) : [];
  return said.some((heard) => {
    const turned = heard.isStated ? turnedAround(claim, { heard: heard.clause, everywhere }) : [];
    return (
      turned.length > 0 &&
      !said.some((other) => other !== heard && isCarriedBy(claim, { clause: other.clause, turned }))
    );
  });
}

/** Whether other words of the user's say the same as the claim, or may be meant so. */
function isCarriedBy(
  claim: Clause,
  facts: { readonly clause: Clause; readonly turned: readonly SidedWord[] },
): boolean {
  const { clause, turned } = facts;
  const own = claim.words.filter(({ isLight }) => !isLight);
  const heard = clause.words.filter(({ isLight }) => !isLight);
  const isSaid = (word: SidedWord) => heard.some((each) => isSame(each, word) && each.side === word.side);
  if (clause.mood === 'order' && turned.some(isSaid)) return true;
  const carried = own.filter((word) => heard.some((each) => isSame(each, word) && !isTurned(word, each)));
  // Of what is open or only the case, every word is needed.
  if (clause.mood === 'open' || (clause.mood === 'told' && claim.mood !== 'told')) return carried.length === own.length;
  return carried.length * 2 >= own.length && turned.some((word) => carried.includes(word));
}

/** So much of what was said must be in the claim, and, where words are pairs of characters, the other way round. */
const COVERED_SHARE = 0.6;
const PAIRS_SHARE = 0.7;
/** So much of the claim must be turned around where the rest of it was said elsewhere. */
const MAIN_SHARE = 0.66;

/** Words of the claim that are what it and the clause are about, and on the other side; none where it is not its opposite. */
function turnedAround(
  claim: Clause,
  facts: { readonly heard: Clause; readonly everywhere: readonly SidedWord[] },
): readonly SidedWord[] {
  const { heard } = facts;
  if (heard.mood === 'open' || (heard.mood === 'told' && claim.mood !== 'told')) return [];
  if (claim.doer !== null && heard.doer !== null && claim.doer !== heard.doer) return [];
  const isWithout = claim.hasWithout !== heard.hasWithout;
  if (claim.conditions !== heard.conditions && !isWithout) return [];
  const own = claim.words.filter(({ isLight }) => !isLight);
  const pairs = own.map((word) => ({ word, met: heard.words.find((each) => isSame(each, word)) }));
  const turned = pairs.flatMap(({ word, met }) => (met !== undefined && isTurned(word, met) ? [{ word, met }] : []));
  if (turned.length === 0) return [];
  if (!isWithout && turned.some(({ word, met }) => word.isBehind !== met.isBehind)) return [];
  if (pairs.some(({ word, met }) => word.side !== 'open' && word.side === met?.side)) return [];

  const side = turned[0]!.met.side;
  const meant = heard.words.filter((each) => each.side === side && !each.isLight);
  const covered = meant.filter((each) => own.some((word) => isSame(each, word)));
  if (claim.isUnspaced || heard.isUnspaced) {
    const isMost = turned.length >= PAIRS_SHARE * own.length && covered.length >= COVERED_SHARE * meant.length;
    return isMost ? turned.map(({ word }) => word) : [];
  }
  const missing = own.filter((word) => !word.isAffirming && !heard.words.some((each) => isSame(each, word)));
  if (missing.some((word) => !facts.everywhere.some((each) => isSame(each, word)))) return [];
  if (missing.length > 0 && turned.length < MAIN_SHARE * own.length) return [];
  const share = missing.length > 0 || heard.isWhole ? 1 : COVERED_SHARE;
  if (covered.length < share * meant.length) return [];
  if (side === 'yes' && !claim.isWhole && !turned.some(({ word }) => word.isHead)) return [];
  return turned.filter(({ met }) => met.isHead || heard.isWhole || heard.mood === 'told').map(({ word }) => word);
}

function isTurned(one: SidedWord, other: SidedWord): boolean {
  return one.side !== other.side && one.side !== 'open' && other.side !== 'open';
}

function isSame(one: SidedWord, other: SidedWord): boolean {
  return one.word === other.word || one.word.keys.some((key) => other.word.keys.includes(key));
}
