/** The day of a message, where the user is. */

/** A time with its zone is that moment here; a day as written is that day. Null when it is neither. */
export function dayOf(at: string | undefined): Date | null {
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
