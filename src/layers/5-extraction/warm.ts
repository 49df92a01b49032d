/** Prepares the search for cues in small pieces: its patterns take longer to compile than a message takes to read. */

import { hasCue } from './explicit.ts';
import { openings } from './explicit-openings.ts';

const SAID = 'Look at how it is tested, and tidy it up.';

export const CUE_PIECES: readonly (() => unknown)[] = [
  ...openings()
    .flatMap(({ seen, kept = seen }) => [seen, kept])
    .map((pattern) => () => pattern.exec(SAID)),
  () => hasCue(SAID),
];
