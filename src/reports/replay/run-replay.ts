/** Runs one session through one policy and adds up what it would have cost, request by request. */

import { addUsage, NO_USAGE, type Usage } from '../../conversation/message.ts';
import { windowOf } from '../../conversation/window.ts';
import type { Economy } from '../../layers/2-microcompact/index.ts';
import { type Limits, REPLAY_LIMITS } from '../../limits.ts';
import type { CacheTtl } from '../../model/model.ts';
import { costOf, type Price } from '../../model/prices.ts';
import { createCacheModel } from './cache-model.ts';
import { createFidelity } from './fidelity.ts';
import type { FreedBy, PolicyKind, PolicyPorts } from './policy.ts';
import type { ReplaySession } from './session.ts';

/** What `--json` prints of a policy. */
export interface PolicyResult {
  readonly name: string;
  readonly economy?: Economy;
  /** US dollars, all calls together. */
  readonly cost: number;
  /** Cache reads as a share of all input tokens. */
  readonly hitShare: number;
  readonly breaks: number;
  readonly compactions: number;
  /** Tokens of the average request. */
  readonly averageWindow: number;
  readonly fitsWindow: boolean;
  readonly userText: number;
  readonly neededLater: number;
}

export interface PolicyRun {
  readonly result: PolicyResult;
  readonly usage: Usage;
  /** Dollars by purpose. */
  readonly costs: Readonly<Record<'main' | 'notes' | 'compaction', number>>;
  readonly freed: Readonly<Record<FreedBy, number>>;
  /** Tokens of the window at each request. */
  readonly windows: readonly number[];
}

export interface ReplayFacts {
  readonly session: ReplaySession;
  readonly prefixTokens: number;
  readonly warmTokens?: number;
  readonly ttl: CacheTtl;
  readonly price: Price;
  readonly limits: Limits;
  /** Between two requests: a place to stop, or to let others work. */
  readonly pause?: () => Promise<void>;
}

export async function runPolicy(kind: PolicyKind, facts: ReplayFacts): Promise<PolicyRun> {
  const { session, ttl, price, limits, prefixTokens } = facts;
  const { sizes } = session;
  const window = windowOf({
    modelWindowTokens: session.windowTokens ?? REPLAY_LIMITS.windowTokens,
    maxOutputTokens: Number.POSITIVE_INFINITY,
    limits: limits.window,
  });
  const cache = createCacheModel({ ...facts, sizeOf: sizes.of });
  const fidelity = createFidelity();
  const costs = { main: 0, notes: 0, compaction: 0 };
  const freed = { toolResults: 0, clearing: 0, notes: 0, compaction: 0, dropping: 0 };
  const windows: number[] = [];
  let usage = NO_USAGE;
  let breaks = 0;
  let compactions = 0;

  function pay(purpose: keyof typeof costs, used: Usage): void {
    usage = addUsage(usage, used);
    costs[purpose] += costOf(used, price);
  }

  const ports: PolicyPorts = {
    ...{ sizes, prefixTokens, window, ttl, price, limits },
    call({ messages, atMs, addedTokens, outputTokens, purpose }) {
      pay(purpose, { ...cache.request(messages, { atMs, addedTokens }), outputTokens });
    },
    freed(by, tokens) {
      freed[by] += Math.max(0, tokens);
    },
    compacted() {
      compactions += 1;
    },
  };
  const policy = kind.create(ports);
  let answeredAtMs: number | null = null;
  for (const [requests, step] of session.steps.entries()) {
    if (requests % PAUSE_EVERY === 0) await facts.pause?.();
    const idleMs = answeredAtMs === null ? null : Math.max(0, step.atMs - answeredAtMs);
    fidelity.said(step.before);
    const messages = await policy.request({ entries: step.before, atMs: step.atMs, idleMs, requests });
    const priced = cache.request(messages, { atMs: step.atMs });
    fidelity.asked(messages);
    fidelity.answered(step.answer);
    pay('main', { ...priced, outputTokens: step.outputTokens });
    if (priced.missedTokens > 0) breaks += 1;
    windows.push(priced.cacheReadTokens + priced.cacheWriteTokens + priced.inputTokens);
    answeredAtMs = Date.parse(step.answer.at);
    await policy.answered(step.answer, { atMs: answeredAtMs });
  }
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return {
    result: {
      name: kind.name,
      ...(kind.economy === undefined ? {} : { economy: kind.economy }),
      cost: costs.main + costs.notes + costs.compaction,
      hitShare: input === 0 ? 0 : usage.cacheReadTokens / input,
      breaks,
      compactions,
      averageWindow: windows.length === 0 ? 0 : windows.reduce((sum, tokens) => sum + tokens, 0) / windows.length,
      fitsWindow: windows.every((tokens, at) => tokens + session.steps[at]!.outputTokens <= window.window),
      ...fidelity.result(),
    },
    ...{ usage, costs, freed, windows },
  };
}

const PAUSE_EVERY = 50;

export function policyLabel({ name, economy }: Pick<PolicyResult, 'name' | 'economy'>): string {
  return economy === undefined ? name : `${name} ${economy}`;
}
