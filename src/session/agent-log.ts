/** Daily-log mode in a session: the tool `Log`, the logs that are named with the date, and why memories are not written here. */

import { join } from 'node:path';
import type { Tool } from '../agent/tool.ts';
import { ReverieError } from '../errors.ts';
import type { LocalClock } from '../lib/local-time.ts';
import { dayBefore } from '../lib/local-time.ts';
import type { Limits } from '../limits.ts';
import { appendToLog } from '../memory/daily-log.ts';
import { renderLogLine } from '../memory/daily-log-line.ts';
import { judgeLogText } from '../memory/daily-log-mark.ts';
import { logFile } from '../memory/daily-log-place.ts';
import { hasLog } from '../memory/daily-log-read.ts';
import type { SpanMessage } from '../memory/gate/index.ts';
import { secretsIn } from './doctor-files.ts';

export const LOG_TOOL = 'Log';

export interface AgentLogFacts {
  /** The project's memory folder. */
  readonly folder: string;
  readonly clock: LocalClock;
  /** The conversation by now, for whose word a line is. */
  readonly span: () => readonly SpanMessage[];
  readonly limits: Pick<Limits, 'dailyLog' | 'lock' | 'gate'>;
}

const DESCRIPTION = `Adds one line to today's log, the memory of this long-running assistant.
- Log at once what must outlive this conversation: what the user tells about themselves and how they want the work done, decisions with their reasons, promises, open ends.
- One thing a line, whole when read alone in a month; dates absolute. The time is put in front by itself.
- Lines are only ever added: log a correction as a new line.
- No secrets, nothing that the project or git shows by itself, no steps of the task at hand.`;

export function logTool(facts: AgentLogFacts): Tool {
  return {
    name: LOG_TOOL,
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string', description: 'The line, without time or date in front.' } },
      required: ['text'],
      additionalProperties: false,
    },
    isReadOnly: () => false,
    async run(input) {
      const text = typeof input.text === 'string' ? input.text : '';
      const judged = judgeLogText(text, { span: facts.span(), limits: facts.limits.gate });
      if (judged.kind === 'refuse') return { content: `Not logged. ${judged.reason}`, isError: true };
      const { folder, clock, limits } = facts;
      const secrets = { describeSecretsIn: secretsIn };
      try {
        const logged = await appendToLog({ text, mark: judged.mark }, { folder, clock, secrets, limits });
        if (logged.kind === 'refused') return { content: logged.reason, isError: true };
        // Not the text: a result is the world's word, and must not make the user's own look like that when it is said again.
        const display = { kind: 'summary', text: renderLogLine(logged.line).slice('- '.length) } as const;
        return { content: `Logged in ${logged.file} at ${logged.line.time}.`, display };
      } catch (error) {
        if (!(error instanceof ReverieError)) throw error;
        return { content: [error.message, error.fix].filter((part) => part !== '').join('. '), isError: true };
      }
    },
  };
}

/** For the reminder of the date: the logs that can be read now, today's also before its first line is there. */
export function logNote(folder: string, day: string): string {
  const yesterday = dayBefore(day);
  const today = `Today's log: ${join(folder, logFile(day))}`;
  return hasLog(folder, yesterday) ? `${today}\nYesterday's: ${join(folder, logFile(yesterday))}` : today;
}
