/** Numbers and days that a dreamt sentence names are looked up: a wrong one reads like any other wording, and nobody notices it. */

import { isoDate } from '../../base/dates/calendar-days.ts';
import { withAbsoluteDates } from '../../base/dates/relative-dates.ts';
import { madeOnce } from '../../base/made-once.ts';
import { keysOf, termsOf } from '../../memory/gate/terms.ts';

export interface DatedText {
  readonly text: string;
  /** The day from which its relative dates count, `2031-05-08`; null when it is not known. */
  readonly day: string | null;
}

/** Relative dates as the days that they meant. */
export function resolved({ text, day }: DatedText): string {
  const date = day === null ? null : noonOf(day);
  return date === null ? text : withAbsoluteDates(text, date);
}

/** Whether all numbers and days of a sentence stand in these texts, or are what their relative dates come to. */
export function numbersFrom(texts: readonly DatedText[]): (sentence: string) => boolean {
  const all = madeOnce(() => {
    const written = texts.map(({ text }) => text);
    const counted = texts.map(resolved);
    const days = new Set([...written, ...counted].flatMap(daysIn));
    // "Next Thursday", said on a Monday, means for some the one of the same week.
    for (const day of counted.flatMap(daysIn))
      if (!written.some((text) => text.includes(day))) days.add(weekBefore(day));
    const lines = written.flatMap((text) => text.split('\n')).map(keysOf);
    return { days, lines, keys: keysOf([...written, ...counted].join('\n')) };
  });
  return (sentence) => {
    if (!/\d/.test(sentence)) return true;
    const { days, lines, keys } = all();
    const isKnownDay = (day: string) => {
      const [, month, date] = day.split('-').map(Number) as [number, number, number];
      // "8 May" is the same day, written out.
      return days.has(day) || lines.some((line) => line.has(`month-${month}`) && line.has(String(date)));
    };
    const numbers = termsOf(sentence.replace(DAY, ' ')).filter((term) => /^\d/.test(term.keys[0]!));
    return daysIn(sentence).every(isKnownDay) && numbers.every((term) => term.keys.some((key) => keys.has(key)));
  };
}

const DAY = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;
const WEEK_DAYS = 7;
/** Midday: whatever the clocks do, it is that day. */
const NOON = 12;

function daysIn(text: string): readonly string[] {
  return text.match(DAY) ?? [];
}

function weekBefore(day: string): string {
  const date = noonOf(day);
  return date === null ? day : isoDate(date, -WEEK_DAYS);
}

function noonOf(day: string): Date | null {
  const [year, month, date] = day.slice(0, 'YYYY-MM-DD'.length).split('-').map(Number);
  const noon = new Date(year ?? Number.NaN, (month ?? Number.NaN) - 1, date ?? Number.NaN, NOON);
  return Number.isNaN(noon.getTime()) ? null : noon;
}
