import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createToolPlace, type ToolPlace } from '../../test/support/tool-place.ts';
import { diskFiles } from '../agent/disk-files.ts';
import type { Files } from '../agent/files.ts';
import { hashOf } from '../disk/contents.ts';
import type { Memory } from '../memory/memory.ts';
import { openMemory } from '../session/open-memory.ts';
import { agentFiles } from './files.ts';

let place: string;
let memory: Memory;
let files: Files;
let tools: ToolPlace;

beforeEach(async () => {
  place = temporaryFolder('agent-files');
  memory = await openMemory({ home: join(place, 'home'), cwd: place, env: { HOME: place } });
  files = agentFiles({ memory, disk: diskFiles() });
  tools = createToolPlace({ cwd: place, files });
});
afterEach(async () => {
  await tools.close();
  await memory.close();
});

const TEXT = '---\nname: No mocks\ndescription: tests run against the real database\ntype: feedback\n---\n\nUse it.\n';
// Put together here, so that no scanner takes this file for a leak.
const SECRET = ['ghp', 'x7Kq2mN9vB4cL8sD1fG6hJ3pR5tW0yZeUaIo'].join('_');

const project = (file: string) => join(memory.folders.project!, file);
const write = (path: string, text: string, before: string | null = null) =>
  files.write(path, Buffer.from(text), { ifUnchanged: before === null ? null : hashOf(Buffer.from(before)) });
const indexOf = (folder: string) => fs.readFileSync(join(folder, 'MEMORY.md'), 'utf8');

describe('a memory that the agent writes', () => {
  it.each(['project', 'global'] as const)(
    'is journalled as the agent’s, with its line in the index: %s',
    async (scope) => {
      const folder = memory.folders[scope]!;
      const path = join(folder, 'feedback_no-mocks.md');
      expect(await write(path, TEXT)).toMatchObject({ kind: 'written', notes: [expect.stringContaining('MEMORY.md')] });
      expect(indexOf(folder)).toContain('(feedback_no-mocks.md)');
      expect(await memory.log()).toMatchObject([{ kind: 'save', who: 'agent', scope }]);
      expect(await write(path, `${TEXT}Always.\n`, TEXT)).toMatchObject({ kind: 'written' });
      expect(await memory.log()).toMatchObject([{ kind: 'update', who: 'agent', scope }, {}]);
      await memory.undo();
      expect(fs.readFileSync(path, 'utf8')).toBe(TEXT);
    },
  );

  it('is the memory through a link too', async () => {
    await write(project('a.md'), TEXT);
    fs.symlinkSync(memory.folders.project!, join(place, 'link'));
    expect(await write(join(place, 'link/b.md'), TEXT)).toMatchObject({ kind: 'written' });
    fs.symlinkSync(project('a.md'), join(place, 'notes.md'));
    expect(await write(join(place, 'notes.md'), `${TEXT}More.\n`, TEXT)).toMatchObject({ kind: 'written' });
    expect((await memory.log()).map(({ files }) => files[0])).toEqual(['a.md', 'b.md', 'a.md']);
    expect(await write(join(place, 'link/.reverie/journal/x.md'), TEXT)).toMatchObject({ kind: 'refused' });
  });

  it('tells what is odd about it', async () => {
    const outcome = await write(project('a.md'), 'only text');
    expect(outcome).toMatchObject({ kind: 'written' });
    expect(JSON.stringify(outcome)).toContain('no front matter');
  });

  it('is not written over what somebody else wrote since', async () => {
    await write(project('a.md'), TEXT);
    fs.writeFileSync(project('a.md'), 'the user’s\n');
    expect(await write(project('a.md'), 'new', TEXT)).toEqual({ kind: 'changed-meanwhile' });
    expect(await write(project('a.md'), 'new')).toEqual({ kind: 'changed-meanwhile' });
    expect(await write(project('gone.md'), 'new', TEXT)).toEqual({ kind: 'changed-meanwhile' });
    expect(fs.readFileSync(project('a.md'), 'utf8')).toBe('the user’s\n');
  });
});

describe('what is refused', () => {
  it.each([
    ['the index', 'MEMORY.md', TEXT, /index.*follow/],
    ['the journal', '.reverie/journal/changes.jsonl', TEXT, /only Reverie itself/],
    ['nothing at all', 'a.md', ' \n', /forget a\.md.*Forget.*undo/],
    ['another kind of file', 'a.txt', TEXT, /\.md/],
    ['a hidden file', '.a.md', TEXT, /./],
    ['the folder', '.', TEXT, /folder itself/],
    ['a secret', 'a.md', `${TEXT}token ${SECRET}\n`, /not saved/],
  ])('%s', async (_what, file, text, reason) => {
    await write(project('kept.md'), TEXT);
    const outcome = await write(project(file), text);
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringMatching(reason) });
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
    expect((await memory.log()).length).toBe(1);
  });

  it('is read nowhere in the journal, and everywhere else', async () => {
    await write(project('a.md'), TEXT);
    await expect(files.read(project('.reverie/journal/changes.jsonl'))).rejects.toMatchObject({ code: 'refused' });
    expect((await files.read(project('a.md'))).toString()).toBe(TEXT);
    expect((await files.read(project('MEMORY.md'))).toString()).toContain('a.md');
  });
});

it('leaves every other path to the disk, a sibling of a like name too', async () => {
  const sibling = `${memory.folders.project!}-old`;
  expect(await write(join(sibling, 'a.md'), TEXT)).toEqual({ kind: 'written', notes: [] });
  expect(await write(join(place, 'a.txt'), '')).toEqual({ kind: 'written', notes: [] });
  expect(await memory.log()).toEqual([]);
});

it('leaves all to the disk where memory is off', async () => {
  const off = await openMemory({ bare: true, home: join(place, 'home'), cwd: place, env: { HOME: place } });
  const plain = agentFiles({ memory: off, disk: diskFiles() });
  const written = await plain.write(join(place, 'x.md'), Buffer.from('x'), { ifUnchanged: null });
  expect(written).toEqual({ kind: 'written', notes: [] });
});

describe('the tools over it', () => {
  it('save, correct and forget a memory as a model would', async () => {
    const path = project('feedback_no-mocks.md');
    const saved = await tools.call('Write', { file_path: path, content: TEXT });
    expect(saved.text).toMatch(/^Created .*feedback_no-mocks\.md/);
    await tools.call('Edit', { file_path: path, old_string: 'Use it.', new_string: 'Use the real one.' });
    expect(fs.readFileSync(path, 'utf8')).toContain('Use the real one.');
    const emptied = await tools.call('Write', { file_path: path, content: '' });
    expect(emptied.isError).toBe(true);
    await tools.call('Bash', { command: `rm ${path}` });
    await memory.noticeOutsideEdits();
    expect(await memory.list()).toEqual([]);
    expect(fs.existsSync(project('MEMORY.md')) ? indexOf(memory.folders.project!) : '').not.toContain('no-mocks');
    expect((await memory.log()).length).toBe(3);
    await memory.undo();
    expect(fs.readFileSync(path, 'utf8')).toContain('Use the real one.');
  });

  it('answer a refusal as an error the model can act on', async () => {
    await tools.call('Write', { file_path: project('a.md'), content: TEXT });
    await tools.call('Read', { file_path: project('MEMORY.md') });
    const edited = await tools.call('Edit', {
      file_path: project('MEMORY.md'),
      old_string: 'a',
      new_string: 'b',
      replace_all: true,
    });
    expect(edited).toMatchObject({ isError: true, text: expect.stringContaining('follow from the memory files') });
  });
});
