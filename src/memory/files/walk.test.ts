/** Which files of a folder are memories: daily logs are not, and cost a walk nothing. */

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type Folder, openFolder } from '../../disk/folder.ts';
import { LIMITS } from '../../limits.ts';
import { openMemoryFolder } from '../history/memory-folder.ts';
import { hasMemoryFiles, walkMemoryFiles } from './walk.ts';

function folderWith(files: readonly string[]): string {
  const path = temporaryFolder('walk');
  for (const file of files) {
    fs.mkdirSync(dirname(join(path, file)), { recursive: true });
    fs.writeFileSync(join(path, file), '- 10:00 +00:00 x\n');
  }
  return path;
}

it('passes over years of logs without a look into them, and lists what else lies beside them', () => {
  const path = folderWith([
    'a.md',
    'logs/2031/05/2031-05-08.md',
    'logs/2031/odd.md',
    'logs/notes.md',
    'x/logs/2031/y.md',
  ]);
  const root = openFolder(path)!;
  const entered: string[] = [];
  const watched = (folder: Folder): Folder => ({
    ...folder,
    sub(name, options) {
      const below = folder.sub(name, options);
      entered.push(below?.path ?? '');
      return below && watched(below);
    },
  });
  const { files, passedOver } = walkMemoryFiles(watched(root), 8);
  root.close();
  expect(files.map(({ file }) => file).sort()).toEqual(['a.md', 'logs/notes.md', 'x/logs/2031/y.md']);
  expect(passedOver).toEqual([]);
  expect(entered).not.toContain(join(path, 'logs/2031'));
});

it('lets no change of memory touch a log, and the journal never hears of one', async () => {
  const path = folderWith(['logs/2031/05/2031-05-08.md']);
  const secrets = { describeSecretsIn: async () => null };
  const now = () => new Date(0);
  const folder = openMemoryFolder({ path, scope: 'project', limits: LIMITS, secrets, cacheDirectory: null, now });
  for (const [file, after] of [
    ['logs/2031/05/2031-05-08.md', Buffer.from('changed')],
    ['logs/2031/05/2031-05-08.md', null],
    ['Logs/2031/06/2031-06-01.md', Buffer.from('new')],
  ] as const) {
    const change = folder.change([file], () => ({ kind: 'update', who: 'agent', why: '', edits: [{ file, after }] }));
    await expect(change).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('daily log') });
  }
  await folder.settle();
  expect([...folder.history()]).toEqual([]);
  expect(fs.readFileSync(join(path, 'logs/2031/05/2031-05-08.md'), 'utf8')).toBe('- 10:00 +00:00 x\n');
  await folder.close();
});

it.each<[readonly string[], boolean]>([
  [[], false],
  [['MEMORY.md', '.reverie/journal/x.md', 'logs/2031/05/2031-05-08.md', 'notes.txt'], false],
  [['a.md'], true],
  [['MEMORY.md', 'deep/er/a.md'], true],
  [['sub/MEMORY.md', 'memory.md'], false],
  [['one/two/three/a.md'], false],
])('tells at a glance whether there is a memory: %j', (files, expected) => {
  const path = folderWith(files);
  expect(hasMemoryFiles(path, 2)).toBe(expected);
  const root = openFolder(path)!;
  expect(walkMemoryFiles(root, 2).files.length > 0).toBe(expected);
  root.close();
  expect(hasMemoryFiles(join(path, 'nowhere'), 2)).toBe(false);
});

it('skips a file of a size that no memory has without reading it, tells so, and does not take it for removed', async () => {
  const path = folderWith(['a.md', 'b.md']);
  const secrets = { describeSecretsIn: async () => null };
  const now = () => new Date();
  const folder = openMemoryFolder({ path, scope: 'project', limits: LIMITS, secrets, cacheDirectory: null, now });
  await folder.settle();
  const before = [...folder.history()].length;
  // Sparse: it takes no room, and reading it would take three hundred megabytes.
  fs.truncateSync(join(path, 'b.md'), 300_000_000);
  await folder.settle();
  expect(folder.look().files.map(({ file }) => file)).toEqual(['a.md']);
  expect([...folder.history()]).toHaveLength(before);
  expect(folder.problems()).toEqual([expect.stringContaining('b.md is skipped: it is larger than 16 MB.')]);
  await folder.close();
});
