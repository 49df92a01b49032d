/** `reverie -p`: the agent as a command: one prompt, one turn, one answer. */

import type { AgentEvent } from '../../agent/event.ts';
import { messageOf } from '../../base/values.ts';
import { NO_USAGE } from '../../conversation/message.ts';
import type { SpokenPrompt } from '../../conversation/typed-text.ts';
import { ReverieError } from '../../errors.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import type { Agent, AgentOptions } from '../../session/agent.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { type Command, defineCommand, type Invocation, type OptionValues } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { givenAgents } from '../options/given-agents.ts';
import { givenTeam } from '../options/given-team.ts';
import { permissionModeOf } from '../options/permission-mode.ts';
import { placeLimits, placeOptions, settingFacts } from '../options/place-options.ts';
import { OUTPUT_FORMATS, type OutputFormat, PRINT_NAME, PRINT_OPTIONS } from '../options/print-options.ts';
import { usageError } from '../options/usage.ts';
import { counted } from '../paint-view/amounts.ts';
import { createCommentary } from '../print/commentary.ts';
import { checkExplicitSettings } from '../print/explicit-settings.ts';
import { createOutput, type PrintOutput } from '../print/output.ts';
import { readPrompt } from '../print/prompt.ts';
import { resultOf } from '../print/result.ts';
import { createStaying, type Staying } from '../print/stay.ts';
import { NO_FACTS, type TurnFacts, withEvent } from '../print/turn-facts.ts';
import { plainLine } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

type PrintInvocation = Invocation<OptionValues<typeof PRINT_OPTIONS>>;

export interface PrintPorts {
  openAgent(options: AgentOptions): Promise<Agent>;
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
}

export function printCommand(ports: PrintPorts): Command {
  return defineCommand({
    arguments: [{ name: 'PROMPT', required: false, takesRest: true, help: 'The prompt; piped input is appended' }],
    about:
      'Tools that only read run; the rest is denied unless settings or --permission-mode allow it. Exit codes: 0 answered, 1 failed or out of turns, 2 used wrongly, 130 interrupted (129 and 143 by SIGHUP and SIGTERM): also where the answer is out and only memory was waited for.',
    options: PRINT_OPTIONS,
    examples: [
      'reverie -p "What does this project do?"',
      'git diff | reverie -p "Review this change"',
      'reverie -p --output-format json "List the tests" | jq -r .result',
      'reverie -p --continue "And which of them are slow?"',
      'reverie -p --permission-mode accept-edits "Fix the typos in README.md"',
    ],
    run: (invocation) => print(invocation, ports),
    onMisuse({ error, line, terminal }) {
      const output = createOutput(formatOfLine(line), terminal);
      void output.onResult(failedResult(error));
    },
  });
}

async function print(invocation: PrintInvocation, ports: PrintPorts) {
  const { terminal, options } = invocation;
  const output = createOutput(options['output-format'] ?? (invocation.isJson ? 'json' : 'text'), terminal);
  const startedMs = ports.nowMs();
  /** Once interrupted, a command says one thing, at its end. */
  const saidLast: string[] = [];
  const tellClosingLine = (line: string) => {
    if (output.onClosingLine(line, agent.sessionId)) return;
    if (terminal.interrupted.aborted) return void saidLast.push(line);
    terminal.writeError(`${terminal.paint.cyan('note:')} ${plainLine(line)}\n`);
  };
  const staying = options.stay ? createStaying() : null;
  let agent: Agent;
  let prompt: SpokenPrompt;
  try {
    const asked = agentOptions(invocation);
    prompt = await readPrompt(invocation.arguments, terminal);
    const waking = staying?.options ?? {};
    agent = await ports.openAgent({ ...asked, ...waking, onClosingLine: (line) => tellClosingLine(line) });
  } catch (error) {
    await output.onResult(failedResult(error, ports.nowMs() - startedMs));
    throw error;
  }
  try {
    await answer({ agent, prompt, output, invocation, ports, startedMs, staying });
  } finally {
    await agent.close({ signal: terminal.interrupted }).catch((error: unknown) => {
      const problem = messageOf(error);
      terminal.writeError(`${terminal.paint.yellow('warning:')} ${plainLine(problem)}\n`);
    });
  }
  terminal.throwIfInterrupted(['Interrupted; the answer is whole.', ...saidLast.map(plainLine)].join(' '));
  return { data: null, text: '', isPrinted: true } as const;
}

interface Answering {
  readonly agent: Agent;
  readonly prompt: SpokenPrompt;
  readonly output: PrintOutput;
  readonly invocation: PrintInvocation;
  readonly ports: PrintPorts;
  readonly startedMs: number;
  readonly staying: Staying | null;
}

/** Throws what prevented the answer, after the result has been printed. */
async function answer({ agent, prompt, output, invocation, ports, startedMs, staying }: Answering): Promise<void> {
  const { terminal, options } = invocation;
  const commentary = createCommentary({ verbose: options.verbose, debug: options.debug, terminal, nowMs: ports.nowMs });
  const stop = new AbortController();
  terminal.allowAfterInterruption(TERMINAL_LIMITS.agentGraceMs);
  // Also when the reader of our output is gone: what a tool started must not outlive us.
  terminal.atEnd(() => stop.abort());
  const signal = AbortSignal.any([terminal.interrupted, stop.signal]);
  commentary.onOpen(agent);
  await output.onOpen(agent);
  async function hear(events: AsyncIterable<AgentEvent>, fromMs: number): Promise<unknown> {
    let turn = NO_FACTS;
    let error: unknown = null;
    try {
      for await (const event of events) {
        turn = withEvent(turn, event);
        commentary.onEvent(event);
        await output.onEvent(event, agent.sessionId);
      }
      error = whyUnanswered(turn, { invocation, agent });
    } catch (thrown) {
      error = thrown;
    }
    const totals = agent.totals();
    commentary.onEnd(totals);
    const durationMs = ports.nowMs() - fromMs;
    await output.onResult(resultOf({ turn, sessionId: agent.sessionId, totals, durationMs, error }));
    return error;
  }

  const voice = isAtTerminal(terminal) ? 'typed' : 'first-paragraph';
  const error = await hear(agent.send(prompt, { signal, voice }), startedMs);
  // One answer that failed does not end a session that stays: the next message may find a model.
  await staying?.untilEnd({ signal, hear: async (events) => void (await hear(events, ports.nowMs())) });
  if (error === null || (staying !== null && !terminal.interrupted.aborted)) return;
  terminal.throwIfInterrupted(`Interrupted.${resumeAdvice(invocation, agent)}`);
  throw error;
}

/** Null when there is an answer. */
function whyUnanswered({ outcome }: TurnFacts, facts: { invocation: PrintInvocation; agent: Agent }): unknown {
  const fix = resumeAdvice(facts.invocation, facts.agent).trim();
  if (outcome === null) return new Error('The turn ended without an outcome.');
  switch (outcome.kind) {
    case 'answered':
      return null;
    case 'failed':
      return outcome.error;
    case 'refused':
      return new ReverieError({ code: 'refused', message: 'The model refused to answer.' });
    case 'interrupted':
      return new ReverieError({ code: 'interrupted', message: 'Interrupted.', fix });
    case 'too-many-rounds': {
      const message = `There is no answer after ${counted(outcome.rounds, 'request')}, which is what --max-turns allows.`;
      return new ReverieError({ code: 'refused', message, fix });
    }
  }
}

function resumeAdvice({ options, place, environment }: PrintInvocation, { sessionId }: Agent): string {
  const isKept = () => resolveSettings(settingFacts(place, environment)).values.transcripts === 'on';
  if (options['no-transcript'] || !isKept()) return '';
  return ` To go on: ${nextCommand(place, ['-p', '--resume', sessionId, 'Go on'])}`;
}

function agentOptions({ options, place, environment }: PrintInvocation): AgentOptions {
  const { resume, model, 'permission-mode': mode } = options;
  for (const [name, value] of Object.entries({ resume, model })) {
    if (value?.trim() === '') throw usageError(`--${name} is empty.`, PRINT_NAME);
  }
  if (resume !== undefined && options.continue) {
    throw usageError('--resume and --continue name different sessions.', PRINT_NAME, 'Give one of the two.');
  }
  if (options.stay && options.teammate === undefined)
    throw usageError('--stay waits for messages, which need a name.', PRINT_NAME, 'For example: --stay --teammate ana');
  checkExplicitSettings(place, environment);
  return {
    ...placeOptions(place, environment),
    continueNewest: options.continue,
    // The answer is out by then: nobody watches what memory does with it.
    closeWaitMs: placeLimits(place, environment).extraction.printWaitMs,
    dreams: false,
    singleTurn: !options.stay,
    awaitsAgents: !options['no-wait'],
    ...givenAgents(options.agents, PRINT_NAME),
    ...givenTeam(options, PRINT_NAME),
    // What the line does not say is left to the settings.
    ...(options['no-transcript'] ? { transcript: false } : {}),
    ...(mode === undefined ? {} : { permissionMode: permissionModeOf(mode) }),
    ...(resume === undefined ? {} : { resume }),
    ...(model === undefined ? {} : { model }),
    ...(options['max-turns'] === undefined ? {} : { maxRounds: options['max-turns'] }),
  };
}

function failedResult(error: unknown, durationMs = 0) {
  const totals = { usage: NO_USAGE, money: 0, calls: 0, byPurpose: {} };
  return resultOf({ turn: NO_FACTS, sessionId: null, totals, durationMs, error });
}

/** For a line that was not understood: the format it asked for, as far as that can be told. */
function formatOfLine(line: readonly string[]): OutputFormat {
  const option = '--output-format';
  const at = line.indexOf(option);
  const given = at === -1 ? line.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1) : line[at + 1];
  return OUTPUT_FORMATS.find((format) => format === given) ?? (line.includes('--json') ? 'json' : 'text');
}

/** A person typed the line; otherwise a program may have assembled it. */
function isAtTerminal({ isTerminal, isWatched, input }: Pick<Terminal, 'isTerminal' | 'isWatched' | 'input'>): boolean {
  return isTerminal || isWatched || input === 'keyboard';
}
