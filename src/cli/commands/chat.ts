/** `reverie` and `reverie chat`: the agent in the terminal; without a model, the tour. */

import { quoted } from '../../base/text/shell-words.ts';
import { ReverieError } from '../../errors.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import type { AgentOptions } from '../../session/agent.ts';
import type { SteerableAgent } from '../../session/steering.ts';
import { type Answer, type Command, defineCommand, type Invocation, type OptionValues } from '../command.ts';
import { CHAT_NAME, CHAT_OPTIONS } from '../options/chat-options.ts';
import { givenAgents } from '../options/given-agents.ts';
import { givenTeam } from '../options/given-team.ts';
import { permissionModeOf } from '../options/permission-mode.ts';
import { placeOptions } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';

export interface ChatCommandPorts {
  openAgent(options: AgentOptions): Promise<SteerableAgent>;
}

type ChatInvocation = Invocation<OptionValues<typeof CHAT_OPTIONS>>;

const PRINTED: Answer = { data: null, text: '', isPrinted: true };

export function chatCommand(ports: ChatCommandPorts): Command {
  return defineCommand({
    arguments: [
      { name: 'PROMPT', required: false, takesRest: true, help: 'The first message; more of them follow in the chat' },
    ],
    about: 'Typing while the agent works queues the message; Escape interrupts it; /help lists keys and commands.',
    options: CHAT_OPTIONS,
    examples: [
      'reverie',
      'reverie "What does this project do?"',
      'reverie --continue',
      'reverie --resume',
      'reverie chat --permission-mode plan',
    ],
    run: (invocation) => chat(invocation, ports),
  });
}

async function chat(invocation: ChatInvocation, ports: ChatCommandPorts): Promise<Answer> {
  const { terminal, options, place, environment } = invocation;
  const prompt = invocation.arguments.join(' ').trim();
  if (prompt !== '' && (invocation.isJson || !terminal.canAsk)) throw noChatFor(prompt);
  if (invocation.isJson) return playTour(invocation, null);
  if (terminal.input !== 'piped' && !terminal.canAsk)
    return playTourInstead(invocation, await requireNoModel(invocation));
  const { resume } = options;
  if (resume !== undefined && options.continue) {
    throw usageError('--resume and --continue name different sessions.', CHAT_NAME, 'Give one of the two.');
  }
  const [{ createScreen }, { runChat }] = await Promise.all([
    import('../screen/screen.ts'),
    import('../chat/run-chat.ts'),
  ]);
  terminal.allowAfterInterruption(TERMINAL_LIMITS.agentGraceMs);
  const screen = createScreen({
    input: process.stdin,
    output: process.stdout,
    environment,
    isScreenReader: options['screen-reader'],
  });
  terminal.atEnd(screen.close);
  try {
    await runChat({
      ...{ screen, terminal, environment, place, paint: terminal.paint, openAgent: ports.openAgent },
      agentOptions: agentOptions(invocation),
      start: resume === '' ? 'choose' : resume === undefined ? { continueNewest: options.continue } : { resume },
      ...(prompt === '' ? {} : { prompt }),
      now: () => new Date(),
      nowMs: () => performance.now(),
    });
    return PRINTED;
  } catch (error) {
    screen.close();
    if (!isModelMissing(error, options)) throw error;
    return playTourInstead(invocation, error);
  }
}

/** Whoever asked something, or wants to go on with a session, gets the reason and no tour. */
function playTourInstead(invocation: ChatInvocation, missing: ReverieError): Promise<Answer> {
  const { options } = invocation;
  if (invocation.arguments.length > 0 || options.continue || options.resume !== undefined) throw missing;
  return playTour(invocation, missing);
}

/** It may have been meant as a command. */
function noChatFor(prompt: string): Error {
  const what = `${quoted(prompt)} is no command, and as the first message of a chat it needs a terminal.`;
  return usageError(what, CHAT_NAME, `For one answer: reverie -p ${quoted(prompt)}`);
}

/** Why there is no model. A user who has one did not ask for a tour: then the missing input or terminal is the error. */
async function requireNoModel({ terminal, options, place, environment }: ChatInvocation): Promise<ReverieError> {
  const [{ chooseModel }, { findPlace }] = await Promise.all([
    import('../../toolbox/choose-model.ts'),
    import('../../settings/place.ts'),
  ]);
  try {
    await chooseModel(findPlace(placeOptions(place, environment)), { model: options.model, environment });
  } catch (error) {
    if (isModelMissing(error, options)) return error;
    throw error;
  }
  const what =
    terminal.input === 'none'
      ? 'There is nothing to read: standard input is empty.'
      : 'A conversation needs a terminal for its answers.';
  throw usageError(what, CHAT_NAME, 'For one answer: reverie -p "PROMPT"');
}

function isModelMissing(error: unknown, { model }: ChatInvocation['options']): error is ReverieError {
  return error instanceof ReverieError && error.code === 'model' && model === undefined;
}

async function playTour(invocation: Invocation<unknown>, missing: ReverieError | null): Promise<Answer> {
  const { tour } = await import('../tour/tour.ts');
  return tour(invocation, missing);
}

function agentOptions({ options, place, environment }: ChatInvocation): AgentOptions {
  const { model, 'permission-mode': mode } = options;
  if (model?.trim() === '') throw usageError('--model is empty.', CHAT_NAME);
  return {
    ...placeOptions(place, environment),
    ...givenAgents(options.agents, CHAT_NAME),
    ...givenTeam(options, CHAT_NAME),
    ...(options['no-transcript'] ? { transcript: false } : {}),
    ...(mode === undefined ? {} : { permissionMode: permissionModeOf(mode) }),
    ...(model === undefined ? {} : { model }),
  };
}
