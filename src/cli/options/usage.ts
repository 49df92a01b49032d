/** The error for a call that cannot be understood: exit 2, and where to read the right usage. */

import { ReverieError } from '../../errors.ts';

/** `topic` is the command to get help for; empty for the whole. */
export function usageError(message: string, topic: string, hint = ''): ReverieError {
  const help = `reverie ${topic === '' ? '' : `${topic} `}--help`;
  return new ReverieError({ code: 'usage', message, fix: hint === '' ? `See: ${help}` : `${hint}\nSee: ${help}` });
}
