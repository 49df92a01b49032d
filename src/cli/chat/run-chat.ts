/** Runs the chat: keys, the agent and the clock go through the reducer, lines to the screen, effects to their ports. */

import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHAT_LIMITS, TERMINAL_LIMITS } from '../../limits.ts';
import type { AgentOptions } from '../../session/agent.ts';
import type { SteerableAgent } from '../../session/steering.ts';
import type { Place } from '../command.ts';
import type { Environment } from '../options/place-options.ts';
import { wrapPainted } from '../paint-view/wrap-painted.ts';
import { charKey } from '../screen/key.ts';
import type { Screen } from '../screen/screen.ts';
import type { Paint } from '../terminal/paint.ts';
import { plainLine } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Action } from './action.ts';
import { type ChatSession, createChatSession, type SessionChange } from './chat-session.ts';
import { createEffects } from './effects.ts';
import { createPrinter } from './printer.ts';
import { reduce } from './reduce.ts';
import { PROMPT } from './reduce-prompt.ts';
import type { ChatState } from './state.ts';
import { initialState } from './state.ts';
import { chatView } from './view.ts';

export interface ChatPorts {
  readonly screen: Screen;
  readonly paint: Paint;
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly place: Place;
  readonly openAgent: (options: AgentOptions) => Promise<SteerableAgent>;
  readonly agentOptions: AgentOptions;
  /** The session to begin with; `choose` lets the user pick one. */
  readonly start: SessionChange | 'choose';
  /** Sent once the session is open. */
  readonly prompt?: string;
  readonly now: () => Date;
  readonly nowMs: () => number;
  /** Plays by itself until a key is pressed: the tour. */
  readonly play?: (stage: ChatStage) => Promise<void>;
}

/** The chat, for a script that plays on it. */
export interface ChatStage {
  readonly skipped: AbortSignal;
  agent(): SteerableAgent;
  dispatch(action: Action): void;
  /** Resolves when no turn and no command is running. */
  untilIdle(): Promise<void>;
}

/** Rejects if opening the agent fails; the screen is given back by then. */
export async function runChat(ports: ChatPorts): Promise<void> {
  const { screen, paint, nowMs, terminal } = ports;
  const cwd = ports.agentOptions.cwd ?? '/';
  const isAtKeyboard = terminal.input === 'keyboard';
  const echoesPrompts = screen.mode !== 'lines' || !isAtKeyboard;
  const printer = createPrinter({ width: screen.size().columns, paint, cwd, echoesPrompts });
  let state: ChatState = initialState({
    mode: ports.agentOptions.permissionMode ?? 'ask',
    isLineMode: screen.mode === 'lines',
    isPiped: !isAtKeyboard,
    size: screen.size(),
  });
  const endpoint = ports.environment.ANTHROPIC_BASE_URL?.trim() || ports.environment.OPENAI_BASE_URL?.trim() || null;
  let ticking: NodeJS.Timeout | undefined;
  let skip: AbortController | null = ports.play === undefined ? null : new AbortController();
  const hurry = new AbortController();
  const inHurry = AbortSignal.any([terminal.interrupted, hurry.signal]);
  let endNow: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    endNow = resolve;
  });
  const idle: (() => void)[] = [];
  let title: string | null = null;
  // The console of Linux would print it.
  const hasTitle = ports.environment.TERM !== 'linux';
  let farewell: readonly string[] = [];

  function dispatch(action: Action): void {
    const next = reduce(state, action);
    state = next.state;
    const lines = next.output.flatMap((output) => printer.print(output));
    if (lines.length > 0) screen.commit(lines);
    draw();
    tick();
    for (const effect of next.effects) effects.run(effect);
    if (state.phase === 'idle' && !effects.isBusy()) for (const wake of idle.splice(0)) wake();
  }

  /** The tab says where this is and what it does; the old title comes back at the end. */
  function tellTitle(): void {
    const next = state.isLineMode || !hasTitle ? null : windowTitle(state, cwd);
    if (next === null || next === title) return;
    screen.send(`${title === null ? SAVE_TITLE : ''}\u001b]0;${next}\u0007`);
    title = next;
  }

  function draw(): void {
    tellTitle();
    const view = chatView(state, { paint, cwd, open: printer.open(), endpoint });
    screen.live(view.lines, view.cursor);
    if (state.isLineMode && isAtKeyboard && waitsForLine(state)) screen.prompt(PROMPT);
  }

  /** The clock runs only while something on screen needs it. */
  function tick(): void {
    const isWanted = state.turn !== null || state.lastPress !== null;
    if (isWanted === (ticking !== undefined)) return;
    clearInterval(ticking);
    ticking = isWanted
      ? setInterval(() => dispatch({ kind: 'tick', nowMs: nowMs() }), CHAT_LIMITS.spinnerMs)
      : undefined;
  }

  const edit = async (text: string) => {
    const { editPromptText } = await import('./edit-prompt.ts');
    return screen.leaveTo(() => editPromptText(text, { terminal, environment: ports.environment, file: 'plan.md' }));
  };
  const session = createChatSession({ options: ports.agentOptions, openAgent: ports.openAgent, dispatch, nowMs, edit });
  const end = ({ waits }: { readonly waits: boolean }) => {
    if (!waits) hurry.abort();
    endNow();
  };
  const effects = createEffects({ ...ports, session, dispatch, end, ended, cwd });
  const stopKeys = screen.onKey((key) => {
    if (skip !== null) return skip.abort();
    dispatch({ kind: 'key', key, nowMs: nowMs() });
  });
  // Where nothing is drawn, the terminal itself reads the keys: Ctrl-C arrives as a signal.
  const hearsSignal = screen.mode === 'lines' && isAtKeyboard;
  const stopInterrupts = hearsSignal ? terminal.hearInterrupts?.(pressControlC) : undefined;
  const stopResizes = screen.onResize((size) => {
    const lines = printer.resize(size.columns);
    if (lines.length > 0) screen.commit(lines);
    dispatch({ kind: 'resized', size });
  });
  function pressControlC(): boolean {
    if (state.phase === 'leaving') return false;
    dispatch({ kind: 'key', key: charKey('c', { ctrl: true }), nowMs: nowMs() });
    return true;
  }
  const leaveNow = () => dispatch({ kind: 'leave' });
  terminal.interrupted.addEventListener('abort', leaveNow, { once: true });
  draw();
  screen.flush();

  try {
    await effects.begin();
    if (ports.prompt !== undefined) dispatch({ kind: 'submit', text: ports.prompt, nowMs: nowMs() });
    if (ports.play !== undefined && skip !== null) {
      const untilIdle = () =>
        state.phase === 'idle' && !effects.isBusy() ? Promise.resolve() : new Promise<void>((wake) => idle.push(wake));
      await ports.play({ skipped: skip.signal, dispatch, untilIdle, agent: () => session.agent()! });
      skip = null;
    }
    await ended;
    await Promise.race([effects.settle(), patience(inHurry)]);
    farewell = effects.farewell();
  } finally {
    stopKeys();
    stopInterrupts?.();
    stopResizes();
    clearInterval(ticking);
    terminal.interrupted.removeEventListener('abort', leaveNow);
    const width = screen.size().columns;
    if (title !== null) screen.send(RESTORE_TITLE);
    screen.close();
    const told = (await letGo(session, { terminal, inHurry })).flatMap((line) => wrapPainted(plainLine(line), width));
    const lines = [...told, ...farewell];
    // A played session is gone by now: there is nothing to come back to.
    if (lines.length > 0 && ports.play === undefined) terminal.write(`\n${lines.join('\n')}\n`);
  }
}

const SAVE_TITLE = '\u001b[22;0t';
const RESTORE_TITLE = '\u001b[23;0t';

function windowTitle(state: ChatState, cwd: string): string | null {
  if (state.phase === 'leaving') return null;
  const mark = state.dialog?.kind === 'permission' ? '? ' : state.turn === null ? '' : '… ';
  return `${mark}${plainLine(basename(cwd))} · Reverie`;
}

/** Somebody at a terminal that cannot be drawn on must see that it is their turn. */
function waitsForLine({ phase, dialog, queue }: ChatState): boolean {
  return dialog !== null || (phase === 'idle' && queue.length === 0);
}

/** Hanging work keeps nobody here, least of all a user in a hurry. */
async function patience(inHurry: AbortSignal): Promise<void> {
  await sleep(CHAT_LIMITS.leaveMs, undefined, { ref: false, signal: inHurry }).catch(() =>
    sleep(TERMINAL_LIMITS.interruptGraceMs, undefined, { ref: false }),
  );
}

/** Background work may still save what was learnt; the user need not wait for it. */
async function letGo(
  session: ChatSession,
  { terminal, inHurry }: { readonly terminal: Terminal; readonly inHurry: AbortSignal },
): Promise<readonly string[]> {
  const waiting = setTimeout(() => {
    terminal.status('Writing down what was learnt; Ctrl-C leaves at once.');
  }, TERMINAL_LIMITS.quietMs);
  try {
    return await session.close(inHurry);
  } finally {
    clearTimeout(waiting);
    terminal.status(null);
  }
}
