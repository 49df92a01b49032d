/** How old a memory is, in whole days, and how that is said. */

const DAY_MS = 24 * 60 * 60_000;

/** Full days of 24 hours, so that no time zone and no change of the clocks plays a part. An unreadable time is infinitely old. */
export function ageInDays(modified: string, now: Date): number {
  const then = Date.parse(modified);
  if (Number.isNaN(then)) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.floor((now.getTime() - then) / DAY_MS));
}

export function ageText(days: number): string {
  if (!Number.isFinite(days)) return 'at an unknown time';
  if (days < 1) return 'today';
  if (days < 2) return 'yesterday';
  return `${Math.floor(days)} days ago`;
}
