/**
 * Layer 5, extraction: moves what is worth keeping from the conversation into memory.
 *
 * When      after a turn in which the user typed something of substance or a cue; before a compaction; at the end.
 * Cost      a fork that reads the conversation's warm cache, alongside the conversation; only the end waits for it.
 * Prevents  the user saying it twice.
 * On error  the cursor stays and the next run sees the same messages; three failures in a row pause it for the session. Explicit
 *           requests are then kept without a model, before a compaction and at the end; the same when the user does not wait.
 */

import { createBreaker } from '../../base/async/breaker.ts';
import type { Entry } from '../../conversation/entry.ts';
import { decideExtraction, decideMeans, type ExtractionDecision, type ExtractionTrigger } from './decide.ts';
import type { ExtractionPorts, Snapshot } from './ports.ts';
import { type ExtractionOutcome, keepWishes, runExtraction } from './run.ts';
import { createSpans, type Span } from './span.ts';
import { EMPTY_STATE, type ExtractionState } from './state.ts';
import { omittedLine, refusedLine, savedLine, unlookedLine, withFix } from './told.ts';

/** Memories named in the line that says what was saved. */
const NAMED_MEMORIES = 5;

export { decideExtraction, type ExtractionDecision } from './decide.ts';
export type {
  ExtractionEvent,
  ExtractionManifest,
  ExtractionPorts,
  ForkReport,
  ForkWork,
  KeptWishes,
  RefusedMemory,
  Snapshot,
  WrittenMemory,
} from './ports.ts';
export type { SaidText, Span } from './span.ts';
export { type ExtractionState, isExtractionState } from './state.ts';

export interface Extraction {
  /** The model gave its final answer. Returns at once. */
  answered(): ExtractionDecision;
  /** Messages are about to be removed. Returns at once. */
  flush(): ExtractionDecision;
  /** Messages have left the conversation: where the next run begins is stored for a resumed session. */
  replaced(): void;
  /** The session ends: searches what has gathered and waits for running work, up to a limit or until the signal. */
  close(patience: { readonly waitMs: number; readonly signal?: AbortSignal | undefined }): Promise<void>;
  state(): ExtractionState;
}

interface Stashed {
  readonly trigger: ExtractionTrigger;
  readonly reason: string;
  readonly snapshot: Snapshot;
}

export function createExtraction(ports: ExtractionPorts, resumed: ExtractionState = EMPTY_STATE): Extraction {
  const { limits } = ports;
  const stop = new AbortController();
  let { cursor } = resumed;
  /** Messages that were searched: the cursor and all before it, for when the cursor's own is gone. */
  const looked = new Set(lookedBefore(cursor, ports.entries()));
  /** Messages whose requests were kept without a model: not a second time, in case the user removed the result. */
  const heard = new Set<string>();
  const spanSince = createSpans(ports.isMemoryWrite);
  const breaker = createBreaker({ limit: limits.failures, onTrip: (trip) => ports.onPaused(trip) });
  /** Kinds of messages that are shown once: caps, cuts, and each refusal. */
  const told = new Set<string>();
  /** Why the last messages are not searched; shown at the end, if that has not changed. */
  let unlooked: { readonly by: 'failed' | 'stopped' | 'capped'; readonly why: string } | null = null;
  let isClosed = false;
  let running: Promise<void> | null = null;
  const stashed: Stashed[] = [];
  const hearing: ExtractionPorts = {
    ...ports,
    async saveExplicit(span) {
      const kept = await ports.saveExplicit(span);
      for (const { uuid } of span.wishes) heard.add(uuid);
      return kept;
    },
  };

  function look(trigger: ExtractionTrigger): ExtractionDecision {
    const isOn = ports.isOn() && !isClosed;
    const isLeaving = stop.signal.aborted;
    // If nothing can come of it, the conversation is not walked through either.
    const isIdle = !isOn || (breaker.isPaused() && trigger === 'answer');
    const span = isIdle ? NO_SPAN : spanIn(ports.entries());
    const [everyTurns, isAhead, failuresInARow] = [ports.everyTurns(), ports.isAhead(), breaker.failures()];
    const decision = decideExtraction({ trigger, isOn, isLeaving, failuresInARow, isAhead, span, everyTurns }, limits);
    const isToStart = decision.kind === 'run' || decision.kind === 'keep';
    if (isToStart) start({ trigger, reason: decision.reason, snapshot: ports.snapshot() });
    return decision;
  }

  function spanIn(entries: readonly Entry[]): Span {
    const span = spanSince(looked, entries);
    return { ...span, wishes: span.wishes.filter(({ uuid }) => !heard.has(uuid)) };
  }

  function moveTo({ entries, lastUuid }: Span): void {
    for (const { uuid } of entries) looked.add(uuid);
    keepCursor(lastUuid);
  }

  /** The last searched message that is still there; if it was compacted away, nothing better is known. */
  function keepCursor(otherwise: string | null): void {
    const last = ports.entries().findLast(({ uuid }) => looked.has(uuid))?.uuid ?? otherwise;
    if (last === null || last === cursor) return;
    cursor = last;
    ports.onState({ cursor });
  }

  /** One at a time; meanwhile the newest view waits for a trailing run. */
  function start(next: Stashed): void {
    if (running !== null) {
      // The newer view includes an earlier answer's; what a compaction removed is in no other.
      if (stashed.at(-1)?.trigger === 'answer') stashed.pop();
      stashed.push(next);
      return;
    }
    running = run(next).finally(() => {
      running = null;
      const trailing = stashed.shift();
      if (trailing !== undefined) start(trailing);
    });
  }

  async function run({ trigger, reason, snapshot }: Stashed): Promise<void> {
    // It may have been switched off while this waited.
    if (!ports.isOn()) return;
    const span = spanIn(snapshot.entries);
    const means = decideMeans({ trigger, span, isLeaving: stop.signal.aborted, isPaused: breaker.isPaused() });
    if (means.kind === 'nothing') return;
    const began = Date.now();
    const work = { trigger, span, snapshot, signal: stop.signal };
    const doing = means.kind === 'fork' ? runExtraction(work, hearing) : keepWishes(work, hearing);
    const outcome = await doing.catch(
      (error: unknown): ExtractionOutcome => ({
        result: 'failed',
        problem: String(error),
        written: [],
        refused: [],
        denied: 0,
        rejected: 0,
      }),
    );
    settle(outcome, { span, isAll: means.kind === 'fork' });
    const { result, denied, rejected, written } = outcome;
    const saved = written.filter(({ isNew }) => isNew).length;
    const counted = { messages: span.entries.length, saved, updated: written.length - saved, denied, rejected };
    ports.record({ reason, result, ...counted, milliseconds: Date.now() - began });
    tellLosses(outcome);
    if (written.length === 0) return;
    ports.onWritten(written);
    ports.tell(savedLine(written, NAMED_MEMORIES));
  }

  function settle(outcome: ExtractionOutcome, { span, isAll }: { span: Span; isAll: boolean }): void {
    const { result, fix, cap } = outcome;
    const problem = outcome.problem ?? 'unknown';
    switch (result) {
      case 'done':
      case 'explicit':
        // If a model should have looked, it does so when the session is resumed.
        if (!isAll) return;
        moveTo(span);
        unlooked = null;
        breaker.succeeded();
        return;
      case 'capped':
        // A session's share grows with it, and leaves room for a last look: shown at the end, if still true.
        if (cap === 'session') unlooked = { by: 'capped', why: withFix(problem, fix) };
        else tellOnce(`cap ${cap}`, unlookedLine(withFix(problem, fix)));
        return;
      case 'stopped':
        unlooked = { by: 'stopped', why: '' };
        return;
      case 'failed':
        unlooked = { by: 'failed', why: problem };
        breaker.failed(problem);
    }
  }

  function tellLosses({ refused, cutBy, problem, written, omitted = 0 }: ExtractionOutcome): void {
    if (omitted > 0) ports.tell(omittedLine(written.length, omitted));
    const lost = refused.filter(({ rule }) => rule !== 'exact-duplicate');
    for (const { rule } of lost) ports.recordLoss({ kind: 'refused', by: rule });
    const news = lost.filter(({ rule, name }) => isNews(`refused ${rule} ${name}`));
    if (news.length > 0) ports.tell(refusedLine(news, NAMED_MEMORIES));
    if (cutBy === undefined) return;
    ports.recordLoss({ kind: 'cut', by: cutBy });
    tellOnce(`cut ${cutBy}`, problem ?? '');
  }

  function isNews(what: string): boolean {
    if (told.has(what)) return false;
    told.add(what);
    return true;
  }

  function tellOnce(what: string, line: string): void {
    if (isNews(what)) ports.tell(line);
  }

  /** `waited`: how the wait ended, if the run did not end by itself. */
  function tellUnlooked(waited: { readonly isTimeUp: boolean; readonly waitMs: number }): void {
    if (unlooked === null || breaker.isPaused() || spanIn(ports.entries()).said.length === 0) return;
    if (unlooked.by !== 'stopped') {
      ports.tell(unlookedLine(unlooked.why));
      return;
    }
    ports.recordLoss({ kind: 'cut', by: waited.isTimeUp ? 'time' : 'leaving' });
    const seconds = Math.round(waited.waitMs / 1_000);
    ports.tell(unlookedLine(waited.isTimeUp ? `it took longer than ${seconds} s` : 'you left before that was done'));
  }

  async function drained(): Promise<void> {
    await idle();
    look('exit');
    await idle();
  }

  async function idle(): Promise<void> {
    while (running !== null) await running;
  }

  return {
    answered: () => look('answer'),
    flush: () => look('compaction'),
    replaced: () => keepCursor(cursor),
    async close({ waitMs, signal }) {
      let isTimeUp = false;
      const stopNow = () => stop.abort();
      const timer = setTimeout(() => {
        isTimeUp = true;
        stopNow();
      }, waitMs);
      signal?.addEventListener('abort', stopNow, { once: true });
      if (signal?.aborted === true) stopNow();
      await drained();
      tellUnlooked({ isTimeUp, waitMs });
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopNow);
      isClosed = true;
      stopNow();
    },
    state: () => ({ cursor }),
  };
}

/** Everything up to the cursor, in a resumed session. */
function lookedBefore(cursor: string | null, entries: readonly Entry[]): readonly string[] {
  if (cursor === null) return [];
  const at = entries.findLastIndex(({ uuid }) => uuid === cursor);
  return [cursor, ...entries.slice(0, at + 1).map(({ uuid }) => uuid)];
}

const NO_SPAN: Span = {
  entries: [],
  lastUuid: null,
  said: [],
  turns: 0,
  isAnswered: false,
  hasCue: false,
  wishes: [],
};
