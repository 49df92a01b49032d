/** Where daily logs are in a memory folder, and which paths are theirs: what lies there is no memory. */

export const LOG_FOLDER = 'logs';

/** `logs/2031/05/2031-05-08.md` for the day `2031-05-08`. */
export function logFile(day: string): string {
  const [year, month] = day.split('-');
  return `${LOG_FOLDER}/${year}/${month}/${day}.md`;
}

/** The day whose log a path is; null for any other path. */
export function dayOfLogFile(file: string): string | null {
  const day = /\/(\d{4}-\d{2}-\d{2})\.md$/.exec(file)?.[1];
  return day !== undefined && isDay(day) && file === logFile(day) ? day : null;
}

/** A day of the calendar, as `2031-05-08`. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Folders of a year below `logs` are the log's alone; other files below `logs` are memories like any. */
export function isInLogs(file: string): boolean {
  return /^logs\/\d{4}(?:\/|$)/.test(file);
}
