/** The meter of one dream: counts what its calls cost, and makes no call that could exceed the limit. */

import type { Entry } from '../../../conversation/entry.ts';
import type { Usage } from '../../../conversation/message.ts';
import { totalTokens } from '../../../conversation/tokens.ts';
import type { Limits } from '../../../limits.ts';
import { ModelFailure } from '../../../model/failure.ts';
import type { Meter, MeteredCall } from '../../../model/meter.ts';
import { equivalentTokens, estimateMost, promptTokens } from '../../../model/metered-usage.ts';
import type { CacheTtl, ModelEvent, ModelRequest } from '../../../model/model.ts';
import { ttlMsOf } from '../../../model/prompt-cache.ts';
import type { DreamCost } from '../index.ts';

/** How many tokens one estimated token may turn out to be. */
const TOKEN_SLACK = 1.3;

export interface DreamMeter {
  readonly meter: Meter;
  /** A call was not made, because it could have cost too much. */
  isSpent(): boolean;
}

export interface DreamMeterFacts {
  readonly limits: Pick<Limits, 'dreaming' | 'caps'>;
  readonly now: () => Date;
  /** Tokens that the conversation it was forked from has in the cache. */
  readonly warmTokens: number;
  readonly onCost: (cost: DreamCost) => void;
}

/** An answered prompt, as far as the next one can count on it. */
interface Sent {
  readonly tokens: number;
  readonly cachedTokens: number;
  readonly estimate: number;
  readonly atMs: number;
}

export function dreamMeter(meter: Meter, facts: DreamMeterFacts): DreamMeter {
  const { limits } = facts;
  const cap = limits.dreaming.equivalentTokens;
  const before = costOf(meter);
  let sent: Sent | null = null;
  let isSpent = false;

  const sinceBefore = (): DreamCost => {
    const now = costOf(meter);
    return {
      equivalentTokens: now.equivalentTokens - before.equivalentTokens,
      money: now.money === null || before.money === null ? null : now.money - before.money,
    };
  };

  async function* call(wanted: MeteredCall): AsyncGenerator<ModelEvent, void> {
    const request = withOutputBound(wanted.request, limits.dreaming);
    const prompt = reckon(request, { ...facts, sent });
    const most = mostOf(request, { prompt });
    const spent = sinceBefore().equivalentTokens;
    if (spent + most > cap) {
      isSpent = true;
      throw new ModelFailure({ failure: 'cap', message: `A dream may cost ${cap} tokens; it has cost ${spent}` });
    }
    let attempts = 1;
    const mayRestart = () => {
      attempts += 1;
      return spent + attempts * most <= cap && (wanted.mayRestart?.() ?? true);
    };
    try {
      for await (const event of meter.call({ ...wanted, request, mayRestart, cachedTokens: prompt.readTokens })) {
        if (event.kind === 'response') {
          sent = sentBy(event.response.usage, { estimate: prompt.estimate, atMs: facts.now().getTime() });
        }
        yield event;
      }
    } finally {
      facts.onCost(sinceBefore());
    }
  }

  return { meter: { call, totals: meter.totals }, isSpent: () => isSpent };
}

/** What the last answer left in a conversation's cache, unless that was too long ago. */
export function warmTokensOf(
  entries: readonly Entry[],
  { now, cacheTtl }: { readonly now: Date; readonly cacheTtl: CacheTtl },
): number {
  const last = entries.findLast(({ response }) => response !== undefined && totalTokens(response.usage) > 0);
  const isWarm = last !== undefined && now.getTime() - Date.parse(last.at) < ttlMsOf(cacheTtl);
  return isWarm ? last.response!.usage.cacheReadTokens + last.response!.usage.cacheWriteTokens : 0;
}

/** A prompt before it is sent: its tokens at most, and how many of them are cached. */
interface Prompt {
  readonly estimate: number;
  readonly tokens: number;
  readonly readTokens: number;
}

/** Counted tokens are trusted; new ones are estimated, and estimates have been too low. */
function reckon(request: ModelRequest, facts: DreamMeterFacts & { readonly sent: Sent | null }): Prompt {
  const { sent, warmTokens } = facts;
  const estimate = estimateMost(request).inputTokens;
  if (sent === null) {
    return { estimate, tokens: Math.max(estimate * TOKEN_SLACK, warmTokens), readTokens: warmTokens };
  }
  // A shorter prompt is a different one: something in the middle was removed.
  if (estimate < sent.estimate) return { estimate, tokens: estimate * slackOf(sent, TOKEN_SLACK), readTokens: 0 };
  const isLost = facts.now().getTime() - sent.atMs >= ttlMsOf(request.cache.ttl);
  return {
    estimate,
    // A cut stream is charged at the estimate, even though the last count was lower.
    tokens: Math.max(estimate, sent.tokens + (estimate - sent.estimate) * slackOf(sent, TOKEN_SLACK)),
    readTokens: isLost ? 0 : sent.cachedTokens,
  };
}

function slackOf({ tokens, estimate }: Sent, least: number): number {
  return Math.max(least, tokens / Math.max(1, estimate));
}

/** As if the answer had its full length, and everything not read from the cache were written to it. */
function mostOf(request: ModelRequest, { prompt }: { readonly prompt: Prompt }): number {
  const written = Math.max(0, prompt.tokens - prompt.readTokens);
  const usage: Usage = {
    inputTokens: 0,
    outputTokens: request.maxOutputTokens,
    cacheReadTokens: prompt.readTokens,
    cacheWriteTokens: written,
    cacheWriteHourTokens: request.cache.ttl === '1h' ? written : 0,
  };
  return equivalentTokens(usage);
}

/** What was read from the cache or written to it is there for the next prompt. */
function sentBy(usage: Usage, facts: Pick<Sent, 'estimate' | 'atMs'>): Sent {
  const tokens = promptTokens(usage);
  return { ...facts, tokens, cachedTokens: usage.cacheReadTokens + usage.cacheWriteTokens };
}

function withOutputBound(request: ModelRequest, { outputTokens }: Limits['dreaming']): ModelRequest {
  return request.maxOutputTokens <= outputTokens ? request : { ...request, maxOutputTokens: outputTokens };
}

function costOf(meter: Meter): DreamCost {
  const dreamt = meter.totals().byPurpose.dream;
  if (dreamt === undefined) return { equivalentTokens: 0, money: 0 };
  return { equivalentTokens: equivalentTokens(dreamt.usage), money: dreamt.money };
}
