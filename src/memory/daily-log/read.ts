/** Reads daily logs: one day's, or all that was logged since a moment. */

import { dayBefore, instantOf } from '../../base/dates/local-time.ts';
import { within } from '../../disk/commit.ts';
import { type Folder, openFolder } from '../../disk/folder.ts';
import { ReverieError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import { type LogLine, parseLogLine } from './line.ts';
import { dayOfLogFile, isDay, LOG_FOLDER, logFile } from './place.ts';

const MINUTE_MS = 60_000;

export interface ReadLogLine extends LogLine {
  /** Within the file, from 1; within what was read of one that is too long. */
  readonly number: number;
  /** As it stands in the file, for quoting. */
  readonly line: string;
  /** Milliseconds since the epoch; null where no line up to it states an offset. */
  readonly atMs: number | null;
}

export interface DayLog {
  readonly day: string;
  /** Below the memory folder. */
  readonly file: string;
  /** In the order in which they were logged; what is no line of a log is left out. */
  readonly lines: readonly ReadLogLine[];
  /** The beginning was left out: the file is longer than what is read of one. */
  readonly isCut: boolean;
}

/** How much is read of one day. */
type LogLimits = Pick<Limits['dailyLog'], 'readBytes'>;

export interface WantedDay {
  readonly day: string;
  readonly limits: LogLimits;
}

/** `folder` is the real path of a memory folder. Null when nothing was logged that day. */
export function readLog(folder: string, wanted: WantedDay): DayLog | null {
  return isDay(wanted.day) ? below(folder, null, (root) => readDay(root, wanted)) : null;
}

/**
 * Oldest first, with the lines since then alone. A line tells its minute: all of the minute that the moment lies in count
 * as new, and so does a line whose moment is unknown. Twice read is better than lost.
 */
export function logsSince(
  folder: string,
  { sinceMs, limits }: { readonly sinceMs: number; readonly limits: LogLimits },
): readonly DayLog[] {
  return below(folder, [], (root) => {
    const sinceMinuteMs = Math.floor(Math.max(0, sinceMs) / MINUTE_MS) * MINUTE_MS;
    // Its day there may be the one before its day in UTC.
    const firstDay = dayBefore(new Date(sinceMinuteMs).toISOString().slice(0, 10));
    return daysIn(root)
      .filter((day) => day >= firstDay)
      .flatMap((day) => readable(() => readDay(root, { day, limits })) ?? [])
      .map((log) => ({ ...log, lines: log.lines.filter(({ atMs }) => atMs === null || atMs >= sinceMinuteMs) }))
      .filter(({ lines }) => lines.length > 0);
  });
}

/** Whether there is something to read of that day. */
export function hasLog(folder: string, wanted: WantedDay): boolean {
  return readable(() => readLog(folder, wanted)) !== null;
}

/** The days that have a log, oldest first. */
export function loggedDays(folder: string): readonly string[] {
  return below(folder, [], daysIn);
}

function readDay(root: Folder, { day, limits: { readBytes } }: WantedDay): DayLog | null {
  const file = logFile(day);
  return within(root, file, { create: false }, (folder, name) => {
    const size = folder.stat(name)?.size ?? null;
    if (size === null) return null;
    const start = Math.max(0, size - readBytes);
    const text = folder.readFrom(name, start, size).toString('utf8');
    return { day, file, isCut: start > 0, lines: linesOf(start > 0 ? text.slice(text.indexOf('\n') + 1) : text, day) };
  });
}

function linesOf(text: string, day: string): readonly ReadLogLine[] {
  let inForce: string | null = null;
  return text.split('\n').flatMap((line, index): ReadLogLine[] => {
    const parsed = parseLogLine(line);
    if (parsed === null) return [];
    inForce = parsed.offset ?? inForce;
    const atMs = inForce === null ? null : instantOf({ day, time: parsed.time, offset: inForce });
    return [{ ...parsed, number: index + 1, line: line.replace(/\r$/, ''), atMs }];
  });
}

function daysIn(root: Folder): readonly string[] {
  const names = (path: string, pattern: RegExp) =>
    readable(() =>
      within(root, `${path}/_`, { create: false }, (folder) =>
        folder.entries().flatMap(({ name }) => (pattern.test(name) ? [name] : [])),
      ),
    ) ?? [];
  const years = names(LOG_FOLDER, /^\d{4}$/);
  const months = years.flatMap((year) => names(`${LOG_FOLDER}/${year}`, /^\d{2}$/).map((month) => `${year}/${month}`));
  const days = months.flatMap((month) =>
    names(`${LOG_FOLDER}/${month}`, /\.md$/).flatMap((name) => dayOfLogFile(`${LOG_FOLDER}/${month}/${name}`) ?? []),
  );
  return days.sort();
}

/** A link or something odd in one place must not hide the other days. */
function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReverieError) return null;
    throw error;
  }
}

function below<T>(path: string, fallback: T, read: (root: Folder) => T): T {
  const root = openFolder(path);
  if (root === null) return fallback;
  try {
    return read(root);
  } finally {
    root.close();
  }
}
