/**
 * Layer 6, dreaming: a memory folder is consolidated while nobody waits for it.
 *
 * When      after a final answer, a day after the last dream and five sessions later; by hand or by a timer at any time.
 * Cost      one fork, or a conversation of its own, bounded by rounds, minutes and tokens; a normal answer costs one stat.
 * Prevents  an index that outgrows the window, and recalling what is stale, doubled or contradicted.
 * On error  nothing is changed, the time is given back, and the next one waits: an hour, six, a day.
 */

import { type DreamDecision, type DreamFacts, type DreamRoom, decideDream, decideRoom } from './decide.ts';
import type { DreamingPorts, DreamRequest, LandingMode } from './ports.ts';
import type { DreamProgress } from './progress.ts';
import { type DreamOutcome, runDream } from './run.ts';
import { type DreamingState, EMPTY_STATE } from './state.ts';

export { closingLine, summaryOf } from './closing.ts';
export { type DreamDecision, type DreamFacts, type DreamRoom, decideDream } from './decide.ts';
export type * from './ports.ts';
export type { DreamProgress, DreamRound } from './progress.ts';
export { dreamDirective } from './prompt.ts';
export type { BaseMemory, FoundEvidence, JudgedProposal, Proposal } from './proposal.ts';
export { retirements } from './retire.ts';
export { type DreamOutcome, runDream } from './run.ts';

export interface SessionDreamPorts extends DreamingPorts {
  /** What the gates ask about; `countSessions` is watched here. */
  facts(by: 'itself' | 'hand', state: DreamingState): DreamFacts;
  /** What the caps leave for a dream by itself, beside what it is expected to take. */
  rooms(): Promise<readonly DreamRoom[]>;
  /** How a dream by itself lands. */
  mode(): Exclude<LandingMode, 'dry-run'>;
  /** For the user, not for the model. */
  tell(line: string): void;
}

export interface Dreaming {
  /** The model gave its final answer. Returns at once and never throws; null when the gates could not be asked. */
  answered(): DreamDecision | null;
  /** By hand; answers when it has begun, or why it has not. */
  start(mode: Exclude<LandingMode, 'dry-run'>): Promise<{ readonly begun: boolean; readonly line: string }>;
  progress(): DreamProgress | null;
  /** Ends the one under way and waits for that; false when there is none. */
  stop(): Promise<boolean>;
}

export function createDreaming(given: SessionDreamPorts): Dreaming {
  let state = EMPTY_STATE;
  let latest: DreamProgress | null = null;
  let running: { readonly stop: AbortController; readonly done: Promise<DreamOutcome> } | null = null;

  const ports: DreamingPorts = {
    ...given,
    showProgress(progress) {
      latest = progress;
      given.showProgress(progress);
    },
  };

  function decide(): DreamDecision {
    const facts = given.facts('itself', state);
    const countSessions: DreamFacts['countSessions'] = (sinceMs) => {
      state = { scannedAtMs: facts.nowMs };
      return facts.countSessions(sinceMs);
    };
    return decideDream({ ...facts, countSessions }, given.limits);
  }

  /** Whoever asks for one has decided about its cost. */
  async function dreamWhereRoom(request: DreamRequest): Promise<DreamOutcome> {
    const noRoom = request.by === 'itself' ? decideRoom(await given.rooms()) : null;
    if (noRoom === null) return runDream(request, ports);
    const { cap, needed, left } = noRoom;
    given.record({ name: 'dream-no-room', numbers: { needed, left } });
    return { kind: 'not-begun', reason: `The ${cap}'s cap leaves no room for a dream`, fix: 'By hand: reverie dream' };
  }

  function begin(request: { readonly by: 'itself' | 'hand'; readonly mode: 'apply' | 'review'; onBegun?(): void }) {
    const stop = new AbortController();
    const done = dreamWhereRoom({ ...request, signal: stop.signal })
      .catch((error: unknown): DreamOutcome => ({ kind: 'not-begun', reason: String(error), fix: 'reverie doctor' }))
      .finally(() => {
        running = null;
      });
    running = { stop, done };
    void done.then((outcome) => {
      // One that was stopped needs no word: whoever stopped it knows.
      if (outcome.kind === 'ended' && outcome.record.status !== 'killed') given.tell(outcome.closing);
    });
    return done;
  }

  return {
    answered() {
      if (running !== null) return null;
      try {
        const decision = decide();
        if (decision.kind === 'dream') void begin({ by: 'itself', mode: given.mode() });
        return decision;
      } catch {
        return null;
      }
    },
    async start(mode) {
      if (running !== null) return { begun: false, line: 'A dream is under way already: /tasks shows it.' };
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
    async stop() {
      const current = running;
      if (current === null) return false;
      current.stop.abort();
      await current.done;
      return true;
    },
  };
}
