/** A relative date that the writer left in place is resolved by the day on which the words behind it were said. */

import { withAbsoluteDates } from '../../base/dates/relative-dates.ts';
import { dayOf } from './day.ts';
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
