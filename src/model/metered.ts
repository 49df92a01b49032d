/**
 * The only way to a model. Every call has a purpose and leaves one line in the ledger, however it ends; background work
 * reserves room first, and does not start when a cap is reached.
 */

import { randomUUID } from 'node:crypto';
import { addUsage, NO_USAGE, type Usage } from '../conversation/message.ts';
import type { Limits } from '../limits.ts';
import { boundedContent } from './bounded-answer.ts';
import { ModelFailure } from './failure.ts';
import type { CallNotes, CallOutcome, CallRecord, LedgerPort, ReservationAnswer } from './ledger-port.ts';
import type { Meter, MeteredCall, MeterTotals } from './meter.ts';
import { equivalentTokens, estimateLikely, estimateMost, promptTokens, watchAttempt } from './metered-usage.ts';
import type { ModelEvent, ModelResponse } from './model.ts';
import { costOf, type Price, priceOf as publicPriceOf } from './prices.ts';
import { isBackground, type Purpose } from './purpose.ts';
import { type RetryOptions, streamWithRetry } from './retry.ts';

export interface MeterParts {
  readonly ledger: LedgerPort;
  readonly limits: Pick<Limits, 'caps' | 'retry'>;
  readonly now: () => Date;
  /** With the user's own prices; the public ones unless given. */
  readonly priceOf?: (modelName: string) => Price | null;
  readonly retry?: typeof streamWithRetry;
  readonly sleep?: RetryOptions['sleep'];
  readonly random?: RetryOptions['random'];
  readonly newId?: () => string;
  /** Sees each call before its line is written, and may say what it saved or broke. */
  readonly onCall?: (call: MeteredCall, record: CallRecord, response: ModelResponse | null) => CallNotes | undefined;
}

export function createMeter(parts: MeterParts): Meter {
  const { ledger, limits, now } = parts;
  const { priceOf = publicPriceOf, retry = streamWithRetry, newId = randomUUID } = parts;
  const counted = createTotals();
  /** How long the conversation's prompt was: that much of the next one is cached. */
  const lastPrompts = new Map<string, number>();
  /** Models that have answered here. */
  const answered = new Set<string>();

  async function reserve(call: MeteredCall, facts: { readonly id: string; readonly at: string }): Promise<void> {
    const { purpose, model, request } = call;
    const most = equivalentTokens(estimateMost(request));
    const cachedTokens = call.cachedTokens ?? lastPrompts.get(model.name) ?? 0;
    const usage = estimateLikely(request, { cachedTokens, outputTokens: limits.caps.likelyOutputTokens });
    const likely = { tokens: equivalentTokens(usage), money: moneyFor([usage], priceOf(model.name)) };
    const wanted = { ...facts, purpose, model: model.name, equivalentTokens: most, likely };
    const answer = await ledger.reserve({ ...wanted, isLast: call.isLast ?? false, isBegun: call.isBegun ?? false });
    if (answer.kind === 'refused') throw capFailure(purpose, answer);
  }

  async function* run(call: MeteredCall, abandon: AbortController): AsyncGenerator<ModelEvent, void> {
    const { purpose, model, request } = call;
    const background = isBackground(purpose);
    const began = now();
    const facts = { id: newId(), at: began.toISOString() };
    throwIfAborted(call.signal);
    if (background) await reserve(call, facts);

    const abort = () => abandon.abort(call.signal.reason);
    call.signal.addEventListener('abort', abort, { once: true });
    const attempt = watchAttempt();
    const used: Usage[] = [];
    let isEstimated = false;
    let isRecorded = false;
    let response: ModelResponse | null = null;
    const reckon = () => {
      const known = background || call.agent !== undefined ? 0 : (lastPrompts.get(model.name) ?? 0);
      const estimate = attempt.estimate(request, call.cachedTokens ?? known);
      if (estimate) used.push(estimate);
      isEstimated ||= estimate !== null;
      attempt.restart();
    };

    const finish = (outcome: CallOutcome) => {
      if (isRecorded) return;
      isRecorded = true;
      if (outcome !== 'done') reckon();
      const usage = used.reduce(addUsage, NO_USAGE);
      const record: CallRecord = {
        ...facts,
        ...{ purpose, background, model: model.name, usage },
        ...(call.agent === undefined ? {} : { agent: call.agent }),
        ...(isEstimated ? { estimated: true } : {}),
        equivalentTokens: equivalentTokens(usage),
        money: moneyFor(used, priceOf(model.name)),
        milliseconds: Math.max(0, now().getTime() - began.getTime()),
        outcome,
      };
      counted.add(record);
      call.onRecord?.(record);
      ledger.record({ ...record, ...notesOf(() => parts.onCall?.(call, record, response)) });
    };

    try {
      throwIfAborted(call.signal);
      const hasAnswered = answered.has(model.name);
      const options = { signal: abandon.signal, limits: limits.retry, mayRestart: call.mayRestart, hasAnswered };
      const { sleep, random } = parts;
      const stream = () => boundedContent(model.stream(request, { signal: abandon.signal }));
      for await (const event of retry(stream, { ...options, sleep, random })) {
        attempt.see(event);
        if (event.kind === 'usage') continue;
        if (event.kind === 'retry') reckon();
        if (event.kind === 'response') {
          response = event.response;
          answered.add(model.name);
          used.push(event.response.usage);
          if (!background && call.agent === undefined) lastPrompts.set(model.name, promptTokens(event.response.usage));
          // Before it is emitted: the caller may never ask for what comes after the last event.
          finish('done');
        }
        yield event;
      }
      if (!isRecorded) throw new ModelFailure({ failure: 'cut', message: `${model.name} ended without an answer` });
    } catch (error) {
      const isAbandoned = abandon.signal.aborted && !call.signal.aborted;
      finish(isAbandoned ? 'abandoned' : error instanceof ModelFailure ? error.failure : 'error');
      throw error;
    } finally {
      finish('abandoned');
      call.signal.removeEventListener('abort', abort);
      // A caller that stops listening must not leave a request running.
      abandon.abort();
    }
  }

  return {
    call(call) {
      const abandon = new AbortController();
      const events = run(call, abandon);
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => events.next(),
          // A generator notices only at its next event, which may never come.
          return: () => {
            abandon.abort();
            return events.return();
          },
        }),
      };
    },
    totals: counted.totals,
  };
}

function createTotals() {
  let all: Omit<MeterTotals, 'byPurpose'> = { usage: NO_USAGE, money: 0, calls: 0 };
  const byPurpose = new Map<Purpose, { usage: Usage; money: number | null }>();

  return {
    add({ purpose, usage, money }: CallRecord): void {
      all = { usage: addUsage(all.usage, usage), money: plus(all.money, money), calls: all.calls + 1 };
      const before = byPurpose.get(purpose) ?? { usage: NO_USAGE, money: 0 };
      byPurpose.set(purpose, { usage: addUsage(before.usage, usage), money: plus(before.money, money) });
    },
    totals: (): MeterTotals => ({ ...all, byPurpose: Object.fromEntries(byPurpose) }),
  };
}

/** Each attempt separately, since a price may depend on the length of one prompt. What used nothing costs nothing. */
function moneyFor(used: readonly Usage[], price: Price | null): number | null {
  return used.reduce<number | null>((sum, usage) => plus(sum, price === null ? null : costOf(usage, price)), 0);
}

function plus(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** A failing watcher must not cost a call its line. */
function notesOf(ask: () => CallNotes | undefined): CallNotes {
  try {
    return ask() ?? {};
  } catch {
    return {};
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ModelFailure({ failure: 'aborted', message: 'interrupted before the model was asked' });
}

function capFailure(purpose: Purpose, answer: Extract<ReservationAnswer, { kind: 'refused' }>): ModelFailure {
  if (answer.reason === 'unavailable') {
    return new ModelFailure({
      failure: 'cap',
      cap: answer.reason,
      message: `Nothing can be reserved in the ledger, so ${purpose} did not start: ${answer.problem}`,
      fix: 'See what is wrong with the home folder: reverie doctor',
    });
  }
  const used = usedText(answer);
  const isOfDay = answer.reason === 'day';
  return new ModelFailure({
    failure: 'cap',
    cap: answer.reason,
    message: isOfDay
      ? `Background work of today, of all sessions, has used ${used}; ${purpose} did not start`
      : `${WORK[purpose]} used ${used} in this session`,
    fix: `Raise \`${answer.setting}\` in settings${isOfDay ? ', or wait until tomorrow (UTC)' : ''}.`,
  });
}

const WORK: Readonly<Record<Purpose, string>> = {
  main: 'The conversation has',
  agent: 'Agents have',
  compaction: 'Compaction has',
  recall: 'Recall has',
  notes: 'Notes have',
  extraction: 'Extraction has',
  dream: 'Dreaming has',
  progress: 'Progress lines have',
};

/** `31,000 of 30,000 tokens`. */
function usedText({ spent, cap, unit }: { spent: number; cap: number; unit: 'tokens' | 'dollars' }): string {
  const whole = (amount: number) => Math.round(amount).toLocaleString('en-US');
  if (unit === 'tokens') return `${whole(spent)} of ${whole(cap)} tokens`;
  return `$${spent.toFixed(4)} of $${cap.toFixed(4)}`;
}
