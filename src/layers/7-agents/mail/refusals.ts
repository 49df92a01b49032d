/** Why a message was not sent, in sentences that a model can act on. */

import { ReverieError } from '../../../errors.ts';
import { QUEUE_MESSAGES } from './box.ts';

export function fullError(to: string): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: `${QUEUE_MESSAGES} messages wait for ${to}; this one was not sent.`,
    fix: 'Do other work, and send it when they were read.',
  });
}

export function nobodyError(to: string, others: readonly string[]): ReverieError {
  return new ReverieError({
    code: 'not-found',
    message: `Nobody is called ${to}; the message was not sent.`,
    fix: whoIsHere(others),
  });
}

export function ownNameError(others: readonly string[]): ReverieError {
  return new ReverieError({ code: 'usage', message: 'That is your own name.', fix: whoIsHere(others) });
}

export function secretError(found: string): ReverieError {
  return new ReverieError({
    code: 'secret',
    message: `The message was not sent, because it holds a secret: ${found}`,
    fix: 'Leave the secret out, and say where it is kept instead.',
  });
}

function whoIsHere(others: readonly string[]): string {
  return others.length === 0 ? 'Nobody else is here.' : `Here are: ${others.join(', ')}.`;
}
