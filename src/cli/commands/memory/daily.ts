/** `reverie memory daily`: what was logged on a day, in daily-log mode. */

import { join } from 'node:path';
import { dayBefore, localTime } from '../../../base/dates/local-time.ts';
import { TERMINAL_LIMITS } from '../../../limits.ts';
import { isDay } from '../../../memory/daily-log/place.ts';
import { type DayLog, loggedDays, type ReadLogLine, readLog } from '../../../memory/daily-log/read.ts';
import { defineCommand } from '../../command.ts';
import { placeLimits } from '../../options/place-options.ts';
import { usageError } from '../../options/usage.ts';
import type { Paint } from '../../terminal/paint.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [
    { name: 'DAY', required: false, help: 'A day as 2031-05-08, today or yesterday (the newest with a log)' },
  ],
  options: {
    days: { kind: 'flag', help: 'List the days that have a log, oldest first' },
  },
  about: '(said) is the user’s word, (seen) what a tool, a file or a page showed; the rest is the agent’s own.',
  examples: ['reverie memory daily', 'reverie memory daily yesterday', 'reverie memory daily --days'],
  async run({ arguments: [given], options, terminal, now, place, environment, openMemory }) {
    const memory = await openMemory();
    const folder = memory.folders.project;
    if (!memory.enabled || folder === undefined) return { data: null, text: memory.offReason ?? 'Memory is off.' };
    const days = loggedDays(folder);
    if (options.days) return { data: days, text: days.length === 0 ? NONE : days.join('\n') };
    const day = given === undefined ? days.at(-1) : dayOf(given, now);
    const limits = placeLimits(place, environment).dailyLog;
    const log = day === undefined ? null : readLog(folder, { day, limits });
    if (log === null) return { data: null, text: day === undefined ? NONE : nothingOn(day, days) };
    const path = join(folder, log.file);
    return { data: { ...log, path }, text: logText(log, { path, paint: terminal.paint }) };
  },
});

const NONE = 'Nothing was logged yet. The setting dailyLog turns logs on; see: reverie settings dailyLog';

function dayOf(given: string, now: Date): string {
  const { day } = localTime(now);
  if (given === 'today') return day;
  if (given === 'yesterday') return dayBefore(day);
  if (isDay(given)) return given;
  throw usageError(`"${given}" is not a day.`, 'memory daily', 'Write it as 2031-05-08, or today, or yesterday.');
}

function nothingOn(day: string, days: readonly string[]): string {
  const newest = days.slice(-TERMINAL_LIMITS.listedDays);
  if (newest.length === 0) return NONE;
  const more = days.length > newest.length ? `, and ${days.length - newest.length} before` : '';
  return `Nothing was logged on ${day}. Days with a log: ${newest.join(', ')}${more}`;
}

function logText(log: DayLog, { path, paint }: { readonly path: string; readonly paint: Paint }): string {
  const cut = log.isCut ? [paint.dim('(the beginning of a long day is left out; the file holds all of it)')] : [];
  const lines = log.lines.map((line) => lineText(line, paint));
  return [`${paint.bold(log.day)}  ${paint.dim(plainLine(path))}`, ...cut, ...lines].join('\n');
}

function lineText({ time, offset, mark, text }: ReadLogLine, paint: Paint): string {
  const front = [paint.yellow(time), ...(offset === null ? [] : [paint.dim(offset)])];
  return [...front, ...(mark === null ? [] : [paint.cyan(`(${mark})`)]), plainLine(text)].join(' ');
}
