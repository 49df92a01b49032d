/** Turns "by Friday" and "tomorrow" into dates, because a memory is read long after the day on which it was said. */

const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const GERMAN_DAY_NAMES = ['sonntag', 'montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag'];
const CHINESE_DAYS = '日一二三四五六';
const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const GERMAN_NUMBER_WORDS = [
  'null',
  'eine?[mnr]?',
  'zwei',
  'drei',
  'vier',
  'fünf',
  'sechs',
  'sieben',
  'acht',
  'neun',
  'zehn',
];

const DAYS = DAY_NAMES.join('|');
const GERMAN_DAYS = `${GERMAN_DAY_NAMES.join('|')}|sonnabend`;

interface Rule {
  readonly pattern: RegExp;
  readonly date: (groups: readonly string[], now: Date) => string;
}

/** In order: the longer wording first, so that "the day after tomorrow" is not read as "tomorrow". */
const RULES: readonly Rule[] = [
  { pattern: /\bthe day after tomorrow\b/gi, date: (_groups, now) => isoDate(now, 2) },
  { pattern: /\bthe day before yesterday\b/gi, date: (_groups, now) => isoDate(now, -2) },
  { pattern: /\btomorrow(?: (?:morning|afternoon|evening|night))?\b/gi, date: (_groups, now) => isoDate(now, 1) },
  { pattern: /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/gi, date: (_groups, now) => isoDate(now, 0) },
  { pattern: /\b(?:yesterday|last night)\b/gi, date: (_groups, now) => isoDate(now, -1) },
  {
    pattern: new RegExp(
      `\\bin (a(?= week| month)|\\d{1,3}|${NUMBER_WORDS.slice(1).join('|')}) (day|week|month)s?\\b`,
      'gi',
    ),
    date: ([count, unit], now) => `on ${later(now, { count: count!, unit: unit!, words: NUMBER_WORDS })}`,
  },
  {
    pattern: new RegExp(`\\b(next|last) (${DAYS})\\b(?!'s| or )`, 'gi'),
    date: ([which, day], now) =>
      dayWithDate(now, { day: day!, week: which!.toLowerCase() === 'next' ? 'next' : 'last' }),
  },
  {
    pattern: new RegExp(`\\bthis (?:coming )?(${DAYS})\\b`, 'gi'),
    date: ([day], now) => dayWithDate(now, { day: day!, week: 'coming' }),
  },
  {
    pattern: new RegExp(
      `\\b(by|until|till|before|on|due|since|from|starting) (${DAYS})\\b(?! \\d{4}-| \\w+s\\b)`,
      'gi',
    ),
    date: ([word, day], now) =>
      `${word} ${dayWithDate(now, { day: day!, week: word!.toLowerCase() === 'since' ? 'last' : 'coming' })}`,
  },
  {
    pattern: /\b(?:the )?end of (?:this|the) week\b/gi,
    date: (_groups, now) => isoDate(now, Math.max(0, daysUntil(now, 1) - 3)),
  },
  { pattern: /\b(?:the )?end of next week\b/gi, date: (_groups, now) => isoDate(now, daysUntil(now, 1) + 4) },
  { pattern: /\b(?:the )?end of (?:this|the) month\b/gi, date: (_groups, now) => isoOf(lastOfMonth(now, 0)) },
  { pattern: /\b(?:the )?end of next month\b/gi, date: (_groups, now) => isoOf(lastOfMonth(now, 1)) },
  { pattern: /\bnext week\b/gi, date: (_groups, now) => `the week of ${isoDate(now, daysUntil(now, 1))}` },
  { pattern: /\bthis week\b/gi, date: (_groups, now) => `the week of ${isoDate(now, daysUntil(now, 1) - 7)}` },
  { pattern: /\blast week\b/gi, date: (_groups, now) => `the week of ${isoDate(now, daysUntil(now, 1) - 14)}` },
  { pattern: /\bnext month\b/gi, date: (_groups, now) => monthOf(now, 1) },
  { pattern: /\bthis month\b/gi, date: (_groups, now) => monthOf(now, 0) },
  { pattern: /\blast month\b/gi, date: (_groups, now) => monthOf(now, -1) },
  { pattern: /\bnext year\b/gi, date: (_groups, now) => String(now.getFullYear() + 1) },
  { pattern: /\bthis year\b/gi, date: (_groups, now) => String(now.getFullYear()) },

  { pattern: /(?<!\p{L})[Üü]bermorgen\b/gu, date: (_groups, now) => isoDate(now, 2) },
  { pattern: /\bvorgestern\b/gi, date: (_groups, now) => isoDate(now, -2) },
  // "am Morgen" and "jeden Morgen" are the morning; as a day it is written small, or stands first.
  { pattern: /(?<!\p{L}|guten |jeden |am )morgen\b|^Morgen\b/gu, date: (_groups, now) => isoDate(now, 1) },
  { pattern: /\bheute\b/gi, date: (_groups, now) => isoDate(now, 0) },
  { pattern: /\bgestern\b/gi, date: (_groups, now) => isoDate(now, -1) },
  {
    pattern: new RegExp(`\\bin (\\d{1,3}|${GERMAN_NUMBER_WORDS.slice(1).join('|')}) (Tag|Woche|Monat)e?n?\\b`, 'gi'),
    date: ([count, unit], now) => `am ${later(now, { count: count!, unit: unit!, words: GERMAN_NUMBER_WORDS })}`,
  },
  {
    pattern: new RegExp(
      `\\b(bis|am|ab|vor|seit)( zum)? (?:(?:kommenden|nächsten) )?(${GERMAN_DAYS})\\b(?! \\d{4}-)`,
      'gi',
    ),
    date: ([word, article, day], now) =>
      `${word}${article ?? ''} ${dayWithDate(now, { day: day!, week: word!.toLowerCase() === 'seit' ? 'last' : 'coming' })}`,
  },
  { pattern: /\bnächste[rn]? Woche\b/gi, date: (_groups, now) => `in der Woche ab ${isoDate(now, daysUntil(now, 1))}` },
  { pattern: /\bnächste[rn] Monats?\b/gi, date: (_groups, now) => monthOf(now, 1) },

  { pattern: /大后天/g, date: (_groups, now) => isoDate(now, 3) },
  { pattern: /后天/g, date: (_groups, now) => isoDate(now, 2) },
  { pattern: /明天|明日/g, date: (_groups, now) => isoDate(now, 1) },
  { pattern: /今天|今日/g, date: (_groups, now) => isoDate(now, 0) },
  { pattern: /昨天|昨日/g, date: (_groups, now) => isoDate(now, -1) },
  {
    // "every Friday" is no date, and neither is "once a week".
    pattern: /(?<![一二两三四五六七八九十\d每]个?)(上|下|本|这)?个?(?:周|星期|礼拜)([一二三四五六日天])(?!（\d)/g,
    date: ([which, day], now) =>
      `${which ?? ''}周${day}（${isoDate(now, inChineseWeek(now, { which: which ?? '', day: day! }))}）`,
  },
  {
    pattern: /下个?(?:周|星期|礼拜)(?![一二三四五六日天])/g,
    date: (_groups, now) => `${isoDate(now, daysUntil(now, 1))}那一周`,
  },
  { pattern: /下个?月/g, date: (_groups, now) => monthOf(now, 1) },
];

/** A date that is absolute already stays as it is. */
export function withAbsoluteDates(text: string, now: Date): string {
  return RULES.reduce(
    (dated, rule) => dated.replace(rule.pattern, (...found) => rule.date(groupsOf(found), now)),
    text,
  );
}

/** What `replace` passes is the match, its groups, the place and the whole text. */
function groupsOf(found: readonly unknown[]): readonly string[] {
  return found.slice(1, -2) as string[];
}

/** The calendar day where the user is. */
export function isoDate(now: Date, daysLater = 0): string {
  return isoOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysLater));
}

function isoOf(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}`;
}

/** Days from today until the coming one; seven when that is today. */
function daysUntil(now: Date, weekday: number): number {
  return ((weekday - now.getDay() + 6) % 7) + 1;
}

function dayWithDate(now: Date, wanted: { day: string; week: 'coming' | 'next' | 'last' }): string {
  const name = wanted.day.toLowerCase().replace('sonnabend', 'samstag');
  const weekday = Math.max(DAY_NAMES.indexOf(name), GERMAN_DAY_NAMES.indexOf(name));
  return `${wanted.day} ${isoDate(now, offsetOf(now, { weekday, week: wanted.week }))}`;
}

/** "next Friday", said on a Monday, is the one in the week that follows; weeks begin on Monday. */
function offsetOf(now: Date, wanted: { weekday: number; week: 'coming' | 'next' | 'last' }): number {
  const coming = daysUntil(now, wanted.weekday);
  switch (wanted.week) {
    case 'coming':
      return coming;
    case 'last':
      return coming - 7 === 0 ? -7 : coming - 7;
    case 'next':
      return daysUntil(now, 1) + ((wanted.weekday + 6) % 7);
  }
}

function inChineseWeek(now: Date, wanted: { which: string; day: string }): number {
  const weekday = CHINESE_DAYS.indexOf(wanted.day === '天' ? '日' : wanted.day);
  if (wanted.which === '') return offsetOf(now, { weekday, week: 'coming' });
  const weeks = wanted.which === '下' ? 0 : wanted.which === '上' ? -14 : -7;
  return daysUntil(now, 1) + weeks + ((weekday + 6) % 7);
}

function later(now: Date, wanted: { count: string; unit: string; words: readonly string[] }): string {
  const word = wanted.words.findIndex((one) => new RegExp(`^(?:${one})$`, 'i').test(wanted.count));
  const count = wanted.count.toLowerCase() === 'a' ? 1 : word >= 0 ? word : Number(wanted.count);
  switch (wanted.unit.toLowerCase()[0]) {
    case 'm':
      return isoOf(
        new Date(now.getFullYear(), now.getMonth() + count, Math.min(now.getDate(), lastOfMonth(now, count).getDate())),
      );
    case 'w':
      return isoDate(now, 7 * count);
    default:
      return isoDate(now, count);
  }
}

function monthOf(now: Date, monthsLater: number): string {
  return isoOf(new Date(now.getFullYear(), now.getMonth() + monthsLater, 1)).slice(0, 7);
}

function lastOfMonth(now: Date, monthsLater: number): Date {
  return new Date(now.getFullYear(), now.getMonth() + monthsLater + 1, 0);
}
