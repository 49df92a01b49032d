/** Asks git something, record by record. */

import { nextTurn } from '../../base/async/in-turns.ts';
import { type GitCommand, startGit } from './start-git.ts';

export interface GitReading {
  readonly cwd: string;
  readonly separator: string;
  readonly signal: AbortSignal;
  readonly onRecord: (record: string) => void;
}

/** False when git is missing, refuses or is too slow. */
export async function readGit(
  [command, ...words]: readonly [GitCommand, ...string[]],
  { cwd, separator, signal, onRecord }: GitReading,
): Promise<boolean> {
  // Node holds up everything else while it starts a program: so one in a turn.
  await nextTurn();
  return new Promise((resolve) => {
    let rest = '';
    const child = startGit(command, words, { cwd, signal });
    if (child === null) return resolve(false);
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const records = (rest + chunk).split(separator);
      rest = records.pop() ?? '';
      for (const record of records) onRecord(record);
    });
    child.on('error', () => resolve(false));
    child.on('close', (status) => {
      // What ends without a separator is a record too, unless git was cut short.
      if (status === 0 && rest !== '') onRecord(rest);
      resolve(status === 0);
    });
  });
}
