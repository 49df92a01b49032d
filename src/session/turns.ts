/** Turns of one session, one after the other: runs each, keeps what it leaves in the transcript, and tells it to whoever listens. */

import type { AgentEvent, TurnOutcome } from '../agent/event.ts';
import { type LoopParts, runTurn } from '../agent/loop.ts';
import { createAsyncQueue } from '../base/async/async-queue.ts';
import { nextTurn } from '../base/async/in-turns.ts';
import type { Entry } from '../conversation/entry.ts';
import type { ContentBlock } from '../conversation/message.ts';
import { textOf } from '../conversation/message.ts';
import { promptOf, titleOf } from '../disk/sessions/ends.ts';
import type { TranscriptRecord } from '../disk/transcript/record.ts';
import { ReverieError } from '../errors.ts';

export interface TurnPorts {
  readonly parts: Omit<LoopParts, 'onEvent'>;
  readonly record: (record: TranscriptRecord) => void;
  readonly now: () => Date;
  /** Before a prompt is sent; a reason keeps it from that. */
  readonly beforePrompt?: (prompt: string, signal: AbortSignal) => Promise<string | null>;
  /** After an answer: whether results of agents have come that the same turn goes on with. */
  readonly moreToAnswer?: (signal: AbortSignal) => Promise<boolean>;
  /** No turn runs any more. */
  readonly onIdle?: () => void;
  /** State by name, read at the end of a turn; what differs from the last time goes to the transcript. */
  readonly states: Readonly<Record<string, () => unknown>>;
  readonly resumedStates: ReadonlyMap<string, unknown>;
  readonly resumedTitle: string | null;
  /** Of a prompt, for the list of sessions. */
  readonly titleCharacters: number;
}

export interface AgentTurns {
  send(
    prompt: readonly ContentBlock[],
    options?: { readonly signal?: AbortSignal | undefined; readonly typedCharacters?: number | undefined },
  ): AsyncIterable<AgentEvent>;
  /** A turn without a prompt, where what joins its first message is reason enough. */
  wake(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<AgentEvent>;
  /** Whether a turn can begin. */
  isIdle(): boolean;
  /** To whoever listens to the turn that runs. */
  hear(event: AgentEvent): void;
  /** Ends the turn that runs, and waits for it. */
  stop(): Promise<void>;
  /** Work on the conversation between turns; no turn begins meanwhile. */
  alone<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** After a compaction, behind which nothing is read: all states go to the transcript once more. */
  keepStatesAgain(): void;
  /** For what happens outside of a turn's own events; false when nobody listens. */
  note(text: string): boolean;
}

export function createTurns(ports: TurnPorts): AgentTurns {
  const stopping = new AbortController();
  const kept = new Map([...ports.resumedStates].map(([name, state]) => [name, JSON.stringify(state)]));
  const { titleCharacters } = ports;
  let title = ports.resumedTitle ?? firstPrompt(ports.parts.conversation.entries, titleCharacters);
  let running: Promise<unknown> | null = null;
  let tell: ((event: AgentEvent) => void) | null = null;

  function keepStates(): void {
    for (const [layer, read] of Object.entries(ports.states)) {
      const state = read();
      const text = JSON.stringify(state);
      if (text === undefined || kept.get(layer) === text) continue;
      kept.set(layer, text);
      ports.record({ type: 'state', at: ports.now().toISOString(), layer, state });
    }
  }

  function keepTitle(prompt: readonly ContentBlock[]): void {
    const lastPrompt = titleOf(textOf(prompt), titleCharacters);
    title ??= lastPrompt;
    const messages = ports.parts.conversation.entries.length;
    ports.record({ type: 'meta', at: ports.now().toISOString(), title, lastPrompt, messages });
  }

  async function run(
    prompt: readonly ContentBlock[] | null,
    { signal, typedCharacters }: { readonly signal: AbortSignal; readonly typedCharacters: number | undefined },
  ): Promise<TurnOutcome> {
    try {
      const objection = prompt === null ? null : await ports.beforePrompt?.(textOf(prompt), signal);
      if (typeof objection === 'string') return { kind: 'failed', error: blockedPrompt(objection) };
      const parts = { ...ports.parts, onEvent: hear };
      let outcome = await runTurn(parts, { prompt: prompt ?? [], signal, typedCharacters });
      while (outcome.kind === 'answered' && (await ports.moreToAnswer?.(signal)) === true) {
        outcome = await runTurn(parts, { prompt: [], signal });
      }
      return outcome;
    } catch (error) {
      return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
    } finally {
      if (prompt !== null) keepTitle(prompt);
      await nextTurn();
      keepStates();
    }
  }

  function refuseWhileRunning(): void {
    if (running === null) return;
    throw new ReverieError({ code: 'usage', message: 'A turn is running.', fix: 'Wait for it, or interrupt it.' });
  }

  function hear(event: AgentEvent): void {
    if (event.kind === 'retry') ports.record({ type: 'note', at: ports.now().toISOString(), reason: event.reason });
    tell?.(event);
  }

  function begin(
    prompt: readonly ContentBlock[] | null,
    { signal, typedCharacters }: NonNullable<Parameters<AgentTurns['send']>[1]>,
  ): AsyncIterable<AgentEvent> {
    const abandoned = new AbortController();
    const queue = createAsyncQueue<AgentEvent>({ onAbandoned: () => abandoned.abort() });
    tell = queue.push;
    const signals = [stopping.signal, abandoned.signal, ...(signal === undefined ? [] : [signal])];
    running = run(prompt, { signal: AbortSignal.any(signals), typedCharacters }).then((outcome) => {
      if (outcome.kind === 'failed') {
        const detail = outcome.error.message;
        ports.record({ type: 'note', at: ports.now().toISOString(), reason: 'failed', detail });
      }
      running = null;
      tell = null;
      queue.push({ kind: 'turn-ended', outcome });
      queue.end();
      ports.onIdle?.();
    });
    return queue;
  }

  return {
    send(prompt, options = {}) {
      refuseWhileRunning();
      return begin(prompt, options);
    },
    wake(options = {}) {
      refuseWhileRunning();
      return begin(null, options);
    },
    isIdle: () => running === null && !stopping.signal.aborted,
    hear,
    async alone(work) {
      refuseWhileRunning();
      const done = work(stopping.signal).finally(() => {
        running = null;
        keepStates();
      });
      running = done.catch(() => {});
      return done;
    },
    async stop() {
      stopping.abort();
      await running;
    },
    keepStatesAgain: () => kept.clear(),
    note(text) {
      tell?.({ kind: 'note', text });
      return tell !== null;
    },
  };
}

function firstPrompt(entries: readonly Entry[], titleCharacters: number): string | null {
  for (const entry of entries) {
    const prompt = promptOf(entry);
    if (prompt.trim() !== '') return titleOf(prompt, titleCharacters);
  }
  return null;
}

function blockedPrompt(reason: string): ReverieError {
  return new ReverieError({ code: 'refused', message: `A hook kept the prompt from being sent: ${reason}` });
}
