/**
 * Layer 4, compaction.
 *
 * When: the window is nearly full, notes can replace it for less than rereading it costs, the provider refuses a request as too long, or the user asks.
 * Cost: one model call that reads the warm cache, none if notes are enough; the cache after the system prompt is written again.
 * Prevents: a conversation that ends because it does not fit, and one that continues without what the user said.
 * On error: the conversation stays as it was, with one line that says why; after three failures in a row it stops trying.
 */

import { createBreaker, type Trip } from '../../base/async/breaker.ts';
import { type CompactionDecision, type CompactionFacts, decideCompaction } from './decide.ts';
import type { CompactionBreaker, CompactionOutcome, CompactionPorts, CompactionRequest } from './ports.ts';
import { runCompaction } from './run.ts';
import { type CompactionState, INITIAL_STATE, stateAfterFailure, stateAfterSuccess, stateAtLook } from './state.ts';
import { fail } from './work.ts';

export type { CompactionDecision, CompactionTrigger, Economy } from './decide.ts';
export { type Expanded, expand } from './expand.ts';
export { fitHardStop, type HardStopFit } from './fit-hard-stop.ts';
export { createInUse, type InUse, inUseTokensOf } from './in-use.ts';
export { planBehindNotes, sizeOf } from './plan.ts';
export type {
  CompactionBreaker,
  CompactionFailure,
  CompactionOutcome,
  CompactionPorts,
  CompactionReport,
  CompactionRequest,
  SessionNotes,
} from './ports.ts';
export type { Proof, ProvenItem } from './prove.ts';
export { reportLine } from './report.ts';
export type { Restorable } from './restore.ts';
export { within } from './room.ts';
export { type CompactionState, carriedMessages, isCompactionState } from './state.ts';
export {
  decideThrift,
  isThriftState,
  NOTHING_PAID,
  type ThriftDecision,
  type ThriftRates,
  type ThriftState,
  thriftyCompaction,
} from './thrift.ts';

export interface Compaction {
  /** Before every request: whether to compact, and why. */
  look(facts: Omit<CompactionFacts, 'state' | 'limits'>): CompactionDecision;
  /** Never throws, changes no conversation: the caller applies the outcome. One at a time. */
  compact(request: CompactionRequest): Promise<CompactionOutcome>;
  /** Summarises that message and everything after it; what comes before stays, and its cache too. */
  compactFrom(pivotUuid: string, request: PartialRequest): Promise<CompactionOutcome>;
  /** Summarises everything before that message. */
  compactUpTo(pivotUuid: string, request: PartialRequest): Promise<CompactionOutcome>;
  /** Whether it would act by itself when the window is full: it has not failed too often. */
  isPaused(): boolean;
  /** Whether notes may replace messages: they have not failed too often. */
  takesNotes(): boolean;
  /** For the transcript, after the boundary. */
  state(): CompactionState;
}

export type PartialRequest = Omit<CompactionRequest, 'trigger' | 'from' | 'pivot' | 'notesOnly'>;

export function createCompaction(ports: CompactionPorts, resumed: CompactionState = INITIAL_STATE): Compaction {
  let state = resumed;
  let isRunning = false;
  const limits = ports.limits.compaction;
  const tripped = (by: CompactionBreaker) => (trip: Trip) => ports.onPaused?.(by, trip);
  const failing = createBreaker({ limit: limits.failures, failures: state.failures, onTrip: tripped('failures') });
  const refilling = createBreaker({ limit: limits.refills, failures: state.refills, onTrip: tripped('refills') });
  const fromNotes = createBreaker({ limit: limits.failures, onTrip: tripped('from-notes') });

  function become(next: CompactionState, problem = ''): void {
    state = next;
    failing.counted(state.failures, problem);
    refilling.counted(state.refills, REFILLED);
  }

  function onNotesTried(outcome: CompactionOutcome): void {
    if (outcome.kind === 'compacted') fromNotes.succeeded();
    // Notes that are behind or gone will be updated: nothing is wrong with them.
    else if (outcome.failure !== 'notes-not-usable' && outcome.failure !== 'aborted') fromNotes.failed(outcome.reason);
  }

  async function compact(request: CompactionRequest): Promise<CompactionOutcome> {
    if (isRunning) return fail('already-running', 'a compaction is running');
    isRunning = true;
    try {
      const outcome = await runCompaction(request, { ports: { ...ports, onNotesTried }, carriedBefore: state.carried });
      const isByHand = request.trigger === 'manual';
      if (outcome.kind === 'compacted') become(stateAfterSuccess(state, { carried: outcome.carried, isByHand }));
      else if (!isByHand && isCounted(outcome, request)) become(stateAfterFailure(state), outcome.reason);
      return outcome;
    } finally {
      isRunning = false;
    }
  }

  const around = (side: 'from' | 'up-to') => (uuid: string, request: PartialRequest) =>
    compact({ ...request, trigger: 'manual', from: 'model', pivot: { uuid, side } });

  return {
    look(facts) {
      const isFull = facts.trigger === 'reactive' || facts.windowTokens >= facts.window.compactAt;
      // A fork's window says nothing about its parent's.
      if (!facts.isFork) become(stateAtLook(state, { isFull }));
      return decideCompaction({ ...facts, state, limits });
    },
    compact,
    compactFrom: around('from'),
    compactUpTo: around('up-to'),
    isPaused: () => failing.isPaused() || refilling.isPaused(),
    takesNotes: () => !fromNotes.isPaused(),
    state: () => state,
  };
}

const REFILLED = 'the window was full again right after each compaction';

/** What the user or a hook stopped, and what was only worth a try, says nothing about the layer's health. */
function isCounted(outcome: Extract<CompactionOutcome, { kind: 'failed' }>, request: CompactionRequest): boolean {
  return request.notesOnly !== true && outcome.failure !== 'aborted' && outcome.failure !== 'forbidden';
}
