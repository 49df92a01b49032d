/**
 * Recall beside a conversation: begun when a message comes, polled before each request. What has settled joins once; what
 * settles later joins the next request. Only ranking without a model may hold a request, and not for long.
 */

import { setImmediate as afterThis } from 'node:timers/promises';
import type { Limits } from '../limits.ts';
import { keepAccount, type RecallAccount, type RecalledMemory, type RecallScore } from './account.ts';
import { decideRecall, type RecallGate } from './gates.ts';
import type { ListedMemory } from './manifest.ts';
import type { SelectorQuestion } from './select.ts';
import { isFitFor, queryOf, type Trigger } from './triggers.ts';

export type Selector = 'hybrid' | 'local' | 'model' | 'off';

/** Plain JSON: kept in the transcript, so that a session that goes on tells nothing twice. */
export interface RecallState {
  /** Keys of what this conversation was given, and of what the agent has read or written itself. */
  readonly surfaced: readonly string[];
  readonly known: readonly string[];
  readonly bytes: number;
}

export const EMPTY_RECALL: RecallState = { surfaced: [], known: [], bytes: 0 };

/** A memory as the model would read it. */
export interface FoundMemory {
  readonly key: string;
  readonly text: string;
  readonly certain: boolean;
  /** Whether words of the query are in it. */
  readonly isWorded: boolean;
  /** Where it was ranked. */
  readonly score?: RecallScore;
}

/** One that joined, with what called for it. */
export type TakenMemory = FoundMemory & Pick<RecalledMemory, 'call' | 'picked'>;

export interface PrefetchPorts {
  /** Read before each recall. */
  selector(): Selector;
  /** Without a model; best first. */
  rank(
    query: string,
    facts: {
      readonly limit: number;
      readonly exclude: readonly string[];
      /** The others are of no use: they need not be read. */
      readonly only: 'certain' | 'worded';
    },
  ): Promise<readonly FoundMemory[]>;
  /** What a selector is shown: the best by ranking, or the newest. */
  candidates(
    query: string,
    facts: { readonly by: 'rank' | 'newest'; readonly limit: number; readonly exclude: readonly string[] },
  ): Promise<readonly ListedMemory[]>;
  /** Keys that a model picked. */
  select(question: SelectorQuestion, signal: AbortSignal): Promise<readonly string[]>;
  /** The memory as it is now, checked; null when it is gone or no fact any more. */
  surface(key: string): Promise<FoundMemory | null>;
  /** Told of whatever fails; the conversation never is. */
  onProblem(what: 'ranking' | 'selecting', error: unknown): void;
  onSelected(): void;
  readonly limits: Pick<Limits, 'recall' | 'prefetch'>;
}

export interface Prefetch {
  /** A message of the user's, without what was injected into it. */
  begin(query: string, recentTools: readonly string[]): void;
  /** The agent met an error, or read a file. */
  meet(triggers: readonly Trigger[]): void;
  /** Waits for ranking, as long as it may hold a request, and says for how many milliseconds it did. */
  held(): Promise<number>;
  /** What has settled and was not given before; from now on part of the conversation. */
  take(): readonly TakenMemory[];
  /** The agent has read or written these itself. */
  knows(keys: readonly string[]): void;
  /** The conversation is another one: what was told in it may be told again. */
  reset(): void;
  state(): RecallState;
  /** What was recalled since this process began, and why. */
  account(): RecallAccount;
  /** Ends what is under way. */
  stop(): void;
}

export function createPrefetch(ports: PrefetchPorts, resumed: RecallState = EMPTY_RECALL): Prefetch {
  const limits = ports.limits.prefetch;
  let surfaced = new Set(resumed.surfaced);
  let known = new Set(resumed.known);
  let bytes = resumed.bytes;
  let settled: TakenMemory[] = [];
  const account = keepAccount({ earlier: resumed.surfaced, most: limits.keptReasons });
  let ranking: { readonly done: Promise<void>; readonly untilMs: number } | null = null;
  let selections: AbortController[] = [];
  let waiting: Trigger[] = [];
  let isMeeting = false;
  let isStopped = false;

  const exclude = () => [...surfaced, ...known, ...settled.map(({ key }) => key)];
  function gate(query: string): RecallGate | { readonly open: false; readonly reason: 'off' } {
    if (isStopped || ports.selector() === 'off') return { open: false, reason: 'off' };
    return decideRecall({ query, bytesSurfaced: bytes, memories: Number.POSITIVE_INFINITY }, ports.limits.recall);
  }

  function settle(found: readonly FoundMemory[], why: Pick<TakenMemory, 'call' | 'picked'>): void {
    settled.push(...found.map((memory) => ({ ...memory, ...why })));
  }

  async function rank(query: string): Promise<void> {
    try {
      const found = await ports.rank(query, { limit: limits.picked, exclude: exclude(), only: 'certain' });
      settle(
        found.filter(({ certain }) => certain),
        { call: { by: 'message', query }, picked: 'ranking' },
      );
    } catch (error) {
      ports.onProblem('ranking', error);
    }
  }

  /** Never waited for. */
  async function select(query: string, facts: { readonly by: 'rank' | 'newest'; readonly tools: readonly string[] }) {
    const stop = new AbortController();
    selections.push(stop);
    // One that hangs must not keep the next ones from their turn.
    if (selections.length > limits.selections) selections[0]!.abort();
    const timer = setTimeout(() => stop.abort(), limits.selectionMs);
    timer.unref();
    try {
      // The request goes out first: gathering candidates takes milliseconds that it must not wait for.
      await afterThis();
      const limit = facts.by === 'rank' ? limits.narrowedTo : limits.newest;
      const memories = await ports.candidates(query, { by: facts.by, limit, exclude: exclude() });
      if (memories.length === 0 || stop.signal.aborted) return;
      const keys = await ports.select({ query, memories, recentTools: facts.tools }, stop.signal);
      const found = await Promise.all(keys.map(ports.surface));
      settle(
        found.filter((each) => each !== null),
        { call: { by: 'message', query }, picked: 'model' },
      );
      ports.onSelected();
    } catch (error) {
      if (!isStopped) ports.onProblem('selecting', error);
    } finally {
      clearTimeout(timer);
      selections = selections.filter((each) => each !== stop);
    }
  }

  async function meetNext(): Promise<void> {
    if (isMeeting) return;
    isMeeting = true;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await meetOne(next);
    } catch (error) {
      ports.onProblem('ranking', error);
    } finally {
      isMeeting = false;
    }
  }

  async function meetOne(trigger: Trigger): Promise<void> {
    await afterThis();
    const query = queryOf(trigger, limits.queryCharacters);
    if (!gate(query).open) return;
    const found = await ports.rank(query, { limit: limits.picked, exclude: exclude(), only: 'worded' });
    const first = found.find((memory) => isFitFor(trigger, memory));
    if (first !== undefined) settle([first], { call: { by: trigger.kind, query }, picked: 'ranking' });
  }

  /** In the order in which they settled; what does not fit the budget any more is let go. */
  function claim(memory: TakenMemory): boolean {
    const size = Buffer.byteLength(memory.text);
    const isNew = !surfaced.has(memory.key) && !known.has(memory.key);
    if (!isNew || bytes + size > ports.limits.recall.sessionBytes) return false;
    surfaced.add(memory.key);
    bytes += size;
    const { key, call, picked, score = null } = memory;
    account.recalled({ key, call, picked, score });
    return true;
  }

  return {
    begin(words, recentTools) {
      const query = words.trim().slice(0, limits.queryCharacters);
      const opening = gate(query);
      account.messageComes({ query, closed: opening.open ? null : opening.reason });
      if (!opening.open) return;
      const selector = ports.selector();
      const tools = recentTools.slice(-limits.recentTools);
      if (selector === 'model') return void select(query, { by: 'newest', tools });
      const done = rank(query);
      ranking = { done, untilMs: performance.now() + limits.holdMs };
      if (selector === 'hybrid') void done.then(() => select(query, { by: 'rank', tools }));
    },
    meet(triggers) {
      waiting = [...waiting, ...triggers].slice(0, limits.waitingTriggers);
      void meetNext();
    },
    async held() {
      if (ranking === null) return 0;
      const { done, untilMs } = ranking;
      const fromMs = performance.now();
      ranking = null;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.max(0, untilMs - fromMs));
      });
      await Promise.race([done, late]);
      clearTimeout(timer);
      return performance.now() - fromMs;
    },
    take() {
      if (settled.length === 0 || ports.selector() === 'off') return [];
      const taken = settled.filter(claim);
      settled = [];
      return taken;
    },
    knows(keys) {
      for (const key of keys) known.add(key);
    },
    reset() {
      surfaced = new Set();
      known = new Set();
      bytes = 0;
    },
    state: () => ({ surfaced: [...surfaced], known: [...known], bytes }),
    account: account.read,
    stop() {
      isStopped = true;
      waiting = [];
      for (const selection of selections) selection.abort();
    },
  };
}

export function isRecallState(value: unknown): value is RecallState {
  if (typeof value !== 'object' || value === null) return false;
  const { surfaced, known, bytes } = value as Record<string, unknown>;
  const isTexts = (list: unknown) => Array.isArray(list) && list.every((each) => typeof each === 'string');
  return isTexts(surfaced) && isTexts(known) && typeof bytes === 'number' && bytes >= 0;
}
