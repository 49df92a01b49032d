/** How old a memory is, in days of the user's calendar, and how that is said. */

const DAY_MS = 24 * 60 * 60_000;

/** Midnights between the two, where the user is: what was saved last night is from yesterday. An unreadable time is infinitely old. */
export function ageInDays(modified: string, now: Date): number {
  const then = new Date(modified);
  if (Number.isNaN(then.getTime())) return Number.POSITIVE_INFINITY;
  return Math.max(0, dayNumber(now) - dayNumber(then));
}

/** Counted in UTC, where every day has 24 hours. */
function dayNumber(time: Date): number {
  return Math.floor(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / DAY_MS);
}

export function ageText(days: number): string {
  if (!Number.isFinite(days)) return 'at an unknown time';
  if (days < 1) return 'today';
  if (days < 2) return 'yesterday';
  return `${Math.floor(days)} days ago`;
}
