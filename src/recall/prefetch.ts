/**
 * Recall alongside a conversation: started when a message comes, polled before each request. What has settled joins once;
 * what settles later joins the next request. Only ranking without a model may hold a request, and not for long.
 */

import { setImmediate as afterThis } from 'node:timers/promises';
import { within } from '../base/async/within.ts';
import { type Limits, PREFETCH_LIMITS } from '../limits.ts';
import type { RecallOptions } from '../memory/memory.ts';
import type { ListedMemory } from '../memory/shown/manifest.ts';
import { keepAccount, type RecallAccount, type RecalledMemory, type RecallScore } from './account.ts';
import { decideRecall, type RecallGate } from './gates.ts';
import { createSelections, holdMemories, type RecallState } from './prefetch-held.ts';
import type { SelectorQuestion } from './select.ts';
import { isFitFor, queryOf, type Trigger } from './triggers.ts';

/** How many ranked memories the selector may pick from; or how many of the newest it sees when nothing ranks before it. */
const NARROWED_TO = 30;
/** Characters of a message that are searched with. */
const QUERY_CHARACTERS = 2_000;
/** Triggers from the agent's work (an error, a file) that wait to be looked up. */
const WAITING_TRIGGERS = 4;
/** How many of a session's recalled memories, newest first, can be explained. */
const KEPT_REASONS = 100;

export type Selector = 'hybrid' | 'local' | 'model' | 'off';

/** A memory as the model would read it. */
export interface FoundMemory {
  readonly key: string;
  readonly text: string;
  readonly certain: boolean;
  /** Whether words of the query are in it. */
  readonly isWorded: boolean;
  /** If it was ranked. */
  readonly score?: RecallScore;
}

/** One that joined, with its trigger. */
export type TakenMemory = FoundMemory & Pick<RecalledMemory, 'call' | 'picked'>;

export interface PrefetchPorts {
  /** Read before each recall. */
  selector(): Selector;
  /** Whether there is a memory at all. */
  hasMemories(): boolean;
  /** Whether no message will follow: a model is asked only once a round has shown that a request will. */
  readonly isSingleTurn: boolean;
  /** Without a model; best first. */
  rank(
    query: string,
    facts: {
      readonly limit: number;
      readonly exclude: readonly string[];
      /** The others are of no use: they need not be read. */
      readonly only: 'certain' | 'worded';
      readonly onRanked?: RecallOptions['onRanked'];
    },
  ): Promise<readonly FoundMemory[]>;
  /** What a selector is shown: the best by ranking, or the newest. */
  candidates(
    query: string,
    facts: { readonly by: 'rank' | 'newest'; readonly limit: number; readonly exclude: readonly string[] },
  ): Promise<readonly ListedMemory[]>;
  /** Keys that a model picked. */
  select(question: SelectorQuestion, signal: AbortSignal): Promise<readonly string[]>;
  /** The memory in its current form, checked; null when it is gone or no longer a fact. */
  surface(key: string): Promise<FoundMemory | null>;
  /** Called for every failure; the conversation never sees them. */
  onProblem(what: 'ranking' | 'selecting', error: unknown): void;
  onSelected(): void;
  readonly limits: Pick<Limits, 'recall' | 'prefetch'>;
}

export interface Prefetch {
  /** A user message, without injected text. */
  begin(query: string, recentTools: readonly string[]): void;
  /** A round had calls: another request follows. */
  goesOn(): void;
  /** The agent hit an error, or read a file. */
  meet(triggers: readonly Trigger[]): void;
  /** Waits for ranking, as long as that may hold a request; resolves with the milliseconds it waited. */
  held(): Promise<number>;
  /** What has settled and was not given before; from now on part of the conversation. */
  take(): readonly TakenMemory[];
  /** How many have settled and wait for the next request. */
  untaken(): number;
  /** What was taken joined with this entry; null: with none. */
  joined(uuid: string | null): void;
  /** The agent has read or written these itself, or they came from the conversation, by this entry. */
  knows(keys: readonly string[], uuid: string | null): void;
  /** The conversation continued from a summary: what was shown in it may be shown again, and running searches still join. */
  reset(): void;
  /** Messages were rewound: what joined with them may be shown again, and searches they triggered are dropped. */
  keepOnly(isThere: (uuid: string) => boolean): void;
  state(): RecallState;
  /** What was recalled since this process began, and why. */
  account(): RecallAccount;
  /** Cancels what is running. */
  stop(): void;
}

type Finding = Pick<TakenMemory, 'call' | 'picked'> & { readonly on: object };

interface Asking {
  readonly by: 'rank' | 'newest';
  readonly tools: readonly string[];
  readonly on: object;
}

export function createPrefetch(ports: PrefetchPorts, resumed?: RecallState): Prefetch {
  const limits = ports.limits.prefetch;
  const held = holdMemories(resumed);
  const selections = createSelections(limits);
  let settled: TakenMemory[] = [];
  const account = keepAccount({ earlier: resumed?.surfaced.map(({ key }) => key) ?? [], most: KEPT_REASONS });
  let ranking: Promise<boolean> | null = null;
  /** The question to a model that waits for a round. */
  let unasked: (() => void) | null = null;
  let waiting: Trigger[] = [];
  let isMeeting = false;
  let isStopped = false;
  /** The conversation's current branch; a new one after messages were rewound, when searches from the old one are dropped. */
  let course = {};
  /** The message that came last, and how many memories messages have brought since. */
  let newest = { query: '', brought: 0 };

  const exclude = () => [...held.keys(), ...settled.map(({ key }) => key)];
  function gate(query: string): RecallGate | { readonly open: false; readonly reason: 'off' } {
    if (isStopped || ports.selector() === 'off') return { open: false, reason: 'off' };
    const facts = { query, bytesSurfaced: held.bytes(), hasMemories: ports.hasMemories() };
    return decideRecall(facts, ports.limits.recall);
  }

  function settle(found: readonly FoundMemory[], { on, call, picked }: Finding): void {
    if (on !== course) return;
    settled.push(...found.map((memory) => ({ ...memory, call, picked })));
  }

  /** Whether it is certain of none: only then is a model asked. */
  async function rank(query: string, on: object): Promise<boolean> {
    try {
      const found = await ports.rank(query, { limit: limits.picked, exclude: exclude(), only: 'certain' });
      const certain = found.filter((memory) => memory.certain);
      settle(certain, { call: { by: 'message', query }, picked: 'ranking', on });
      return certain.length === 0;
    } catch (error) {
      ports.onProblem('ranking', error);
      return false;
    }
  }

  /** Never waited for. */
  async function select(query: string, facts: Asking): Promise<void> {
    const { on } = facts;
    if (on !== course) return;
    try {
      const found = await selections.run(async (signal) => {
        // The request goes out first: gathering candidates takes milliseconds that it must not wait for.
        await afterThis();
        const limit = facts.by === 'rank' ? NARROWED_TO : limits.newest;
        const memories = await ports.candidates(query, { by: facts.by, limit, exclude: exclude() });
        if (memories.length === 0 || signal.aborted) return null;
        const keys = await ports.select({ query, memories, recentTools: facts.tools }, signal);
        return Promise.all(keys.map(ports.surface));
      });
      if (found === null) return;
      settle(
        found.filter((each) => each !== null),
        { call: { by: 'message', query }, picked: 'model', on },
      );
      ports.onSelected();
    } catch (error) {
      if (!isStopped) ports.onProblem('selecting', error);
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
    const on = course;
    await afterThis();
    const query = queryOf(trigger, QUERY_CHARACTERS);
    if (!gate(query).open) return;
    const found = await ports.rank(query, { limit: limits.picked, exclude: exclude(), only: 'worded' });
    const first = found.find((memory) => isFitFor(trigger, memory));
    if (first !== undefined) settle([first], { call: { by: trigger.kind, query }, picked: 'ranking', on });
  }

  /** In the order they settled; what is too much for one message or no longer fits the budget is dropped. */
  function claim(memory: TakenMemory): boolean {
    const { key, call, picked, score = null } = memory;
    const bytes = Buffer.byteLength(memory.text);
    if (held.has(key) || held.bytes() + bytes > ports.limits.recall.sessionBytes) return false;
    if (call.by === 'message' && newest.brought >= limits.picked) return false;
    if (call.by === 'message') newest.brought += 1;
    held.surface({ key, bytes });
    account.recalled({ key, call, picked, score });
    return true;
  }

  /** If no message follows, an answer after the only request would be wasted money. */
  function whenWanted(ask: () => Promise<void>): void {
    if (ports.isSingleTurn) unasked = () => void ask();
    else void ask();
  }

  return {
    begin(words, recentTools) {
      const query = words.trim().slice(0, QUERY_CHARACTERS);
      const opening = gate(query);
      newest = { query, brought: 0 };
      account.messageComes({ query, closed: opening.open ? null : opening.reason });
      if (!opening.open) return;
      const selector = ports.selector();
      const asking = { tools: recentTools.slice(-PREFETCH_LIMITS.recentTools), on: course };
      if (selector === 'model') return whenWanted(() => select(query, { by: 'newest', ...asking }));
      const done = rank(query, course);
      ranking = done;
      if (selector !== 'hybrid') return;
      whenWanted(async () => {
        if (await done) await select(query, { by: 'rank', ...asking });
      });
    },
    goesOn() {
      const ask = unasked;
      unasked = null;
      ask?.();
    },
    meet(triggers) {
      waiting = [...waiting, ...triggers].slice(0, WAITING_TRIGGERS);
      void meetNext();
    },
    async held() {
      if (ranking === null) return 0;
      const done = ranking;
      ranking = null;
      // Counted from now, when the request is ready: what its preparation took was no hold.
      const fromMs = performance.now();
      await within(done, limits.holdMs);
      return performance.now() - fromMs;
    },
    take() {
      if (settled.length === 0 || ports.selector() === 'off') return [];
      // What came too late for an earlier message gives way to what this one is about.
      const isLate = ({ call }: TakenMemory) => call.by === 'message' && call.query !== newest.query;
      const taken = [...settled.filter((each) => !isLate(each)), ...settled.filter(isLate)].filter(claim);
      settled = [];
      return taken;
    },
    untaken: () => settled.length,
    joined: held.joined,
    knows: held.know,
    reset: held.reset,
    keepOnly(isThere) {
      course = {};
      ranking = null;
      unasked = null;
      settled = [];
      waiting = [];
      selections.leave();
      held.keepOnly(isThere);
    },
    state: held.state,
    account: account.read,
    stop() {
      isStopped = true;
      waiting = [];
      selections.leave();
    },
  };
}
