/** kill -9 at every system call that touches the store: no file is ever torn, nothing acknowledged is ever lost. */

import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { IS_LONG, inThisRun, sampleEvenly, say, twoAtOnce } from './fault-run.ts';
import { type Case, prepareCases } from './operations.ts';
import { whyNoStrace } from './strace.ts';
import { createStriker, judge, type Striker, type Unharmed } from './strikes.ts';

const missing = whyNoStrace();
if (missing !== null) say(`kill points SKIPPED: ${missing}`);

/** Each operation gets its share of them, spread over its whole course. */
const KILLS_PER_OPERATION = inThisRun({ short: 3, long: 1_000 });
const KILLS_PER_REPAIR = inThisRun({ short: 2, long: 40 });
const REPAIRED = inThisRun({
  short: ['undo', 'import'],
  long: ['save', 'update', 'forget', 'undo', 'import', 'purge'],
});

describe.skipIf(missing !== null)('a process killed at any system call', () => {
  let striker: Striker;
  const cases: { readonly struck: Case; readonly unharmed: Unharmed }[] = [];

  beforeAll(async () => {
    const folder = temporaryFolder('kills');
    striker = createStriker(folder);
    await twoAtOnce(await prepareCases(folder), async (struck) => {
      cases.push({ struck, unharmed: await striker.unharmed(struck) });
    });
  }, 120_000);

  it('leaves the change whole or not begun, and the next open repairs', { timeout: 480_000 }, async () => {
    const found: string[] = [];
    const tally = { struck: 0, missed: 0, before: 0, after: 0, neither: 0 };
    const strikes = cases.flatMap(({ struck, unharmed }) =>
      sampleEvenly(unharmed.points, { count: KILLS_PER_OPERATION, seed: 11 }).map((point) => ({
        struck,
        unharmed,
        point,
      })),
    );
    await twoAtOnce(strikes, async ({ struck, unharmed, point }) => {
      const { directory, wasHit, lines } = await striker.strike(struck, { point, effect: 'signal=KILL' });
      tally.struck += 1;
      if (!wasHit) tally.missed += 1;
      const acknowledged = lines.some((line) => line.startsWith('ACK'));
      const place = striker.place(directory);
      const { state, problems } = await judge(struck, { unharmed, directory, acknowledged, place });
      tally[state] += 1;
      found.push(...problems.map((problem) => `${struck.title}, killed before ${point.shown}: ${problem}`));
    });
    const points = cases.reduce((sum, { unharmed }) => sum + unharmed.points.length, 0);
    say(
      `kill points: ${tally.struck} of ${points} struck (${tally.missed} not reached); afterwards ` +
        `${tally.before} as before, ${tally.after} as after, ${tally.neither} neither; ${found.length} problems`,
    );
    expect(found).toEqual([]);
    expect(tally.missed).toBeLessThan(1 + tally.struck / 20);
    if (IS_LONG) expect(tally.struck).toBe(points);
  });

  it('leaves the same when the repairing process is killed as well', { timeout: 480_000 }, async () => {
    const found: string[] = [];
    let struckTwice = 0;
    const repaired = cases.filter(({ struck }) => REPAIRED.includes(struck.title));
    await twoAtOnce(repaired, async ({ struck, unharmed }) => {
      const template = await cutOffHalfway(striker, struck, unharmed);
      const repair = { operation: { name: 'open' }, template } as const;
      const points = await striker.pointsOf(repair);
      expect(points.length, `${struck.title}: the repair touches the store`).toBeGreaterThan(5);
      for (const point of sampleEvenly(points, { count: KILLS_PER_REPAIR, seed: 12 })) {
        const { directory } = await striker.strike(repair, { point, effect: 'signal=KILL' });
        struckTwice += 1;
        const place = striker.place(directory);
        const { state, problems } = await judge(struck, { unharmed, directory, acknowledged: false, place });
        const wrong = state === 'after' ? problems : ['it was journalled and is not there', ...problems];
        found.push(...wrong.map((problem) => `${struck.title}, repair killed before ${point.shown}: ${problem}`));
      }
    });
    say(`kill points in the repair: ${struckTwice} struck; ${found.length} problems`);
    expect(found).toEqual([]);
  });
});

/** A folder in which the change is journalled and some of its files are in place. */
async function cutOffHalfway(striker: Striker, struck: Case, unharmed: Unharmed): Promise<string> {
  const isInPlace = (shown: string) => /^(?:rename|link|unlink)\(/.test(shown) && shown.includes('MEMORY.md');
  const point = unharmed.points.find(({ shown }) => isInPlace(shown));
  if (point === undefined) throw new Error(`${struck.title} never touches the index`);
  const { directory } = await striker.strike(struck, { point, effect: 'signal=KILL' });
  return directory.replace(/\/memory$/, '');
}
