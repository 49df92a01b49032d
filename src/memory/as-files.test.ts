import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openMemory } from '../session/open-memory.ts';
import type { Memory } from './memory.ts';

let place: string;
let memory: Memory;

beforeEach(async () => {
  place = temporaryFolder('files');
  memory = await openMemory({ home: join(place, 'home'), cwd: place, env: { HOME: place } });
});
afterEach(() => memory.close());

const onDisk = (file: string) => join(memory.folders.project!, file);

it('is the project’s folder alone', async () => {
  await memory.save({ type: 'user', name: 'Role', description: 'who', body: 'Pilot.' });
  expect(await memory.files.list()).toEqual([]);
  await memory.files.write('a.md', 'text');
  expect((await memory.files.list()).map(({ path }) => path)).toEqual(['MEMORY.md', 'a.md']);
});

it('lists a folder right before what it holds', async () => {
  for (const file of ['b.md', 'a-b.md', 'a/z.md', 'a/b/c.md']) await memory.files.write(file, 'text');
  expect((await memory.files.list()).map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    'file MEMORY.md',
    'folder a',
    'folder a/b',
    'file a/b/c.md',
    'file a/z.md',
    'file a-b.md',
    'file b.md',
  ]);
});

it('writes over a file unless it must be new, with who and why in the journal', async () => {
  expect(await memory.files.write('a.md', 'one')).toMatchObject({ file: 'a.md', scope: 'project', warnings: [] });
  await memory.files.write('a.md', 'two', { who: 'agent', reason: 'better' });
  await expect(memory.files.write('a.md', 'three', { mustBeNew: true })).rejects.toMatchObject({ code: 'refused' });
  expect(await memory.files.read('a.md')).toBe('two');
  expect(await memory.log()).toMatchObject([
    { kind: 'update', who: 'agent', why: 'better' },
    { kind: 'save', who: 'user' },
  ]);
  await memory.undo();
  expect(await memory.files.read('a.md')).toBe('one');
});

it('changes nothing when an edit throws, or when the text is not UTF-8', async () => {
  await memory.files.write('a.md', 'one');
  const failing = memory.files.edit('a.md', () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  fs.writeFileSync(onDisk('latin.md'), Buffer.from([0x61, 0xe9, 0x62]));
  await expect(memory.files.edit('latin.md', (text) => `${text}!`)).rejects.toMatchObject({ code: 'damaged' });
  expect(fs.readFileSync(onDisk('latin.md'))).toEqual(Buffer.from([0x61, 0xe9, 0x62]));
  expect(await memory.files.read('a.md')).toBe('one');
});

it('removes several at once, or none', async () => {
  for (const file of ['a.md', 'f/b.md', 'f/c.md']) await memory.files.write(file, 'text');
  await expect(memory.files.remove(['a.md', 'gone.md'])).rejects.toMatchObject({ code: 'not-found' });
  expect(fs.existsSync(onDisk('a.md'))).toBe(true);
  await memory.files.remove(['a.md', 'f', 'f/b.md']);
  expect(await memory.list()).toEqual([]);
  await expect(memory.files.remove([])).rejects.toMatchObject({ code: 'not-found' });
});

it.each(['../x.md', '/etc/x.md', '.hidden.md', 'x.txt', 'MEMORY.md', ''])('refuses to write %j', async (file) => {
  await memory.files.write('a.md', 'one');
  await expect(memory.files.write(file, 'text')).rejects.toMatchObject({ code: 'refused' });
  await expect(memory.files.rename('a.md', file)).rejects.toMatchObject({ code: 'refused' });
  expect(await memory.files.read('a.md')).toBe('one');
});

it('is empty and refuses when memory is off', async () => {
  const off = await openMemory({ bare: true, home: join(place, 'home'), cwd: place, env: { HOME: place } });
  expect(await off.files.list()).toEqual([]);
  await expect(off.files.write('a.md', 'text')).rejects.toMatchObject({ code: 'memory-off' });
});

it('says what undoing the way to a blocked change would take out', async () => {
  await memory.files.write('a.md', 'one');
  await memory.files.remove(['a.md']);
  fs.writeFileSync(onDisk('a.md'), 'by hand');
  const blocked = await memory.undo().catch((error: unknown) => error);
  const [edit] = await memory.log({ limit: 1 });
  expect(edit).toMatchObject({ kind: 'edit' });
  expect(blocked).toMatchObject({
    code: 'refused',
    fix: expect.stringMatching(
      new RegExp(`takes out what was put there by hand, a\\.md: reverie memory undo ${edit!.id}\\.`),
    ),
  });
  expect(await memory.files.read('a.md')).toBe('by hand');
  await memory.undo(edit!.id);
  await memory.undo();
  expect(await memory.files.read('a.md')).toBe('one');
});
