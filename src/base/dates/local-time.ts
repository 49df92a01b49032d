/** The wall clock where the user is: the day, the minute and the offset from UTC, in the process's zone or a named one. */

export interface LocalTime {
  /** `2031-05-08` */
  readonly day: string;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** `14:03` */
  readonly time: string;
  /** `+09:00`; UTC is `+00:00`. */
  readonly offset: string;
}

/** Where time comes from, for hosts whose user is elsewhere and for tests. */
export interface LocalClock {
  readonly now: () => Date;
  /** An IANA name, asked each time, because people travel; undefined is the zone of the process. */
  readonly timeZone?: () => string | undefined;
}

/** Written out, because loading the names of a locale takes milliseconds of every start. */
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const WEEKDAY_LETTERS = 3;

/** `Thu 2031-05-08`: nobody counts to "next Tuesday" from a date alone. Empty for what is no time. */
export function namedDay(now: Date): string {
  if (Number.isNaN(now.getTime())) return '';
  const { day, weekday } = localTime(now);
  return `${WEEKDAYS[weekday]!.slice(0, WEEKDAY_LETTERS)} ${day}`;
}

const MINUTE_MS = 60_000;

export function localTime(now: Date, timeZone?: string): LocalTime {
  const offsetMinutes = timeZone === undefined ? -now.getTimezoneOffset() : offsetIn(now, timeZone);
  const wall = new Date(now.getTime() + offsetMinutes * MINUTE_MS);
  const iso = wall.toISOString();
  return {
    day: iso.slice(0, 10),
    weekday: wall.getUTCDay(),
    time: iso.slice(11, 16),
    offset: offsetText(offsetMinutes),
  };
}

/** `2031-05-07` for the eighth: calendar days, whatever the clocks do in between. */
export function dayBefore(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - 1);
  return at.toISOString().slice(0, 10);
}

/** Milliseconds since the epoch for a wall time with its offset. */
export function instantOf({ day, time, offset }: Omit<LocalTime, 'weekday'>): number {
  return Date.parse(`${day}T${time}:00${offset}`);
}

/** What a clock there shows, read as if it were UTC, minus the actual UTC time. */
function offsetIn(now: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(now);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return Math.round((shown - now.getTime()) / MINUTE_MS);
}

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
