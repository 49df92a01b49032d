/** Numbers for people: short in a footer, whole in a table. */

export function wholeNumber(value: number): string {
  const rounded = Math.round(value);
  // Nothing to group, and the first call of the formatter takes ten milliseconds.
  return Math.abs(rounded) < 1_000 ? String(rounded) : rounded.toLocaleString('en-US');
}

/** `950`, `12.4k`, `1.2M`. */
export function shortNumber(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  // What rounds up to a thousand thousands is shown in millions.
  if (value < 999_500) return `${scaled(value / 1_000)}k`;
  return `${scaled(value / 1_000_000)}M`;
}

function scaled(value: number): string {
  return value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}

/** Null when a model has no price. */
export function money(usd: number | null): string {
  if (usd === null) return 'unknown';
  if (usd === 0) return '$0';
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}

export function percent(share: number): string {
  const value = 100 * Math.min(1, Math.max(0, share));
  return `${value > 0 && value < 1 ? '<1' : Math.round(value)}%`;
}

export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole}s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)}m ${whole % 60}s`;
  return `${Math.floor(whole / 3_600)}h ${Math.floor((whole % 3_600) / 60)}m`;
}

export function counted(amount: number, one: string, many = `${one}s`): string {
  return `${wholeNumber(amount)} ${amount === 1 ? one : many}`;
}
