/** When a dream begins: every reason to wait, what each costs to check, and what a person may skip. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { type DreamDecision, type DreamFacts, decideDream, retryAtMs } from './decide.ts';
import type { DreamLook } from './records/lock.ts';

const limits = LIMITS.dreaming;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2031, 4, 8, 12);
const hoursAgo = (hours: number) => NOW - hours * HOUR_MS;

interface Situation {
  readonly by: DreamFacts['by'];
  readonly isOn: boolean;
  readonly isDailyLog: boolean;
  readonly scannedAtMs: number | null;
  /** What one stat shows. */
  readonly seenAtMs: number | null;
  readonly isOpen: boolean;
  readonly look: DreamLook;
  readonly sessions: number;
  readonly memories?: number;
}

const holder = { pid: 7, host: 'here', sinceMs: NOW - MINUTE_MS, isOtherHost: false };
const look: DreamLook = {
  ...{
    lastAtMs: hoursAgo(30),
    heldBy: null,
    failures: 0,
    failedAtMs: null,
    problem: '',
    hasDied: false,
    unseenSinceMs: null,
  },
};
/** Every condition for a dream is met. */
const due: Situation = {
  ...{ by: 'itself', isOn: true, isDailyLog: false, scannedAtMs: null },
  ...{ seenAtMs: hoursAgo(30), isOpen: false, look, sessions: limits.sessions },
};

function decide(situation: Situation): { decision: DreamDecision; asked: string[] } {
  const asked: string[] = [];
  const facts: DreamFacts = {
    ...situation,
    nowMs: NOW,
    lastDream: () => {
      asked.push('stat');
      return { atMs: situation.seenAtMs, isOpen: situation.isOpen };
    },
    look: () => {
      asked.push('look');
      return situation.look;
    },
    *countMemories() {
      yield;
      return situation.memories ?? 2;
    },
    *countSessions(sinceMs) {
      asked.push(`sessions since ${sinceMs}`);
      yield;
      return situation.sessions;
    },
  };
  return { decision: decideDream(facts, limits), asked };
}

const wait = (reason: string, more: object = {}) => ({ kind: 'wait', reason, ...more });
const failed = (failures: number, hours: number): Partial<Situation> => ({
  look: { ...look, failures, failedAtMs: hoursAgo(hours), problem: 'no model' },
});
const counted = `sessions since ${look.lastAtMs}`;
const backingOff = (failures: number, inHours: number) =>
  wait('backing-off', { failures, untilMs: NOW + inHours * HOUR_MS, problem: 'no model' });

describe('decideDream', () => {
  it.each<[string, Partial<Situation>, object, readonly string[]]>([
    ['all is due', {}, { kind: 'dream', sinceMs: look.lastAtMs }, ['stat', 'look', counted]],
    ['it is off', { isOn: false }, wait('off'), []],
    ['there is a log a day', { isDailyLog: true }, wait('daily-log'), []],
    [
      'the last was lately: a normal turn',
      { seenAtMs: hoursAgo(23) },
      wait('too-soon', { untilMs: NOW + HOUR_MS }),
      ['stat'],
    ],
    ['the last was a day ago', { seenAtMs: hoursAgo(24) }, { kind: 'dream' }, ['stat', 'look', counted]],
    ['the file is from next year', { seenAtMs: hoursAgo(-9000) }, { kind: 'dream' }, ['stat', 'look', counted]],
    [
      'sessions were counted lately',
      { scannedAtMs: NOW - 9 * MINUTE_MS },
      wait('scanned-lately', { untilMs: NOW + MINUTE_MS }),
      ['stat'],
    ],
    ['they were counted long ago', { scannedAtMs: NOW - 10 * MINUTE_MS }, { kind: 'dream' }, ['stat', 'look', counted]],
    [
      'too few were touched',
      { sessions: 4 },
      wait('too-few-sessions', { sessions: 4, needed: 5 }),
      ['stat', 'look', counted],
    ],
    ['there is one memory alone', { memories: 1 }, wait('too-few-memories', { memories: 1 }), ['stat', 'look']],
    [
      'someone else dreams',
      { isOpen: true, seenAtMs: NOW - MINUTE_MS, look: { ...look, heldBy: holder } },
      wait('someone-else-dreams', { holder }),
      ['stat', 'look'],
    ],
    [
      'one began lately and died: the time before it counts',
      { isOpen: true, seenAtMs: hoursAgo(2), look: { ...look, failures: 1, failedAtMs: hoursAgo(2), hasDied: true } },
      { kind: 'dream', sinceMs: look.lastAtMs },
      ['stat', 'look', counted],
    ],
    [
      'one died, and the one before it was lately',
      { isOpen: true, seenAtMs: hoursAgo(2), look: { ...look, lastAtMs: hoursAgo(20), hasDied: true } },
      wait('too-soon', { untilMs: NOW + 4 * HOUR_MS }),
      ['stat', 'look'],
    ],
    [
      'the public file was removed, and the record knows better',
      { seenAtMs: null, look: { ...look, lastAtMs: hoursAgo(1) } },
      wait('too-soon', { untilMs: NOW + 23 * HOUR_MS }),
      ['stat', 'look'],
    ],
    [
      'there never was one',
      { seenAtMs: null, look: { ...look, lastAtMs: null } },
      { kind: 'dream', sinceMs: null },
      ['stat', 'look', 'sessions since null'],
    ],
    ['it failed once, half an hour ago', failed(1, 0.5), backingOff(1, 0.5), ['stat', 'look']],
    ['it failed once, an hour ago', failed(1, 1), { kind: 'dream' }, ['stat', 'look', counted]],
    ['it failed twice, an hour ago', failed(2, 1), backingOff(2, 5), ['stat', 'look']],
    ['it failed twice, six hours ago', failed(2, 6), { kind: 'dream' }, ['stat', 'look', counted]],
    ['it failed three times, six hours ago', failed(3, 6), backingOff(3, 18), ['stat', 'look']],
    ['it failed nine times, six hours ago', failed(9, 6), backingOff(9, 18), ['stat', 'look']],
    ['it failed nine times, a day ago', failed(9, 24), { kind: 'dream' }, ['stat', 'look', counted]],
    ['it failed in the far future', failed(1, -2000), { kind: 'dream' }, ['stat', 'look', counted]],
  ])('when %s', (_when, given, expected, questions) => {
    const { decision, asked } = decide({ ...due, ...given });
    expect(decision).toMatchObject(expected);
    expect(asked).toEqual(questions);
  });

  it('by hand or by a timer checks only that it is on and free', () => {
    const times = fc.option(fc.integer({ min: 0, max: 2 * NOW }));
    const situations = fc.record({
      by: fc.constantFrom<DreamFacts['by']>('hand', 'timer'),
      isOn: fc.boolean(),
      isDailyLog: fc.boolean(),
      scannedAtMs: times,
      seenAtMs: times,
      isOpen: fc.boolean(),
      look: fc.record({
        lastAtMs: times,
        heldBy: fc.option(fc.constant(holder)),
        failures: fc.nat(5),
        failedAtMs: times,
        problem: fc.string(),
        hasDied: fc.boolean(),
        unseenSinceMs: times,
      }),
      sessions: fc.nat(9),
    });
    fc.assert(
      fc.property(situations, (situation) => {
        const { decision, asked } = decide(situation);
        expect(asked).toEqual(situation.isOn ? ['look'] : []);
        const expected = situation.look.heldBy
          ? wait('someone-else-dreams', { holder })
          : { kind: 'dream', sinceMs: situation.look.lastAtMs };
        expect(decision).toEqual(situation.isOn ? expected : wait('off'));
      }),
    );
  });
});

describe('retryAtMs', () => {
  it.each<[number, number | null]>([
    [0, null],
    [1, 1],
    [2, 6],
    [3, 24],
    [4, 24],
    [40, 24],
  ])('after %i failures', (failures, hours) => {
    const expected = hours === null ? null : NOW + hours * HOUR_MS;
    expect(retryAtMs({ failures, failedAtMs: NOW })).toBe(expected);
  });
});
