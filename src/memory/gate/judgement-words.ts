/** A language's words for judging people, as a table: who is judged, and by what. */

/**
 * Words between spaces; `liar//s` is liar and liars. What a word may be said of decides how sure the subject must be: a new word
 * goes into one of the last four.
 */
export interface JudgementWords {
  /** Nouns for people; things are not called so. */
  readonly people: string;
  /** How the user is called. */
  readonly user: string;
  /** "is", in its forms. */
  readonly be: string;
  readonly isBeLeftOut?: boolean;
  /** English names the kind last: a customer portal is a portal. */
  readonly isKindLast?: boolean;
  /** An adjective may follow its noun: "le stagiaire paresseux". */
  readonly isNounFirst?: boolean;
  /** Two capitals are no sign of a name. */
  readonly areNounsCapital?: boolean;
  /** What may stand between "is" and the word: articles, degrees. */
  readonly between: string;
  readonly not: string;
  /** What begins the rest of a subject, behind its head: "of", "from". */
  readonly tail: string;
  /** Of people only: liar, rude. */
  readonly traits: string;
  /** Of people, and of programs as a term: lazy, greedy. */
  readonly loose: string;
  /** Of people and things: stupid, useless. */
  readonly faults: string;
  /** Of people and things, and what people say of themselves: bad, slow. */
  readonly skills: string;
}

/** Whom or what a sentence is about. */
export type Subject = 'person' | 'user' | 'name' | 'thing' | 'unknown';

export type JudgementClass = 'traits' | 'loose' | 'faults' | 'skills' | 'deeds' | 'phrases';

/** Of whom a word is a judgement. Whoever is not known may be a person; a name alone may be a program's. */
export const JUDGED: Readonly<Record<JudgementClass, readonly Subject[]>> = {
  traits: ['person', 'user', 'name', 'unknown'],
  loose: ['person', 'user', 'name'],
  faults: ['person', 'user'],
  skills: ['person'],
  deeds: ['person'],
  // Said of a person in more than one word.
  phrases: ['person', 'name'],
};
