/** A large index is searched in a thread of its own, with the same answers, and without it where there is none. */

import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { packagePath } from '../../base/package-files.ts';
import { packagedEncoder } from '../../model/encoder/encoder.ts';
import { type LocalIndex, type LocalIndexPorts, openLocalIndex } from '../local-index.ts';
import { createAsideSearch } from './search-aside.ts';

const opened: LocalIndex[] = [];
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

const sourcesOf = (bodies: readonly string[]) =>
  bodies.map((body, at) => ({
    key: `m${at}.md`,
    hash: body,
    read: () => ({ key: `m${at}.md`, hash: body, name: `m${at}`, description: body, body }),
  }));
const BODIES = [
  'The nightly job writes to the shared folder.',
  'Deploys wait for Marta.',
  'The tea is in the kitchen.',
];

let threads = 0;
function counted(directory: string): Worker {
  threads++;
  return new Worker(packagePath('dist/recall-worker.js'), { workerData: { directory } });
}

function open(aside: LocalIndexPorts['aside'], directory = temporaryFolder('aside')): LocalIndex {
  threads = 0;
  const index = openLocalIndex({ directory, encoder: packagedEncoder, aside });
  opened.push(index);
  return index;
}

it('finds what a search on the main thread finds, and what was saved since', async () => {
  const index = open({ from: 1, start: counted });
  await index.update(sourcesOf(BODIES));
  const ask = 'who must agree before we deploy?';
  expect(await index.find(ask, { limit: 3 })).toEqual(index.search(ask, { limit: 3 }));
  await index.update(sourcesOf([...BODIES, 'Quorvyn approves every deploy on Fridays.']));
  const [hit] = await index.find('what does Quorvyn do?', { limit: 1, exclude: new Set(['m1.md']) });
  expect(hit).toMatchObject({ key: 'm3.md', certain: true });
  expect(threads).toBe(1);
});

it('starts no thread for a small index', async () => {
  const index = open({ from: 10, start: counted });
  await index.update(sourcesOf(BODIES));
  expect((await index.find('where is the tea?', { limit: 1 }))[0]?.key).toBe('m2.md');
  expect(threads).toBe(0);
});

it.each([
  [
    'cannot start',
    () => {
      throw new Error('no threads here');
    },
  ],
  ['ends at once', () => new Worker('process.exit(1)', { eval: true })],
  ['throws', () => new Worker('throw new Error("broken")', { eval: true })],
])('searches on the main thread where a thread %s', async (_, start) => {
  const index = open({ from: 1, start });
  await index.update(sourcesOf(BODIES));
  for (let time = 0; time < 2; time++) {
    expect((await index.find('where is the tea?', { limit: 1 }))[0]?.key).toBe('m2.md');
  }
});

it('ends the thread when nobody asks, and starts another for the next question', async () => {
  const directory = temporaryFolder('aside');
  const index = open(undefined, directory);
  await index.update(sourcesOf(BODIES));
  await index.ready();
  const aside = createAsideSearch({ directory, start: counted, idleMs: 20 });
  expect(await aside.search('where is the tea?', { limit: 1 })).toHaveLength(1);
  await pause(200);
  expect(await aside.search('where is the tea?', { limit: 1 })).toHaveLength(1);
  expect(threads).toBe(2);
  await aside.close();
});
