/** Replays recordings through every policy, each alone or all joined into one long session. */

import { type Message, NO_USAGE } from '../../conversation/message.ts';
import { ReverieError } from '../../errors.ts';
import { type Limits, PROMPT_CACHE_LIMITS, REPLAY_LIMITS } from '../../limits.ts';
import type { CacheTtl } from '../../model/model.ts';
import { costOf, type Price, type Prices, priceOf } from '../../model/prices.ts';
import { ttlMsOf } from '../../model/prompt-cache.ts';
import { createCacheModel } from './cache-model.ts';
import { OTHER_POLICIES } from './other-policies.ts';
import { readRecording } from './read-recording.ts';
import type { Recording } from './recording.ts';
import { REVERIE_POLICIES } from './reverie-policy.ts';
import { type PolicyRun, runPolicy } from './run-replay.ts';
import { type ReplaySession, type Step, sessionOf } from './session.ts';
import { promptOf } from './sizes.ts';

export interface ReplayRequest {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly isJoined: boolean;
  readonly prefixTokens: number;
  readonly ttl: CacheTtl;
  readonly limits: Limits;
  readonly prices?: Prices;
  /** Called before each policy; may throw to stop. */
  readonly onProgress?: (what: string) => void;
}

export interface SessionReplay {
  readonly name: string;
  readonly requests: number;
  /** Everything that was said, without the prefix. */
  readonly tokens: number;
  readonly damaged: number;
  readonly windowTokens: number;
  /** The model whose prices were used. */
  readonly model: string;
  readonly runs: readonly PolicyRun[];
  /** For each included recording that has its usage. */
  readonly checks: readonly (RecordingCheck & { readonly name: string })[];
}

export const POLICIES = [...OTHER_POLICIES, ...REVERIE_POLICIES];

export async function replay(request: ReplayRequest): Promise<readonly SessionReplay[]> {
  /** The same file given twice is read once. */
  const known = new Map<string, Recording>();
  const recordings = request.files.map(({ name, text }) => {
    const recording = known.get(text) ?? recordingOf(name, text);
    known.set(text, recording);
    return recording;
  });
  const groups = request.isJoined ? [recordings] : recordings.map((recording) => [recording]);
  const replays: SessionReplay[] = [];
  for (const group of groups) replays.push(await replayGroup(group, request));
  return replays;
}

function recordingOf(name: string, text: string): Recording {
  const recording = readRecording(text, name);
  if (recording?.messages.some(({ role }) => role === 'assistant')) return recording;
  throw new ReverieError({
    code: 'damaged',
    message: `${name} holds no conversation: no answer of a model was found in it.`,
    fix: 'Give a transcript of Reverie or Claude Code (JSONL), or JSON with "messages".',
  });
}

async function replayGroup(recordings: readonly Recording[], request: ReplayRequest): Promise<SessionReplay> {
  const { limits, prefixTokens, ttl, onProgress } = request;
  const session = sessionOf(recordings);
  const { model, price } = pricedModel(session.model, request.prices ?? {});
  const runs: PolicyRun[] = [];
  for (const kind of POLICIES) {
    const what = [kind.name, kind.economy ?? ''].join(' ').trim();
    const pause = async () => {
      onProgress?.(what);
      await new Promise((resolve) => setImmediate(resolve));
    };
    runs.push(await runPolicy(kind, { session, prefixTokens, ttl, price, limits, pause }));
  }
  return {
    ...{ name: session.name, requests: session.steps.length, damaged: session.damaged, model, runs },
    tokens: tokensOf(session),
    windowTokens: session.windowTokens ?? REPLAY_LIMITS.windowTokens,
    checks: checksOf(recordings, price),
  };
}

function tokensOf({ steps, sizes }: ReplaySession): number {
  const entries = steps.flatMap(({ before, answer }) => [...before, answer]);
  return entries.reduce((sum, { message }) => sum + sizes.of(message), 0);
}

function checksOf(recordings: readonly Recording[], price: Price): SessionReplay['checks'] {
  return [...new Set(recordings)].flatMap((recording) => {
    const check = checkRecording(sessionOf([recording]), price);
    return check === null ? [] : [{ name: recording.name, ...check }];
  });
}

function pricedModel(recorded: string | null, prices: Prices) {
  for (const model of [recorded, REPLAY_MODEL]) {
    const price = model === null ? null : priceOf(model, prices);
    if (model !== null && price !== null) return { model, price };
  }
  throw new Error(`no price is known of ${REPLAY_MODEL}`);
}

/** If a recording does not name a model with a known price. */
const REPLAY_MODEL = 'claude-sonnet-5-5';

// Compares the cache model with a recording that has its usage: what it says the session cost, and what was counted.

interface RecordingCheck {
  /** Dollars of the recorded usage. */
  readonly recordedCost: number;
  /** Dollars for the same requests according to the cache model. */
  readonly modelledCost: number;
  /** Of the recorded cost; positive when the model says more. */
  readonly difference: number;
  /** Recorded breaks that no idle time explains: the client or the server caused them, and they are replayed as they were. */
  readonly unexplainedBreaks: number;
}

/** Null when usage was not recorded throughout. The prefix, and what of it others keep warm, come from the first request. */
function checkRecording(session: ReplaySession, price: Price): RecordingCheck | null {
  const { steps, sizes } = session;
  const first = steps[0];
  if (first === undefined || steps.some(({ recorded }) => recorded === null)) return null;
  const openingTokens = first.before.reduce((sum, { message }) => sum + sizes.of(message), 0);
  const isHourLong = steps.some(({ recorded }) => (recorded?.cacheWriteHourTokens ?? 0) > 0);
  const cacheFacts = {
    prefixTokens: Math.max(0, promptOf(first) - openingTokens),
    warmTokens: first.recorded?.cacheReadTokens ?? 0,
    ttl: isHourLong ? ('1h' as const) : ('5m' as const),
    sizeOf: sizes.of,
  };
  const cache = createCacheModel(cacheFacts);
  let messages: readonly Message[] = [];
  let modelledCost = 0;
  let unexplainedBreaks = 0;
  let before: Step | null = null;
  for (const step of steps) {
    messages = [...messages, ...step.before.map(({ message }) => message)];
    const isBroken = before !== null && isBreakInUse(before, step, ttlMsOf(cacheFacts.ttl));
    const read = step.recorded?.cacheReadTokens ?? 0;
    const priced = cache.request(messages, { atMs: step.atMs, ...(isBroken ? { mostReadTokens: read } : {}) });
    unexplainedBreaks += Number(isBroken);
    modelledCost += costOf({ ...priced, outputTokens: step.outputTokens }, price);
    before = step;
    messages = [...messages, step.answer.message];
  }
  const recordedCost = steps.reduce((sum, { recorded }) => sum + costOf(recorded ?? NO_USAGE, price), 0);
  const difference = recordedCost === 0 ? 0 : modelledCost / recordedCost - 1;
  return { recordedCost, modelledCost, difference, unexplainedBreaks };
}

/** By the rule of the break detector, if the cache had no time to expire. */
function isBreakInUse(before: Step, { recorded, atMs }: Step, ttlMs: number): boolean {
  const couldRead = promptOf(before);
  const missed = couldRead - (recorded?.cacheReadTokens ?? 0);
  const isBreak = missed > PROMPT_CACHE_LIMITS.breakTokens && missed > couldRead * PROMPT_CACHE_LIMITS.breakShare;
  return isBreak && atMs - before.atMs < ttlMs;
}
