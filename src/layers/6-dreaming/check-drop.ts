/** Whether the reason given for dropping a sentence is true: looked up word for word, never weighed. */

import type { Quote } from '../../memory/gate/index.ts';
import type { AfterMemory } from './judge-write.ts';
import type { BaseMemory } from './proposal.ts';
import type { DreamDrop, MemoryQuote } from './records/record.ts';
import { isQuotedIn, type Sentence } from './sentences.ts';
import { yieldsTo } from './trust.ts';

/** A memory once the dream is over: every text it may have then, or why none counts. */
export type Afterwards =
  | { readonly kind: 'there'; readonly texts: readonly AfterMemory[]; readonly before: BaseMemory | null }
  | { readonly kind: 'absent'; readonly why: string };

export interface DropFacts {
  readonly own: BaseMemory;
  readonly after: (file: string) => Afterwards;
  readonly isGone: (path: string) => boolean;
  /** `2031-05-08` */
  readonly today: string;
}

/** Null when it is true, otherwise what is missing. */
export function dropProblem(drop: DreamDrop, sentence: Sentence, facts: DropFacts): string | null {
  switch (drop.because) {
    case 'duplicate':
      return heldProblem(drop.of, facts);
    case 'superseded':
      return supersededProblem(drop.by, facts);
    case 'expired':
      return expiredProblem(drop.day, sentence, facts);
    case 'gone':
      if (!sentence.text.includes(drop.path) || drop.path === '') return `it does not name the path “${drop.path}”`;
      return facts.isGone(drop.path) ? null : `${drop.path} is not known to be gone`;
  }
}

function heldProblem(of: MemoryQuote, facts: DropFacts): string | null {
  const { own } = facts;
  const held = facts.after(of.file);
  if (held.kind === 'absent') return held.why;
  if (!held.texts.every((text) => isQuotedIn(of.quote, text) || isInQuotes(of.quote, text)))
    return `“${of.quote}” does not stand in ${of.file}`;
  const lower = held.texts.find(({ source }) => !yieldsTo(own.source, source));
  return lower === undefined ? null : `${of.file} is ${lower.source}, while this was ${own.source}`;
}

function supersededProblem(by: MemoryQuote, facts: DropFacts): string | null {
  const { own } = facts;
  const problem = heldProblem(by, facts);
  if (problem !== null) return problem;
  const held = facts.after(by.file);
  if (held.kind === 'absent') return held.why;
  if (by.file === own.file)
    return hasNewWords(own, held.texts) ? null : `it quotes no later words of yours that ${own.file} rests on`;
  return isLaterThan(own, { held, quote: by.quote }) ? null : `${by.file} is not later than ${own.file}`;
}

/** A memory may correct itself only with what the user has said since, quoted in this change. */
function hasNewWords(own: BaseMemory, texts: readonly AfterMemory[]): boolean {
  const known = new Set(own.quotes.map(({ text }) => text));
  return texts.every(({ quotes }) => {
    const fresh = quotes.filter(({ text, at }) => at !== null && !known.has(text));
    return fresh.length > 0 && whenOf({ quotes: fresh, modified: '' }) > whenOf(own);
  });
}

function isInQuotes(quote: string, { quotes }: Pick<AfterMemory, 'quotes'>): boolean {
  return quotes.some(({ text }) => isQuotedIn(quote, text));
}

interface Dated {
  readonly quotes: readonly Quote[];
  readonly modified: string;
}

function isLaterThan(
  own: BaseMemory,
  { held, quote }: { readonly held: Extract<Afterwards, { kind: 'there' }>; readonly quote: string },
): boolean {
  const quotes = held.texts.flatMap((text) => text.quotes);
  const quoted = quotes.filter(({ text }) => isQuotedIn(quote, text));
  const modified = held.before?.modified;
  const other = { quotes: quoted.length > 0 ? quoted : quotes, modified: modified ?? '' };
  const [then, now] = [whenOf(own), whenOf(other)];
  // Within one day the hour decides; a memory that this dream creates has no hour of its own.
  return now === then ? modified !== undefined && Date.parse(modified) > Date.parse(own.modified) : now > then;
}

/** The day it was said, or else the day it was written. */
export function whenOf({ quotes, modified }: Dated): string {
  const days = quotes.flatMap(({ at }) => (at === null ? [] : [at.slice(0, DAY.length)])).sort();
  return days.at(-1) ?? modified.slice(0, DAY.length);
}

const DAY = 'YYYY-MM-DD';

function expiredProblem(day: string, sentence: Sentence, { own, today }: DropFacts): string | null {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  if (!isDay) return `“${day}” is no day like ${today}`;
  const { name, description, body } = own;
  if (![sentence.text, name, description, body].some((text) => text.includes(day)))
    return `the day ${day} does not stand in it`;
  return day < today ? null : `${day} is not over`;
}
