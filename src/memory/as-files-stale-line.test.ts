import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { LIMITS } from '../limits.ts';
import { openMemory } from '../session/open-memory.ts';
import { openMemoryFolder } from './history/memory-folder.ts';
import type { Memory } from './memory.ts';
import { requestFor } from './plan-change.ts';

let place: string;
let memory: Memory;
const onDisk = (file: string) => join(memory.folders.project!, file);
const index = () => fs.readFileSync(onDisk('MEMORY.md'), 'utf8');
const A = '---\nname: a\ndescription: about a\ntype: project\n---\n\nbody of a\n';

beforeEach(async () => {
  place = temporaryFolder('stale');
  memory = await openMemory({ home: join(place, 'home'), cwd: place, env: { HOME: place } });
  await memory.files.write('a.md', A);
  fs.writeFileSync(onDisk('MEMORY.md'), '# Mine\r\n\r\n- [Gone](gone.md) — my words\r\n- [a](a.md) — about a\r\nEnd.');
  await memory.noticeOutsideEdits();
});
afterEach(async () => {
  await memory.close();
});

const takeOut = () =>
  memory.files.change(['gone.md'], () => ({ reason: 'dream', files: [{ file: 'gone.md', line: 'unlist' }] }));

it('a line that leads nowhere is taken out as an update of the index, and undo puts it back byte for byte', async () => {
  const before = index();
  const saved = await takeOut();
  expect(index()).toBe('# Mine\r\n\r\n- [a](a.md) — about a\r\nEnd.');
  expect((await memory.log())[0]).toMatchObject({ id: saved!.change, kind: 'update' });
  await memory.undo(saved!.change);
  expect(index()).toBe(before);
  expect(fs.existsSync(onDisk('gone.md'))).toBe(false);
});

it('a file that comes into being in that moment is not taken away with its line', async () => {
  const folder = openMemoryFolder({
    ...{ path: memory.folders.project!, scope: 'project', limits: LIMITS, cacheDirectory: null },
    ...{ secrets: { describeSecretsIn: async () => null }, now: () => new Date() },
  });
  const plan = () => ({ reason: 'dream', files: [{ file: 'gone.md', line: 'unlist' as const }] });
  const change = folder.change(['gone.md'], async () => {
    const request = await requestFor(plan, { folder, who: 'dream', refuseSecrets: async () => {} });
    fs.writeFileSync(onDisk('gone.md'), A);
    return request;
  });
  await expect(change).rejects.toMatchObject({ code: 'refused' });
  await folder.close();
  expect(fs.readFileSync(onDisk('gone.md'), 'utf8')).toBe(A);
  expect(index()).toContain('gone.md');
});
