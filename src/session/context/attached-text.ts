/** What joins a conversation while it goes on: the date when it changes, and rules when a file they are for is touched. */

import { localTime } from '../../base/dates/local-time.ts';
import { realPath } from '../../disk/disk.ts';
import type { ConditionalRule } from '../../memory/instructions/instruction.ts';
import { matchRules } from '../../memory/instructions/match-rules.ts';
import { instructionTag, wrapReminder } from '../../toolbox/context-text.ts';

export interface DateReminder {
  /** To be given back as `previousDate`. */
  readonly date: string;
  readonly text: string;
}

export interface DateReminderFacts {
  readonly previousDate: string | null;
  /** The process's own unless given. */
  readonly timeZone?: string | undefined;
  /** What else is told about a day when it begins. */
  readonly note?: ((day: string) => string) | undefined;
}

/** By the user's clock. Null while it is the date that was told last; the first turn tells it. */
export function dateReminder(now: Date, facts: DateReminderFacts): DateReminder | null {
  const { previousDate, timeZone, note } = facts;
  const { day: date, weekday: dayOfWeek } = localTime(now, timeZone);
  if (date === previousDate) return null;
  const weekday = WEEKDAYS[dayOfWeek];
  const told =
    previousDate === null
      ? `Today is ${weekday}, ${date}.`
      : `The date has changed: today is ${weekday}, ${date}. There is no need to mention it.`;
  return { date, text: wrapReminder([told, ...(note === undefined ? [] : [note(date)])]) };
}

export interface DynamicInstructions {
  /** The rules that a touched file calls for and that were not told yet, as one text; null when there are none. */
  touched(path: string): string | null;
  /** Paths of the rules that were told, for the transcript. */
  told(): readonly string[];
}

/** `told` are those of a session that goes on. Compaction begins again. */
export function dynamicInstructions(
  conditional: readonly ConditionalRule[],
  told: readonly string[] = [],
): DynamicInstructions {
  const known = new Set(told);
  return {
    touched(path) {
      const waiting = conditional.filter((rule) => !known.has(rule.path));
      if (waiting.length === 0) return null;
      const real = realPath(path) ?? path;
      const matched = new Set([...matchRules(waiting, path), ...(real === path ? [] : matchRules(waiting, real))]);
      if (matched.size === 0) return null;
      for (const rule of matched) known.add(rule.path);
      const inOrder = waiting.filter((rule) => matched.has(rule));
      return wrapReminder([HEADING, ...inOrder.map(instructionTag)]);
    },
    told: () => [...known],
  };
}

/** Written out, because loading the names of a locale takes milliseconds of every start. */
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const HEADING = 'Instructions for the file that was just touched, and for others like it. Follow them from here on.';
