/** Turns "by Friday" and "tomorrow" into dates, because a memory is read long after it was said. When in doubt the words stay. */

import {
  type DateUnit,
  daysToWeekday,
  isoDate,
  lastDayOf,
  mondayOf,
  monthOf,
  shifted,
  type WhichWeek,
  yearOf,
} from './calendar-days.ts';
import { DAY_WORDS, type DayWords } from './day-words.ts';

/** An absolute date stays as it is. Words that one rule matched, or that are known to mean no day, are not looked at by the next. */
export function withAbsoluteDates(text: string, day: Date): string {
  const found: { start: number; end: number; date: string }[] = [];
  const taken = new Uint8Array(text.length);
  const languages = Object.values(DAY_WORDS).filter(({ mark }) => mark.test(text));
  if (languages.length === 0) return text;
  for (const { 0: title, index } of text.matchAll(TITLE)) taken.fill(1, index, index + title.length);
  for (const rule of languages.flatMap(rulesOf)) {
    for (const match of text.matchAll(rule.pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      const isMeant = rule.date !== null && !isUndated(text, { start, end, kind: rule.kind });
      if (isMeant) found.push({ start, end, date: rule.date!(match, day) });
    }
  }
  found.sort((one, other) => one.start - other.start);
  const ends = [0, ...found.map(({ end }) => end)];
  const dated = found.map(({ start, date }, at) => text.slice(ends[at], start) + date);
  return dated.join('') + text.slice(ends.at(-1));
}

/** Short text in quotation marks; a longer quotation is a sentence, whose date counts like any other. */
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
  /** Null for words that look like a date but are not. */
  readonly date: ((match: RegExpMatchArray, now: Date) => string) | null;
}

const LETTERS = 'A-Za-zÀ-ɏЀ-ӿ';
/** What marks a clause as something that happens again and again. */
const HABITS = [
  'every|each|daily|weekly|usually|typically|normally|always|often|never|generally|whenever',
  'jede[nrsm]?|täglich|immer|meist|meistens|üblicherweise|normalerweise|nie|elke|iedere|dagelijks|altijd|meestal|nooit|gaat',
  "chaque|tous les|toujours|souvent|jamais|d['’]habitude|normalement|cada|siempre|nunca|suelen?|tardan?|normalmente",
  'tod[oa]s [lo]?[oa]s|ogni|sempre|di solito|tutt[ie] (?:i|le)|costuma|geralmente|каждый|каждую|каждое|всегда|обычно|никогда',
];
const HABIT = new RegExp(
  `(?<![${LETTERS}])(?:${HABITS.join('|')})(?![${LETTERS}])|毎[日朝晩週月回]|いつも|每[天晚日周月次]|总是|一直|매[일주월번년]|항상|보통`,
  'iu',
);
const FOR = '(?<!\\p{L})(?:for|für|voor|à|para|per|для)';
/** "Build for tomorrow, not for today." */
const MAXIM = new RegExp(`${FOR} \\S+,? (?:not|nicht|niet|pas|no|non|não|не) ${FOR} `, 'iu');
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

const UNDATED: Readonly<Partial<Record<Rule['kind'], readonly RegExp[]>>> = {
  later: [OTHER_NUMBER, LASTED],
  ago: [OTHER_NUMBER],
  weekday: [PAST],
  end: [EACH_END],
};

/** A wrong date is worse than a relative one. */
function isUndated(text: string, { start, end, kind }: Pick<Rule, 'kind'> & { start: number; end: number }): boolean {
  const sentence = text
    .slice(Math.max(0, start - 160), start)
    .split(/\n|[.;!?:](?=\s)|[。！？；]/)
    .at(-1)!;
  if (CUT_TITLE.test(sentence) || HABIT.test(sentence.split(/[,，]/).at(-1)!)) return true;
  if (kind !== 'day') return UNDATED[kind]?.some((pattern) => pattern.test(sentence)) ?? false;
  const [said, after] = [text.slice(start, end), text.slice(end, end + 40)];
  const isName = /^\p{Lu}/u.test(said) && sentence.trim() !== '';
  return isName || MAXIM.test(sentence + said + after) || OF_A_DAY.test(sentence) || /^['’]s /.test(after);
}

const UNITS: readonly DateUnit[] = ['day', 'week', 'month', 'year'];
const compiled = new Map<DayWords, readonly Rule[]>();

function rulesOf(words: DayWords): readonly Rule[] {
  if (!compiled.has(words)) compiled.set(words, compile(words));
  return compiled.get(words)!;
}

function compile(words: DayWords): readonly Rule[] {
  const {
    isUnspaced = false,
    never = '(?!)',
    notBefore = '',
    on = '',
    weekdayText = 'DAY DATE',
    yearText = '',
  } = words;
  const lists = [words.counts, words.units, words.weekdays, words.spans].map((list) => list.split(' '));
  const [counts, units, weekdays, spans] = lists as [string[], string[], string[], string[]];
  const rule = (kind: Rule['kind'], wording: string, date: Rule['date']): Rule => {
    const filled = wording
      .replace('COUNT', `(?<count>\\d{1,3}|${counts.toReversed().join('|')})`)
      .replace('UNIT', `(?<unit>${units.join('|')})`)
      .replace('DAY', `(?<day>${weekdays.join('|')})`)
      .replaceAll('WEEKDAYS', weekdays.join('|'))
      .replaceAll('SPAN', `(?:${(kind === 'end' ? spans.slice(1) : spans.slice(0, 3)).join('|')})`);
    return { kind, pattern: whole(filled, isUnspaced), date };
  };
  const counted = (kind: 'later' | 'ago') => (template: string) =>
    rule(kind, template + notBefore, ({ groups }, now) => {
      const { count = '1', unit = '' } = groups!;
      const away = placeOf(count, counts) + 1 || Number(count);
      return on + shifted(now, { count: kind === 'ago' ? -away : away, unit: UNITS[placeOf(unit, units)]! });
    });
  const weekday = ([week, templates]: [string, readonly string[]]) =>
    templates.map((template) =>
      rule('weekday', template + UNDATED_BEHIND, ({ 0: said, groups }, now) => {
        const day = groups!.day!;
        const date = isoDate(now, daysToWeekday(now, { weekday: placeOf(day, weekdays), week: week as WhichWeek }));
        return weekdayText.replace('SAID', said).replace('DAY', day).replace('DATE', date);
      }),
    );
  const spanOf = (said: string) => spans.findLastIndex((span) => new RegExp(span, 'i').test(said));
  const around = (wording: string, at: number) =>
    rule('span', wording, ({ 0: said }, now) => {
      const span = spanOf(said);
      if (span === 0) return words.weekText.replace('DATE', mondayOf(now, 1 - at));
      return span === 1 ? monthOf(now, 1 - at) : yearOf(now, 1 - at) + yearText;
    });
  return [
    rule('day', never, null),
    ...words.later.map(counted('later')),
    ...words.ago.map(counted('ago')),
    ...words.days.map(([wording, away]) => rule('day', wording, (_match, now) => isoDate(now, away))),
    ...Object.entries(words.weekdayOf).flatMap(weekday),
    rule('end', words.endOf, ({ 0: said }, now) =>
      lastDayOf(now, (['month', 'year', 'quarter'] as const)[spanOf(said) - 1]!),
    ),
    ...words.around.map(around),
  ];
}

function placeOf(said: string, wordings: readonly string[]): number {
  return wordings.findIndex((wording) => new RegExp(`^(?:${wording})$`, 'i').test(said));
}

/** Not already dated, no habit ("Friday afternoons"), no range, and nothing that is only named after the day. */
const UNDATED_BEHIND =
  "(?! ?[（(]?\\d{4}-|(?:,| and| or| und| oder| et| ou| y| o| e| en| и) (?:WEEKDAYS)| (?:morning|afternoon|evening|night)s|['’]s|[到至])";

/** Not part of a longer word or number, a hyphenated one, a file name or code. `\p{L}` regardless of case takes long to compile. */
function whole(wording: string, isUnspaced: boolean): RegExp {
  if (isUnspaced) return new RegExp(wording, 'gmu');
  const [before, behind] = [`[${LETTERS}\\d_]|[${LETTERS}][-.]|\\d[.,–-]`, `[${LETTERS}\\d_(]|[-.][${LETTERS}]`];
  return new RegExp(`(?<!${before})(?:${wording})(?!${behind})`, 'gi');
}
