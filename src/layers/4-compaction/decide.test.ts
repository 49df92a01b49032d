import { describe, expect, it } from 'vitest';
import { windowFor } from '../../../test/support/compaction-harness.ts';
import { LIMITS } from '../../limits.ts';
import { type CompactionFacts, decideCompaction } from './decide.ts';
import { INITIAL_STATE, stateAfterFailure, stateAfterSuccess, stateAtLook } from './state.ts';

const window = windowFor(200_000);
const limits = LIMITS.compaction;
const base: CompactionFacts = {
  windowTokens: 170_000,
  window,
  trigger: 'auto',
  state: INITIAL_STATE,
  isFork: false,
  enabled: true,
  notes: 'none',
  limits,
};
const few = { windowTokens: 100_000 };
const pays = { kind: 'compact', reason: 'pays' } as const;
const cold = { kind: 'compact', reason: 'cache-cold' } as const;
const lagging = { kind: 'write-notes', reason: 'tail-too-long' } as const;
const failedThrice = { ...INITIAL_STATE, failures: 3 };
const refilledThrice = { ...INITIAL_STATE, refills: 3 };

describe('whether to compact', () => {
  it.each<[string, Partial<CompactionFacts>, string]>([
    ['the window is full', {}, 'model window-full'],
    ['exactly at the threshold of 167,000', { windowTokens: 167_000 }, 'model window-full'],
    ['one token below it', { windowTokens: 166_999 }, 'wait room-left'],
    ['notes come first', { notes: 'ready' }, 'notes window-full'],
    ['a fork never does', { isFork: true }, 'wait fork'],
    ['a fork not even when refused', { isFork: true, trigger: 'reactive' }, 'wait fork'],
    ['switched off', { enabled: false }, 'wait off'],
    ['by hand although it is off', { enabled: false, trigger: 'manual' }, 'model asked'],
    ['by hand with room left, and not from notes', { ...few, notes: 'ready', trigger: 'manual' }, 'model asked'],
    ['by hand after failures', { state: failedThrice, trigger: 'manual' }, 'model asked'],
    ['by hand after refills', { state: refilledThrice, trigger: 'manual' }, 'model asked'],
    ['the provider says too long', { ...few, trigger: 'reactive' }, 'model too-long'],
    ['too long, with notes', { ...few, trigger: 'reactive', notes: 'ready' }, 'notes too-long'],
    ['after three failures', { state: failedThrice }, 'wait failed-too-often'],
    ['after two failures', { state: { ...INITIAL_STATE, failures: 2 } }, 'model window-full'],
    ['full again three times running', { state: refilledThrice }, 'wait fills-at-once'],
    ['full again, and refused', { state: refilledThrice, trigger: 'reactive' }, 'wait fills-at-once'],
    ['cold cache and notes', { ...few, notes: 'ready', thrift: cold }, 'notes cache-cold'],
    ['cold cache without notes', { ...few, thrift: cold }, 'wait room-left'],
    ['reading has cost as much as breaking', { ...few, notes: 'ready', thrift: pays }, 'notes thrift'],
    ['it pays, but there are no notes', { ...few, thrift: pays }, 'wait room-left'],
    [
      'it pays, but it failed too often',
      { ...few, notes: 'ready', thrift: pays, state: failedThrice },
      'wait room-left',
    ],
    ['it pays, but it is switched off', { ...few, notes: 'ready', thrift: pays, enabled: false }, 'wait off'],
    ['it pays, and the window is full', { notes: 'ready', thrift: pays }, 'notes window-full'],
    ['it would pay with newer notes', { ...few, notes: 'ready', thrift: lagging }, 'wait room-left'],
    ['nobody asked whether it pays', { ...few, notes: 'ready' }, 'wait room-left'],
  ])('%s', (_, facts, expected) => {
    const decision = decideCompaction({ ...base, ...facts });
    expect(`${decision.kind === 'compact' ? decision.from : 'wait'} ${decision.reason}`).toBe(expected);
  });

  it('says what is wrong when the user must do something, and nothing when all is well', () => {
    const problemOf = (facts: Partial<CompactionFacts>) => {
      const decision = decideCompaction({ ...base, ...facts });
      return decision.kind === 'wait' ? decision.problem : null;
    };
    expect(problemOf({ state: failedThrice })).toMatch(/^Compaction failed 3 times in a row .*\/compact/);
    expect(problemOf({ state: refilledThrice })).toMatch(/full again .* last 3 compactions/);
    expect(problemOf(few)).toBeNull();
    expect(problemOf({ isFork: true })).toBeNull();
  });
});

describe('the breakers', () => {
  const success = (state = INITIAL_STATE, isByHand = false) =>
    stateAfterSuccess(state, { carried: state.carried, isByHand });

  it('a success forgives failures', () => {
    const failed = stateAfterFailure(stateAfterFailure(INITIAL_STATE));
    expect(success(failed).failures).toBe(0);
    expect(stateAfterFailure(failed).failures).toBe(3);
  });

  it('a window that is full at the first look after each compaction counts up; room in between resets it', () => {
    let state = INITIAL_STATE;
    for (const expected of [1, 2, 3]) {
      state = stateAtLook(success(state), { isFull: true });
      expect(state.refills).toBe(expected);
    }
    expect(stateAtLook(state, { isFull: false }).refills).toBe(0);
  });

  it('a window that fills only later is not a refill', () => {
    const used = stateAtLook(success(), { isFull: false });
    expect(stateAtLook(used, { isFull: true }).refills).toBe(0);
    // A second look without a compaction in between does not count either.
    const refilled = stateAtLook(success(), { isFull: true });
    expect(stateAtLook(refilled, { isFull: true }).refills).toBe(1);
  });

  it('compacting by hand starts over', () => {
    expect(success({ ...INITIAL_STATE, refills: 3 }, true).refills).toBe(0);
    expect(success({ ...INITIAL_STATE, refills: 2 }).refills).toBe(2);
  });
});
