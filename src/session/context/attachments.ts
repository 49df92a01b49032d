/** What the session itself adds to a conversation as it goes: the date when it changes, rules for files that are touched. */

import { resolve } from 'node:path';
import type { Attachment } from '../../agent/seams.ts';
import type { LocalClock } from '../../base/dates/local-time.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import type { ConditionalRule } from '../../memory/instructions/instruction.ts';
import type { AgentLog } from '../../toolbox/daily-log.ts';
import { dateReminder, dynamicInstructions } from './attached-text.ts';

/** Plain JSON: kept in the transcript, so that a session that goes on tells nothing twice. */
export interface AttachmentState {
  readonly date: string | null;
  readonly rules: readonly string[];
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
  readonly conditional: readonly ConditionalRule[];
  readonly clock: LocalClock;
  readonly dailyLog?: Pick<AgentLog, 'note'> | null;
  readonly resumed?: AttachmentState | undefined;
}): AgentAttachments {
  const rules = dynamicInstructions(facts.conditional, facts.resumed?.rules);
  let date = facts.resumed?.date ?? null;
  let due: Attachment[] = [];
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
    state: () => ({ date, rules: rules.told() }),
  };
}

export function isAttachmentState(value: unknown): value is AttachmentState {
  if (typeof value !== 'object' || value === null) return false;
  const { date, rules } = value as Record<string, unknown>;
  return (
    (date === null || typeof date === 'string') &&
    Array.isArray(rules) &&
    rules.every((rule) => typeof rule === 'string')
  );
}
