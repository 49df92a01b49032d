import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openMemory } from '../session/open-memory.ts';
import type { Memory } from './memory.ts';

let place: string;
let memory: Memory;

const open = () => openMemory({ home: join(place, 'home'), cwd: place, env: { HOME: place } });
const onDisk = (file: string) => join(memory.folders.project!, file);
const text = (file: string) => fs.readFileSync(onDisk(file), 'utf8');
const memoryFile = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: about ${name}\ntype: project\n---\n\n${body}\n`;

beforeEach(async () => {
  place = temporaryFolder('change');
  memory = await open();
  for (const name of ['a', 'b', 'c']) await memory.files.write(`${name}.md`, memoryFile(name, `body of ${name}`));
});
afterEach(() => memory.close());

function everything(): Record<string, string> {
  const names = fs.readdirSync(memory.folders.project!).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(names.sort().map((name) => [name, text(name)]));
}

it('makes, changes and removes several files as one change, and undo takes all of it back byte for byte', async () => {
  const before = everything();
  const saved = await memory.files.change(
    ['a.md', 'b.md', 'd.md'],
    (read) => ({
      reason: `merged ${read('b.md')!.length > 0 ? 'b' : ''}`,
      files: [
        { file: 'a.md', text: memoryFile('a', 'body of a\n\nbody of b') },
        { file: 'b.md', text: null },
        { file: 'd.md', text: memoryFile('d', 'new'), mustBeNew: true },
      ],
    }),
    { who: 'dream' },
  );
  expect(Object.keys(everything())).toEqual(['MEMORY.md', 'a.md', 'c.md', 'd.md']);
  expect(text('MEMORY.md')).toBe('- [a](a.md) — about a\n- [c](c.md) — about c\n- [d](d.md) — about d\n');
  const [newest] = await memory.log();
  expect(newest).toMatchObject({ id: saved!.change, kind: 'update', who: 'dream', why: 'merged b' });
  await memory.undo(saved!.change);
  expect(everything()).toEqual(before);
});

it('takes a line out of the index so that it stays out over starts and edits, and puts it back', async () => {
  const before = everything();
  const saved = await memory.files.change(['b.md'], () => ({
    reason: 'rarely needed',
    files: [{ file: 'b.md', line: 'unlist' }],
  }));
  const short = '- [a](a.md) — about a\n- [c](c.md) — about c\n';
  expect(text('MEMORY.md')).toBe(short);
  await memory.close();
  memory = await open();
  await memory.noticeOutsideEdits();
  await memory.update('b.md', { body: 'another body' });
  expect(text('MEMORY.md')).toBe(short);
  expect((await memory.list()).map(({ file }) => file)).toContain('b.md');

  await memory.files.change(['b.md'], () => ({ reason: 'needed', files: [{ file: 'b.md', line: 'list' }] }));
  expect(text('MEMORY.md')).toBe(`${short}- [b](b.md) — about b\n`);
  expect(text('b.md')).not.toContain('unlisted');

  await memory.undo();
  await memory.undo((await memory.log()).find(({ undoneBy, kind }) => kind === 'update' && undoneBy === undefined)!.id);
  await memory.undo(saved!.change);
  expect(everything()).toEqual(before);
});

it('changes nothing where the plan throws, comes to nothing or brings a secret', async () => {
  const before = everything();
  const logged = (await memory.log()).length;
  await expect(
    memory.files.change(['a.md'], () => {
      throw new Error('thought better of it');
    }),
  ).rejects.toThrow('thought better');
  expect(await memory.files.change(['a.md'], () => ({ reason: 'none', files: [] }))).toBeNull();
  const same = { file: 'a.md', text: text('a.md'), line: 'list' } as const;
  expect(await memory.files.change(['a.md'], () => ({ reason: 'same', files: [same] }))).toBeNull();
  const secret = { file: 'e.md', text: memoryFile('e', `token ghp_${'x9Kd3LmQ'.repeat(5).slice(0, 36)}`) };
  const planned = { reason: 'secret', files: [{ file: 'a.md', text: 'changed' }, secret] };
  await expect(memory.files.change(['a.md', 'e.md'], () => planned)).rejects.toMatchObject({ code: 'secret' });
  await expect(
    memory.files.change([], () => ({ reason: '', files: [{ file: '../out.md', text: 'x' }] })),
  ).rejects.toMatchObject({ code: 'refused' });
  expect(everything()).toEqual(before);
  expect((await memory.log()).length).toBe(logged);
});

it('plans with the newest text: a person’s edit in between is seen, journalled and kept', async () => {
  fs.writeFileSync(onDisk('a.md'), memoryFile('a', 'edited by hand'));
  await memory.files.change(['a.md', 'b.md'], (read) => ({
    reason: 'only b',
    files: read('a.md')!.includes('edited by hand')
      ? [{ file: 'b.md', text: null }]
      : [{ file: 'a.md', text: 'overwritten' }],
  }));
  expect(text('a.md')).toContain('edited by hand');
  expect((await memory.log()).slice(0, 2)).toMatchObject([
    { kind: 'forget', files: ['b.md'] },
    { kind: 'edit', files: ['a.md'] },
  ]);
});
