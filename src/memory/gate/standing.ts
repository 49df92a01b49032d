/** Whose word a write is, by the evidence for it: the quote it gives, else the typed sentence that carries it. */

import { findQuote, states } from './find-quote.ts';
import type { Heard, OtherVoice, SaidByUser } from './heard.ts';
import { hasLookAlikes, isForeign } from './language.ts';
import { sentencesOf } from './parts.ts';
import { isConsent } from './phrases.ts';
import { keysOf, type Overlap, overlap, type Terms, termsOf } from './terms.ts';
import type { TypedSentence } from './typed.ts';
import type { Quote } from './write.ts';

export type Standing =
  | {
      readonly kind: 'said' | 'inferred' | 'seen';
      readonly quote: readonly Quote[];
      /** The messages of the user's that it rests on. */
      readonly messages: readonly number[];
    }
  | { readonly kind: 'refused'; readonly reason: 'unsupported' | 'injected-echo' | 'in-instruction-file' };

export interface StandingFacts {
  readonly type: string;
  /** The rule or fact itself, without reasons and advice. */
  readonly core: string;
  /** Name, description and body. */
  readonly whole: string;
  /** What the memory says already, where this is an update: only what is new has to be carried. */
  readonly known?: string;
  readonly quotes: readonly string[];
  readonly heard: Heard;
  /** How alike two texts are in meaning, from 0 to 1; asked where they share no word. */
  readonly likeness?: Likeness;
}

export type Likeness = (one: string, other: string) => number;

/** A text that has this share of the terms carries the write. */
const CARRIES = 0.5;
/** By how much another voice must carry more of it than the user. */
const LEAD = 0.25;
/** A passage with this share of one sentence, where the user has less than half, brought that sentence. */
const BRINGS = 0.7;
/** Texts at least this alike are about the same thing. */
const ALIKE = 0.5;

export function judgeStanding(facts: StandingFacts): Standing {
  // Of an update what is new has to be carried, or all of it.
  const whole = standingBy(termsOf(facts.core), facts);
  if (facts.known === undefined || whole.kind === 'said') return whole;
  return standingBy(newTerms(facts.core, facts.known), facts);
}

function standingBy(terms: Terms, facts: StandingFacts): Standing {
  const { core, whole, heard } = facts;
  const [outside, injected, instructions] = (['outside', 'injected', 'instructions'] as const).map((voice) =>
    shareOf(terms, heard, voice),
  ) as [number, number, number];
  const given = readQuotes(facts);
  const found = given.typed.length > 0 ? restOn(given.typed) : carrying(terms, heard);
  const typed = found === null ? 0 : overlap(terms, keysOf(found.context)).share;

  const isQuoted = given.typed.length > 0;
  if (!isQuoted && injected >= CARRIES && injected >= outside && typed < CARRIES) return refused('injected-echo');
  if (instructions >= CARRIES && instructions - typed >= LEAD) return refused('in-instruction-file');
  const isTranslated = found !== null && isForeign(core, found.context);
  const isBrought = !isTranslated && (outside - typed >= LEAD || bringsSentence(facts, found));
  if (isBrought || (!isQuoted && given.isElsewhere)) return { kind: 'seen', quote: [], messages: [] };
  if (found !== null && (isQuoted || isPlain(overlap(terms, keysOf(found.context)), terms))) {
    const kind = hasLookAlikes(`${whole}\n${facts.quotes.join('\n')}`) ? 'inferred' : 'said';
    return { kind, quote: found.quote, messages: found.messages };
  }
  return isUnfounded(facts, given)
    ? refused('unsupported')
    : { kind: 'inferred', quote: [], messages: found?.messages ?? [] };
}

/** What a write rests on: the sentences to keep, and all that the user typed beside them. */
interface Ground {
  readonly quote: readonly Quote[];
  readonly messages: readonly number[];
  readonly context: string;
}

interface GivenQuotes {
  readonly typed: readonly Ground[];
  readonly isElsewhere: boolean;
  readonly isInvented: boolean;
}

function readQuotes(facts: StandingFacts): GivenQuotes {
  const { quotes, heard } = facts;
  const typed: Ground[] = [];
  const found = quotes.map((quote) => findQuote(quote, heard));
  for (const each of found) {
    if (each.kind !== 'typed') continue;
    const { said, sentences } = each;
    const own = [...sentences.map((sentence) => sentence.own), agreementIn(sentences, said)].join('\n');
    if (!isAbout(own, facts)) continue;
    typed.push(groundOf(said, sentences));
  }
  return {
    typed,
    isElsewhere: found.some(({ kind }) => kind === 'elsewhere'),
    isInvented: found.length > 0 && found.every(({ kind }) => kind === 'nowhere'),
  };
}

/** A quote has to do with the memory: by a word, by meaning, or in another language, where neither can be asked. */
function isAbout(said: string, { core, whole, likeness }: StandingFacts): boolean {
  if (overlap(termsOf(whole), keysOf(said)).count > 0) return true;
  return isForeign(core, said) || (likeness !== undefined && likeness(core, said) >= ALIKE);
}

/** What of the assistant's a plain yes among these sentences agreed to; what stands behind the yes speaks for itself. */
function agreementIn(sentences: readonly TypedSentence[], said: SaidByUser): string {
  return sentences.some(({ text }) => isConsent(text)) ? said.agreedTo : '';
}

/** An answer is kept with what it answers. */
function groundOf(said: SaidByUser, sentences: readonly TypedSentence[]): Ground {
  const sentence = sentences.map(({ text }) => text).join(' ');
  const agreedTo = agreementIn(sentences, said);
  return {
    quote: [{ text: agreedTo === '' ? sentence : `${agreedTo} — ${sentence}`, at: said.at }],
    messages: [said.message],
    context: [...said.sentences.filter(states).map(({ own }) => own), said.agreedTo].join('\n'),
  };
}

function restOn(grounds: readonly Ground[]): Ground {
  return {
    quote: grounds.flatMap(({ quote }) => quote),
    messages: grounds.flatMap(({ messages }) => messages),
    context: grounds.map(({ context }) => context).join('\n'),
  };
}

/** The message whose statements carry most of it, with its best sentence as the quote; null where none shares a term. */
function carrying(terms: Terms, { typed }: Heard): Ground | null {
  let best: { readonly ground: Ground; readonly share: number } | null = null;
  for (const said of typed) {
    const statements = said.sentences.filter(states);
    if (statements.length === 0) continue;
    const shares = statements.map(({ own }) => overlap(terms, keysOf(own)).share);
    const sentence = statements[shares.indexOf(largest(shares))]!;
    const ground = groundOf(said, [sentence]);
    const { share } = overlap(terms, keysOf(ground.context));
    if (share > 0 && share >= (best?.share ?? 0)) best = { ground, share };
  }
  return best?.ground ?? null;
}

const LEAST_SHARED_TERMS = 2;

function isPlain({ share, count }: Overlap, terms: Terms): boolean {
  return share >= CARRIES && count >= Math.min(LEAST_SHARED_TERMS, terms.length) && count > 0;
}

function newTerms(core: string, known: string): Terms {
  const keys = keysOf(known);
  return termsOf(core).filter((term) => !term.keys.some((key) => keys.has(key)));
}

function shareOf(terms: Terms, { others }: Heard, voice: OtherVoice): number {
  const shares = others
    .filter((other) => other.voice === voice)
    .flatMap(({ passages }) => passages())
    .map((passage) => overlap(terms, passage))
    .filter(({ share, count }) => count >= LEAST_SHARED_TERMS || share > CARRIES)
    .map(({ share }) => share);
  return largest(shares);
}

/** A hostile text has more passages than a call takes arguments. */
function largest(shares: readonly number[]): number {
  return shares.reduce((most, share) => Math.max(most, share), 0);
}

/** One sentence from outside beside a true one makes the whole no longer the user's. */
function bringsSentence({ core, heard }: StandingFacts, ground: Ground | null): boolean {
  const said = keysOf(ground?.context ?? '');
  return sentencesOf(core).some((sentence) => {
    const terms = termsOf(sentence);
    if (terms.length <= LEAST_SHARED_TERMS) return false;
    return shareOf(terms, heard, 'outside') >= BRINGS && overlap(terms, said).share < CARRIES;
  });
}

/**
 * A rule that shares nothing with what the user typed, or words of theirs that nobody said about something nobody spoke of. What is
 * about the work or about other systems stays, as a guess.
 */
function isUnfounded({ type, core, whole, heard }: StandingFacts, given: GivenQuotes): boolean {
  if (type !== 'feedback' && !(type === 'user' && given.isInvented)) return false;
  const typed = heard.typed.map(({ folded, agreedTo }) => `${folded}\n${agreedTo}`).join('\n');
  return overlap(termsOf(whole), keysOf(typed)).count === 0 && !isForeign(core, typed);
}

function refused(reason: Extract<Standing, { kind: 'refused' }>['reason']): Standing {
  return { kind: 'refused', reason };
}
