/** How days are named relative to today in Chinese and Japanese, beyond what `lib/relative-dates.ts` knows. */

import { type DateUnit, daysUntil, isoDate, mondayOf, monthOf, shifted, yearOf } from '../calendar-days.ts';
import { type DayRule, undated } from './day-words.ts';

const NUMBER = '[0-9０-９一二两三四五六七八九十百几数]+';
const WEEK_DAYS = 7;

/** Behind a thing that takes place, "three days before" counts from it; so does "after" behind one that is over. */
const EVENT =
  '截止|到期|期限|日期|日|出发|起飞|开始|结束|会议|开会|考试|上线|发布|演出|婚礼|手术|交付|入住|活动|比赛|面试|的';
const OVER = '结束|签约|签收|上线|到货|收货|付款|下单|发布|出院|手术|离职|交付|提交|验收|注册|的';
const UNIT = '天|周|星期|礼拜|个月|年';

/** What looks like a date in either of the two, and is none. */
export const HAN_UNDATED: readonly DayRule[] = [
  // 后天 in the middle of other words, and as what is not inborn.
  undated(/[今以之此往雨最然先]后天|后天(?=[气晴空色天]|习得|养成|形成|获得|因素|环境|教育|努力|性|的)/gu),
  // Today as "nowadays".
  undated(/今[天日](?=的(?:社会|世界|中国|年轻人|孩子|企业|技术|时代|生活)|头条)/gu),
  undated(/今日(?=では|において|的|に至|の(?:社会|世界|日本|経済|技術|企業|科学|都市|教育|医療|課題|ような))/gu),
  undated(/[明昨]天的(?=世界|社会|城市|学校|技术|主人|希望|自己|面包)/gu),
  undated(/明日(?=[香葉]|の(?:社会|世界|日本|ために))|昨日のパン/gu),
  undated(new RegExp(`(?:${EVENT})${NUMBER}(?:${UNIT})(?:之|以)?前`, 'gu')),
  undated(new RegExp(`(?:${OVER})${NUMBER}(?:${UNIT})(?:之|以)?后`, 'gu')),
  // 三月 is March.
  undated(new RegExp(`${NUMBER}月(?:之|以)?[前后]`, 'gu')),
  undated(new RegExp(`[每第]${NUMBER}(?:${UNIT})`, 'gu')),
];

export const CHINESE_RULES: readonly DayRule[] = [
  day(/大前天/gu, -3),
  counted(new RegExp(`(${NUMBER})(${UNIT})(?:之|以)?后`, 'gu'), 1),
  counted(new RegExp(`(${NUMBER})(${UNIT})(?:之|以)?前`, 'gu'), -1),
  // With a day of the week it is that day, which lib knows.
  { pattern: /上个?(?:周|星期|礼拜)(?![一二三四五六日天末])/gu, date: (_groups, now) => `${mondayOf(now, -1)}那一周` },
  year(/去年/gu, -1),
];

/** Behind a particle or a mark it counts from now; behind the name of a thing, from that. */
const FROM_NOW = '(?<=^|[\\s、。，,（(はがをにもでと])';
const JAPANESE_UNIT = '日|週間|週|[かカヵヶケ箇]月|年';
const JAPANESE_DAYS = '日月火水木金土';
const JAPANESE_WEEKS: readonly (readonly [string, number])[] = [
  ['先週', -1],
  ['今週', 0],
  ['再来週', 2],
  ['来週', 1],
];

export const JAPANESE_RULES: readonly DayRule[] = [
  undated(new RegExp(`${NUMBER}(?:${JAPANESE_UNIT})(?:前後|[前後](?=まで))`, 'gu')),
  undated(new RegExp(`の${NUMBER}(?:${JAPANESE_UNIT})[前後]`, 'gu')),
  day(/しあさって|明[々明]後日/gu, 3),
  day(/あさって|明後日/gu, 2),
  day(/一昨々日|さきおととい/gu, -3),
  day(/おととい|一昨日/gu, -2),
  day(/(?<![ぁ-ん])きのう|昨夜|昨晩/gu, -1),
  day(/(?<![ぁ-ん])あした/gu, 1),
  day(/今夜|今晩|今朝/gu, 0),
  counted(new RegExp(`${FROM_NOW}(${NUMBER})(${JAPANESE_UNIT})後`, 'gmu'), 1),
  counted(new RegExp(`${FROM_NOW}(${NUMBER})(${JAPANESE_UNIT})前`, 'gmu'), -1),
  {
    pattern: /(先週|今週|再来週|来週)の?([日月火水木金土])曜日?/gu,
    date: ([week, name], now) => {
      const weeks = new Map(JAPANESE_WEEKS).get(week!)!;
      const monday = daysUntil(now, 1) + WEEK_DAYS * (weeks - 1);
      return `${isoDate(now, monday + ((JAPANESE_DAYS.indexOf(name!) + 6) % WEEK_DAYS))}（${name}）`;
    },
  },
  {
    pattern: /(?:今度|次)の([日月火水木金土])曜日?/gu,
    date: ([name], now) => `${isoDate(now, daysUntil(now, JAPANESE_DAYS.indexOf(name!)))}（${name}）`,
  },
  ...JAPANESE_WEEKS.map(([week, away]) => ({
    pattern: new RegExp(week, 'gu'),
    date: (_groups: unknown, now: Date) => `${mondayOf(now, away)}の週`,
  })),
  month(/再来月/gu, 2),
  month(/今月/gu, 0),
  month(/先月/gu, -1),
  year(/来年/gu, 1),
  year(/昨年/gu, -1),
];

function day(pattern: RegExp, away: number): DayRule {
  return { pattern, date: (_groups, now) => isoDate(now, away) };
}

function month(pattern: RegExp, away: number): DayRule {
  return { pattern, date: (_groups, now) => monthOf(now, away) };
}

function year(pattern: RegExp, away: number): DayRule {
  return { pattern, date: (_groups, now) => `${yearOf(now, away)}年` };
}

function counted(pattern: RegExp, sign: 1 | -1): DayRule {
  return {
    pattern,
    date: ([number, unit], now) => {
      const count = hanNumber(number!);
      return count === null ? null : shifted(now, { count: sign * count, unit: unitOf(unit!) });
    },
  };
}

function unitOf(unit: string): DateUnit {
  if (unit === '天' || unit === '日') return 'day';
  if (unit === '年') return 'year';
  return unit.endsWith('月') ? 'month' : 'week';
}

/** Up to ninety-nine. "Two three", which is two or three, and "some" are no number. */
export function hanNumber(number: string): number | null {
  const digits = number.normalize('NFKC');
  if (/^\d{1,3}$/.test(digits)) return Number(digits);
  const written = /^(?:([一二两三四五六七八九])?(十))?([一二两三四五六七八九])?$/u.exec(number);
  if (written === null) return null;
  const [, tens, ten, ones] = written;
  const digit = (one: string | undefined) =>
    one === undefined ? 0 : '一二三四五六七八九'.indexOf(one.replace('两', '二')) + 1;
  return (ten === undefined ? 0 : 10 * (tens === undefined ? 1 : digit(tens))) + digit(ones);
}
