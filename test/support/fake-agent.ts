/** An agent that plays given events, and print mode over it: for tests of what the command line makes of a turn. */

import type { AgentEvent, TurnOutcome } from '../../src/agent/event.ts';
import { printCommand } from '../../src/cli/commands/print.ts';
import type { Entry, StopReason } from '../../src/conversation/entry.ts';
import type { ContentBlock, TextBlock, ToolUseBlock } from '../../src/conversation/message.ts';
import type { Agent, AgentOptions } from '../../src/session/agent.ts';
import { type Ran, runLine, type StubOptions } from './cli-stub.ts';

export const USAGE = {
  inputTokens: 3,
  outputTokens: 5,
  cacheReadTokens: 100,
  cacheWriteTokens: 20,
  cacheWriteHourTokens: 0,
};
export const CALL: ToolUseBlock = {
  type: 'tool_use',
  id: 'toolu_1',
  name: 'Bash',
  input: { command: 'rm x', token: 's3cret' },
};

export function assistant(
  content: readonly ContentBlock[],
  stopReason: StopReason,
  id: string | null = 'msg_1',
): AgentEvent {
  const response = { model: 'model-1', usage: USAGE, stopReason, id };
  const entry: Entry = { uuid: 'a', parentUuid: null, at: 'now', message: { role: 'assistant', content }, response };
  return { kind: 'entry', entry };
}

export function user(content: readonly ContentBlock[], injected: Entry['injected'] = []): AgentEvent {
  return {
    kind: 'entry',
    entry: { uuid: 'u', parentUuid: null, at: 'now', message: { role: 'user', content }, injected },
  };
}

export const text = (words: string): TextBlock => ({ type: 'text', text: words });
export const ended = (outcome: TurnOutcome): AgentEvent => ({ kind: 'turn-ended', outcome });
export const answered = (words: string): AgentEvent[] => [assistant([text(words)], 'end'), ended({ kind: 'answered' })];

type Line = Readonly<Record<string, unknown>>;

export interface Asked extends Ran {
  readonly opened: AgentOptions | undefined;
  readonly prompt: unknown;
  readonly lines: Line[];
}

export interface Fake extends StubOptions {
  readonly events?: readonly AgentEvent[] | ((signal: AbortSignal | undefined) => AsyncIterable<AgentEvent>);
  readonly agent?: Partial<Agent>;
  readonly openFails?: Error;
  readonly closing?: (facts: { readonly signal: AbortSignal | undefined; readonly options: AgentOptions }) => void;
}

export async function ask(argv: readonly string[], fake: Fake = {}): Promise<Asked> {
  const told: { opened?: AgentOptions; prompt?: unknown } = {};
  const { events = answered('Yes.') } = fake;
  const agent: Agent = {
    sessionId: 'session-1',
    forkedFrom: null,
    model: 'model-1',
    cwd: '/project',
    tools: ['Read', 'Bash'],
    permissionMode: 'accept-edits',
    warnings: [],
    async *send(prompt, options) {
      told.prompt = prompt;
      yield* typeof events === 'function' ? events(options?.signal) : events;
    },
    totals: () => ({ usage: USAGE, money: 0.25, calls: 1, byPurpose: { main: { usage: USAGE, money: 0.25 } } }),
    close: async (closing) => fake.closing?.({ signal: closing?.signal, options: told.opened! }),
    ...fake.agent,
  };
  const command = printCommand({
    nowMs: () => 0,
    async openAgent(options) {
      told.opened = options;
      if (fake.openFails) throw fake.openFails;
      return agent;
    },
  });
  const rows = ['-p', 'memory list'].map((name) => ({ name, summary: 'Ask', load: async () => ({ command }) }));
  const ran = await runLine(argv, { rows, environment: { HOME: '/nobody' }, ...fake });
  const isJson = ran.stdout.startsWith('{');
  const lines = isJson
    ? ran.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  return { ...ran, opened: told.opened, prompt: told.prompt, lines };
}
