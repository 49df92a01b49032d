/** Numbers, times and sizes in words; the same everywhere. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

export function count(value: number): string {
  return whole.format(value);
}

export function shortCount(value: number): string {
  return value < 10_000 ? whole.format(value) : short.format(value).toLowerCase();
}

export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function money(dollars: number | null): string {
  if (dollars === null) return '–';
  if (dollars === 0) return '$0.00';
  return dollars < 0.01 ? `$${dollars.toFixed(4)}` : `$${dollars.toFixed(2)}`;
}

export function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}

export function bytes(size: number): string {
  if (size < 1_024) return `${size} B`;
  return size < 1_048_576 ? `${(size / 1_024).toFixed(0)} KB` : `${(size / 1_048_576).toFixed(1)} MB`;
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function ago(time: string | null, nowMs = Date.now()): string {
  if (time === null || time === '') return 'unknown';
  const seconds = Math.max(0, (nowMs - Date.parse(time)) / 1_000);
  for (const [name, length] of UNITS) {
    const times = Math.floor(seconds / length);
    if (times >= 1) return `${times} ${name}${times === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}

export function moment(time: string | null): string {
  if (time === null || time === '') return '–';
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** Control characters and those that turn the direction of text are shown, not obeyed. */
export function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\u27e8${character.codePointAt(0)!.toString(16).padStart(4, '0')}\u27e9`,
  );
}
