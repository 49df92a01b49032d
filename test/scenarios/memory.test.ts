/** A memory as a program uses it, on a real folder. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/memory.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const opened: Memory[] = [];
let place: string;

beforeEach(() => {
  place = temporaryFolder('memory');
  fs.mkdirSync(join(place, 'project'));
});
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
});

const directory = () => join(place, 'mine', 'memory');
const at = (file: string) => join(directory(), file);
const text = (file: string) => fs.readFileSync(at(file), 'utf8');

async function open(options: Parameters<typeof openMemory>[0] = {}): Promise<Memory> {
  const memory = await openMemory({
    directory: directory(),
    home: join(place, 'home'),
    cwd: join(place, 'project'),
    env: { HOME: place },
    ...options,
  });
  opened.push(memory);
  return memory;
}

/** Both scopes, in a home of their own. */
const openBoth = () => open({ directory: undefined });

const noMocks = {
  type: 'feedback',
  name: 'No mocks',
  description: 'Use the real database',
  body: 'Real parts only.',
} as const;
const role = { type: 'user', name: 'Role', description: 'data scientist', body: 'Knows SQL.' } as const;

/** Every file of the folder with its text, the journal aside. */
function snapshot(): Record<string, string> {
  const names = fs.existsSync(directory()) ? fs.readdirSync(directory()).filter((name) => !name.startsWith('.')) : [];
  return Object.fromEntries(names.sort().map((name) => [name, text(name)]));
}

describe('saving', () => {
  it('writes one markdown file and its index line', async () => {
    const memory = await open();
    const saved = await memory.save(noMocks);
    expect(saved).toMatchObject({ file: 'feedback_no-mocks.md', scope: 'project' });
    expect(text('MEMORY.md')).toBe('- [No mocks](feedback_no-mocks.md) — Use the real database\n');
    const entry = await memory.get('feedback_no-mocks.md');
    expect(entry).toMatchObject({ ...noMocks, body: 'Real parts only.', source: 'said', origin: null, pinned: false });
    expect(Date.parse(entry.modified)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('asks for Why and How to apply where they belong', async () => {
    const { warnings } = await (await open()).save(noMocks);
    expect(warnings.join()).toContain('**Why:**');
  });

  it('never overwrites: a clash gets a number, case twins included', async () => {
    const memory = await open();
    await memory.save(role);
    fs.writeFileSync(at('User_Role-2.md'), 'mine');
    expect((await memory.save(role)).file).toBe('user_role-3.md');
    expect(text('User_Role-2.md')).toBe('mine');
  });

  it.each([
    [{ ...noMocks, type: 'nonsense' }, 'not a memory type'],
    [{ ...noMocks, name: '  ' }, 'name is empty'],
    [{ ...noMocks, body: undefined }, 'body is missing'],
  ])('refuses what is not a memory, and changes nothing: %#', async (request, message) => {
    const memory = await open();
    await expect(memory.save(request as never)).rejects.toThrow(message);
    expect(snapshot()).toEqual({});
  });

  it('refuses a secret and keeps no trace of it', async () => {
    const memory = await open();
    const key = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    await expect(memory.save({ ...noMocks, body: `use ${key}` })).rejects.toMatchObject({ code: 'secret' });
    expect(snapshot()).toEqual({});
    expect(JSON.stringify(await memory.log())).not.toContain(key);
  });
});

describe('changing', () => {
  it('keeps comments, unknown keys and the user’s index wording', async () => {
    const memory = await open();
    await memory.save(noMocks);
    fs.writeFileSync(
      at('feedback_no-mocks.md'),
      '---\n# mine\nname: No mocks\ndescription: d\ntype: feedback\nteam: blue\n---\nOld.\n',
    );
    fs.writeFileSync(at('MEMORY.md'), '# My index\n\n- [Mocks?](feedback_no-mocks.md) — never\n');
    await memory.update('feedback_no-mocks.md', { description: 'new words', body: 'New.' });
    expect(text('feedback_no-mocks.md')).toContain('# mine\n');
    expect(text('feedback_no-mocks.md')).toContain('team: blue\n');
    expect(text('MEMORY.md')).toBe('# My index\n\n- [Mocks?](feedback_no-mocks.md) — never\n');
    expect(await memory.get('feedback_no-mocks.md')).toMatchObject({ description: 'new words', body: 'New.' });
  });

  it('moves the index line along when it is as Reverie wrote it', async () => {
    const memory = await open();
    await memory.save(noMocks);
    await memory.update('feedback_no-mocks.md', { description: 'Real database only' });
    expect(text('MEMORY.md')).toBe('- [No mocks](feedback_no-mocks.md) — Real database only\n');
  });

  it('pins, and lists what it pinned', async () => {
    const memory = await open();
    await memory.save(noMocks);
    await memory.pin('feedback_no-mocks.md');
    expect((await memory.list())[0]).toMatchObject({ file: 'feedback_no-mocks.md', pinned: true });
    await memory.pin('feedback_no-mocks.md', { pinned: false });
    expect((await memory.list())[0]?.pinned).toBe(false);
  });

  it('gives the body of a listed memory when asked', async () => {
    const memory = await open();
    await memory.save(noMocks);
    expect((await memory.list())[0]?.body).toBe('Real parts only.');
  });

  it('says which files there are when a name is wrong', async () => {
    const memory = await open();
    await expect(memory.get('none.md')).rejects.toMatchObject({ code: 'not-found' });
    await expect(memory.get('../../etc/passwd')).rejects.toMatchObject({ code: 'refused' });
  });
});

describe('undo', () => {
  it('restores every byte, the index included, and is a change itself', async () => {
    const memory = await open();
    await memory.save(role);
    const states = [snapshot()];
    await memory.save(noMocks);
    states.push(snapshot());
    await memory.update('feedback_no-mocks.md', { name: 'Never mock' });
    states.push(snapshot());
    await memory.forget('user_role.md', { reason: 'wrong' });
    for (const state of states.reverse()) {
      expect((await memory.undo()).kind).toBe('undo');
      expect(snapshot()).toEqual(state);
    }
    await memory.undo();
    expect(snapshot()).toEqual({});
    await expect(memory.undo()).rejects.toThrow('nothing to undo');
  });

  it('puts the index line back where it was', async () => {
    const memory = await open();
    for (const name of ['one', 'two', 'three']) await memory.save({ ...role, name });
    const before = text('MEMORY.md');
    await memory.forget('user_two.md');
    await memory.undo();
    expect(text('MEMORY.md')).toBe(before);
  });

  it('is refused, by name, when a later change touched the file', async () => {
    const memory = await open();
    const saved = await memory.save(role);
    const updated = await memory.update(saved.file, { body: 'Knows R.' });
    await expect(memory.undo(saved.change)).rejects.toThrow(updated.change);
    await memory.undo(updated.change);
    await memory.undo(saved.change);
    expect(snapshot()).toEqual({});
  });

  it('of an undo brings the change back', async () => {
    const memory = await open();
    await memory.save(role);
    const saved = snapshot();
    const undone = await memory.undo();
    expect(snapshot()).toEqual({});
    await memory.undo(undone.id);
    expect(snapshot()).toEqual(saved);
  });

  it('without an id does not reach behind a purge, and names the change that stands there', async () => {
    const memory = await open();
    const first = await memory.save(role);
    await memory.save(noMocks);
    await memory.purge('feedback_no-mocks.md');
    await expect(memory.undo()).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('is a purge'),
      fix: expect.stringContaining(`save of user_role.md: reverie memory undo ${first.change}`),
    });
    expect((await memory.list()).map(({ file }) => file)).toEqual(['user_role.md']);
    await memory.save(noMocks);
    expect((await memory.undo()).files).toEqual(['feedback_no-mocks.md']);
    await expect(memory.undo()).rejects.toThrow('purge');
    await memory.undo(first.change);
    expect(await memory.list()).toEqual([]);
  });
});

describe('edits made with an editor', () => {
  it('are noticed at the next start, journalled with the text before, and can be undone', async () => {
    const first = await open();
    await first.save(role);
    await first.close();
    const before = text('user_role.md');
    fs.writeFileSync(at('user_role.md'), before.replace('SQL', 'COBOL'));
    fs.writeFileSync(at('project_by-hand.md'), '---\nname: By hand\ndescription: d\ntype: project\n---\nNew.\n');
    const second = await open();
    const log = await second.log();
    expect(log.map(({ kind, who, files }) => [kind, who, files])).toEqual([
      ['edit', 'user', ['project_by-hand.md']],
      ['edit', 'user', ['user_role.md']],
      ['save', 'user', ['user_role.md']],
    ]);
    expect(text('MEMORY.md')).toContain('- [By hand](project_by-hand.md) — d\n');
    await second.undo(log[1]!.id);
    expect(text('user_role.md')).toBe(before);
  });

  it('come before a change by the same name, so that both can be taken back', async () => {
    const memory = await open();
    await memory.save(role);
    const original = text('user_role.md');
    fs.writeFileSync(at('user_role.md'), original.replace('SQL', 'COBOL'));
    await memory.update('user_role.md', { description: 'engineer' });
    await memory.undo();
    expect(text('user_role.md')).toContain('COBOL');
    await memory.undo();
    expect(text('user_role.md')).toBe(original);
  });

  it('that remove a file lose its index line and can be undone', async () => {
    const first = await open();
    await first.save(role);
    await first.close();
    const before = snapshot();
    fs.rmSync(at('user_role.md'));
    const second = await open();
    expect((await second.log())[0]).toMatchObject({ kind: 'edit', why: 'removed outside Reverie' });
    expect(text('MEMORY.md')).toBe('');
    await second.undo();
    expect(snapshot()).toEqual(before);
  });

  it('of many files at once are one change, which can be undone', async () => {
    const first = await open();
    for (let number = 1; number <= 30; number += 1) {
      await first.save({ ...role, name: `Fact ${number}`, description: `fact number ${number}` });
    }
    await first.close();
    const before = snapshot();
    const names = fs.readdirSync(directory()).filter((name) => name.startsWith('user_fact'));
    for (const name of names.slice(0, 25)) fs.appendFileSync(at(name), 'A line by a script.\n');
    const second = await open();
    const [edit, ...earlier] = await second.log({ limit: 2 });
    expect(edit).toMatchObject({ kind: 'edit', why: 'edited outside Reverie' });
    expect(await second.diff(edit!.id)).toHaveLength(25);
    expect(earlier).toMatchObject([{ kind: 'save' }]);
    await second.undo();
    expect(snapshot()).toEqual(before);
    await second.close();
    for (const name of names.slice(0, 25)) fs.rmSync(at(name));
    const third = await open();
    expect((await third.log({ limit: 1 }))[0]).toMatchObject({ kind: 'edit', why: 'removed outside Reverie' });
    await third.undo();
    expect(snapshot()).toEqual(before);
  });

  it('that hold a secret are journalled without their text', async () => {
    const first = await open();
    await first.save(role);
    await first.close();
    const key = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    fs.appendFileSync(at('user_role.md'), `token ${key}\n`);
    const second = await open();
    const [edit] = await second.log();
    expect(await second.diff(edit!.id)).toMatchObject([{ file: 'user_role.md', after: null, withheld: true }]);
    const kept = fs.readdirSync(join(directory(), '.reverie', 'journal', 'contents'));
    const texts = kept.map((name) =>
      fs.readFileSync(join(directory(), '.reverie', 'journal', 'contents', name), 'utf8'),
    );
    expect(texts.join()).not.toContain(key);
    await expect(second.forget('user_role.md')).rejects.toMatchObject({ code: 'secret' });
  });
});

describe('purge', () => {
  it('removes every trace, also of what was forgotten', async () => {
    const memory = await open();
    await memory.save({ ...role, name: 'Zebra', body: 'The zebra sleeps at noon.' });
    await memory.save(noMocks);
    await memory.update('user_zebra.md', { description: 'zebra again' });
    await memory.forget('user_zebra.md', { reason: 'zebra' });
    const purged = await memory.purge('user_zebra.md');
    expect(purged).toMatchObject({ file: 'user_zebra.md', records: 3, transcripts: [] });
    await memory.close();
    const traces = fs.readdirSync(directory(), { recursive: true, encoding: 'utf8' }).filter((name) => {
      const path = join(directory(), name);
      return fs.statSync(path).isFile() && /zebra/i.test(fs.readFileSync(path, 'utf8'));
    });
    expect(traces).toEqual([]);
    expect((await (await open()).list()).map(({ file }) => file)).toEqual(['feedback_no-mocks.md']);
  });
});

describe('two scopes', () => {
  it('keep the person apart from the project and are listed together', async () => {
    const memory = await openBoth();
    expect((await memory.save(role)).scope).toBe('global');
    expect((await memory.save(noMocks)).scope).toBe('project');
    expect((await memory.list()).map(({ file, scope }) => [file, scope])).toEqual([
      ['feedback_no-mocks.md', 'project'],
      ['user_role.md', 'global'],
    ]);
    expect((await memory.log()).map(({ scope }) => scope)).toEqual(['project', 'global']);
    await memory.undo();
    await memory.undo();
    expect(await memory.list()).toEqual([]);
  });

  it('leave what another project did to the global one standing, unless it is named', async () => {
    const projects = ['one', 'other'].map((name) => join(place, name));
    for (const cwd of projects) fs.mkdirSync(cwd);
    const [here, there] = await Promise.all(projects.map((cwd) => open({ directory: undefined, cwd })));
    const own = await here!.save(noMocks);
    const foreign = await there!.save(role);
    await expect(here!.undo()).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/save of user_role\.md in the global memory, .* in .*\/other$/),
      fix: expect.stringMatching(
        new RegExp(`undo ${foreign.change}.*save of feedback_no-mocks\\.md: .*undo ${own.change}`),
      ),
    });
    expect((await here!.list()).map(({ file }) => file)).toEqual(['feedback_no-mocks.md', 'user_role.md']);
    await here!.undo(own.change);
    expect((await there!.undo()).undoes).toBe(foreign.change);
    expect((await here!.save(role)).scope).toBe('global');
    expect((await here!.undo()).files).toEqual(['user_role.md']);
  });

  it('ask which one is meant when both have the name', async () => {
    const memory = await openBoth();
    await memory.save({ ...noMocks, scope: 'global' });
    const project = memory.folders.project!;
    fs.mkdirSync(project, { recursive: true });
    fs.copyFileSync(join(memory.folders.global!, 'feedback_no-mocks.md'), join(project, 'feedback_no-mocks.md'));
    await expect(memory.get('feedback_no-mocks.md')).rejects.toMatchObject({ code: 'ambiguous' });
    expect(await memory.get('feedback_no-mocks.md', { scope: 'global' })).toMatchObject({ scope: 'global' });
  });
});

describe('switched off', () => {
  it('reads empty and refuses writes with the reason', async () => {
    const memory = await open({ env: { HOME: place, REVERIE_DISABLE_MEMORY: '1' } });
    expect(memory.enabled).toBe(false);
    expect(await memory.list()).toEqual([]);
    await expect(memory.save(noMocks)).rejects.toMatchObject({ code: 'memory-off' });
    expect(fs.existsSync(directory())).toBe(false);
  });
});

describe('what must never happen', () => {
  const key = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
  const everything = () =>
    fs
      .readdirSync(join(directory(), '.reverie'), { recursive: true, encoding: 'utf8' })
      .map((name) => join(directory(), '.reverie', name))
      .filter((path) => fs.statSync(path).isFile())
      .map((path) => fs.readFileSync(path, 'utf8'))
      .join('\n');

  it('absorbs no hand edit of the index made before a save', async () => {
    const memory = await open();
    await memory.save(role);
    await memory.close();
    fs.writeFileSync(at('MEMORY.md'), `My own words.\n${text('MEMORY.md')}`);
    const second = await open();
    await second.log();
    const before = text('MEMORY.md');
    fs.writeFileSync(at('MEMORY.md'), before.replace('My own words.\n', ''));
    await second.save(noMocks);
    const edits = (await second.log()).filter(({ kind, files }) => kind === 'edit' && files.includes('MEMORY.md'));
    expect(edits).toHaveLength(2);
    expect((await second.diff(edits[0]!.id))[0]?.before).toBe(before);
  });

  it('destroys no text that was not kept: undo over a secret is refused', async () => {
    const memory = await open();
    await memory.save(role);
    await memory.close();
    fs.appendFileSync(at('user_role.md'), `token ${key}\n`);
    const second = await open();
    await second.log();
    await expect(second.undo()).rejects.toMatchObject({ code: 'secret' });
    expect(text('user_role.md')).toContain(key);
    expect(everything()).not.toContain(key);
  });

  it('lets no secret into the journal: by a pin, a reason, a description or a line of the index', async () => {
    const memory = await open();
    await memory.save(role);
    await expect(memory.forget('user_role.md', { reason: `it held ${key}` })).rejects.toMatchObject({ code: 'secret' });
    fs.writeFileSync(at('user_leak.md'), `---\nname: Leak\ndescription: token ${key}\ntype: user\n---\nx\n`);
    fs.appendFileSync(at('MEMORY.md'), `- [Role again](user_role.md) — ${key}\n`);
    await expect(memory.pin('user_leak.md')).rejects.toMatchObject({ code: 'secret' });
    await memory.close();
    const second = await open();
    await second.log();
    await second.forget('user_role.md');
    await second.close();
    expect(everything()).not.toContain(key);
  });

  it('takes no file of a person away by a plain undo', async () => {
    fs.mkdirSync(directory(), { recursive: true });
    fs.writeFileSync(at('notes.md'), 'mine\n');
    const memory = await open();
    await memory.log();
    await expect(memory.undo()).rejects.toThrow('nothing to undo');
    expect(text('notes.md')).toBe('mine\n');
  });

  it('journals a large file once, and one unreadable or odd file hides no other', async () => {
    const memory = await open();
    await memory.save({ ...role, body: 'x'.repeat(70_000) });
    fs.writeFileSync(at('memory.md'), 'odd');
    fs.writeFileSync(at('two\nlines.md'), 'odd');
    fs.symlinkSync('user_role.md', at('link.md'));
    await memory.close();
    for (let start = 0; start < 3; start += 1) {
      const again = await open();
      expect((await again.log()).map(({ kind }) => kind)).toEqual(['save']);
      expect((await again.list()).map(({ file }) => file)).toEqual(['user_role.md']);
      await again.close();
    }
    expect(text('MEMORY.md').split('\n')).toHaveLength(2);
  });

  it('leaves the bytes of an index that is not UTF-8 alone', async () => {
    fs.mkdirSync(directory(), { recursive: true });
    const bytes = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
    fs.writeFileSync(at('MEMORY.md'), bytes);
    const memory = await open();
    await memory.save(role);
    await memory.undo();
    expect(fs.readFileSync(at('MEMORY.md')).equals(bytes)).toBe(true);
  });

  it('purges also the text that a renamed file had under its old name', async () => {
    const memory = await open();
    await memory.save({ ...role, body: 'The heron nests in March.' });
    await memory.close();
    fs.renameSync(at('user_role.md'), at('renamed.md'));
    const second = await open();
    await second.purge('renamed.md');
    await second.close();
    expect(everything()).not.toContain('heron');
  });
});
