/** A host's flags as they may be: quick, slow, broken or silent. Nothing of it reaches the conversation. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../limits.ts';
import { askFlags, type FlagAnswer, type Flags } from './flags.ts';

const NAME = 'layers.recall';
const { answerMs, holdMs } = LIMITS.flags;

function asked(flags: Flags) {
  const told = { switched: [] as string[], problems: [] as string[], trips: [] as string[] };
  const clock = { ms: 0 };
  const asking = askFlags({
    flags,
    limits: LIMITS.flags,
    nowMs: () => clock.ms,
    onSwitched: (name, isOff) => told.switched.push(`${name} ${isOff ? 'off' : 'on'}`),
    onProblem: (name, problem) => told.problems.push(`${name}: ${problem}`),
    onPaused: ({ problem }) => told.trips.push(problem),
  });
  return { ...asking, ...told, clock };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('an answer at once', () => {
  it.each<[unknown, boolean]>([
    [false, true],
    [true, false],
    [undefined, false],
    [null, false],
    [0, false],
    ['', false],
    ['false', false],
    [{}, false],
  ])('%j switches off: %j', (answer, isOff) => {
    const { isOff: ask, switched } = asked(() => answer as FlagAnswer);
    expect(ask(NAME)).toBe(isOff);
    expect(switched).toEqual(isOff ? [`${NAME} off`] : []);
  });

  it('counts for the run that it is asked for, and is told when it changes', () => {
    let answer = true;
    const flags = asked((name) => (name === NAME ? answer : undefined));
    const course = [true, false, false, true].map((next) => {
      answer = next;
      return [flags.isOff(NAME), flags.isOff('layers.notes')];
    });
    expect(course).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [false, false],
    ]);
    expect(flags.switched).toEqual([`${NAME} off`, `${NAME} on`]);
  });
});

describe('a promise', () => {
  it('is not waited for, and counts from then on', async () => {
    const flags = asked(async () => false);
    expect(flags.isOff(NAME)).toBe(false);
    await settled();
    expect(flags.isOff(NAME)).toBe(true);
  });

  it('counts for the first run when it was asked for ahead', async () => {
    const flags = asked(async (name) => name !== NAME);
    flags.askAhead(['layers.notes', NAME]);
    await settled();
    expect([flags.isOff('layers.notes'), flags.isOff(NAME)]).toEqual([false, true]);
  });

  it('is asked for once at a time', async () => {
    let calls = 0;
    const flags = asked(async () => {
      calls += 1;
      return true;
    });
    for (let time = 0; time < 10; time++) flags.isOff(NAME);
    expect(calls).toBe(1);
    await settled();
    flags.isOff(NAME);
    expect(calls).toBe(2);
  });

  it('that takes too long leaves the part on, whatever was said before and whatever comes of it', async () => {
    const late: ((answer: boolean) => void)[] = [];
    let isSlow = false;
    const flags = asked(() => (isSlow ? new Promise<boolean>((resolve) => late.push(resolve)) : false));
    expect(flags.isOff(NAME)).toBe(true);
    isSlow = true;
    expect(flags.isOff(NAME)).toBe(true);
    flags.clock.ms += answerMs;
    expect(flags.isOff(NAME)).toBe(true);
    flags.clock.ms += 1;
    expect(flags.isOff(NAME)).toBe(false);
    late[0]!(false);
    await settled();
    expect(flags.isOff(NAME)).toBe(false);
    // The next one is in time again.
    late[1]!(false);
    await settled();
    expect(flags.isOff(NAME)).toBe(true);
    expect(flags.problems).toEqual([`${NAME}: there was no answer within ${answerMs} ms`]);
  });

  it('that comes after its time, before anybody asks again, counts as little', async () => {
    const late: ((answer: boolean) => void)[] = [];
    const flags = asked(() => new Promise<boolean>((resolve) => late.push(resolve)));
    flags.isOff(NAME);
    flags.clock.ms += answerMs + 1;
    late[0]!(false);
    await settled();
    expect(flags.isOff(NAME)).toBe(false);
  });
});

describe('a function that fails', () => {
  it.each<[string, Flags]>([
    [
      'throws',
      () => {
        throw new Error('no network');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('no network'))],
  ])('%s: the part stays on, and that is told once until there is an answer', async (_, fail) => {
    let isFailing = true;
    const flags = asked((name) => (isFailing ? fail(name) : false));
    for (let time = 0; time < 4; time++) {
      expect(flags.isOff(NAME)).toBe(false);
      await settled();
    }
    expect(flags.problems).toEqual([`${NAME}: no network`]);
    isFailing = false;
    expect(flags.isOff(NAME)).toBe(true);
    isFailing = true;
    flags.isOff(NAME);
    await settled();
    expect(flags.isOff(NAME)).toBe(false);
    expect(flags.problems).toHaveLength(2);
  });

  it('holds the process up: its word does not count, and after three times in a row it is asked no more', () => {
    let calls = 0;
    const flags = asked(() => {
      calls += 1;
      flags.clock.ms += calls === 2 ? holdMs : holdMs + 1;
      return false;
    });
    expect([1, 2, 3, 4, 5, 6, 7].map(() => flags.isOff(NAME))).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(calls).toBe(5);
    expect(flags.trips).toEqual([expect.stringContaining(`${holdMs + 1} ms`)]);
    flags.askAhead([NAME]);
    expect(calls).toBe(5);
  });

  it('never throws and never waits, whatever it is given back', () => {
    const broken = () => {
      throw new Error('odd');
    };
    const thenable = (then: unknown) => Object.defineProperty({}, 'then', { value: then });
    const oddities = fc.oneof(
      fc.anything(),
      fc.constantFrom<unknown>(
        thenable(1),
        thenable(broken),
        thenable((resolve: (value: unknown) => void) => resolve(false)),
        Object.defineProperty({}, 'then', { get: broken }),
      ),
    );
    fc.assert(
      fc.property(oddities, (answer) => {
        expect(asked(() => answer as FlagAnswer).isOff(NAME)).toBe(answer === false);
      }),
    );
  });

  it('is not made worse by whoever hears of it', () => {
    const broken = (): never => {
      throw new Error('nobody listens');
    };
    const flags = askFlags({
      ...{ flags: () => false, limits: LIMITS.flags, nowMs: () => 0 },
      ...{ onSwitched: broken, onProblem: broken, onPaused: broken },
    });
    expect(flags.isOff(NAME)).toBe(true);
  });
});
