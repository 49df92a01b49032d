/** A policy that cannot be held: the script is not started. */

import { ReverieError } from '../../errors.ts';

export function refuse(message: string): never {
  throw new ReverieError({ code: 'refused', message, fix: 'Let the user decide about this command.' });
}
