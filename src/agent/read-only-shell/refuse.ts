/** The one way out of the gate: whatever is not understood is refused by throwing, so that no check can be forgotten on the way up. */

import { ReverieError } from '../../errors.ts';
import { READ_ONLY_SHELL_LIMITS } from '../../limits.ts';

/** The reason goes to the model: it says what was met and what to write instead. */
export function refuse(reason: string): never {
  throw new ReverieError({ code: 'refused', message: shortened(reason) });
}

/** A reason repeats words of the line, which may be as long as the line. */
function shortened(reason: string): string {
  const most = READ_ONLY_SHELL_LIMITS.reasonCharacters;
  return reason.length <= most ? reason : `${[...reason.slice(0, most)].slice(0, -1).join('')}…`;
}
