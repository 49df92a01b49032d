/** The session's way to its models: metered, priced as the user says, and written to the ledger that all processes share. */

import { randomUUID } from 'node:crypto';
import { addUsage, type Usage } from '../conversation/message.ts';
import { openLedger } from '../disk/ledger/ledger.ts';
import type { EventFacts, MemoryFacts } from '../disk/ledger/line.ts';
import type { CallNotes } from '../model/ledger-port.ts';
import type { Meter, MeterTotals } from '../model/meter.ts';
import { createMeter } from '../model/metered.ts';
import { equivalentTokens } from '../model/metered-usage.ts';
import type { ModelResponse } from '../model/model.ts';
import { costOf, priceOf, readPrices } from '../model/prices.ts';
import type { Place } from '../settings/place.ts';
import { type PartTrip, reasonOf } from './breakers.ts';
import type { CacheBreak } from './cache-watch.ts';

export interface AgentMeter {
  readonly meter: Meter;
  /** What the session has cost, with what was counted beside it; `meter.totals` is its own calls alone, which its share is reckoned by. */
  totals(): MeterTotals;
  /** A meter with a session of its own in the ledger, for what the caps of this one do not bind and its cost yet includes. */
  beside(session: string): AgentMeter;
  /** Who says what a call of the conversation saved and broke, before its line is written. */
  noteCalls(notes: (response: ModelResponse) => CallNotes): void;
  /** Hears of each call once it is counted, in the background too; the answer ends that. */
  onSpent(listen: () => void): () => void;
  /** As the user says, where he does. */
  readonly prices: ReturnType<typeof readPrices>['prices'];
  recordBreak(found: CacheBreak): void;
  /** A call that somebody else's loop made: a line of the ledger like any other. */
  recordCall(call: ObservedCall): void;
  /** What a layer did, in numbers. */
  recordEvent(name: string, numbers: Readonly<Record<string, number>>): void;
  /** The same, with its cause. */
  record(event: EventFacts): void;
  /** A breaker paused a part for the session. */
  recordTrip(trip: PartTrip): void;
  /** Uncached-equivalent tokens that the day's cap leaves for work in the background. */
  dayTokensLeft(): Promise<number>;
  /** What became of a memory. */
  recordMemory(facts: MemoryFacts): void;
  close(): void;
}

/** Where a layer writes down what it did. */
export type LayerLedger = Pick<AgentMeter, 'recordEvent' | 'recordTrip'>;

export interface ObservedCall {
  readonly model: string;
  readonly usage: Usage;
  readonly at: Date;
  readonly milliseconds: number;
}

export function openAgentMeter(facts: {
  readonly place: Place;
  readonly session: string;
  /** Whether it goes on with a session that was left. */
  readonly isResumed?: boolean;
  readonly onProblem: (line: string) => void;
}): AgentMeter {
  const { place, session, isResumed = false, onProblem } = facts;
  const now = () => new Date();
  const { prices, problems } = readPrices(place.settings.values.prices);
  for (const problem of problems) onProblem(problem);
  const listeners = new Set<() => void>();
  const others: (() => MeterTotals)[] = [];
  let notes: (response: ModelResponse) => CallNotes = () => ({});
  const ledger = openLedger({
    home: place.home,
    session,
    project: place.slug,
    isResumed,
    now,
    limits: place.limits,
    onProblem: ({ message }) => onProblem(message),
  });
  const meter = createMeter({
    ...{ ledger, limits: place.limits, now, priceOf: (name) => priceOf(name, prices) },
    onCall({ purpose }, _record, response) {
      for (const listen of listeners) listen();
      return purpose === 'main' && response !== null ? notes(response) : undefined;
    },
  });
  return {
    prices,
    meter,
    totals: () => others.reduce((sum, other) => joined(sum, other()), meter.totals()),
    beside(other) {
      const opened = openAgentMeter({ place, session: other, onProblem: () => {} });
      others.push(opened.totals);
      opened.onSpent(() => {
        for (const listen of listeners) listen();
      });
      return opened;
    },
    noteCalls(given) {
      notes = given;
    },
    onSpent(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    recordBreak({ cause, reason, expectedTokens, readTokens }) {
      const numbers = { expectedTokens, readTokens };
      ledger.event({ name: 'cache-break', numbers, cause: `${cause}: ${reason}` });
    },
    recordCall({ model, usage, at, milliseconds }) {
      const price = priceOf(model, prices);
      ledger.record({
        id: randomUUID(),
        at: at.toISOString(),
        purpose: 'main',
        background: false,
        model,
        usage,
        equivalentTokens: equivalentTokens(usage),
        money: price === null ? null : costOf(usage, price),
        milliseconds,
        outcome: 'done',
      });
    },
    recordEvent: (name, numbers) => ledger.event({ name, numbers }),
    record: ledger.event,
    recordTrip({ part, failures, problem }) {
      ledger.event({ name: 'breaker', numbers: { failures }, cause: part });
      ledger.event({ name: `${part}-paused`, numbers: { failures }, cause: reasonOf(problem) });
    },
    dayTokensLeft: ledger.dayTokensLeft,
    recordMemory: ledger.memory,
    close: ledger.close,
  };
}

function joined(one: MeterTotals, other: MeterTotals): MeterTotals {
  const byPurpose: Record<string, Spent> = { ...one.byPurpose };
  for (const [purpose, spent] of Object.entries(other.byPurpose)) {
    const known = byPurpose[purpose];
    byPurpose[purpose] = known === undefined ? spent : added(known, spent);
  }
  return { ...added(one, other), calls: one.calls + other.calls, byPurpose };
}

type Spent = Pick<MeterTotals, 'usage' | 'money'>;

function added(one: Spent, other: Spent): Spent {
  const money = one.money === null || other.money === null ? null : one.money + other.money;
  return { usage: addUsage(one.usage, other.usage), money };
}
