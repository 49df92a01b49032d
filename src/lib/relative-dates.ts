/** Turns "by Friday" and "tomorrow" into dates, because a memory is read long after the day on which it was said. In doubt the words stay. */

import {
  type DateUnit,
  daysToWeekday,
  daysUntil,
  isoDate,
  isoOf,
  lastOfMonth,
  mondayOf,
  monthOf,
  shifted,
  yearOf,
} from './calendar-days.ts';
import { type DayWords, LANGUAGES, type Weekday } from './relative-dates/languages.ts';

export { isoDate } from './calendar-days.ts';

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

interface Found {
  readonly start: number;
  readonly end: number;
  readonly date: string;
}

/** In the order of the text. Words that one rule took, or that are known to mean no day, are not looked at by the next. */
function findDays(text: string, day: Date): readonly Found[] {
  const found: Found[] = [];
  const taken = new Uint8Array(text.length);
  for (const { mark, rules } of RULES) {
    if (!mark.test(text)) continue;
    if (found.length === 0)
      for (const { 0: title, index } of text.matchAll(TITLE)) taken.fill(1, index, index + title.length);
    for (const rule of rules()) {
      for (const match of text.matchAll(rule.pattern)) {
        const [start, end] = [match.index, match.index + match[0].length];
        if (taken.subarray(start, end).includes(1)) continue;
        taken.fill(1, start, end);
        const isMeant = rule.date !== null && !isUndated({ text, start, end }, rule);
        if (isMeant) found.push({ start, end, date: rule.date!(match, day) });
      }
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

/** What is in quotation marks and short; a longer quotation is a sentence, whose date counts like any other. */
const TITLE = new RegExp(
  [
    ...['""', '“”', '„“', '„”', '«»', '»«', '‹›'].map(
      ([open, close]) => `${open}\\s?(?:[^\\s${open}${close}]+\\s){0,5}[^\\s${open}${close}]+\\s?${close}`,
    ),
    '[「『《〈“‘][^\\n「」『』《》〈〉“”‘’]{1,16}[」』》〉”’]',
    '`[^`\\n]+`',
    "(?<![\\p{L}\\p{N}])['‘‚](?:[^\\s'‘’‚]+ ){0,5}[^\\s'‘’‚]+['’‘](?!\\p{L})",
  ].join('|'),
  'gu',
);

interface Rule {
  readonly kind: 'day' | 'later' | 'ago' | 'weekday' | 'end' | 'span';
  readonly pattern: RegExp;
  /** Null for words that look like a date and are none. */
  readonly date: ((match: RegExpMatchArray, now: Date) => string) | null;
  readonly habit: RegExp;
}

const NOT = '(?:not|nicht|niet|pas|no|non|não|не)';
const FOR = '(?:for|für|voor|à|para|per|для)';
/** "Build for tomorrow, not for today." */
const MAXIM = {
  before: new RegExp(`(?<!\\p{L})${FOR} $`, 'iu'),
  after: new RegExp(`^,? ${NOT} `, 'iu'),
  not: new RegExp(`${NOT} ${FOR} $`, 'iu'),
};
/** "The world of tomorrow", but "as of tomorrow". */
const OF_A_DAY =
  /(?<!(?:as|partir|partire|compter|antes|instead|ahead|prima|depois|después) )(?<![\p{L}])(?:of|von|van|de|di|d['’]) ?$/iu;
/** "Two or three", "thirty two", "half a". */
const OTHER_NUMBER =
  /(?:(?<!\p{L})(?:or|to|and|bis|oder|und|ou|à|o|a|e|y|et|en|of|и|или|half|сорок|девяносто|сто|hundred|vingt)|\p{L}(?:ty|nt[ea]|дцать|десят)|\d ?[-–.,]?)[ -]?$/iu;
/** How long something took, or can take. */
const LASTED =
  /(?<!\p{L})(?:was|were|been|takes?|took|can|could|wurden?|dauert|fue(?:ron)?|foi|foram|hizo)(?: \p{L}+){0,2} $/iu;
/** "On Friday" may be the last one, and in two weeks it is another. */
const PAST =
  /(?:weeks?|wochen?)(?: on| am)? $|\b(?:was|were|did|had|\p{L}{2,}ed|war|waren|wurden?|hatten?|haben)\b.* (?:on|am) $/iu;
/** "At the end of the month" may be that of every month. */
const EACH_END = /(?<!\p{L})(?:at|am|à|al?|alla|no|ao|aan|в)(?: (?:the|la|het))? $/iu;
const CUT_TITLE = /[«“„‹「『《〈]\s?$/u;

/** A wrong date is worse than a relative one. */
function isUndated(
  { text, start, end }: { readonly text: string; readonly start: number; readonly end: number },
  rule: Rule,
): boolean {
  const sentence = text
    .slice(Math.max(0, start - 160), start)
    .split(/\n|[.;!?:](?=\s)|[。！？；]/)
    .at(-1)!;
  const clause = sentence.split(/[,，]/).at(-1)!;
  const after = text.slice(end, end + 40);
  if (CUT_TITLE.test(sentence) || rule.habit.test(clause)) return true;
  switch (rule.kind) {
    case 'day': {
      const isName = /^\p{Lu}/u.test(text.slice(start, end)) && sentence.trim() !== '';
      const isMaxim = (MAXIM.before.test(sentence) && MAXIM.after.test(after)) || MAXIM.not.test(sentence);
      return isName || isMaxim || OF_A_DAY.test(sentence) || /^['’]s /.test(after);
    }
    case 'later':
      return OTHER_NUMBER.test(sentence) || LASTED.test(sentence);
    case 'ago':
      return OTHER_NUMBER.test(sentence);
    case 'weekday':
      return PAST.test(sentence);
    case 'end':
      return EACH_END.test(sentence);
    case 'span':
      return false;
  }
}

const LETTERS = 'A-Za-zÀ-ɏЀ-ӿ';

/** A language is compiled when a text has its mark. */
const RULES = LANGUAGES.map((words) => {
  let made: readonly Rule[] | null = null;
  return {
    mark: words.mark,
    rules: () => {
      made ??= rulesOf(words);
      return made;
    },
  };
});

function rulesOf(words: DayWords): readonly Rule[] {
  const habit = new RegExp(words.isSpaced ? `(?<![${LETTERS}])(?:${words.habit})(?![${LETTERS}])` : words.habit, 'iu');
  const rule = (kind: Rule['kind'], wording: string, date: Rule['date']): Rule => ({
    kind,
    pattern: whole(wording, words.isSpaced),
    date,
    habit,
  });
  const entire = (wording: string) => new RegExp(`^(?:${wording})$`, 'i');
  const counts = words.counts.map(entire);
  const weekdays = words.weekdays.map(entire);
  const units = Object.entries(words.units).map(([unit, wording]) => [unit as DateUnit, entire(wording)] as const);
  const number = [...words.counts].reverse().join('|');
  const counted = (sign: 1 | -1) => (template: string) => {
    const filled = template
      .replace('COUNT', `(?<count>\\d{1,3}|${number})`)
      .replace('UNIT', `(?<unit>${Object.values(words.units).join('|')})`);
    return rule(sign === 1 ? 'later' : 'ago', filled + words.notBefore, ({ groups }, now) => {
      const count = groups!.count ?? '1';
      const [unit] = units.find(([, pattern]) => pattern.test(groups!.unit!))!;
      const away = counts.findIndex((pattern) => pattern.test(count)) + 1 || Number(count);
      return words.on + shifted(now, { count: sign * away, unit });
    });
  };
  const weekday = ([template, week]: readonly [string, Weekday]) =>
    rule(
      'weekday',
      template.replace('DAY', `(?<day>${words.weekdays.join('|')})`) +
        UNDATED_BEHIND.replace('DAY', words.weekdays.join('|')),
      ({ 0: said, groups }, now) => {
        const day = groups!.day!;
        const date = isoDate(now, awayOf(now, { weekday: weekdays.findIndex((pattern) => pattern.test(day)), week }));
        return words.weekdayText.replace('SAID', said).replace('DAY', day).replace('DATE', date);
      },
    );
  const three = ([next, now, last]: readonly string[], write: (now: Date, away: number) => string) =>
    [
      [next!, 1],
      [now!, 0],
      [last!, -1],
    ].map(([wording, away]) => rule('span', String(wording), (_match, day) => write(day, Number(away))));
  const ends: readonly ((now: Date) => string)[] = [
    (now) => isoOf(lastOfMonth(now, 0)),
    (now) => isoOf(lastOfMonth(now, 2 - (now.getMonth() % 3))),
    (now) => `${yearOf(now, 0)}-12-31`,
  ];
  return [
    rule('day', words.never, null),
    ...words.later.map(counted(1)),
    ...words.ago.map(counted(-1)),
    ...words.days.map(([wording, away]) => rule('day', wording, (_match, now) => isoDate(now, away))),
    ...words.weekdayOf.map(weekday),
    ...words.endOf.map((wording, at) => rule('end', wording, (_match, now) => ends[at]!(now))),
    ...three(words.weeks, (now, away) => words.weekText.replace('DATE', mondayOf(now, away))),
    ...three(words.months, monthOf),
    ...three(words.years, (now, away) => yearOf(now, away) + words.yearText),
  ];
}

/** Not dated already, no habit ("Friday afternoons"), no range, and nothing that only bears the day's name. */
const UNDATED_BEHIND =
  "(?! ?[（(]?\\d{4}-|(?:,| and| or| und| oder| et| ou| y| o| e| en| и) (?:DAY)| (?:morning|afternoon|evening|night)s|['’]s|[到至])";

/** "Next Friday" is in the week that follows; weeks begin on Monday. */
function awayOf(now: Date, { weekday, week }: { readonly weekday: number; readonly week: Weekday }): number {
  const weeks = { thisWeek: -1, lastWeek: -2 }[week as 'thisWeek'] ?? null;
  if (weeks === null) return daysToWeekday(now, { weekday, week: week as 'coming' });
  return daysUntil(now, 1) + 7 * weeks + ((weekday + 6) % 7);
}

/** Neither a part of a longer word or number nor of one with a hyphen, of a file's name or of code. `\p{L}` regardless of case takes long to compile. */
function whole(wording: string, isSpaced: boolean): RegExp {
  if (!isSpaced) return new RegExp(wording, 'gmu');
  const [before, behind] = [`[${LETTERS}\\d_]|[${LETTERS}][-.]|\\d[.,–-]`, `[${LETTERS}\\d_(]|[-.][${LETTERS}]`];
  return new RegExp(`(?<!${before})(?:${wording})(?!${behind})`, 'gi');
}
