/** The one way out of the gate: whatever is not understood is refused by throwing, so that no check can be forgotten on the way up. */

import { ReverieError } from '../../errors.ts';

/** The reason goes to the model: it says what was met and what to write instead. */
export function refuse(reason: string): never {
  throw new ReverieError({ code: 'refused', message: reason });
}
