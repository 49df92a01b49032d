/** The entries of a folder by name, a few at a time, so that a folder of a hundred thousand files blocks nobody. */

import { type Dirent, opendirSync } from 'node:fs';
import type { Steps } from '../base/async/in-turns.ts';
import { sorting } from '../base/async/sorting.ts';

const ENTRIES_PER_STEP = 256;

export function* listInSteps(path: string): Steps<Dirent[]> {
  const found: Dirent[] = [];
  const folder = opendirSync(path, { bufferSize: ENTRIES_PER_STEP });
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      found.push(entry);
      if (found.length % ENTRIES_PER_STEP === 0) yield;
    }
  } finally {
    folder.closeSync();
  }
  return yield* sorting(found, ({ name }) => name);
}
