/** Random histories of a few clones, merged by git alone: a short look; test/faults has the long one. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { it } from 'vitest';
import { runs } from '../support/property-runs.ts';
import { rounds, runHistory } from '../support/team-histories.ts';
import { expectWhole } from '../support/team-properties.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it.each([2, 3])(
  'loses nothing in histories of %i clones, without any driver',
  (clones) => {
    fc.assert(
      fc.property(rounds(clones), (history) => {
        const folder = temporaryFolder('team');
        const ran = runHistory(folder, history);
        expectWhole(ran, join(folder, 'home'));
        rmSync(folder, { recursive: true, force: true });
      }),
      { numRuns: runs(clones === 2 ? 12 : 6) },
    );
  },
  120_000,
);
