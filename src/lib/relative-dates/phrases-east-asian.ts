/** How days are named relative to today in Chinese and Japanese. */

import { daysToWeekday, daysUntil, isoDate, mondayOf, monthOf, shifted, yearOf } from '../calendar-days.ts';
import type { DayRule } from './day-words.ts';

const CHINESE_DAYS = '日一二三四五六';
const JAPANESE_DAYS = '日月火水木金土';
const CHINESE_NUMBERS = '一两三四五六七八九十';
const COUNT = '\\d{1,3}|[一两二三四五六七八九十]';

export const EAST_ASIAN_DATES: readonly DayRule[] = [
  { pattern: /大后天/g, date: (_groups, now) => isoDate(now, 3) },
  { pattern: /明後日|あさって/g, date: (_groups, now) => isoDate(now, 2) },
  { pattern: /一昨日|おととい|前天/g, date: (_groups, now) => isoDate(now, -2) },
  { pattern: /后天/g, date: (_groups, now) => isoDate(now, 2) },
  { pattern: /明天|明日/g, date: (_groups, now) => isoDate(now, 1) },
  { pattern: /今天|今日/g, date: (_groups, now) => isoDate(now, 0) },
  { pattern: /昨天|昨日/g, date: (_groups, now) => isoDate(now, -1) },
  {
    pattern: /(来週|今週|先週)の([日月火水木金土])曜日?/g,
    date: ([which, day], now) => {
      const weeks = which === '来週' ? 1 : which === '今週' ? 0 : -1;
      const days = daysUntil(now, 1) + 7 * (weeks - 1) + ((JAPANESE_DAYS.indexOf(day!) + 6) % 7);
      return `${isoDate(now, days)}（${day}）`;
    },
  },
  { pattern: /来週/g, date: (_groups, now) => `${mondayOf(now, 1)}の週` },
  { pattern: /来月/g, date: (_groups, now) => monthOf(now, 1) },
  {
    // "every Friday" is no date, and neither is "once a week".
    pattern: /(?<![一二两三四五六七八九十\d每]个?)(上|下|本|这)?个?(?:周|星期|礼拜)([一二三四五六日天])(?!（\d)/g,
    date: ([which, day], now) =>
      `${which ?? ''}周${day}（${isoDate(now, inChineseWeek(now, { which: which ?? '', day: day! }))}）`,
  },
  { pattern: /下个?(?:周|星期|礼拜)(?![一二三四五六日天])/g, date: (_groups, now) => `${mondayOf(now, 1)}那一周` },
  {
    pattern: new RegExp(`(${COUNT})(?:个)?(天|周|星期|月)(?:之?后|以后)`, 'g'),
    date: ([count, unit], now) => shifted(now, chineseAmount(count!, unit!)),
  },
  {
    pattern: new RegExp(`(${COUNT})(?:个)?(天|周|星期|月)(?:之?前|以前)`, 'g'),
    date: ([count, unit], now) => {
      const { count: number, unit: by } = chineseAmount(count!, unit!);
      return shifted(now, { count: -number, unit: by });
    },
  },
  { pattern: /下个?月/g, date: (_groups, now) => monthOf(now, 1) },
  { pattern: /上个月/g, date: (_groups, now) => monthOf(now, -1) },
  { pattern: /明年/g, date: (_groups, now) => `${yearOf(now, 1)}年` },
];

function inChineseWeek(now: Date, wanted: { which: string; day: string }): number {
  const weekday = CHINESE_DAYS.indexOf(wanted.day === '天' ? '日' : wanted.day);
  if (wanted.which === '') return daysToWeekday(now, { weekday, week: 'coming' });
  const weeks = wanted.which === '下' ? 0 : wanted.which === '上' ? -14 : -7;
  return daysUntil(now, 1) + weeks + ((weekday + 6) % 7);
}

function chineseAmount(count: string, unit: string): { count: number; unit: 'day' | 'week' | 'month' } {
  const word = CHINESE_NUMBERS.indexOf(count === '二' ? '两' : count);
  return { count: word < 0 ? Number(count) : word + 1, unit: unit === '天' ? 'day' : unit === '月' ? 'month' : 'week' };
}
