/** Which passages of the span a write rests on: for each of its sentences, how much of it each voice has said. */

import type { Limits } from '../../limits.ts';
import type { Part } from './parts.ts';
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
  readonly assistant: number;
  readonly injected: number;
  readonly instructions: number;
  readonly outside: OutsideSupport | null;
  /** How much of what the updated memory does not hold the user has said; null when it holds everything. */
  readonly userOfNew: (voices: readonly UserVoice[]) => number | null;
}

export interface Evidence {
  /** One for each part. */
  readonly supports: readonly Support[];
  /** Every number that stands somewhere in the span, as digits. */
  readonly numbers: ReadonlySet<string>;
}

export type UserVoice = 'states' | 'asks' | 'reports';

/** A port: how much of a sentence a text says, where a better judge than shared words is at hand. */
export type Likeness = (claim: string, passage: string) => number;

interface Term {
  readonly weight: number;
  readonly key: string;
}

interface Claim {
  readonly part: Part;
  readonly terms: readonly Term[];
  readonly weight: number;
  readonly heard: Record<UserVoice | 'assistant' | 'injected' | 'instructions' | 'kept', Set<number>>;
  /** What the port says about the user's voices. */
  readonly alike: Record<UserVoice, number>;
  outside: OutsideSupport | null;
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
}

export function weighEvidence(facts: EvidenceFacts): Evidence {
  const known = new Map<string, Word | null>();
  const claims = facts.parts.map((part) => claimOf(part, known));
  const wanted: Wanted = new Map();
  for (const [claim, { terms }] of claims.entries()) {
    for (const [term, { key }] of terms.entries()) {
      for (const each of key.split('\n')) wanted.set(each, [...(wanted.get(each) ?? []), { claim, term }]);
    }
  }
  const numbers = new Set<string>();
  const hear = (text: string) => hitsOf(text, { wanted, known, numbers });
  for (const passage of facts.passages) hearPassage(passage, { claims, hear, facts });
  if (facts.updated !== null) hearUpdated(facts.updated, { claims, hear });
  return { supports: claims.map(supportOf), numbers };
}

function claimOf(part: Part, known: Map<string, Word | null>): Claim {
  const terms = new Map<string, Term>();
  eachWord(part.text, known, (word) => {
    const key = word.keys.join('\n');
    if (!terms.has(word.keys[0]!)) terms.set(word.keys[0]!, { key, weight: word.weight });
  });
  const list = [...terms.values()];
  const sets = () => new Set<number>();
  return {
    part,
    terms: list,
    weight: list.reduce((sum, term) => sum + term.weight, 0),
    heard: {
      states: sets(),
      asks: sets(),
      reports: sets(),
      assistant: sets(),
      injected: sets(),
      instructions: sets(),
      kept: sets(),
    },
    alike: { states: 0, asks: 0, reports: 0 },
    outside: null,
    message: null,
  };
}

/** The terms of each claim that a text holds. */
type Hits = Map<number, Set<number>>;

interface HearingFacts {
  readonly wanted: Wanted;
  readonly known: Map<string, Word | null>;
  readonly numbers: Set<string>;
}

function hitsOf(text: string, facts: HearingFacts): Hits {
  const hits: Hits = new Map();
  eachWord(text, facts.known, (word) => {
    for (const key of word.keys) {
      if (isDigit(key.charCodeAt(0))) facts.numbers.add(key);
      for (const { claim, term } of facts.wanted.get(key) ?? []) {
        const terms = hits.get(claim);
        if (terms === undefined) hits.set(claim, new Set([term]));
        else terms.add(term);
      }
    }
  });
  return hits;
}

/** Asked of every word: a pattern would take longer than the rest. */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

interface Hearing {
  readonly claims: readonly Claim[];
  readonly hear: (text: string) => Hits;
}

function hearPassage(passage: Passage, hearing: Hearing & { readonly facts: EvidenceFacts }): void {
  const { voice } = passage;
  const lines = passage.lines.map(hearing.hear);
  if (isOutside(voice)) {
    hearOutside({ ...passage, voice }, { ...hearing, lines });
    return;
  }
  for (const hits of lines) addAll(hearing.claims, hits, (claim) => claim.heard[voice]);
  if (voice === 'assistant' || voice === 'injected' || voice === 'instructions') return;
  const { likeness } = hearing.facts;
  if (likeness !== undefined) {
    const text = passage.lines.join(' ');
    for (const claim of hearing.claims) {
      claim.alike[voice] = Math.max(claim.alike[voice], likeness(claim.part.text, text));
    }
  }
  for (const [index, terms] of joined(lines)) {
    const claim = hearing.claims[index]!;
    const share = shareOf(claim, terms);
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
  const consider = (hits: Hits, from: number, to: number) => {
    for (const [index, terms] of hits) {
      const claim = claims[index]!;
      if (!isTelling(claim, terms)) continue;
      const alike = facts.likeness?.(claim.part.text, passage.lines.slice(from, to).join(' ')) ?? 0;
      const share = Math.max(shareOf(claim, terms), alike);
      if (share <= (claim.outside?.share ?? 0)) continue;
      const text = passage.lines.slice(Math.max(0, from - 1), to + 1).join('\n');
      claim.outside = { share, voice: passage.voice, message: passage.message, text };
    }
  };
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.size === 0) continue;
    consider(lines[at]!, at, at + 1);
    consider(joined(lines.slice(at, at + windowLines)), at, at + windowLines);
  }
  if (lines.length <= shortLines) consider(joined(lines), 0, lines.length);
}

/** One word, or numbers alone, are met in any long output by chance. */
function isTelling(claim: Claim, terms: ReadonlySet<number>): boolean {
  const words = [...terms].filter((term) => !/^(?:\d|\u00ac)/.test(claim.terms[term]!.key));
  return terms.size > 1 && words.length > 0;
}

function hearUpdated(memory: ExistingMemory, { claims, hear }: Hearing): void {
  const hits = hear(`${memory.name}\n${memory.description}\n${memory.body}`);
  addAll(claims, hits, (claim) => claim.heard.kept);
}

function addAll(claims: readonly Claim[], hits: Hits, place: (claim: Claim) => Set<number>): void {
  for (const [index, terms] of hits) {
    const set = place(claims[index]!);
    for (const term of terms) set.add(term);
  }
}

function joined(lines: readonly Hits[]): Hits {
  if (lines.length === 1) return lines[0]!;
  const all: Hits = new Map();
  for (const hits of lines) {
    for (const [claim, terms] of hits) {
      const set = all.get(claim);
      if (set === undefined) all.set(claim, new Set(terms));
      else for (const term of terms) set.add(term);
    }
  }
  return all;
}

function shareOf(claim: Claim, terms: ReadonlySet<number>): number {
  if (claim.weight === 0) return 0;
  let sum = 0;
  for (const term of terms) sum += claim.terms[term]!.weight;
  return sum / claim.weight;
}

function supportOf(claim: Claim): Support {
  const { heard } = claim;
  const union = (voices: readonly (UserVoice | 'kept')[]) => new Set(voices.flatMap((voice) => [...heard[voice]]));
  return {
    part: claim.part,
    weight: claim.weight,
    user: (voices, options) =>
      Math.max(
        shareOf(claim, union(options?.kept ? [...voices, 'kept'] : voices)),
        ...voices.map((voice) => claim.alike[voice]),
      ),
    message: claim.message?.index ?? null,
    assistant: shareOf(claim, heard.assistant),
    injected: shareOf(claim, heard.injected),
    instructions: shareOf(claim, heard.instructions),
    outside: claim.outside,
    userOfNew: (voices) => {
      const fresh = claim.terms.flatMap((term, index) => (heard.kept.has(index) ? [] : [{ term, index }]));
      const weight = fresh.reduce((sum, { term }) => sum + term.weight, 0);
      if (weight === 0) return null;
      const said = union(voices);
      return fresh.reduce((sum, { term, index }) => sum + (said.has(index) ? term.weight : 0), 0) / weight;
    },
  };
}
