/**
 * Layer 5, extraction: what is worth keeping leaves the conversation for memory.
 *
 * When      after a final answer when the user's words carry a cue or enough has gathered; before a compaction; at the end.
 * Cost      a fork that reads the conversation's warm cache, beside the conversation; nobody waits for it but the end.
 * Prevents  the user saying it twice.
 * On error  the cursor stays and the next run sees the same messages; three failures in a row pause it for the session.
 */

import { createBreaker } from '../../lib/breaker.ts';
import { decideExtraction, type ExtractionDecision, type ExtractionTrigger } from './decide.ts';
import type { ExtractionPorts, Snapshot, WrittenMemory } from './ports.ts';
import { type ExtractionOutcome, runExtraction } from './run.ts';
import { type Span, spanSince } from './span.ts';
import { EMPTY_STATE, type ExtractionState } from './state.ts';

export { extractionPermission } from './allow.ts';
export { decideExtraction, type ExtractionDecision } from './decide.ts';
export type { ExtractionEvent, ExtractionPorts, ForkReport, ForkWork, Snapshot, WrittenMemory } from './ports.ts';
export { type SaidText, type Span, spanSince } from './span.ts';
export { type ExtractionState, isExtractionState } from './state.ts';

export interface Extraction {
  /** The model gave its final answer. Returns at once. */
  answered(): ExtractionDecision;
  /** Messages are about to go. Returns at once. */
  flush(): ExtractionDecision;
  /** The session ends: what has gathered is looked through and what runs is waited for, so long and no longer. */
  close(waitMs: number): Promise<void>;
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
  const breaker = createBreaker({ limit: limits.failures, onTrip: (trip) => ports.onPaused(trip) });
  let hasToldCap = false;
  let running: Promise<void> | null = null;
  let stashed: Stashed | null = null;

  function look(trigger: ExtractionTrigger): ExtractionDecision {
    const isOn = ports.isOn() && !stop.signal.aborted;
    // Where nothing can come of it, the conversation is not walked through either.
    const isIdle = !isOn || breaker.isPaused();
    const span = isIdle ? NO_SPAN : spanSince(cursor, spanFacts());
    const { everyTurns, spentShare } = ports;
    const failuresInARow = breaker.failures();
    const decision = decideExtraction(
      { trigger, isOn, failuresInARow, span, everyTurns: everyTurns(), spentShare: spentShare() },
      limits,
    );
    if (decision.kind === 'skip') moveTo(span);
    if (decision.kind === 'run') start({ trigger, reason: decision.reason, snapshot: ports.snapshot() });
    return decision;
  }

  const spanFacts = (entries = ports.entries()) => ({ entries, isMemoryWrite: ports.isMemoryWrite });

  function moveTo({ lastUuid }: Span): void {
    if (lastUuid === null) return;
    cursor = lastUuid;
    ports.onState({ cursor });
  }

  /** One at a time; meanwhile the newest view waits for a trailing run. */
  function start(next: Stashed): void {
    if (running !== null) {
      stashed = next;
      return;
    }
    running = run(next).finally(() => {
      running = null;
      const trailing = stashed;
      stashed = null;
      if (trailing !== null && !stop.signal.aborted) start(trailing);
    });
  }

  async function run({ trigger, reason, snapshot }: Stashed): Promise<void> {
    const span = spanSince(cursor, spanFacts(snapshot.entries));
    // The run before this one, or the agent itself, has seen to it.
    if (span.said.length === 0 || span.agentWrote) return;
    const began = Date.now();
    const outcome = await runExtraction({ trigger, span, snapshot, signal: stop.signal }, ports).catch(
      (error: unknown): ExtractionOutcome => ({
        result: 'failed',
        problem: String(error),
        written: [],
        denied: 0,
        rejected: 0,
      }),
    );
    settle(outcome, span);
    const { result, denied, rejected, written } = outcome;
    const saved = written.filter(({ isNew }) => isNew).length;
    const counted = { messages: span.entries.length, saved, updated: written.length - saved, denied, rejected };
    ports.record({ reason, result, ...counted, milliseconds: Date.now() - began });
    if (written.length === 0) return;
    ports.onWritten(written);
    ports.tell(announcement(written, limits.namedMemories));
  }

  function settle({ result, problem }: ExtractionOutcome, span: Span): void {
    switch (result) {
      case 'done':
      case 'explicit':
        moveTo(span);
        breaker.succeeded();
        return;
      case 'capped':
        if (!hasToldCap) ports.tell(`Saving from this conversation waits: ${problem}.`);
        hasToldCap = true;
        return;
      case 'stopped':
        return;
      case 'failed':
        breaker.failed(problem ?? 'unknown');
    }
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
    async close(waitMs) {
      const timer = setTimeout(() => stop.abort(), waitMs);
      await drained();
      clearTimeout(timer);
      stop.abort();
    },
    state: () => ({ cursor }),
  };
}

const NO_SPAN: Span = {
  entries: [],
  lastUuid: null,
  said: [],
  tokens: 0,
  turns: 0,
  isAnswered: false,
  hasCue: false,
  agentWrote: false,
};

function announcement(written: readonly WrittenMemory[], most: number): string {
  const named = (which: readonly WrittenMemory[]) => {
    const names = which.slice(0, most).map(({ name }) => `“${name}”`);
    return [...names, ...(which.length > most ? [`${which.length - most} more`] : [])].join(', ');
  };
  const saved = written.filter(({ isNew }) => isNew);
  const updated = written.filter(({ isNew }) => !isNew);
  const parts = [
    ...(saved.length > 0 ? [`Saved to memory: ${named(saved)}.`] : []),
    ...(updated.length > 0 ? [`Updated in memory: ${named(updated)}.`] : []),
  ];
  return `${parts.join(' ')} \`reverie memory undo\` takes it back.`;
}
