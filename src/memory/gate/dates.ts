/** Relative dates of a write, made absolute by the day on which the words behind them were said. */

import { relativeWords, withAbsoluteDates } from '../../lib/relative-dates.ts';
import { dayOf } from './day.ts';
import type { Support } from './evidence.ts';
import type { ProposedMemory, SpanMessage } from './write.ts';

export type Dated =
  | { readonly kind: 'none' }
  | { readonly kind: 'mended'; readonly memory: ProposedMemory }
  | { readonly kind: 'unknown-day'; readonly words: string };

export interface DateFacts {
  readonly proposed: ProposedMemory;
  readonly supports: readonly Support[];
  readonly span: readonly SpanMessage[];
  /** Seen, not said: what a page calls tomorrow is counted from a day that nobody knows. */
  readonly isSeen: boolean;
}

export function dateWrite(facts: DateFacts): Dated {
  const { proposed } = facts;
  const words = [proposed.body, proposed.description, proposed.name].map(relativeWords).find((each) => each !== null);
  if (words === undefined || isHabit(proposed)) return { kind: 'none' };
  const day = facts.isSeen ? null : dayBehind(words!, facts);
  if (day === null) return { kind: 'unknown-day', words: words! };
  return {
    kind: 'mended',
    memory: {
      ...proposed,
      name: withAbsoluteDates(proposed.name, day),
      description: withAbsoluteDates(proposed.description, day),
      body: withAbsoluteDates(proposed.body, day),
    },
  };
}

/** Whether the user spoke of a day relative to one that is not known here. */
export function hasUnknownDay(span: readonly SpanMessage[]): boolean {
  return span.some(({ from, text, at }) => from === 'user' && dayOf(at) === null && relativeWords(text) !== null);
}

const BOUND =
  /(?<!\p{L})(?:until|till|by|before|since|after|starting|from|bis|ab|seit|hasta|desde|jusqu['\u2019]|avant|dès|depuis|entro|fino|até|tot|vanaf|sinds|до|начиная)(?!\p{L})|a partire? d|à partir d|直到|之前|まで|까지|부터/iu;

/** How to work holds on every day: "show today's tasks first". Only a date that ends or begins it is one. */
function isHabit(proposed: ProposedMemory): boolean {
  if (proposed.type === 'project' || proposed.type === 'reference') return false;
  return !BOUND.test(proposed.body);
}

/** The day of the message of the user's that the sentence with the date rests on, else of the nearest one before it. */
function dayBehind(words: string, facts: DateFacts): Date | null {
  const dated = facts.supports.filter(({ part }) => relativeWords(part.text) !== null && part.kind !== 'how');
  const resting = [...dated, ...facts.supports].find(({ message }) => message !== null)?.message ?? null;
  const holding = facts.span.findLastIndex(
    ({ from, text }) => from === 'user' && text.toLowerCase().includes(words.toLowerCase().split(/\s+/, 1)[0]!),
  );
  const index = resting ?? (holding < 0 ? null : holding);
  if (index === null) return null;
  for (let at = index; at >= 0; at--) {
    const day = dayOf(facts.span[at]?.at);
    if (day !== null) return day;
  }
  // An answer is given on the day of the question, or soon after.
  return dayOf(facts.span[index + 1]?.at);
}
