/** Daily-log mode in a session: the tool `Log`, the logs that are named with the date, and what becomes of writes into memory. */

import { join } from 'node:path';
import type { Tool, ToolResult } from '../agent/tool.ts';
import { type Breaker, createBreaker } from '../base/async/breaker.ts';
import { dayBefore, type LocalClock } from '../base/dates/local-time.ts';
import { messageOf } from '../base/values.ts';
import type { Entry } from '../conversation/entry.ts';
import { typedText } from '../conversation/typed-text.ts';
import { ReverieError } from '../errors.ts';
import { appendToLog } from '../memory/daily-log/daily-log.ts';
import { renderLogLine } from '../memory/daily-log/line.ts';
import { judgeLogText } from '../memory/daily-log/mark.ts';
import { isInLogs, logFile } from '../memory/daily-log/place.ts';
import { hasLog } from '../memory/daily-log/read.ts';
import { secretsIn } from '../memory/files/secrets-in.ts';
import { isSameText, normalise } from '../memory/gate/normalise.ts';
import { spanOf, type WriteGuard } from '../memory/gate/writer/judge-write.ts';
import type { Place } from '../settings/place.ts';
import { whenTripped } from './breakers.ts';
import type { LayerLedger } from './meter.ts';
import type { SessionContext } from './session-context.ts';

export const LOG_TOOL = 'Log';

export interface AgentDailyLog {
  readonly tool: Tool;
  /** Before the gate: memories are the dream's to write, unless the user asks. */
  guard(inner: WriteGuard): WriteGuard;
  /** For the reminder of the date: the logs that can be read, today's also before its first line is there. */
  note(day: string): string;
}

type LogFacts = Pick<SessionContext, 'memory' | 'log' | 'tell'> & {
  readonly place: Pick<Place, 'limits' | 'switches'>;
  readonly clock: LocalClock;
  readonly entries: () => readonly Entry[];
  readonly ledger: LayerLedger;
};

/** Null when the session keeps no log. One that goes on keeps to the tools it began with: they are part of its prefix. */
export function openDailyLog(facts: LogFacts): AgentDailyLog | null {
  const { place, memory, log, entries } = facts;
  const folder = memory.folders.project;
  const begun = log.kept?.rendered?.tools.some(({ name }) => name === LOG_TOOL);
  if (!memory.enabled || folder === undefined || !(begun ?? place.switches.isOn('dailyLog'))) return null;
  return {
    tool: logTool({ ...facts, folder }),
    guard: (inner) => ({
      ...inner,
      async judge(write) {
        const decision = decideMemoryWrite({ ...write, words: ownWordsOfTurn(entries()) });
        if (decision.kind !== 'refuse') return inner.judge(write);
        return { kind: 'refused', rule: 'daily-log', reason: decision.reason };
      },
    }),
    note(day) {
      const yesterday = dayBefore(day);
      const today = `Today's log: ${join(folder, logFile(day))}`;
      return hasLog(folder, { day: yesterday, limits: place.limits.dailyLog })
        ? `${today}\nYesterday's: ${join(folder, logFile(yesterday))}`
        : today;
    },
  };
}

const DESCRIPTION = `Adds one line to today's log, the memory of this long-running assistant.
- Log at once what must outlive this conversation: what the user tells about themselves and how they want the work done, decisions with their reasons, promises, open ends.
- One thing a line, whole when read alone in a month; dates absolute. The time is put in front by itself.
- Quote the user where it rests on their words: then the line counts as theirs.
- Lines are only ever added: log a correction as a new line.
- No secrets, nothing that the project or git shows by itself, no steps of the task at hand.`;

function logTool(facts: LogFacts & { readonly folder: string }): Tool {
  const { ledger, tell } = facts;
  const limit = facts.place.limits.dailyLog.failures;
  const breaker = createBreaker({ limit, onTrip: whenTripped('logging', { ledger, tell }) });
  return {
    name: LOG_TOOL,
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'The line, without time or date in front.' },
        quote: {
          type: 'string',
          description:
            'The words the user typed that it rests on, copied exactly. Leave it out of what they did not say.',
        },
      },
      required: ['text'],
      additionalProperties: false,
    },
    isReadOnly: () => false,
    async run(input) {
      try {
        const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
        return await logLine({ text: textOf(input.text), quote: textOf(input.quote) }, { ...facts, breaker });
      } catch (error) {
        breaker.failed(messageOf(error));
        ledger.recordEvent('daily-log-failed', {});
        if (!(error instanceof ReverieError)) throw error;
        return { content: [error.message, error.fix].filter((part) => part !== '').join('. '), isError: true };
      }
    },
  };
}

const PAUSED: ToolResult = {
  content:
    'Not logged: the log could not be written several times in a row, and is left alone for the rest of this session. Tell the user what you wanted to log.',
  isError: true,
};

async function logLine(
  { text, quote }: { readonly text: string; readonly quote: string },
  facts: LogFacts & { readonly folder: string; readonly breaker: Breaker },
): Promise<ToolResult> {
  if (facts.place.switches.isKilled('dailyLog'))
    return { content: 'Not logged: the log is switched off.', isError: true };
  if (facts.breaker.isPaused()) return PAUSED;
  const { limits } = facts.place;
  const span = spanOf(facts.entries(), { otherBytes: limits.gate.spanBytes });
  const judged = judgeLogText(text, { span, quotes: quote === '' ? [] : [quote] });
  if (judged.kind === 'refuse') return { content: `Not logged. ${judged.reason}`, isError: true };
  const { folder, clock } = facts;
  const secrets = { describeSecretsIn: secretsIn };
  const line =
    judged.quote === undefined || isSameText(judged.quote, normalise(text)) ? text : `${text} “${judged.quote}”`;
  const logged = await appendToLog({ text: line, mark: judged.mark }, { folder, clock, secrets, limits });
  if (logged.kind === 'refused') return { content: logged.reason, isError: true };
  facts.breaker.succeeded();
  facts.ledger.recordEvent('daily-log', { lines: 1 });
  // Not the text: a result is the world's word, and must not make the user's own look like that when it is said again.
  const display = { kind: 'summary', text: renderLogLine(logged.line).slice('- '.length) } as const;
  return { content: `Logged in ${logged.file} at ${logged.line.time}.`, display };
}

// Whether the agent may write a memory's file in daily-log mode: only one that is there, and only when the user speaks of it.

type MemoryWriteDecision =
  | { readonly kind: 'allow'; readonly reason: 'the-user-names-it' | 'the-user-speaks-of-memory' }
  | { readonly kind: 'refuse'; readonly reason: string };

/** How people ask for what is remembered to be changed; "remember …" is not among it, for that is what the log is for. */
const SPEAKS_OF_MEMORY =
  /(?<!\p{L})(?:forget|memor(?:y|ies)|vergiss|vergessen|gedächtnis|erinnerung(?:en)?|olvid\p{L}+|memoria|recuerdos|oubli\p{L}+|mémoire|souvenirs?|esquec\p{L}+|memória|dimentic\p{L}+)(?!\p{L})|忘|记忆|記憶|メモリ/iu;

export function decideMemoryWrite(facts: {
  readonly file: string;
  /** Null when the file is new. */
  readonly before: string | null;
  /** What the user typed in this turn. */
  readonly words: string;
}): MemoryWriteDecision {
  const { file, before, words } = facts;
  if (isInLogs(file.toLowerCase())) {
    return refuse('A log is only added to, by the Log tool: log what is right now as a new line.');
  }
  if (before === null) return refuse('In this session what is worth keeping goes to the log, with the Log tool.');
  const name = file.split('/').at(-1)!.replace(/\.md$/, '');
  if (words.toLowerCase().includes(name.toLowerCase())) return { kind: 'allow', reason: 'the-user-names-it' };
  if (SPEAKS_OF_MEMORY.test(words)) return { kind: 'allow', reason: 'the-user-speaks-of-memory' };
  return refuse('In this session memories are changed only when the user asks for it: log what has changed.');
}

function refuse(what: string): MemoryWriteDecision {
  return {
    kind: 'refuse',
    reason: `${what} A dream makes memories of the logs (\`reverie dream\`); the user changes them with \`reverie memory edit\` and \`reverie memory forget\`.`,
  };
}

/** What the user typed in their newest message. */
export function ownWordsOfTurn(entries: readonly Entry[]): string {
  return (
    entries
      .toReversed()
      .map(typedText)
      .find((text) => text !== '') ?? ''
  );
}
