/** How days are named relative to today in Korean. */

import {
  type DateUnit,
  daysToWeekday,
  daysUntil,
  isoDate,
  mondayOf,
  monthOf,
  shifted,
  yearOf,
} from '../calendar-days.ts';
import { type DayRule, undated } from './day-words.ts';

const WEEK_DAYS = 7;
const DAYS = '일월화수목금토';
/** Days have counting words of their own. */
const DAY_COUNTS = '하루 이틀 사흘 나흘 닷새 엿새 이레 여드레 아흐레 열흘'.split(' ');
const COUNTS: readonly RegExp[] = [
  '한|일',
  '두|이',
  '세|석|삼',
  '네|넉|사',
  '다섯|오',
  '여섯|육',
  '일곱|칠',
  '여덟|팔',
  '아홉|구',
  '열|십',
  '열한|십일',
  '열두|십이',
].map((words) => new RegExp(`^(?:${words})$`));
const COUNT = '\\d{1,3}|열한|열두|십일|십이|[한두세석네넉열일이삼사오육칠팔구십]|다섯|여섯|일곱|여덟|아홉';
const UNIT = '일|주일|주|개월|달|년|해';
/** Behind a particle or a mark it counts from now; behind the name of a thing, from that. */
const FROM_NOW = '(?<=^|[.,!?:;(\\n]\\s*|[은는이가을를도에서]\\s)';
/** Things that take place and end like a word with its particle. */
const EVENTS = '휴가|평가|허가|놀이|나들이|돌잔치가|축가';
/** A day's name stands free, or before a particle. */
const FREE = '(?=$|[^가-힣]|은|는|이|가|을|를|에|의|도|로|까지|부터|입|인|만|쯤|밤|아침|오전|오후|저녁|새벽|과|와|하)';

const day = (words: string, away: number): DayRule => ({
  pattern: new RegExp(`(?<![가-힣])(?:${words})${FREE}`, 'gu'),
  date: (_groups, now) => isoDate(now, away),
});
const named = (words: string, date: (now: Date) => string): DayRule => ({
  pattern: new RegExp(`(?<![가-힣])(?:${words})`, 'gu'),
  date: (_groups, now) => date(now),
});

export const KOREAN_RULES: readonly DayRule[] = [
  undated(/오늘날|어제오늘|엊그제/gu),
  undated(/(?:내일|어제|오늘)의 (?=주역|세계|사회|나|빵|희망|기술|도시)/gu),
  undated(new RegExp(`(?:${EVENTS}) (?:${COUNT}|${DAY_COUNTS.join('|')}) ?(?:${UNIT})? ?(?:전|뒤|후)`, 'gu')),
  undated(new RegExp(`(?:${COUNT}|${DAY_COUNTS.join('|')}) ?(?:${UNIT})? ?전(?=까지|마다)`, 'gu')),
  day('글피', 3),
  day('내일모레|모레', 2),
  day('그끄저께', -3),
  day('그저께|그제', -2),
  day('어제|어젯밤|간밤', -1),
  day('내일', 1),
  day('오늘', 0),
  {
    pattern: new RegExp(`${FROM_NOW}(?:(${COUNT}) ?(${UNIT})|(${DAY_COUNTS.join('|')})) ?(?:이후|뒤|후)(?!속)`, 'gmu'),
    date: (groups, now) => shifted(now, amountOf(groups, 1)),
  },
  {
    pattern: new RegExp(`${FROM_NOW}(?:(${COUNT}) ?(${UNIT})|(${DAY_COUNTS.join('|')})) ?전`, 'gmu'),
    date: (groups, now) => shifted(now, amountOf(groups, -1)),
  },
  {
    pattern: /(다다음 ?주|다음 ?주|이번 ?주|지난 ?주) ?([일월화수목금토])요일/gu,
    date: ([week, name], now) => {
      const monday = daysUntil(now, 1) + WEEK_DAYS * (weeksOf(week!) - 1);
      return `${isoDate(now, monday + ((DAYS.indexOf(name!) + 6) % WEEK_DAYS))}(${name})`;
    },
  },
  {
    pattern: /(?:오는|돌아오는|이번) ([일월화수목금토])요일/gu,
    date: ([name], now) =>
      `${isoDate(now, daysToWeekday(now, { weekday: DAYS.indexOf(name!), week: 'coming' }))}(${name})`,
  },
  {
    pattern: /지난 ([일월화수목금토])요일/gu,
    date: ([name], now) =>
      `${isoDate(now, daysToWeekday(now, { weekday: DAYS.indexOf(name!), week: 'last' }))}(${name})`,
  },
  ...['다다음 ?주', '다음 ?주', '이번 ?주', '지난 ?주'].map((week) =>
    named(`${week}(?!말)`, (now) => `${mondayOf(now, weeksOf(week))} 주`),
  ),
  named('다음 ?달', (now) => monthOf(now, 1)),
  named('이번 ?달', (now) => monthOf(now, 0)),
  named('지난 ?달', (now) => monthOf(now, -1)),
  named('내년', (now) => `${yearOf(now, 1)}년`),
  named('작년|지난해', (now) => `${yearOf(now, -1)}년`),
];

function weeksOf(week: string): number {
  if (week.startsWith('다다음')) return 2;
  if (week.startsWith('다음')) return 1;
  return week.startsWith('지난') ? -1 : 0;
}

function amountOf(groups: readonly (string | undefined)[], sign: 1 | -1): { count: number; unit: DateUnit } {
  const [count, unit, days] = groups;
  if (days !== undefined) return { count: sign * (DAY_COUNTS.indexOf(days) + 1), unit: 'day' };
  const word = COUNTS.findIndex((each) => each.test(count!));
  return { count: sign * (word < 0 ? Number(count) : word + 1), unit: unitOf(unit!) };
}

function unitOf(unit: string): DateUnit {
  if (unit === '일') return 'day';
  if (unit.startsWith('주')) return 'week';
  return unit === '년' || unit === '해' ? 'year' : 'month';
}
