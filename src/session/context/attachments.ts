/** What the session itself adds to a conversation as it goes: the date when it changes, rules for files that are touched. */

import { resolve } from 'node:path';
import type { Attachment } from '../../agent/seams.ts';
import { type LocalClock, localTime, WEEKDAYS } from '../../base/dates/local-time.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import { realPath } from '../../disk/disk.ts';
import type { ConditionalRule } from '../../memory/instructions/instruction.ts';
import { matchRules } from '../../memory/instructions/match-rules.ts';
import { instructionTag, wrapReminder } from '../../toolbox/context-text.ts';
import type { AgentDailyLog } from '../../toolbox/daily-log.ts';

/** Plain JSON: kept in the transcript, so that a session that goes on tells nothing twice. */
export interface AttachmentState {
  readonly date: string | null;
  readonly rules: readonly string[];
  /** Where commands ran when it was kept. */
  readonly shellCwd?: string;
}

export interface AgentAttachments {
  /** A tool has been at a file. */
  onCalls(calls: readonly ToolUseBlock[]): void;
  /** For the next message of the user's side. */
  add(attachments: readonly Attachment[]): void;
  /** What has become due since it was last asked. */
  take(): readonly Attachment[];
  state(): AttachmentState;
}

export function createAttachments(facts: {
  readonly cwd: string;
  /** Where commands run: a `cd` stays. */
  readonly shellCwd: () => string;
  readonly conditional: readonly ConditionalRule[];
  readonly clock: LocalClock;
  readonly dailyLog?: Pick<AgentDailyLog, 'note'> | null;
  readonly resumed?: AttachmentState | undefined;
}): AgentAttachments {
  const rules = dynamicInstructions(facts.conditional, facts.resumed?.rules);
  let date = facts.resumed?.date ?? null;
  // A resumed session begins in its folder again, and a summary does not know of a `cd`.
  const believed = facts.resumed?.shellCwd ?? facts.cwd;
  let due = believed === facts.shellCwd() ? [] : [shellNotice(facts.shellCwd())];
  return {
    onCalls(calls) {
      for (const { input } of calls) {
        const path = input.file_path;
        const text = typeof path === 'string' ? rules.touched(resolve(facts.cwd, path)) : null;
        if (text !== null) due.push({ source: 'instructions', block: { type: 'text', text } });
      }
    },
    add: (attachments) => void due.push(...attachments),
    take() {
      const { clock, dailyLog } = facts;
      const timeZone = clock.timeZone?.();
      const reminder = dateReminder(clock.now(), { previousDate: date, timeZone, note: dailyLog?.note });
      date = reminder?.date ?? date;
      const taken = due;
      due = [];
      if (reminder === null) return taken;
      return [{ source: 'date', block: { type: 'text', text: reminder.text } }, ...taken];
    },
    state: () => ({ date, rules: rules.told(), shellCwd: facts.shellCwd() }),
  };
}

export function isAttachmentState(value: unknown): value is AttachmentState {
  if (typeof value !== 'object' || value === null) return false;
  const { date, rules, shellCwd } = value as Record<string, unknown>;
  return (
    (shellCwd === undefined || typeof shellCwd === 'string') &&
    (date === null || typeof date === 'string') &&
    Array.isArray(rules) &&
    rules.every((rule) => typeof rule === 'string')
  );
}

function shellNotice(shellCwd: string): Attachment {
  return { source: 'context', block: { type: 'text', text: wrapReminder([`Bash commands now run in ${shellCwd}.`]) } };
}

// What joins a conversation while it goes on: the date when it changes, and rules when a file they are for is touched.

interface DateReminder {
  /** To be given back as `previousDate`. */
  readonly date: string;
  readonly text: string;
}

interface DateReminderFacts {
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

interface DynamicInstructions {
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

const HEADING = 'Instructions for the file that was just touched, and for others like it. Follow them from here on.';
