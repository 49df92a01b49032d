/** What happens when a breaker trips, whatever the part: two lines of the ledger, and one for the user that says what takes its place. */

import type { Trip } from '../base/async/breaker.ts';
import { stripInvisible } from '../base/text/visible-text.ts';
import { BREAKER_LIMITS } from '../limits.ts';
import { findSecret } from '../memory/gate/secret.ts';

/** By what fails; two of them may pause one part. */
const BREAKERS = {
  storing: {
    part: 'tool-results',
    what: 'Storing long results of tools',
    instead: 'They are cut in place.',
  },
  clearing: { part: 'microcompact', what: 'Clearing old results', instead: 'Compaction makes room in its place.' },
  folding: { part: 'collapse', what: 'Folding finished work', instead: 'Compaction makes room in its place.' },
  notes: { part: 'notes', what: 'Keeping session notes', instead: 'Compaction asks a model.' },
  compacting: { part: 'compaction', what: 'Compaction', instead: 'Use /compact to try again, or /clear.' },
  'compacting-from-notes': {
    part: 'notes-compaction',
    what: 'Compaction from session notes',
    instead: 'A model is asked for the summary.',
  },
  selecting: {
    part: 'recall',
    what: 'Picking memories with a model',
    instead: 'They are picked without one.',
  },
  ranking: { part: 'recall', what: 'Looking for memories', instead: 'Fix it: reverie doctor' },
  extraction: {
    part: 'extraction',
    what: 'Saving from this conversation',
    instead: 'What you want to be kept, ask for.',
  },
  dreaming: { part: 'dream', what: 'Dreaming', instead: 'By hand it can be tried again.' },
  logging: { part: 'daily-log', what: 'Writing to the daily log', instead: 'Fix it: reverie doctor' },
  flags: { part: 'flags', what: 'Asking the host what is switched off', instead: 'It is asked no more.' },
} as const;

export type BreakerName = keyof typeof BREAKERS;

export type PausedPart = (typeof BREAKERS)[BreakerName]['part'];

export interface PartTrip extends Trip {
  readonly part: PausedPart;
}

/** `tell` is left out where the part says so by itself. */
export function whenTripped(
  name: BreakerName,
  ports: { readonly ledger: { recordTrip(trip: PartTrip): void }; readonly tell?: (line: string) => void },
): (trip: Trip) => void {
  return (trip) => {
    ports.ledger.recordTrip({ part: BREAKERS[name].part, ...trip });
    ports.tell?.(pausedLine(name, trip));
  };
}

export function pausedLine(name: BreakerName, { failures, problem }: Trip): string {
  const { what, instead } = BREAKERS[name];
  const times = failures === 1 ? 'once' : `${failures} times in a row`;
  return `${what} failed ${times} and pauses for this session: ${endedBy(reasonOf(problem))} ${instead}`;
}

/** One line, short, and nothing that must not be kept: what a provider answers may repeat what it was sent. */
export function reasonOf(problem: string): string {
  const secret = findSecret(problem);
  if (secret !== null) return `what went wrong cannot be told, since it holds a secret (${secret})`;
  const line = [...stripInvisible(problem.replace(/\s+/g, ' ')).text.trim()];
  const { reasonCharacters } = BREAKER_LIMITS;
  return line.length <= reasonCharacters ? line.join('') : `${line.slice(0, reasonCharacters - 1).join('')}…`;
}

function endedBy(reason: string): string {
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`;
}
