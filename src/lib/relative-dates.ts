/** Turns "by Friday" and "tomorrow" into dates, because a memory is read long after the day on which it was said; what only looks like one is left alone. */

import { type DayRule, type DayWords, rulesOf } from './relative-dates/day-words.ts';
import { DUTCH_DAYS, ENGLISH_DAYS, GERMAN_DAYS, MORGEN } from './relative-dates/days-germanic.ts';
import { CHINESE_RULES, HAN_UNDATED, JAPANESE_RULES } from './relative-dates/days-han.ts';
import { KOREAN_RULES } from './relative-dates/days-korean.ts';
import { FRENCH_DAYS, ITALIAN_DAYS, PORTUGUESE_DAYS, SPANISH_DAYS } from './relative-dates/days-romance.ts';
import { RUSSIAN_DAYS } from './relative-dates/days-russian.ts';
import { EAST_ASIAN_DATES } from './relative-dates/phrases-east-asian.ts';
import { ENGLISH_DATES } from './relative-dates/phrases-english.ts';
import { EUROPEAN_DATES } from './relative-dates/phrases-european.ts';
import { titlesIn } from './relative-dates/titles.ts';
import { isUndated } from './relative-dates/undated.ts';

export { isoDate } from './calendar-days.ts';

/** Text without the mark has nothing for the rules, and is spared them. */
interface Rules {
  readonly mark: RegExp;
  readonly rules: readonly DayRule[];
}

const ENGLISH_MARK =
  /day|week|month|quarter|year|fortnight|to(?:morrow|night)|last night|this (?:morning|afternoon|evening)/i;
const EUROPEAN = [GERMAN_DAYS, FRENCH_DAYS, SPANISH_DAYS, ITALIAN_DAYS, PORTUGUESE_DAYS];
const EUROPEAN_MARK = new RegExp(EUROPEAN.map(({ mark }) => mark.source).join('|'), 'i');
const HAN_MARK = /[\u3040-\u9fff]/;

/** In order: words that one rule took are not looked at by the next. */
const RULES: readonly Rules[] = [
  { mark: HAN_MARK, rules: [...HAN_UNDATED, ...JAPANESE_RULES, ...CHINESE_RULES] },
  { mark: /[가-힣]/, rules: KOREAN_RULES },
  ...[ENGLISH_DAYS, ...EUROPEAN, DUTCH_DAYS, RUSSIAN_DAYS].map(ofTable),
  { mark: /Morgen/, rules: [MORGEN] },
  { mark: ENGLISH_MARK, rules: ENGLISH_DATES },
  { mark: EUROPEAN_MARK, rules: EUROPEAN_DATES },
  { mark: HAN_MARK, rules: EAST_ASIAN_DATES },
];

function ofTable(words: DayWords): Rules {
  return { mark: words.mark, rules: rulesOf(words) };
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly date: string | null;
}

/** A date that is absolute already stays as it is. */
export function withAbsoluteDates(text: string, day: Date): string {
  let dated = '';
  let from = 0;
  for (const { start, end, date } of findDays(text, day)) {
    dated += text.slice(from, start) + date;
    from = end;
  }
  return dated + text.slice(from);
}

/** Any day will do to see whether words are relative to one. */
const SOME_DAY = new Date(2001, 0, 3, 12);

/** The first words of a text that would change with the day. */
export function relativeWords(text: string): string | null {
  const [first] = findDays(text, SOME_DAY);
  return first === undefined ? null : text.slice(first.start, first.end);
}

/** In the order of the text. */
function findDays(text: string, day: Date): readonly Found[] {
  const marked = RULES.filter(({ mark }) => mark.test(text)).flatMap(({ rules }) => rules);
  const dated = marked.flatMap((rule) => matchesOf(rule, { text, day }));
  if (dated.every(({ date }) => date === null)) return [];
  const taken = new Uint8Array(text.length);
  for (const { start, end } of titlesIn(text)) taken.fill(1, start, end);
  return dated
    .filter(({ start, end, date }) => {
      if (taken.subarray(start, end).includes(1)) return false;
      taken.fill(1, start, end);
      return date !== null && !isUndated({ text, start, end });
    })
    .sort((one, other) => one.start - other.start);
}

function matchesOf(rule: DayRule, facts: { readonly text: string; readonly day: Date }): readonly Found[] {
  const matches: Found[] = [];
  // What `replace` passes is the match, its groups, the place and the whole text.
  facts.text.replace(rule.pattern, (...match) => {
    const [words, start] = [match[0] as string, match.at(-2) as number];
    const groups = match.slice(1, -2) as (string | undefined)[];
    matches.push({ start, end: start + words.length, date: rule.date(groups, facts.day) });
    return words;
  });
  return matches;
}
