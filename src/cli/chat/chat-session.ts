/** The agent behind the chat: opened, replaced by another session's, asked, interrupted and closed. */

import { closeSync, openSync, readSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import { setImmediate as nextStep } from 'node:timers/promises';
import type { AgentEvent } from '../../agent/event.ts';
import type { PermissionAnswer, PermissionQuestion } from '../../agent/permissions/permissions.ts';
import { messageOf } from '../../base/values.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import type { Window } from '../../conversation/window.ts';
import type { DreamProgress } from '../../layers/6-dreaming/progress.ts';
import { CHAT_LIMITS } from '../../limits.ts';
import type { AgentOptions } from '../../session/agent.ts';
import type { SteerableAgent } from '../../session/steering.ts';
import type { SessionEndReason } from '../../toolbox/hooks.ts';
import { type Action, notice } from './action.ts';
import { createAgentQuestions } from './agent-questions.ts';
import { askedSubject } from './asked-subject.ts';
import { createPlanQuestion } from './plan-question.ts';
import { openedFacts, usageFacts } from './session-facts.ts';
import { inSlashWords } from './slash/words.ts';

export interface ChatSession {
  /** Null until it is open. */
  agent(): SteerableAgent | null;
  /** Resumes a session instead of the open one, which ends alongside; if that fails, the open one stays. */
  open(change?: SessionChange): Promise<SteerableAgent>;
  /** The opened agent can be talked to: waiting prompts are sent. */
  ready(): void;
  /** One turn; what happens is reported as actions. */
  send(prompt: readonly ContentBlock[]): Promise<void>;
  interrupt(): void;
  answer(answer: PermissionAnswer): void;
  /** To a question of the agent's; null for no answer. */
  reply(text: string | null): void;
  /** What to print when the screen is given back: what was saved as the sessions ended. After the signal no model is waited for. */
  close(signal?: AbortSignal): Promise<readonly string[]>;
}

export type SessionChange = Pick<AgentOptions, 'resume' | 'continueNewest'>;

export function createChatSession(ports: {
  readonly options: AgentOptions;
  readonly openAgent: (options: AgentOptions) => Promise<SteerableAgent>;
  readonly dispatch: (action: Action) => void;
  readonly nowMs: () => number;
  /** The text in the user's editor; null when nothing was changed. */
  readonly edit?: (text: string) => Promise<string | null>;
}): ChatSession {
  const { dispatch, nowMs } = ports;
  let agent: SteerableAgent | null = null;
  let interruption = new AbortController();
  /** The turn that began by itself. */
  let waking: Promise<void> | null = null;
  let answerQuestion: ((answer: PermissionAnswer) => void) | null = null;
  /** The window's content is asked for once: the answer walks the whole conversation. */
  let window: Window | null = null;
  let stopHearing: () => void = () => {};
  let isLeaving = false;
  /** Sessions that were left and have not ended yet, by id. */
  const ending = new Map<string, { readonly hurry: () => void; readonly done: Promise<void> }>();
  const closingLines: string[] = [];
  /** The last reported line of each dream, by id. */
  const toldDreams = new Map<string, string>();
  let gathered = '';
  let gathering: NodeJS.Timeout | undefined;

  let lastQuestion: Promise<unknown> = Promise.resolve();
  /** One question is on the screen at a time. */
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const asked = lastQuestion.then(async () => {
      // Text streamed before the call is still on its way here: it explains the question.
      await nextStep();
      tellGathered();
      return work();
    });
    lastQuestion = asked.catch(() => {});
    return asked;
  }
  const questions = createAgentQuestions({ dispatch, nowMs, alone: inTurn });
  const edit = ports.edit ?? (async () => null);
  const reviewPlan = createPlanQuestion({ dispatch, pick: questions.pick, alone: inTurn, edit });

  async function ask({
    call,
    reason: why,
    suggestedRules,
    signal,
    agent: asker,
  }: PermissionQuestion): Promise<PermissionAnswer> {
    if (signal.aborted) return { kind: 'no' };
    const reason = asker === undefined ? why : `The agent ${asker} asks. ${why}`;
    return new Promise((resolve) => {
      const withdraw = () => {
        dispatch({ kind: 'ask-withdrawn' });
        answerQuestion?.({ kind: 'no' });
      };
      signal.addEventListener('abort', withdraw, { once: true });
      answerQuestion = (answer) => {
        signal.removeEventListener('abort', withdraw);
        answerQuestion = null;
        resolve(answer);
      };
      const cwd = agent?.cwd ?? '/';
      const subject = askedSubject(call, (path) => readText(resolvePath(cwd, path)));
      dispatch({
        kind: 'asked',
        question: { call, reason, suggestedRules, subject, canKeep: agent?.rules.isTrusted === true },
        nowMs: nowMs(),
      });
    });
  }

  /** A session that is replaced ends on the screen; the last one ends after it. */
  function onClosingLine(line: string): void {
    if ([...toldDreams.values()].includes(line)) return;
    if (isLeaving) closingLines.push(line);
    else dispatch({ kind: 'print', output: notice(inSlashWords(line)) });
  }

  function letGo(left: SteerableAgent, reason: SessionEndReason): void {
    const hurry = new AbortController();
    const stopHearingIt = stopHearing;
    const done = left
      .close({ signal: hurry.signal, reason })
      .catch((error: unknown) => onClosingLine(messageOf(error)))
      .then(() => {
        stopHearingIt();
        ending.delete(left.sessionId);
      });
    ending.set(left.sessionId, { hurry: () => hurry.abort(), done });
  }

  /** Its end is reported when it arrives; if leaving stopped it, after the screen is gone. */
  function onDream(progress: DreamProgress, dreamer: SteerableAgent): void {
    const { id, status, closing } = progress;
    // The footer belongs to the open session.
    if (status === 'running' && dreamer !== agent) return;
    const isNews = status !== 'running' && closing !== null && !toldDreams.has(id);
    if (isNews) toldDreams.set(id, closing);
    if (!isLeaving) dispatch({ kind: 'dream', progress });
    else if (isNews) closingLines.push(closing);
  }

  /** Shows what extraction or a dream spends outside of turns as it is spent. */
  function onSpent(spender: SteerableAgent): void {
    if (spender === agent && !isLeaving) dispatch({ kind: 'facts', facts: { costUsd: spender.totals().money } });
  }

  async function follow(current: SteerableAgent, begin: () => AsyncIterable<AgentEvent>): Promise<void> {
    try {
      for await (const event of begin()) {
        if (event.kind === 'text') {
          gather(event.text);
          continue;
        }
        tellGathered();
        dispatch({ kind: 'agent', event, nowMs: nowMs() });
        if (event.kind === 'entry' && event.entry.response !== undefined) {
          dispatch({ kind: 'facts', facts: usageFacts(current, event.entry.response.usage, window) });
        }
      }
    } catch (thrown) {
      tellGathered();
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      dispatch({ kind: 'agent', event: { kind: 'turn-ended', outcome: { kind: 'failed', error } }, nowMs: nowMs() });
    }
  }

  const onWake: AgentOptions['onWake'] = (begin) => {
    if (agent === null || isLeaving) return;
    const current = agent;
    interruption = new AbortController();
    dispatch({ kind: 'woken', nowMs: nowMs() });
    waking = follow(current, () => begin({ signal: interruption.signal })).then(() => {
      waking = null;
    });
  };

  /** Text is drawn one frame at a time, however many tokens that is. */
  function gather(text: string): void {
    gathered += text;
    gathering ??= setTimeout(tellGathered, CHAT_LIMITS.gatherMs);
  }

  function tellGathered(): void {
    clearTimeout(gathering);
    gathering = undefined;
    const text = gathered;
    gathered = '';
    if (text !== '') dispatch({ kind: 'text', text });
  }

  return {
    agent: () => agent,
    async open(change = {}) {
      const mode = agent?.permissionMode ?? ports.options.permissionMode;
      const previous = agent;
      dispatch({ kind: 'opening' });
      // Resumed before it has ended: what was not searched by then is searched as it continues.
      const again = ending.get(change.resume ?? '');
      again?.hurry();
      await again?.done;
      const { resume: _, continueNewest: __, ...options } = ports.options;
      const wanted = {
        ...options,
        ...change,
        ask: (question: PermissionQuestion) => inTurn(() => ask(question)),
        askUser: questions.askUser,
        reviewPlan,
        onLine: onClosingLine,
        onWake,
        onShutdown: () => dispatch({ kind: 'leave' }),
        onClosingLine,
        ...(previous === null ? {} : { startedBy: 'clear' as const }),
        ...(mode === undefined ? {} : { permissionMode: mode }),
      };
      // A model chosen by hand applies to what follows too.
      const isHandedOver = typeof ports.options.model === 'object';
      const opened = await ports.openAgent(
        previous === null || isHandedOver ? wanted : { ...wanted, model: previous.model },
      );
      agent = opened;
      if (previous !== null) letGo(previous, change.resume === undefined ? 'clear' : 'resume');
      const stops = [
        opened.dream.onProgress((progress) => onDream(progress, opened)),
        opened.onSpent(() => onSpent(opened)),
      ];
      stopHearing = () => {
        for (const stop of stops) stop();
      };
      return opened;
    },
    ready() {
      if (agent === null) return;
      const filled = agent.window();
      window = filled.window;
      dispatch({ kind: 'opened', facts: openedFacts(agent, filled), nowMs: nowMs() });
    },
    async send(prompt) {
      if (agent === null) return;
      const current = agent;
      // A turn that began by itself is over first.
      if (waking !== null) await waking;
      interruption = new AbortController();
      await follow(current, () => current.send(prompt, { signal: interruption.signal, voice: 'typed' }));
    },
    interrupt: () => interruption.abort(),
    answer: (answer) => answerQuestion?.(answer),
    reply: questions.reply,
    async close(signal) {
      interruption.abort();
      clearTimeout(gathering);
      isLeaving = true;
      if (agent !== null) letGo(agent, 'prompt_input_exit');
      const all = [...ending.values()];
      const hurry = () => {
        for (const each of all) each.hurry();
      };
      signal?.addEventListener('abort', hurry, { once: true });
      if (signal?.aborted === true) hurry();
      await Promise.all(all.map(({ done }) => done));
      return closingLines;
    },
  };
}

/** Null for a file that is missing, too large or not text. */
function readText(path: string): string | null {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(CHAT_LIMITS.dialogFileBytes + 1);
      const length = readSync(descriptor, bytes, 0, bytes.length, 0);
      const text = bytes.subarray(0, length);
      return length > CHAT_LIMITS.dialogFileBytes || text.includes(0) ? null : text.toString('utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
