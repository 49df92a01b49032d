/** When notes are updated: every trigger and every reason to wait. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { decideNotes, type NotesFacts } from './decide.ts';
import {
  INITIAL_STATE,
  isNotesState,
  type NotesState,
  stateAfterFailure,
  stateAtResponse,
  stateAtStart,
} from './state.ts';

const KEPT: NotesState = {
  tokens: 20_000,
  seenTokens: 24_000,
  toolCalls: 3,
  coveredUuid: 'a',
  updates: 1,
  failures: 0,
};

const FACTS: NotesFacts = {
  isOn: true,
  isAutoCompactionOn: true,
  canEdit: true,
  isRunning: false,
  state: KEPT,
  tokens: 25_000,
  lastToolCalls: 1,
  windowTokens: 33_000,
  window: { warnAt: 147_000, hardStopAt: 177_000 },
  urgentTokens: 20_000,
  addedTokens: 3_000,
  spent: { main: 1, notes: 0.05 },
  limits: LIMITS.notes,
};

const update = (reason: string) => ({ kind: 'update', reason });
const wait = (reason: string) => ({ kind: 'wait', reason });

describe('notes', () => {
  it.each<[string, Partial<NotesFacts>, object]>([
    ['are begun at ten thousand tokens', { state: INITIAL_STATE, tokens: 10_000 }, update('first')],
    ['are not begun before', { state: INITIAL_STATE, tokens: 9_999 }, wait('too-short')],
    ['go on after five thousand tokens and three calls', {}, update('tool-calls')],
    ['wait for the five thousand', { tokens: 24_999 }, wait('too-little-new')],
    ['wait for them after an answer, too', { tokens: 24_999, lastToolCalls: 0 }, wait('too-little-new')],
    ['wait for the third call', { state: { ...KEPT, toolCalls: 2 } }, wait('in-the-middle')],
    ['go on at an answer without a call', { state: { ...KEPT, toolCalls: 2 }, lastToolCalls: 0 }, update('pause')],
    ['are off when switched off', { isOn: false }, wait('off')],
    ['are off without auto-compaction', { isAutoCompactionOn: false }, wait('no-auto-compaction')],
    ['are off where nothing can be edited', { canEdit: false }, wait('no-edit-tool')],
    ['are updated one at a time', { isRunning: true }, wait('running')],
    ['end after three failures', { state: { ...KEPT, failures: 3 } }, wait('failed-too-often')],
    ['go on after two', { state: { ...KEPT, failures: 2 } }, update('tool-calls')],
    ['wait once they cost too much', { spent: { main: 1, notes: 0.08 } }, wait('too-dear')],
    [
      'ask for no price shortly before a compaction that they are too old for',
      { spent: { main: 1, notes: 0.2 }, windowTokens: 147_000, tokens: 40_000 },
      update('tool-calls'),
    ],
    [
      'wait there, too, while they are new enough for it',
      { spent: { main: 1, notes: 0.2 }, windowTokens: 147_000, tokens: 39_999 },
      wait('too-dear'),
    ],
    ['are begun while nothing was paid yet', { spent: { main: 0, notes: 0 } }, update('tool-calls')],
    ['leave no request that does not fit', { windowTokens: 174_001 }, wait('no-room')],
  ])('%s', (_what, facts, decision) => {
    expect(decideNotes({ ...FACTS, ...facts })).toEqual(decision);
  });

  it('always need something new, and never run alongside themselves', () => {
    const state = fc.record({
      tokens: fc.nat(200_000),
      seenTokens: fc.nat(200_000),
      toolCalls: fc.nat(10),
      coveredUuid: fc.constant('a'),
      updates: fc.nat(10),
      failures: fc.nat(4),
    });
    const facts = fc.record({
      state,
      tokens: fc.nat(200_000),
      lastToolCalls: fc.nat(3),
      isRunning: fc.boolean(),
      windowTokens: fc.nat(200_000),
    });
    fc.assert(
      fc.property(facts, (some) => {
        if (decideNotes({ ...FACTS, ...some }).kind === 'wait') return;
        expect(some.isRunning).toBe(false);
        expect(some.tokens - some.state.tokens).toBeGreaterThanOrEqual(LIMITS.notes.growthTokens);
        expect(some.state.failures).toBeLessThan(LIMITS.notes.failures);
      }),
    );
  });
});

describe('what they remember', () => {
  it('counts what is new across a compaction', () => {
    const after = stateAtResponse(KEPT, { tokens: 6_000, toolCalls: 1 });
    expect(after).toEqual({ ...KEPT, tokens: 2_000, seenTokens: 6_000, toolCalls: 4 });
    expect(decideNotes({ ...FACTS, state: after, tokens: 6_999 })).toEqual(wait('too-little-new'));
    expect(decideNotes({ ...FACTS, state: after, tokens: 7_000 })).toEqual(update('tool-calls'));
  });

  it('never waits for more than there is', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200_000)), (sizes) => {
        const state = sizes.reduce((before, tokens) => stateAtResponse(before, { tokens, toolCalls: 1 }), KEPT);
        expect(state.tokens).toBeGreaterThanOrEqual(0);
        expect(state.tokens).toBeLessThanOrEqual(Math.max(20_000, ...sizes));
        if (sizes.length > 0) expect(state.tokens).toBeLessThanOrEqual(Math.max(sizes.at(-1)!, 0));
      }),
    );
  });

  it('needs as much again after a failed try', () => {
    const state = stateAfterFailure(stateAtStart(KEPT, 25_000));
    expect(decideNotes({ ...FACTS, state, tokens: 26_000 })).toEqual(wait('too-little-new'));
    expect(state.coveredUuid).toBe('a');
  });

  it('is read back from a transcript, and nothing else is', () => {
    expect(isNotesState(JSON.parse(JSON.stringify(KEPT)))).toBe(true);
    expect(isNotesState(JSON.parse(JSON.stringify(INITIAL_STATE)))).toBe(true);
    for (const other of [null, 3, {}, { ...KEPT, failures: '1' }, { ...KEPT, coveredUuid: 1 }]) {
      expect(isNotesState(other)).toBe(false);
    }
  });
});
