/** Commands as text for people to copy: quoted for their shell, and with the flags that found this memory. */

import type { Place } from './command.ts';

export function nextCommand(place: Place, words: readonly string[]): string {
  const flags: string[] = [];
  if (place.directory !== undefined) flags.push('--directory', place.directory);
  if (place.cwd !== undefined) flags.push('--cwd', place.cwd);
  if (place.home !== undefined) flags.push('--home', place.home);
  if (place.settings !== undefined) flags.push('--settings', place.settings);
  return ['reverie', ...words, ...flags].map(quoted).join(' ');
}

export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,|~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
