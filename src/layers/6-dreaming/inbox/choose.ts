/** Which changes of which dream are meant, and what to say when there are none. */

import { ReverieError } from '../../../errors.ts';
import type { DreamChange, DreamRecord } from '../records/record.ts';
import type { missingCompanions } from './approve.ts';

interface Named {
  readonly record: DreamRecord;
}

export function waitingOf(record: Pick<DreamRecord, 'changes'>): readonly DreamChange[] {
  return record.changes.filter(({ state }) => state === 'waiting');
}

export function chosenOf(record: DreamRecord, numbers: readonly number[] | undefined): readonly DreamChange[] {
  if (numbers === undefined || numbers.length === 0) {
    const waiting = waitingOf(record);
    if (waiting.length > 0) return waiting;
    throw new ReverieError({
      code: 'not-found',
      message: `Nothing of dream ${record.id} waits`,
      fix: 'See what does: reverie dream inbox',
    });
  }
  return [...new Set(numbers)].map((number) => {
    const change = numbered(record, number);
    if (change.state === 'waiting') return change;
    throw new ReverieError({
      code: 'refused',
      message: `Change ${number} of dream ${record.id} does not wait: it is ${change.state}`,
      fix: waitingHint(record),
    });
  });
}

export function numbered(record: DreamRecord, number: number): DreamChange {
  const change = record.changes.find((each) => each.number === number);
  if (change !== undefined) return change;
  const numbers = record.changes.map((each) => each.number);
  const range =
    numbers.length === 0 ? 'It has none.' : `They go from ${Math.min(...numbers)} to ${Math.max(...numbers)}.`;
  throw new ReverieError({
    code: 'not-found',
    message: `Dream ${record.id} has no change ${number}. ${range}`,
    fix: `See them: reverie dream show ${record.id}`,
  });
}

function waitingHint(record: DreamRecord): string {
  const numbers = waitingOf(record).map(({ number }) => number);
  return numbers.length === 0
    ? `Nothing of it waits: reverie dream show ${record.id}`
    : `Waiting: ${numbers.join(' ')}. See them: reverie dream show ${record.id}`;
}

export function companionsNeeded(
  id: string,
  facts: { readonly chosen: readonly DreamChange[]; readonly missing: ReturnType<typeof missingCompanions> },
): ReverieError {
  const { change, needs } = facts.missing[0]!;
  const numbers = new Set([...facts.chosen, ...facts.missing.map((each) => each.needs)].map(({ number }) => number));
  const words = [...numbers].sort((one, other) => one - other).join(' ');
  const verb = change.action === 'remove' ? 'removes' : 'shortens';
  return new ReverieError({
    code: 'refused',
    message: `Change ${change.number} ${verb} ${change.file}, and what holds it then, ${needs.file}, waits as change ${needs.number}; nothing was changed`,
    fix: `Approve them together: reverie dream approve ${id} ${words}`,
  });
}

export function noSuchDream(id: string, all: readonly Named[]): ReverieError {
  const newest = all[0]?.record.id;
  return new ReverieError({
    code: 'not-found',
    message: `There is no dream ${JSON.stringify(id)}`,
    fix:
      newest === undefined
        ? 'None has been dreamt here yet: reverie dream'
        : `The last was ${newest}; what waits: reverie dream inbox`,
  });
}

export function severalDreams(id: string, found: readonly Named[]): ReverieError {
  return new ReverieError({
    code: 'ambiguous',
    message: `Several dreams begin with ${JSON.stringify(id)}`,
    fix: `Give more of it: ${found.map(({ record }) => record.id).join(', ')}`,
  });
}
