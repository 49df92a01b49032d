/** Days counted from a day: the arithmetic behind "next Friday" and "in two weeks". */

const MONDAY = 1;
const WEEK_DAYS = 7;

/** The calendar day where the user is. */
export function isoDate(now: Date, daysLater = 0): string {
  return isoOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysLater));
}

function isoOf(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}`;
}

/** Days from today until the next such weekday, 0 being Sunday; seven when that is today. */
function daysUntil(now: Date, weekday: number): number {
  return ((weekday - now.getDay() + 6) % WEEK_DAYS) + 1;
}

export type WhichWeek = 'coming' | 'last' | 'next' | 'thisWeek' | 'lastWeek';

/** "next Friday", said on a Monday, is the one in the following week; weeks begin on Monday. */
export function daysToWeekday(now: Date, wanted: { readonly weekday: number; readonly week: WhichWeek }): number {
  const coming = daysUntil(now, wanted.weekday);
  switch (wanted.week) {
    case 'coming':
      return coming;
    case 'last':
      return coming - WEEK_DAYS === 0 ? -WEEK_DAYS : coming - WEEK_DAYS;
    default: {
      const weeks = { next: 0, thisWeek: -1, lastWeek: -2 }[wanted.week];
      return daysUntil(now, MONDAY) + WEEK_DAYS * weeks + ((wanted.weekday + 6) % WEEK_DAYS);
    }
  }
}

/** The Monday of this week, or of one before or after it. */
export function mondayOf(now: Date, weeksLater: number): string {
  return isoDate(now, daysUntil(now, MONDAY) + WEEK_DAYS * (weeksLater - 1));
}

export type DateUnit = 'day' | 'week' | 'month' | 'year';

/** A month later is the same day, or the last one of a shorter month. */
export function shifted(now: Date, by: { readonly count: number; readonly unit: DateUnit }): string {
  switch (by.unit) {
    case 'day':
      return isoDate(now, by.count);
    case 'week':
      return isoDate(now, WEEK_DAYS * by.count);
    case 'month':
      return sameDay(now, by.count);
    case 'year':
      return sameDay(now, 12 * by.count);
  }
}

function sameDay(now: Date, monthsLater: number): string {
  const day = Math.min(now.getDate(), lastOfMonth(now, monthsLater).getDate());
  return isoOf(new Date(now.getFullYear(), now.getMonth() + monthsLater, day));
}

export function monthOf(now: Date, monthsLater: number): string {
  return isoOf(new Date(now.getFullYear(), now.getMonth() + monthsLater, 1)).slice(0, 7);
}

export function yearOf(now: Date, yearsLater: number): string {
  return String(now.getFullYear() + yearsLater);
}

function lastOfMonth(now: Date, monthsLater: number): Date {
  return new Date(now.getFullYear(), now.getMonth() + monthsLater + 1, 0);
}

export function lastDayOf(now: Date, span: 'month' | 'quarter' | 'year'): string {
  const months = { month: 0, quarter: 2 - (now.getMonth() % 3), year: 11 - now.getMonth() }[span];
  return isoOf(lastOfMonth(now, months));
}
