/** A relative date that the writer left in place is resolved by the day on which the words behind it were said. */

import { withAbsoluteDates } from '../../base/dates/relative-dates.ts';
import type { ProposedMemory, Quote } from './write.ts';

/** The same object where nothing changes. How to work holds on every day, so only facts are dated. */
export function dateWrite(proposed: ProposedMemory, quote: readonly Quote[]): ProposedMemory {
  const day = quote.map(({ at }) => dayOf(at ?? undefined)).find((each) => each !== null);
  if (day === undefined || day === null || proposed.type === 'feedback') return proposed;
  const [name, description, body] = [proposed.name, proposed.description, proposed.body].map((text) =>
    withAbsoluteDates(text, day),
  ) as [string, string, string];
  const isSame = name === proposed.name && description === proposed.description && body === proposed.body;
  return isSame ? proposed : { ...proposed, name, description, body };
}

// The day of a message, where the user is.

/** A time with its zone is that moment here; a day as written is that day. Null when it is neither. */
function dayOf(at: string | undefined): Date | null {
  const written = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ][\d:.,]*(Z|[+-]\d{2}:?\d{2})?$)/i.exec(at ?? '');
  if (written === null) return null;
  if (written[4] !== undefined) return validOrNull(new Date(at!));
  const [year, month, day] = written.slice(1, 4).map(Number) as [number, number, number];
  const date = new Date(year, month - 1, day, NOON);
  return date.getMonth() === month - 1 && date.getDate() === day ? date : null;
}

/** Midday: whatever the clocks do, it is that day. */
const NOON = 12;

function validOrNull(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date;
}
