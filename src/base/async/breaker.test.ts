import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBreaker, type Trip } from './breaker.ts';

function breaker(facts: { readonly limit: number; readonly failures?: number }) {
  const trips: Trip[] = [];
  return { ...createBreaker({ ...facts, onTrip: (trip) => trips.push(trip) }), trips };
}

describe('a breaker', () => {
  it.each<[string, string, number | undefined, { isPaused: boolean; failures: number; trips: string[] }]>([
    ['has nothing to say of a part that works', '+++', undefined, { isPaused: false, failures: 0, trips: [] }],
    ['lets two failures pass', '--', undefined, { isPaused: false, failures: 2, trips: [] }],
    ['trips at the third in a row', '---', undefined, { isPaused: true, failures: 3, trips: ['problem 2'] }],
    ['starts over with a success', '--+--', undefined, { isPaused: false, failures: 2, trips: [] }],
    [
      'trips once, whatever is tried afterwards',
      '------',
      undefined,
      { isPaused: true, failures: 6, trips: ['problem 2'] },
    ],
    ['is repaired by a success', '---+', undefined, { isPaused: false, failures: 0, trips: ['problem 2'] }],
    ['may trip again then', '---+---', undefined, { isPaused: true, failures: 3, trips: ['problem 2', 'problem 6'] }],
    ['goes on with what a session was left with', '-', 2, { isPaused: true, failures: 3, trips: ['problem 0'] }],
    ['does not repeat what the session before it said', '-', 3, { isPaused: true, failures: 4, trips: [] }],
  ])('%s', (_, course, failures, expected) => {
    const one = breaker({ limit: 3, ...(failures === undefined ? {} : { failures }) });
    for (const [at, step] of [...course].entries()) {
      if (step === '+') one.succeeded();
      else one.failed(`problem ${at}`);
    }
    expect({
      isPaused: one.isPaused(),
      failures: one.failures(),
      trips: one.trips.map(({ problem }) => problem),
    }).toEqual(expected);
  });

  it('says the same for a part that counts for itself', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), fc.integer({ min: 1, max: 5 }), (course, limit) => {
        const [counting, told] = [breaker({ limit }), breaker({ limit })];
        let failures = 0;
        for (const [at, isGood] of course.entries()) {
          failures = isGood ? 0 : failures + 1;
          if (isGood) counting.succeeded();
          else counting.failed(String(at));
          told.counted(failures, String(at));
        }
        expect(told.trips).toEqual(counting.trips);
        expect(told.failures()).toBe(counting.failures());
      }),
    );
  });

  it('trips as often as failures reach the limit, and never says less', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), fc.integer({ min: 1, max: 5 }), (course, limit) => {
        const one = breaker({ limit });
        for (const isGood of course) isGood ? one.succeeded() : one.failed('');
        const runs = course
          .map((isGood) => (isGood ? '+' : '-'))
          .join('')
          .split('+');
        expect(one.trips).toHaveLength(runs.filter(({ length }) => length >= limit).length);
        expect(one.isPaused()).toBe(runs.at(-1)!.length >= limit);
      }),
    );
  });

  it('survives a listener that throws', () => {
    const one = createBreaker({
      limit: 1,
      onTrip() {
        throw new Error('the disk is full');
      },
    });
    expect(() => one.failed('once')).not.toThrow();
    expect(one.isPaused()).toBe(true);
  });
});
