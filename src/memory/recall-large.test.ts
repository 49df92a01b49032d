/** Over a large folder a question does not wait for a walk through all of it. */

import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openMemory } from '../session/open-memory.ts';
import { findPlace } from '../settings/place.ts';
import { openReadScopes } from './read-scopes.ts';
import { memoryRecall } from './recall.ts';

it('answers the first question of a process from what is there, and finds what was saved since soon after', async () => {
  const root = realpathSync(temporaryFolder('large'));
  mkdirSync(join(root, 'project'));
  const where = { home: join(root, 'home'), cwd: join(root, 'project'), env: { HOME: root } };
  const memory = await openMemory(where);
  await memory.save({ type: 'user', name: 'Tea', description: 'Drinks green tea', body: 'Drinks green tea.' });
  await memory.ready();
  await memory.save({ type: 'user', name: 'Boat', description: 'Owns a red boat', body: 'Owns a red boat.' });
  await memory.close();

  const scopes = await openReadScopes(findPlace(where));
  let endWalk = () => {};
  const walking = new Promise<void>((resolve) => {
    endWalk = resolve;
  });
  const folders = scopes.folders.map((folder) => ({
    ...folder,
    async lookInTurns() {
      await walking;
      return folder.look();
    },
  }));
  const recall = memoryRecall({ ...scopes, folders }, { largeFrom: 1 });
  const [tea] = await recall.recall('which green tea does the user drink?');
  expect(tea?.file).toBe('user_tea.md');
  endWalk();
  await recall.ready();
  expect((await recall.recall('who owns a red boat?'))[0]?.file).toBe('user_boat.md');
  await recall.close();
  await Promise.all(scopes.folders.map((folder) => folder.close()));
});
