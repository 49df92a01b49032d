/** How days are named relative to today in English. */

import {
  type DateUnit,
  daysToWeekday,
  daysUntil,
  isoDate,
  isoOf,
  lastOfMonth,
  mondayOf,
  monthOf,
  quarterOf,
  shifted,
  type WhichWeek,
  yearOf,
} from '../calendar-days.ts';
import type { DayRule } from './day-words.ts';

const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const DAYS = DAY_NAMES.join('|');
const COUNT = `\\d{1,3}|${NUMBER_WORDS.slice(1).join('|')}`;

/** In order: the longer wording first, so that "the day after tomorrow" is not read as "tomorrow". */
export const ENGLISH_DATES: readonly DayRule[] = [
  { pattern: /\bthe day after tomorrow\b/gi, date: (_groups, now) => isoDate(now, 2) },
  { pattern: /\bthe day before yesterday\b/gi, date: (_groups, now) => isoDate(now, -2) },
  {
    pattern: new RegExp(`\\b(a|${COUNT}) (day|week|month)s? from (?:today|now)\\b`, 'gi'),
    date: ([count, unit], now) => shifted(now, amount(count!, unit!)),
  },
  { pattern: /\ba week from tomorrow\b/gi, date: (_groups, now) => isoDate(now, 8) },
  { pattern: /\btomorrow(?: (?:morning|afternoon|evening|night))?\b/gi, date: (_groups, now) => isoDate(now, 1) },
  { pattern: /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/gi, date: (_groups, now) => isoDate(now, 0) },
  { pattern: /\b(?:yesterday|last night)\b/gi, date: (_groups, now) => isoDate(now, -1) },
  {
    pattern: new RegExp(
      `\\bin (a(?= week| month| fortnight| year)|${COUNT}) (day|week|month|year|fortnight)s?\\b(?!'|\u2019)`,
      'gi',
    ),
    date: ([count, unit], now) => `on ${shifted(now, amount(count!, unit!))}`,
  },
  {
    pattern: new RegExp(`\\b(a|${COUNT}) (day|week|month)s? ago\\b`, 'gi'),
    date: ([count, unit], now) => {
      const { count: number, unit: by } = amount(count!, unit!);
      return `on ${shifted(now, { count: -number, unit: by })}`;
    },
  },
  {
    pattern: new RegExp(`\\b(${DAYS}) (?:of )?next week\\b|\\bnext week(?: on)? (${DAYS})\\b`, 'gi'),
    date: ([day, other], now) => withDate(now, { day: (day ?? other)!, week: 'next' }),
  },
  {
    pattern: new RegExp(`\\b(next|last) (${DAYS})\\b(?!'s| or )`, 'gi'),
    date: ([which, day], now) => withDate(now, { day: day!, week: which!.toLowerCase() === 'next' ? 'next' : 'last' }),
  },
  {
    pattern: new RegExp(`\\b(?:this (?:coming )?|coming )(${DAYS})\\b`, 'gi'),
    date: ([day], now) => withDate(now, { day: day!, week: 'coming' }),
  },
  {
    pattern: new RegExp(
      `\\b(by|until|till|before|after|on|due|since|from|starting|as of|(?:moved|postponed|shifted|pushed|brought forward) to) (${DAYS})\\b(?! \\d{4}-| \\w+s\\b)`,
      'gi',
    ),
    date: ([word, day], now) =>
      `${word} ${withDate(now, { day: day!, week: word!.toLowerCase() === 'since' ? 'last' : 'coming' })}`,
  },
  {
    pattern: /\b(?:the )?end of (?:this|the) week\b/gi,
    date: (_groups, now) => isoDate(now, Math.max(0, daysUntil(now, 1) - 3)),
  },
  { pattern: /\b(?:the )?end of next week\b/gi, date: (_groups, now) => isoDate(now, daysUntil(now, 1) + 4) },
  { pattern: /\b(?:the )?end of (?:this|the) month\b/gi, date: (_groups, now) => isoOf(lastOfMonth(now, 0)) },
  { pattern: /\b(?:the )?end of next month\b/gi, date: (_groups, now) => isoOf(lastOfMonth(now, 1)) },
  { pattern: /\b(?:the )?end of (?:this|the) year\b/gi, date: (_groups, now) => `${yearOf(now, 0)}-12-31` },
  { pattern: /\bthis weekend\b/gi, date: (_groups, now) => `the weekend of ${isoDate(now, daysUntil(now, 1) - 2)}` },
  { pattern: /\bnext weekend\b/gi, date: (_groups, now) => `the weekend of ${isoDate(now, daysUntil(now, 1) + 5)}` },
  { pattern: /\bthe week after next\b/gi, date: (_groups, now) => `the week of ${mondayOf(now, 2)}` },
  { pattern: /\bnext week\b/gi, date: (_groups, now) => `the week of ${mondayOf(now, 1)}` },
  { pattern: /\bthis week\b/gi, date: (_groups, now) => `the week of ${mondayOf(now, 0)}` },
  { pattern: /\blast week\b/gi, date: (_groups, now) => `the week of ${mondayOf(now, -1)}` },
  { pattern: /\bnext month\b/gi, date: (_groups, now) => monthOf(now, 1) },
  { pattern: /\bthis month\b/gi, date: (_groups, now) => monthOf(now, 0) },
  { pattern: /\blast month\b/gi, date: (_groups, now) => monthOf(now, -1) },
  { pattern: /\bnext quarter\b/gi, date: (_groups, now) => quarterOf(now, 1) },
  { pattern: /\bthis quarter\b/gi, date: (_groups, now) => quarterOf(now, 0) },
  { pattern: /\blast quarter\b/gi, date: (_groups, now) => quarterOf(now, -1) },
  { pattern: /\bnext year\b/gi, date: (_groups, now) => yearOf(now, 1) },
  { pattern: /\bthis year\b/gi, date: (_groups, now) => yearOf(now, 0) },
  { pattern: /\blast year\b/gi, date: (_groups, now) => yearOf(now, -1) },
];

function withDate(now: Date, wanted: { day: string; week: WhichWeek }): string {
  const weekday = DAY_NAMES.indexOf(wanted.day.toLowerCase());
  return `${wanted.day} ${isoDate(now, daysToWeekday(now, { weekday, week: wanted.week }))}`;
}

function amount(count: string, unit: string): { count: number; unit: DateUnit } {
  const word = NUMBER_WORDS.indexOf(count.toLowerCase());
  const number = count.toLowerCase() === 'a' ? 1 : word >= 0 ? word : Number(count);
  return unit.toLowerCase() === 'fortnight'
    ? { count: 2 * number, unit: 'week' }
    : { count: number, unit: unit.toLowerCase() as DateUnit };
}
