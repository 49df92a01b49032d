/** Whose staged files are cleared away: those of the dead, and those that nobody can still be about to put in place. */

import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openFolder } from './folder.ts';
import { removeLeftovers, stagedName } from './staged-name.ts';

const MINUTE_MS = 60_000;
const OWN = stagedName();
const OF_ANOTHER = OWN.replace(/^\d+/, String(process.ppid));
const OF_THE_DEAD = OWN.replace(/^\d+/, '4194305');

let path: string;
beforeEach(() => {
  path = temporaryFolder('leftovers');
  for (const name of [OWN, OF_ANOTHER, OF_THE_DEAD, 'MEMORY.md']) writeFileSync(join(path, name), '');
});

function leftAt(nowMs: number): string[] {
  const folder = openFolder(path)!;
  try {
    removeLeftovers(folder, nowMs);
    return readdirSync(path).sort();
  } finally {
    folder.close();
  }
}

it('clears away what the dead left at once', () => {
  expect(leftAt(Date.now())).toEqual([OWN, OF_ANOTHER, 'MEMORY.md'].sort());
});

it('leaves the file of a living process that has been given an old time', () => {
  utimesSync(join(path, OF_ANOTHER), 1_000_000, 1_000_000);
  expect(leftAt(Date.now())).toContain(OF_ANOTHER);
});

it('clears away what a living process has left for too long, and never its own', () => {
  expect(leftAt(Date.now() + 9 * MINUTE_MS)).toContain(OF_ANOTHER);
  expect(leftAt(Date.now() + 11 * MINUTE_MS)).toEqual([OWN, 'MEMORY.md'].sort());
});
