/** The error of a call that cannot be understood: exit 2, and where to read how it is meant. */

import { ReverieError } from '../../errors.ts';

/** `topic` is the command to ask help of; empty for the whole. */
export function usageError(message: string, topic: string, hint = ''): ReverieError {
  const help = `reverie ${topic === '' ? '' : `${topic} `}--help`;
  return new ReverieError({ code: 'usage', message, fix: hint === '' ? `See: ${help}` : `${hint}\nSee: ${help}` });
}
