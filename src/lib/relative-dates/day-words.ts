/** A language's words for days, as a table, and the rules that it makes: the same small grid of forms in all of them. */

import {
  type DateUnit,
  daysToWeekday,
  isoDate,
  mondayOf,
  monthOf,
  shifted,
  type WhichWeek,
  yearOf,
} from '../calendar-days.ts';

/** All words are patterns. In templates COUNT, UNIT and DAY stand for the words of the table; a unit alone counts as one. */
export interface DayWords {
  /** Text without it has nothing for this table. */
  readonly mark: RegExp;
  /** How many days after today a word means; a longer wording stands before one that it holds. */
  readonly days: readonly Named[];
  /** From one to twelve. */
  readonly counts: readonly string[];
  readonly units: Readonly<Record<DateUnit, string>>;
  readonly later: readonly string[];
  readonly ago: readonly string[];
  /** What makes a length of time of a count when it follows: "three days of holidays" is no date. */
  readonly notBefore: string;
  /** Put before a date that was counted, with its space. */
  readonly on: string;
  /** From Sunday on. */
  readonly weekdays: readonly string[];
  readonly weekdayOf: Readonly<Record<WhichWeek, readonly string[]>>;
  /** The week of a Monday. */
  readonly week: (monday: string) => string;
  readonly weeks: readonly Named[];
  readonly months: readonly Named[];
  readonly years: readonly Named[];
}

/** What stands for words of a text; null when they are no date, or none that is known, and are left as they are. */
export interface DayRule {
  readonly pattern: RegExp;
  readonly date: (groups: readonly (string | undefined)[], now: Date) => string | null;
}

/** Words that look like a date and are none: no rule behind this one may touch them. */
export function undated(pattern: RegExp): DayRule {
  return { pattern, date: () => null };
}

/** A wording, and how many days, weeks, months or years it lies from now. */
export type Named = readonly [wording: string, away: number];

export function rulesOf(words: DayWords): readonly DayRule[] {
  const rule = (wording: string, date: DayRule['date']): DayRule => ({ pattern: whole(wording), date });
  const counts = words.counts.map(entire);
  const weekdays = words.weekdays.map(entire);
  const units = Object.entries(words.units).map(([unit, wording]) => [unit as DateUnit, entire(wording)] as const);
  const counted = (template: string, sign: 1 | -1) =>
    rule(`${filled(template, words)}(?=( (?:${words.notBefore})(?!\\p{L}))?)`, (groups, now) => {
      const [unitWord, length] = groups.slice(-2);
      if (length !== undefined) return null;
      const number = groups.length === 2 ? 1 : counts.findIndex((count) => count.test(groups[0]!)) + 1;
      const [unit] = units.find(([, pattern]) => pattern.test(unitWord!))!;
      return `${words.on}${shifted(now, { count: sign * (number === 0 ? Number(groups[0]) : number), unit })}`;
    });
  const weekday = (template: string, week: WhichWeek) =>
    rule(filled(template, words), ([day], now) => {
      const index = weekdays.findIndex((pattern) => pattern.test(day!));
      return `${day} ${isoDate(now, daysToWeekday(now, { weekday: index, week }))}`;
    });
  const named = (list: readonly Named[], write: (now: Date, away: number) => string) =>
    list.map(([wording, away]) => rule(wording, (_groups, now) => write(now, away)));
  return [
    ...named(words.days, isoDate),
    ...words.later.map((template) => counted(template, 1)),
    ...words.ago.map((template) => counted(template, -1)),
    ...(['next', 'coming', 'last'] as const).flatMap((week) =>
      words.weekdayOf[week].map((template) => weekday(template, week)),
    ),
    ...named(words.weeks, (now, away) => words.week(mondayOf(now, away))),
    ...named(words.months, monthOf),
    ...named(words.years, yearOf),
  ];
}

function entire(wording: string): RegExp {
  return new RegExp(`^(?:${wording})$`, 'i');
}

/** The letters of all tables. `\p{L}` regardless of case takes a hundred times as long to compile. */
export const LETTERS = 'A-Za-zÀ-ɏЀ-ӿ';

/** Neither a part of a longer word or number nor of one with a hyphen. */
export function whole(wording: string): RegExp {
  const plain = wording.replaceAll('[\\p{L}', `[${LETTERS}`).replaceAll('\\p{L}', `[${LETTERS}]`);
  return new RegExp(`(?<![${LETTERS}\\d]|[${LETTERS}]-|\\d[.,–-])(?:${plain})(?![${LETTERS}\\d]|-[${LETTERS}])`, 'gi');
}

function filled(template: string, words: DayWords): string {
  const { day, week, month, year } = words.units;
  return template
    .replace('COUNT', `(\\d{1,3}|${words.counts.join('|')})`)
    .replace('UNIT', `(${[day, week, month, year].join('|')})`)
    .replace('DAY', `(${words.weekdays.join('|')})`);
}
