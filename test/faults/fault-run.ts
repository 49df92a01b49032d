/** How far a run goes (short inside `npm test`, long by `npm run test:faults`), and the line that says how far it went. */

import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { seededRandom } from './seeded-random.mjs';

export const IS_LONG = process.env.REVERIE_FAULTS === 'long';

/** Where the processes under test load the package from: the build, unless a run names another one. */
export const DIST_URL = pathToFileURL(
  `${process.env.REVERIE_FAULTS_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url))}/`,
).href;

export function inThisRun<T>(choice: { readonly short: T; readonly long: T }): T {
  return IS_LONG ? choice.long : choice.short;
}

/** A test that proves nothing unless people see how much it did. */
export function say(line: string): void {
  process.stdout.write(`faults: ${line}\n`);
}

/** Removed at once: a long run makes very many of them. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = temporaryFolder('faults');
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `count` of the items, spread evenly and shifted by the seed, so that neighbours of every kind have their turn. */
export function sampleEvenly<T>(items: readonly T[], sample: { readonly count: number; readonly seed: number }): T[] {
  if (items.length <= sample.count) return [...items];
  const step = items.length / sample.count;
  const shift = seededRandom(sample.seed)() * step;
  return Array.from({ length: sample.count }, (_, position) => items[Math.floor(position * step + shift)]!);
}

/** Works through all items, two at once: one process can start up while another one is struck. */
export async function twoAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const takeTurns = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all([takeTurns(), takeTurns()]);
}
