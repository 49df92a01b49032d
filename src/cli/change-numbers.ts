/** Parses which changes of a dream are meant: `1 3`, `1,3` or `2-4`. */

import { LIMITS } from '../limits.ts';
import { usageError } from './options/usage.ts';

export const DREAM_HELP = 'The id that `reverie dream inbox` shows, or the beginning of it';
export const NUMBERS_HELP = '1 3, or 2-4';

/** Undefined when none is named. */
export function changeNumbers(words: readonly string[], topic: string): readonly number[] | undefined {
  if (words.length === 0) return undefined;
  const parts = words.flatMap((word) => word.split(',')).filter((part) => part !== '');
  const numbers = parts.flatMap((part) => {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    const from = Number(first);
    const to = last === undefined ? from : Number(last);
    const isRange = first !== undefined && from >= 1 && to >= from && to - from < LIMITS.dreaming.changes;
    if (!isRange)
      throw usageError(`${part} is not the number of a change.`, topic, `Numbers count from 1: ${NUMBERS_HELP}.`);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
  if (numbers.length === 0) throw usageError('No number is given.', topic);
  return [...new Set(numbers)];
}
