/** Replays recordings through every policy, each alone or all joined into one long session. */

import { ReverieError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import type { CacheTtl } from '../../model/model.ts';
import { type Price, type Prices, priceOf } from '../../model/prices.ts';
import { checkRecording, type RecordingCheck } from './check-recording.ts';
import { OTHER_POLICIES } from './other-policies.ts';
import { readRecording } from './read-recording.ts';
import type { Recording } from './recording.ts';
import { REVERIE_POLICIES } from './reverie-policy.ts';
import { type PolicyRun, runPolicy } from './run-replay.ts';
import { type ReplaySession, sessionOf } from './session.ts';

export interface ReplayRequest {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly isJoined: boolean;
  readonly prefixTokens: number;
  readonly ttl: CacheTtl;
  readonly limits: Limits;
  readonly prices?: Prices;
  /** Told before each policy; may throw to stop. */
  readonly onProgress?: (what: string) => void;
}

export interface SessionReplay {
  readonly name: string;
  readonly requests: number;
  /** All that was said, without the prefix. */
  readonly tokens: number;
  readonly damaged: number;
  /** Whose prices were taken. */
  readonly model: string;
  readonly runs: readonly PolicyRun[];
  /** Of each recording in it that has its usage. */
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

/** Where a recording does not name a model with a known price. */
const REPLAY_MODEL = 'claude-sonnet-5-5';
