/**
 * Layer 6, dreaming: consolidates a memory folder while nobody is waiting for it.
 *
 * When      after a final answer, a day and five sessions after the last dream of that folder; by hand or by a timer at any time.
 * Cost      one fork, or a conversation of its own, limited in rounds, minutes and tokens; a normal answer costs one stat.
 * Prevents  an index that outgrows the window, and recalling stale, duplicate or contradicted memories.
 * On error  nothing changes, the time is given back, and the next one waits: an hour, six, a day.
 */

import { inTurns, type Steps } from '../../base/async/in-turns.ts';
import { type DreamDecision, type DreamFacts, type DreamRoom, decideRoom, deciding, type NoRoom } from './decide.ts';
import type { DreamingPorts, DreamRequest, LandingMode } from './ports.ts';
import type { DreamProgress } from './progress.ts';
import { type DreamOutcome, runDream } from './run.ts';
import { type DreamingState, EMPTY_STATE } from './state.ts';

export { closingLine, summaryOf } from './closing.ts';
export { type DreamDecision, type DreamFacts, type DreamRoom, decideDream } from './decide.ts';
export type { EarlierChange } from './decided.ts';
export type * from './ports.ts';
export type { DreamProgress, DreamRound } from './progress.ts';
export { dreamDirective, planQuestion } from './prompt.ts';
export type { BaseMemory, FoundEvidence, JudgedProposal, Proposal } from './proposal.ts';
export { retirements } from './retire.ts';
export { type DreamOutcome, runDream } from './run.ts';

export const UNDER_WAY = 'A dream is running already: /tasks shows it.';

export interface SessionDreamPorts extends DreamingPorts {
  /** What the gates ask for; `countSessions` is watched here. */
  facts(by: 'itself' | 'hand', state: DreamingState): DreamFacts;
  /** Whether no other dream of this session is running: asked right before one begins by itself. */
  isFree(): boolean;
  /** What the caps leave for an automatic dream, and what it is expected to use. */
  rooms(): Promise<readonly DreamRoom[]>;
  /** How an automatic dream lands. */
  mode(): Exclude<LandingMode, 'dry-run'>;
  /** For the user, not for the model. */
  tell(line: string): void;
  /** The gates of an automatic one failed, for example because a ledger or lock is not a valid file. */
  unbegun(error: unknown): void;
}

export interface Dreaming {
  /** The model gave its final answer. Never rejects; null when one is running or the gates failed. */
  answered(): Promise<DreamDecision | null>;
  /** By hand; resolves once it has begun, or with the reason it has not. */
  start(mode: Exclude<LandingMode, 'dry-run'>): Promise<{ readonly begun: boolean; readonly line: string }>;
  progress(): DreamProgress | null;
  isUnderWay(): boolean;
  /** Ends the running one and waits for it; false when there is none. One that was about to begin does not begin. */
  stop(): Promise<boolean>;
}

function describeNoRoom({ cap, needed, left }: NoRoom): { readonly reason: string; readonly fix: string } {
  const tokens = `it would take about ${Math.round(needed)} tokens, and ${Math.max(0, Math.floor(left))} are left`;
  return cap === 'day'
    ? { reason: `background work has used up its tokens for today (${tokens})`, fix: 'By hand: reverie dream' }
    : {
        reason: `this conversation is too long for one (${tokens})`,
        fix: 'In a conversation of its own: reverie dream',
      };
}

export function createDreaming(given: SessionDreamPorts): Dreaming {
  let state = EMPTY_STATE;
  let latest: DreamProgress | null = null;
  let running: { readonly stop: AbortController; readonly done: Promise<DreamOutcome> } | null = null;
  /** The gates are being asked; stopping the dream cancels that. */
  let asking: { isStopped: boolean } | null = null;
  let isTold = false;

  const ports: DreamingPorts = {
    ...given,
    showProgress(progress) {
      latest = progress;
      given.showProgress(progress);
    },
  };

  function* decide(): Steps<DreamDecision> {
    const facts = given.facts('itself', state);
    const { counted } = state;
    function* countSessions(sinceMs: number | null): Steps<number> {
      // Enough sessions stay enough: what was in the way before may be gone by this answer.
      if (counted !== null && counted.sinceMs === sinceMs) return counted.sessions;
      const sessions = yield* facts.countSessions(sinceMs);
      state = { scannedAtMs: facts.nowMs, counted: sessions < given.limits.sessions ? null : { sinceMs, sessions } };
      return sessions;
    }
    const scannedAtMs = counted === null ? facts.scannedAtMs : null;
    return yield* deciding({ ...facts, scannedAtMs, countSessions }, given.limits);
  }

  /** Starting one by hand settles the question of cost. */
  async function dreamWhereRoom(request: DreamRequest): Promise<DreamOutcome> {
    const noRoom = request.by === 'itself' ? decideRoom(await given.rooms()) : null;
    if (noRoom === null) return runDream(request, ports);
    const { needed, left } = noRoom;
    given.record({ name: 'dream-no-room', numbers: { needed, left } });
    const told = describeNoRoom(noRoom);
    // Once a session: it is asked again after every answer.
    if (!isTold) given.tell(`A dream is due and did not begin: ${told.reason}. ${told.fix}`);
    isTold = true;
    return { kind: 'not-begun', ...told };
  }

  function begin(request: { readonly by: 'itself' | 'hand'; readonly mode: 'apply' | 'review'; onBegun?(): void }) {
    const stop = new AbortController();
    const done = dreamWhereRoom({ ...request, signal: stop.signal })
      .catch((error: unknown): DreamOutcome => {
        // By hand, the answer says it.
        if (request.by === 'itself') given.unbegun(error);
        return { kind: 'not-begun', reason: String(error), fix: 'reverie doctor' };
      })
      .finally(() => {
        running = null;
      });
    running = { stop, done };
    void done.then((outcome) => {
      // A stopped dream needs no message: whoever stopped it knows.
      if (outcome.kind === 'ended' && outcome.record.status !== 'killed') given.tell(outcome.closing);
    });
    return done;
  }

  return {
    async answered() {
      if (running !== null || asking !== null) return null;
      const question = { isStopped: false };
      asking = question;
      try {
        const decision = await inTurns(decide());
        if (decision.kind !== 'dream') return decision;
        if (question.isStopped || running !== null || !given.isFree()) return null;
        void begin({ by: 'itself', mode: given.mode() });
        return decision;
      } catch (error) {
        given.unbegun(error);
        return null;
      } finally {
        asking = null;
      }
    },
    async start(mode) {
      if (running !== null) return { begun: false, line: UNDER_WAY };
      if (!given.facts('hand', state).isOn) {
        return { begun: false, line: 'Dreaming is off: see `reverie settings layers.dreaming`.' };
      }
      const begun = new Promise<void>((resolve) => {
        void begin({ by: 'hand', mode, onBegun: resolve }).finally(resolve);
      });
      const current = running;
      await begun;
      if (running !== null) return { begun: true, line: 'Dreaming in the background; /tasks shows how far it is.' };
      const outcome = await (current as { readonly done: Promise<DreamOutcome> } | null)?.done;
      if (outcome?.kind === 'not-begun') return { begun: false, line: `${outcome.reason}. ${outcome.fix}` };
      return { begun: true, line: outcome?.closing ?? '' };
    },
    progress: () => latest,
    isUnderWay: () => running !== null,
    async stop() {
      if (asking !== null) asking.isStopped = true;
      const current = running;
      if (current === null) return false;
      current.stop.abort();
      await current.done;
      return true;
    },
  };
}
