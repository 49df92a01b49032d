import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { readLedger } from '../disk/ledger/ledger.ts';
import { findPlace } from '../settings/place.ts';
import { type BreakerName, type PausedPart, reasonOf, whenTripped } from './breakers.ts';
import { openAgentMeter } from './meter.ts';

const PARTS: readonly (readonly [BreakerName, PausedPart])[] = [
  ['storing', 'tool-results'],
  ['clearing', 'microcompact'],
  ['folding', 'collapse'],
  ['notes', 'notes'],
  ['compacting', 'compaction'],
  ['compacting-from-notes', 'notes-compaction'],
  ['selecting', 'recall'],
  ['ranking', 'recall'],
  ['extraction', 'extraction'],
  ['dreaming', 'dream'],
  ['logging', 'daily-log'],
  ['flags', 'flags'],
];

let home: string;
beforeEach(() => {
  home = temporaryFolder('breakers');
});

async function recorded(): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of readLedger({ home, now: new Date() })) lines.push(line);
  return lines;
}

describe('a breaker that trips', () => {
  it.each(PARTS)('by %s leaves two lines in the ledger, and one for the user that says why', async (name, part) => {
    const told: string[] = [];
    const place = findPlace({ home, cwd: home, env: { HOME: home } });
    const meter = openAgentMeter({ place, session: 's', onProblem: (line) => told.push(line) });
    whenTripped(name, { ledger: meter, tell: (line) => told.push(line) })({
      failures: 3,
      problem: 'No such\n  model.',
    });
    meter.close();
    expect(await recorded()).toMatchObject([
      { type: 'event', session: 's', name: 'breaker', numbers: { failures: 3 }, cause: part },
      { type: 'event', session: 's', name: `${part}-paused`, numbers: { failures: 3 }, cause: 'No such model.' },
    ]);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^[A-Z].* failed 3 times in a row and pauses for this session: No such model\. [A-Z]/);
  });

  it('may leave it to the part to say so', () => {
    const trips: unknown[] = [];
    whenTripped('compacting', { ledger: { recordTrip: (trip) => trips.push(trip) } })({ failures: 3, problem: 'no' });
    expect(trips).toEqual([{ part: 'compaction', failures: 3, problem: 'no' }]);
  });
});

describe('the reason that is kept', () => {
  const key = ['AKIA', 'Q3EGRZ7L', 'N5XWTB2M'].join('');

  it.each([
    ['is what went wrong', 'overloaded', 'overloaded'],
    ['is one line', 'first\n\tsecond ', 'first second'],
    ['has nothing in it that a terminal would obey', 'red \u001b[31mred', 'red [31mred'],
    ['is short', 'x'.repeat(1_000), `${'x'.repeat(199)}…`],
  ])('%s', (_, problem, reason) => {
    expect(reasonOf(problem)).toBe(reason);
  });

  it('holds no secret, wherever in it that stood', () => {
    for (const problem of [`401: bad key ${key}`, `${'x '.repeat(300)}${key}`]) {
      expect(reasonOf(problem)).toMatch(/cannot be told, since it holds a secret/);
      expect(reasonOf(problem)).not.toContain(key.slice(0, 8));
    }
  });
});
