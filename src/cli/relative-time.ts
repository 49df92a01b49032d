/** Times for people: how long ago on a terminal, the date where output should not change from hour to hour. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function timeAgo(iso: string, now: Date): string {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return 'unknown';
  const elapsed = now.getTime() - then;
  if (elapsed < -MINUTE_MS) return dateOf(iso);
  if (elapsed < MINUTE_MS) return 'just now';
  if (elapsed < HOUR_MS) return counted(elapsed / MINUTE_MS, 'minute');
  if (elapsed < DAY_MS) return counted(elapsed / HOUR_MS, 'hour');
  if (elapsed < 60 * DAY_MS) return counted(elapsed / DAY_MS, 'day');
  if (elapsed < 730 * DAY_MS) return counted(elapsed / (30.44 * DAY_MS), 'month');
  return counted(elapsed / (365.25 * DAY_MS), 'year');
}

export function dateOf(iso: string): string {
  const then = Date.parse(iso);
  return Number.isNaN(then) ? 'unknown' : new Date(then).toISOString().slice(0, 10);
}

function counted(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`;
}
