/** The look for cues in pieces that can be done ahead: its patterns take longer to compile than a message takes to read. */

import { hasCue } from './explicit.ts';
import { isQuestion, isSupposed, isTakenBack } from './explicit-clauses.ts';
import { CUES } from './explicit-cues.ts';

const SAID = 'Look at how it is tested, and tidy it up.';

export const CUE_PIECES: readonly (() => unknown)[] = [
  ...[isSupposed, isTakenBack, isQuestion].map((is) => () => is(SAID)),
  ...CUES.map(
    ({ pattern }) =>
      () =>
        pattern.exec(SAID),
  ),
  () => hasCue(SAID),
];
