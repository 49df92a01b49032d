/** Commands as text for people to copy: quoted for their shell, with the flags that found this memory. */

import { quoted } from '../base/text/shell-words.ts';
import type { Place } from './command.ts';

export function nextCommand(place: Place, words: readonly string[]): string {
  return ['reverie', ...words, ...placeFlags(place)].map(quoted).join(' ');
}

/** The flags that lead to the same memory again; they may come before or after a command's words. */
export function placeFlags(place: Place): string[] {
  const flags: string[] = [];
  if (place.directory !== undefined) flags.push('--directory', place.directory);
  if (place.cwd !== undefined) flags.push('--cwd', place.cwd);
  if (place.home !== undefined) flags.push('--home', place.home);
  if (place.settings !== undefined) flags.push('--settings', place.settings);
  return flags;
}
