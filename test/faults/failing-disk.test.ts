/** A disk that fails at any one call, or from one call on: the caller is told, and the folder is as before or complete. */

import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inThisRun, sampleEvenly, say, twoAtOnce } from './fault-run.ts';
import { type Case, prepareCases } from './operations.ts';
import { type CallPoint, whyNoStrace } from './strace.ts';
import { createStriker, judge, type Striker, type Struck, type Unharmed } from './strikes.ts';

const missing = whyNoStrace();
if (missing !== null) say(`failing disk SKIPPED: ${missing}`);

const FAILURES_PER_OPERATION = inThisRun({ short: 5, long: 1_000 });
const LASTING_FAILURES_PER_OPERATION = inThisRun({ short: 2, long: 25 });
const OPERATIONS = inThisRun({
  short: ['save', 'forget', 'import into nothing'],
  long: ['save into nothing', 'save', 'update in a subfolder', 'forget', 'undo', 'import into nothing', 'purge'],
});

/** What each call is likely to fail with. */
const ERRNOS: Readonly<Record<string, readonly string[]>> = {
  openat: ['ENOSPC', 'EACCES', 'EMFILE'],
  write: ['ENOSPC', 'EIO'],
  fsync: ['EIO'],
  rename: ['EIO', 'ENOSPC'],
  link: ['EACCES', 'EPERM', 'ENOSPC'],
  unlink: ['EIO', 'EACCES'],
  mkdir: ['EACCES', 'ENOSPC'],
  ftruncate: ['EIO'],
  chmod: ['EPERM'],
  fchmod: ['EPERM'],
};

interface Failure {
  readonly struck: Case;
  readonly unharmed: Unharmed;
  readonly point: CallPoint;
  readonly errno: string;
}

describe.skipIf(missing !== null)('a failing disk', () => {
  let striker: Striker;
  const cases: { readonly struck: Case; readonly unharmed: Unharmed }[] = [];

  beforeAll(async () => {
    const folder = temporaryFolder('failures');
    striker = createStriker(folder);
    const wanted = (await prepareCases(folder)).filter(({ title }) => OPERATIONS.includes(title));
    await twoAtOnce(wanted, async (struck) => {
      cases.push({ struck, unharmed: await striker.unharmed(struck) });
    });
  }, 120_000);

  function failures(count: number): Failure[] {
    return cases.flatMap(({ struck, unharmed }) => {
      const all = unharmed.points.flatMap((point) => (ERRNOS[point.call] ?? []).map((errno) => ({ point, errno })));
      return sampleEvenly(all, { count, seed: 21 }).map((failure) => ({ struck, unharmed, ...failure }));
    });
  }

  it('that fails once is told of or got over, and trying again works', { timeout: 480_000 }, async () => {
    const found: string[] = [];
    const tally = { struck: 0, overcome: 0, told: 0 };
    await twoAtOnce(failures(FAILURES_PER_OPERATION), async ({ struck, unharmed, point, errno }) => {
      const result = await striker.strike(struck, { point, effect: `error=${errno}`, attempts: 2 });
      tally.struck += 1;
      if (result.lines.some((line) => line.startsWith('ACK '))) tally.overcome += 1;
      else tally.told += 1;
      const problems = spokenProblems(result);
      const isAcknowledged = result.lines.some((line) => line.startsWith('ACK'));
      if (!isAcknowledged && !isPurgedMeanwhile(struck, result)) problems.push('the second attempt failed too');
      const { directory } = result;
      const place = striker.place(directory);
      problems.push(...(await judge(struck, { unharmed, directory, acknowledged: true, place })).problems);
      found.push(...problems.map((problem) => `${struck.title}, ${errno} at ${point.shown}: ${problem}`));
    });
    say(
      `failing disk: ${tally.struck} single failures, ${tally.overcome} got over, ${tally.told} told and repeated; ` +
        `${found.length} problems`,
    );
    expect(found).toEqual([]);
  });

  it('that keeps failing is told of, and what it leaves is repaired later', { timeout: 480_000 }, async () => {
    const found: string[] = [];
    const tally = { struck: 0, acknowledged: 0, before: 0, after: 0, neither: 0 };
    await twoAtOnce(failures(LASTING_FAILURES_PER_OPERATION), async ({ struck, unharmed, point, errno }) => {
      const result = await striker.strike(struck, { point, effect: `error=${errno}`, onwards: true });
      tally.struck += 1;
      const acknowledged = result.lines.some((line) => line.startsWith('ACK'));
      if (acknowledged) tally.acknowledged += 1;
      const { directory } = result;
      const place = striker.place(directory);
      const judgement = await judge(struck, { unharmed, directory, acknowledged, place });
      const { state } = judgement;
      const problems = [...judgement.problems];
      if (!acknowledged) tally[state] += 1;
      const isExpected = acknowledged || struck.operation.name === 'purge' || saysItIsHalfDone(result);
      if (state === 'after' && !isExpected) problems.push('it came true unannounced');
      found.push(
        ...[...spokenProblems(result), ...problems].map(
          (problem) => `${struck.title}, ${errno} from ${point.shown} on: ${problem}`,
        ),
      );
    });
    say(
      `failing disk: ${tally.struck} lasting failures, ${tally.acknowledged} without effect, of the others ` +
        `${tally.before} as before, ${tally.after} completed by the next open; ${found.length} problems`,
    );
    expect(found).toEqual([]);
  });
});

/** Everything that goes wrong is said in our own words, with what to do. */
function spokenProblems(result: Struck): string[] {
  return result.lines
    .filter((line) => line.startsWith('ERR ') || line.startsWith('CLOSING'))
    .flatMap((line) => {
      const error = errorIn(line);
      if (!error.isExpected) return [`not in our words: ${error.stack ?? error.message}`];
      return error.code === 'storage' ? [] : [`code ${error.code}: ${error.message}`];
    });
}

/** Whoever is told of a failure expects the folder as it was, unless told otherwise; what shall be purged shall go. */
function saysItIsHalfDone(result: Struck): boolean {
  const error = result.lines.find((line) => line.startsWith('ERR '));
  return error === undefined || errorIn(error).message.includes('cut off halfway');
}

/** A purge that was cut off is finished by the next open, so the second attempt has nothing left to do. */
function isPurgedMeanwhile(struck: Case, result: Struck): boolean {
  const second = result.lines.find((line) => line.startsWith('ERR2'));
  return struck.operation.name === 'purge' && second !== undefined && errorIn(second).code === 'not-found';
}

function errorIn(line: string): { isExpected: boolean; code?: string; message: string; stack?: string } {
  return JSON.parse(line.slice(line.indexOf(' ') + 1));
}
