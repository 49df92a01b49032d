/** What the ledger says about a period or a session: cache, compactions, breakers, and what each purpose and model cost. */

import { addUsage, NO_USAGE, type Usage } from '../../conversation/message.ts';

/** One line of the ledger, as far as it is counted here. */
export type CountedLine =
  | {
      readonly kind: 'call';
      readonly at: string;
      readonly session: string;
      readonly purpose: string;
      /** The agent that made it; null for the session's own. */
      readonly agent: string | null;
      readonly isBackground: boolean;
      readonly model: string;
      readonly usage: Usage;
      /** Null when the model has no known price. */
      readonly money: number | null;
      readonly milliseconds: number;
      readonly isDone: boolean;
    }
  /** `proof`: what happened to what had to survive it; null when the ledger does not say. */
  | { readonly kind: 'compaction'; readonly at: string; readonly session: string; readonly proof: Proof | null }
  /** `part`: what it paused; null when the ledger does not say. */
  | { readonly kind: 'breaker'; readonly at: string; readonly session: string; readonly part: string | null }
  | {
      readonly kind: 'cache-break';
      readonly at: string;
      readonly session: string;
      readonly tokens: number;
      readonly cause: string;
    };

/** Messages, rules, names and the like that a summary contains, that were added to it, and that only the transcript has. */
export interface Proof {
  readonly kept: number;
  readonly repaired: number;
  readonly lost: number;
}

/** A share or a count that nothing in the ledger measures is null, which is not 0. */
export interface AgentStats {
  readonly sessions: number;
  /** Requests of conversations that were answered. */
  readonly rounds: number;
  readonly cacheHitShare: number | null;
  readonly compactionsPer100Rounds: number | null;
  /** Over all compactions; `share` is what the conversation still had, kept or repaired. */
  readonly compactionFidelity: (Proof & { readonly share: number }) | null;
  readonly breakerTrips: number | null;
  /** What they paused, the most often first. */
  readonly tripsByPart: readonly { readonly part: string; readonly trips: number }[];
  /** Share of the money spent. */
  readonly backgroundShare: number | null;
  /** Most expensive first. */
  readonly byPurpose: readonly Spending[];
  readonly byModel: readonly Spending[];
  /** By the agent that made the calls, the session's own as `main`: they add up to the whole. */
  readonly byAgent: readonly Spending[];
  readonly cache: CacheStats;
}

export interface Spending {
  readonly name: string;
  readonly calls: number;
  /** Calls that ended without an answer. */
  readonly failed: number;
  readonly usage: Usage;
  /** US dollars, for calls with a known price. */
  readonly money: number;
  /** Calls to models without a known price. */
  readonly unpriced: number;
  readonly milliseconds: number;
}

export interface CacheStats {
  /** Newest first. */
  readonly breaks: readonly CacheBreak[];
  readonly byCause: readonly { readonly cause: string; readonly breaks: number; readonly tokens: number }[];
  /** Oldest first; days on which the cache was measured. */
  readonly byDay: readonly { readonly day: string; readonly hitShare: number }[];
}

export interface CacheBreak {
  readonly at: string;
  readonly session: string;
  /** Tokens that were paid in full again. */
  readonly tokens: number;
  readonly cause: string;
}

export interface StatsCounter {
  add(line: CountedLine): void;
  stats(): AgentStats;
}

/** Counts line by line, so that a ledger of years does not have to fit in memory. */
export function createStatsCounter(): StatsCounter {
  const sessions = new Set<string>();
  const byPurpose = new Map<string, Spending>();
  const byModel = new Map<string, Spending>();
  const byAgent = new Map<string, Spending>();
  const background = new Set<string>();
  const conversationByDay = new Map<string, Usage>();
  const breaks: CacheBreak[] = [];
  let rounds = 0;
  let compactionEvents = 0;
  let compactionCalls = 0;
  let proven: Proof = { kept: 0, repaired: 0, lost: 0 };
  let breakerTrips = 0;
  const tripsByPart = new Map<string, number>();

  function addCall(call: Extract<CountedLine, { kind: 'call' }>): void {
    spend(byPurpose, call.purpose, call);
    spend(byModel, call.model, call);
    spend(byAgent, call.agent ?? MAIN, call);
    if (call.isBackground) background.add(call.purpose);
    if (call.purpose === 'compaction' && call.isDone) compactionCalls++;
    if (call.isBackground || call.purpose === 'compaction' || !call.isDone) return;
    rounds++;
    const day = call.at.slice(0, DAY_CHARACTERS);
    conversationByDay.set(day, addUsage(conversationByDay.get(day) ?? NO_USAGE, call.usage));
  }

  return {
    add(line) {
      sessions.add(line.session);
      switch (line.kind) {
        case 'call':
          return addCall(line);
        case 'compaction':
          compactionEvents++;
          if (line.proof !== null) proven = plusProof(proven, line.proof);
          return;
        case 'breaker':
          breakerTrips++;
          if (line.part !== null) tripsByPart.set(line.part, (tripsByPart.get(line.part) ?? 0) + 1);
          return;
        case 'cache-break':
          breaks.push({ at: line.at, session: line.session, tokens: line.tokens, cause: line.cause });
      }
    },
    stats() {
      const purposes = dearestFirst(byPurpose);
      // One that a model wrote is a call and an event; one from notes is only an event.
      const compactions = Math.max(compactionEvents, compactionCalls);
      const conversations = [...conversationByDay.values()].reduce(addUsage, NO_USAGE);
      return {
        sessions: sessions.size,
        rounds,
        cacheHitShare: hitShare(conversations),
        // If there were rounds, zero is a measured number.
        compactionsPer100Rounds: rounds === 0 ? null : (100 * compactions) / rounds,
        compactionFidelity: fidelityOf(proven),
        breakerTrips: rounds === 0 && breakerTrips === 0 ? null : breakerTrips,
        tripsByPart: mostFirst(tripsByPart),
        backgroundShare: backgroundShare(purposes, background),
        byPurpose: purposes,
        byModel: dearestFirst(byModel),
        byAgent: dearestFirst(byAgent),
        cache: { breaks: newestFirst(breaks), byCause: causes(breaks), byDay: days(conversationByDay) },
      };
    },
  };
}

function plusProof(one: Proof, other: Proof): Proof {
  return { kept: one.kept + other.kept, repaired: one.repaired + other.repaired, lost: one.lost + other.lost };
}

function fidelityOf(proven: Proof): AgentStats['compactionFidelity'] {
  const { kept, repaired, lost } = proven;
  const all = kept + repaired + lost;
  return all === 0 ? null : { ...proven, share: (kept + repaired) / all };
}

/** How a session's own conversation is called among its agents. */
export const MAIN = 'main';

const DAY_CHARACTERS = 'YYYY-MM-DD'.length;

function spend(totals: Map<string, Spending>, name: string, call: Extract<CountedLine, { kind: 'call' }>): void {
  const known = totals.get(name);
  const before = known ?? { name, calls: 0, failed: 0, usage: NO_USAGE, money: 0, unpriced: 0, milliseconds: 0 };
  totals.set(name, {
    name,
    calls: before.calls + 1,
    failed: before.failed + (call.isDone ? 0 : 1),
    usage: addUsage(before.usage, call.usage),
    money: before.money + (call.money ?? 0),
    unpriced: before.unpriced + (call.money === null ? 1 : 0),
    milliseconds: before.milliseconds + call.milliseconds,
  });
}

/** Null when no request read from or wrote to the cache: such a provider reports nothing about it. */
function hitShare({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number | null {
  if (cacheReadTokens + cacheWriteTokens === 0) return null;
  return cacheReadTokens / (inputTokens + cacheReadTokens + cacheWriteTokens);
}

function backgroundShare(purposes: readonly Spending[], background: ReadonlySet<string>): number | null {
  let [spent, total] = [0, 0];
  for (const { name, money, unpriced } of purposes) {
    if (unpriced > 0) return null;
    total += money;
    if (background.has(name)) spent += money;
  }
  return total === 0 ? null : spent / total;
}

function dearestFirst(totals: ReadonlyMap<string, Spending>): Spending[] {
  const tokens = ({ usage }: Spending) => usage.inputTokens + usage.outputTokens + usage.cacheWriteTokens;
  return [...totals.values()].sort((one, other) => {
    return other.money - one.money || tokens(other) - tokens(one);
  });
}

function mostFirst(counts: ReadonlyMap<string, number>): AgentStats['tripsByPart'] {
  return [...counts].map(([part, trips]) => ({ part, trips })).sort((one, other) => other.trips - one.trips);
}

function newestFirst(breaks: readonly CacheBreak[]): CacheBreak[] {
  return [...breaks].sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
}

function causes(breaks: readonly CacheBreak[]): CacheStats['byCause'] {
  const totals = new Map<string, { cause: string; breaks: number; tokens: number }>();
  for (const { cause, tokens } of breaks) {
    const before = totals.get(cause) ?? { cause, breaks: 0, tokens: 0 };
    totals.set(cause, { cause, breaks: before.breaks + 1, tokens: before.tokens + tokens });
  }
  return [...totals.values()].sort((one, other) => other.tokens - one.tokens);
}

function days(usages: ReadonlyMap<string, Usage>): CacheStats['byDay'] {
  return [...usages]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([day, usage]) => {
      const share = hitShare(usage);
      return share === null ? [] : [{ day, hitShare: share }];
    });
}
