/** Which passages of the span a write rests on: for each of its sentences, how much of it each voice has said. */

import type { Limits } from '../../limits.ts';
import type { Part } from './parts.ts';
import { createSpeller, type Speller } from './spelling.ts';
import { isOutside, type Passage } from './voices.ts';
import { eachWord, type Word } from './words.ts';
import type { ExistingMemory, Outside } from './write.ts';

/** The best passage from outside for one sentence. */
export interface OutsideSupport {
  readonly share: number;
  readonly voice: Outside;
  readonly message: number;
  /** The lines around it, to see what they want. */
  readonly text: string;
}

/** Shares from 0 to 1 of what one sentence says. */
export interface Support {
  readonly part: Part;
  /** How much there is to support. */
  readonly weight: number;
  /** What the user states, asks, and reports, and all of what the memory that is updated holds already. */
  readonly user: (voices: readonly UserVoice[], options?: { readonly kept: boolean }) => number;
  /** The message of the user's that says most of it. */
  readonly message: number | null;
  readonly injected: number;
  /** What the user said of it that our own text had not said already. */
  readonly userBesidesInjected: (voices: readonly UserVoice[]) => number;
  readonly instructions: number;
  readonly outside: OutsideSupport | null;
  /** Numbers of it that stand in outside text beside other words of it. */
  readonly numbersBeside: readonly string[];
  /** How much of what the updated memory does not hold the user has said; null when it holds everything. */
  readonly userOfNew: (voices: readonly UserVoice[]) => number | null;
}

export interface Evidence {
  /** One for each part. */
  readonly supports: readonly Support[];
  /** Every number that the user said or the updated memory holds, as digits. */
  readonly numbers: ReadonlySet<string>;
}

export type UserVoice = 'states' | 'asks' | 'reports';

/** A port: how much of a sentence a text says, where a better judge than shared words is at hand. */
export type Likeness = (claim: string, passage: string) => number;

interface Term {
  readonly weight: number;
  readonly keys: readonly string[];
}

/** Terms of one claim as bits. */
type Mask = number;

/** A sentence with more is judged by these: what makes it up is there long before. */
const MOST_TERMS = 30;
/** A word in more sentences of a write tells them apart no longer; a long write must not cost its length times the span's. */
const MOST_PLACES = 64;

interface Claim {
  readonly part: Part;
  readonly terms: readonly Term[];
  readonly weight: number;
  readonly heard: Record<UserVoice | 'injected' | 'instructions' | 'kept', Mask>;
  /** What the port says about the user's voices. */
  readonly alike: Record<UserVoice, number>;
  /** Terms that stand together in some line from outside. */
  beside: Mask;
  outside: (Omit<OutsideSupport, 'text'> & { readonly mask: Mask; readonly text: () => string }) | null;
  message: { readonly index: number; readonly share: number } | null;
}

/** Where a key is wanted: the claim, and the term in it. */
type Wanted = Map<string, { readonly claim: number; readonly term: number }[]>;

export interface EvidenceFacts {
  readonly parts: readonly Part[];
  readonly passages: readonly Passage[];
  /** The memory that is updated. */
  readonly updated: ExistingMemory | null;
  readonly limits: Limits['gate'];
  readonly likeness?: Likeness;
  /** Whether the user's words are also met where they are misspelt or run together. */
  readonly spelling: 'as-written' | 'forgiving';
}

export function weighEvidence(facts: EvidenceFacts): Evidence {
  const known = new Map<string, Word | null>();
  const claims = facts.parts.map((part) => claimOf(part, known));
  const wanted: Wanted = new Map();
  for (const [claim, { terms }] of claims.entries()) {
    for (const [term, { keys }] of terms.entries()) {
      for (const key of keys) {
        const places = wanted.get(key);
        if (places === undefined) wanted.set(key, [{ claim, term }]);
        else if (places.length < MOST_PLACES) places.push({ claim, term });
      }
    }
  }
  const numbers = new Set<string>();
  const speller = facts.spelling === 'forgiving' ? createSpeller(wanted.keys(), claims.flatMap(neighboursOf)) : null;
  const hear = (text: string, whose: 'user' | 'other') =>
    hitsOf(text, { wanted, known, ...(whose === 'user' ? { numbers, speller } : { numbers: null, speller: null }) });
  for (const passage of facts.passages) hearPassage(passage, { claims, hear, facts });
  if (facts.updated !== null) hearUpdated(facts.updated, { claims, hear });
  return { supports: claims.map(supportOf), numbers };
}

function neighboursOf({ terms }: Claim): (readonly [string, string])[] {
  return terms.slice(1).map((term, at) => [terms[at]!.keys[0]!, term.keys[0]!]);
}

function claimOf(part: Part, known: Map<string, Word | null>): Claim {
  const terms = new Map<string, Term>();
  eachWord(part.text, known, ({ keys, weight }) => {
    if (terms.size < MOST_TERMS && !terms.has(keys[0]!)) terms.set(keys[0]!, { keys, weight });
  });
  const list = [...terms.values()];
  return {
    part,
    terms: list,
    weight: list.reduce((sum, term) => sum + term.weight, 0),
    heard: { states: 0, asks: 0, reports: 0, injected: 0, instructions: 0, kept: 0 },
    alike: { states: 0, asks: 0, reports: 0 },
    beside: 0,
    outside: null,
    message: null,
  };
}

/** The terms of each claim that a text holds. */
type Hits = Map<number, Mask>;

interface HearingFacts {
  readonly wanted: Wanted;
  readonly known: Map<string, Word | null>;
  readonly numbers: Set<string> | null;
  readonly speller: Speller | null;
}

function hitsOf(text: string, facts: HearingFacts): Hits {
  const hits: Hits = new Map();
  const meet = (key: string) => {
    const places = facts.wanted.get(key) ?? [];
    for (const { claim, term } of places) hits.set(claim, (hits.get(claim) ?? 0) | (1 << term));
    return places.length > 0;
  };
  let previous: string | null = null;
  eachWord(text, facts.known, ({ keys }) => {
    let isMet = false;
    for (const key of keys) {
      if (facts.numbers !== null && isDigit(key.charCodeAt(0))) facts.numbers.add(key);
      if (meet(key)) isMet = true;
    }
    if (facts.speller === null) return;
    if (!isMet) facts.speller.meant(keys[0]!, previous).forEach(meet);
    previous = keys[0]!;
  });
  return hits;
}

/** Asked of every word: a pattern would take longer than the rest. */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

interface Hearing {
  readonly claims: readonly Claim[];
  readonly hear: (text: string, whose: 'user' | 'other') => Hits;
}

function hearPassage(passage: Passage, hearing: Hearing & { readonly facts: EvidenceFacts }): void {
  const { voice } = passage;
  // What only the assistant said supports nothing; what the user affirmed of it is among their own words.
  if (voice === 'assistant') return;
  const whose = voice === 'states' || voice === 'asks' || voice === 'reports' ? 'user' : 'other';
  const lines = passage.lines.map((line) => hearing.hear(line, whose));
  if (isOutside(voice)) {
    hearOutside({ ...passage, voice }, { ...hearing, lines });
    return;
  }
  const all = joined(lines);
  for (const [index, mask] of all) hearing.claims[index]!.heard[voice] |= mask;
  if (voice === 'injected' || voice === 'instructions') return;
  const { likeness } = hearing.facts;
  if (likeness !== undefined) {
    const text = passage.lines.join(' ');
    for (const claim of hearing.claims) {
      claim.alike[voice] = Math.max(claim.alike[voice], likeness(claim.part.text, text));
    }
  }
  for (const [index, mask] of all) {
    const claim = hearing.claims[index]!;
    const share = shareOf(claim, mask);
    if (share > (claim.message?.share ?? 0)) claim.message = { index: passage.message, share };
  }
}

/** Lines that stand together make a passage; a short message is one as a whole. */
function hearOutside(
  passage: Passage & { readonly voice: Outside },
  hearing: Hearing & { readonly lines: readonly Hits[]; readonly facts: EvidenceFacts },
): void {
  const { claims, lines, facts } = hearing;
  const { windowLines, shortLines } = facts.limits;
  const consider = (hits: Hits, place: { readonly from: number; readonly to: number }) => {
    for (const [index, mask] of hits) {
      const claim = claims[index]!;
      const best = claim.outside;
      const isKnown = best !== null && (best.mask | mask) === best.mask && (claim.beside | mask) === claim.beside;
      if ((isKnown && facts.likeness === undefined) || !isTelling(claim, mask)) continue;
      claim.beside |= mask;
      const { from, to } = place;
      const alike = facts.likeness?.(claim.part.text, passage.lines.slice(from, to).join(' ')) ?? 0;
      const share = Math.max(shareOf(claim, mask), alike);
      if (share <= (best?.share ?? 0)) continue;
      const text = () => passage.lines.slice(Math.max(0, from - 1), to + 1).join('\n');
      claim.outside = { share, mask, voice: passage.voice, message: passage.message, text };
    }
  };
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.size === 0) continue;
    consider(lines[at]!, { from: at, to: at + 1 });
    consider(joined(lines.slice(at, at + windowLines)), { from: at, to: at + windowLines });
  }
  if (lines.length <= shortLines) consider(joined(lines), { from: 0, to: lines.length });
}

const MOST_BY_CHANCE = 3;

/** One word, or numbers alone, are met in any long output by chance. */
function isTelling(claim: Claim, mask: Mask): boolean {
  const met = claim.terms.filter((_term, index) => (mask & (1 << index)) !== 0);
  const numbers = met.filter(({ keys }) => /^\d/.test(keys[0]!));
  // A date or a telephone number is met by chance no more than words are.
  if (numbers.length >= MOST_BY_CHANCE && numbers.some(({ keys }) => /^\d{4}/.test(keys[0]!))) return true;
  return met.length > 1 && met.some(({ keys }) => !/^(?:\d|\u00ac)/.test(keys[0]!));
}

function hearUpdated(memory: ExistingMemory, { claims, hear }: Hearing): void {
  const hits = hear(`${memory.name}\n${memory.description}\n${memory.body}`, 'user');
  for (const [index, mask] of hits) claims[index]!.heard.kept |= mask;
}

function joined(lines: readonly Hits[]): Hits {
  if (lines.length === 1) return lines[0]!;
  const all: Hits = new Map();
  for (const hits of lines) {
    for (const [claim, mask] of hits) all.set(claim, (all.get(claim) ?? 0) | mask);
  }
  return all;
}

function shareOf(claim: Claim, mask: Mask): number {
  if (claim.weight === 0) return 0;
  let sum = 0;
  for (let term = 0; term < claim.terms.length; term++)
    if ((mask & (1 << term)) !== 0) sum += claim.terms[term]!.weight;
  return sum / claim.weight;
}

function supportOf(claim: Claim): Support {
  const { heard, outside } = claim;
  const union = (voices: readonly (UserVoice | 'kept')[]) => voices.reduce((mask, voice) => mask | heard[voice], 0);
  const all = (1 << claim.terms.length) - 1;
  return {
    part: claim.part,
    weight: claim.weight,
    user: (voices, options) =>
      Math.max(
        shareOf(claim, union(options?.kept ? [...voices, 'kept'] : voices)),
        ...voices.map((voice) => claim.alike[voice]),
      ),
    message: claim.message?.index ?? null,
    injected: shareOf(claim, heard.injected),
    userBesidesInjected: (voices) => shareOf(claim, union(voices) & ~heard.injected),
    instructions: shareOf(claim, heard.instructions),
    outside: outside === null ? null : { ...outside, text: outside.text() },
    numbersBeside: claim.terms.flatMap(({ keys }, index) => ((claim.beside & (1 << index)) === 0 ? [] : keys)),
    userOfNew: (voices) => {
      const fresh = all & ~heard.kept;
      const weight = shareOf(claim, fresh);
      return weight === 0 ? null : shareOf(claim, fresh & union(voices)) / weight;
    },
  };
}
