/**
 * Layer 3, session notes.
 *
 * When: after a response, once enough is new; alongside the conversation, which never waits for it.
 * Cost: a model call that reads the warm cache and writes edits, limited to a share of what the conversation costs.
 * Prevents: the summary at a compaction, and the wait for it: existing notes take its place.
 * On error: the notes stay as they were; after three failures in a row no more are made, and compaction asks a model.
 */

import { createBreaker } from '../../base/async/breaker.ts';
import { messageOf } from '../../base/values.ts';
import type { Entry } from '../../conversation/entry.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import { NOTES_LIMITS } from '../../limits.ts';
import { notesBudget } from './budget.ts';
import { decideNotes, type NotesDecision } from './decide.ts';
import { canEditNotes } from './draft.ts';
import { holdsMore, restoreHeadings } from './headings.ts';
import type { NotesPorts, ResponseFacts, UpdateOutcome } from './ports.ts';
import { formOf } from './prompt.ts';
import { runUpdate } from './run.ts';
import {
  INITIAL_STATE,
  type NotesState,
  stateAfterCompaction,
  stateAfterFailure,
  stateAfterUpdate,
  stateAtResponse,
  stateAtStart,
} from './state.ts';

export type { NotesDecision } from './decide.ts';
export { parseTemplate, restoreHeadings } from './headings.ts';
export type { NotesPorts, ResponseFacts, UpdateOutcome } from './ports.ts';
export type { NotesConfig } from './prompt.ts';
export { isNotesState, type NotesState } from './state.ts';

export interface KeptNotes {
  readonly text: string;
  readonly path: string;
  readonly coveredUuid: string;
}

export interface SessionNotes {
  /** After every response, when its message has joined the conversation. May start an update; never throws. */
  answered(response: ResponseFacts): NotesDecision;
  /** Whether the notes could replace these messages; reads no file. */
  isReady(entries: readonly Entry[]): boolean;
  /** The notes and the last message they cover; null when they hold no more than their template. */
  readNotes(): KeptNotes | null;
  /** The notes replaced messages; these are what the conversation consists of now. */
  stoodIn(entries: readonly Entry[]): void;
  /** For the transcript. */
  state(): NotesState;
  /** Settles when no update is running. */
  settled(): Promise<void>;
  /** Stops the running update, and starts no more. */
  stop(): void;
}

export function createSessionNotes(ports: NotesPorts, resumed: NotesState = INITIAL_STATE): SessionNotes {
  const { limits } = ports;
  const stopping = new AbortController();
  const told = new Set<string>();
  let state = resumed;
  let running: Promise<void> | null = null;
  /** Tokens of the file when last seen; 0 while it says nothing. */
  let notesTokens = 0;
  if (resumed !== INITIAL_STATE) recall();
  const breaker = createBreaker({
    limit: limits.notes.failures,
    failures: state.failures,
    onTrip: (trip) => ports.onPaused(trip),
  });

  /** Notes that were removed, or never copied, cover nothing. */
  function recall(): void {
    const notes = readNotes();
    if (notes === null) state = INITIAL_STATE;
    else notesTokens = estimateTextTokens(notes.text);
  }

  function tellOnce(line: string): void {
    if (told.has(line)) return;
    told.add(line);
    ports.onProblem(line);
  }

  function readNotes(): KeptNotes | null {
    const { coveredUuid } = state;
    if (coveredUuid === null) return null;
    try {
      const text = ports.readNotes();
      const { template } = formOf(ports.readConfig());
      if (text === null || !holdsMore(text, template)) return null;
      return { text: restoreHeadings(text, template), path: ports.path, coveredUuid };
    } catch (error) {
      tellOnce(`Session notes cannot be read: ${messageOf(error)}`);
      return null;
    }
  }

  function decide(response: ResponseFacts): NotesDecision {
    const budget = notesBudget({ effective: response.window.effective, limits });
    return decideNotes({
      isOn: ports.isOn() && !stopping.signal.aborted,
      isAutoCompactionOn: ports.isAutoCompactionOn(),
      canEdit: canEditNotes(ports.parent().rendered.tools.map(({ name }) => name)),
      isRunning: running !== null,
      state,
      tokens: response.tokens,
      lastToolCalls: response.toolCalls,
      windowTokens: response.windowTokens,
      window: response.window,
      urgentTokens: budget.urgentTokens,
      addedTokens: Math.min(budget.ceilingTokens, notesTokens) + NOTES_LIMITS.directiveTokens,
      spent: ports.spent(),
      limits: limits.notes,
    });
  }

  function start(response: ResponseFacts): void {
    state = stateAtStart(state, response.tokens);
    running = runUpdate(response, { ports: { ...ports, onProblem: tellOnce }, signal: stopping.signal })
      .then((outcome) => settle(outcome, response.uuid))
      // A failing listener must not break the next update.
      .catch(() => {})
      .finally(() => {
        running = null;
      });
  }

  function settle(outcome: UpdateOutcome, uuid: string): void {
    switch (outcome.kind) {
      case 'updated':
        state = stateAfterUpdate(state, uuid);
        breaker.counted(state.failures, '');
        notesTokens = outcome.notesTokens;
        break;
      case 'failed':
        state = stateAfterFailure(state);
        tellOnce(`Session notes were not updated: ${outcome.problem}.`);
        breaker.counted(state.failures, outcome.problem);
        break;
      case 'cap':
        // The amounts change from time to time; this is reported once.
        if (!told.has('cap')) ports.onProblem(`Session notes wait: ${outcome.problem}`);
        told.add('cap');
        break;
      case 'aborted':
        break;
    }
    ports.onUpdate(outcome);
    ports.onState(state);
  }

  function isCovered(entries: readonly Entry[]): boolean {
    return entries.findLastIndex(({ uuid }) => uuid === state.coveredUuid) !== -1;
  }

  return {
    answered(response) {
      try {
        state = stateAtResponse(state, response);
        const decision = decide(response);
        if (decision.kind === 'update') start(response);
        return decision;
      } catch (error) {
        tellOnce(`Session notes failed: ${messageOf(error)}`);
        return { kind: 'wait', reason: 'off' };
      }
    },
    isReady: (entries) => ports.isOn() && notesTokens > 0 && state.coveredUuid !== null && isCovered(entries),
    readNotes,
    stoodIn(entries) {
      const [summary] = entries;
      if (summary === undefined) return;
      state = stateAfterCompaction(state, { summaryUuid: summary.uuid, isCoveredGone: !isCovered(entries) });
      ports.onState(state);
    },
    state: () => state,
    settled: async () => (running === null ? undefined : running),
    stop: () => stopping.abort(),
  };
}
