/** Random histories of a few clones, merged by git alone: a short look; test/faults has the long one. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rounds, runHistory } from '../support/team-histories.ts';
import { expectWhole } from '../support/team-properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it.each([2, 3])(
  'loses nothing in histories of %i clones, without any driver',
  (clones) => {
    let conflicts = 0;
    fc.assert(
      fc.property(rounds(clones), (history) => {
        const folder = temporaryFolder('team');
        const ran = runHistory(folder, history);
        conflicts += ran.conflicts.length;
        expectWhole(ran, join(folder, 'home'));
        rmSync(folder, { recursive: true, force: true });
      }),
      { numRuns: clones === 2 ? 10 : 4 },
    );
    expect(conflicts).toBeGreaterThanOrEqual(0);
  },
  120_000,
);
