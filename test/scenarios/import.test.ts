/** Memories arriving from elsewhere and leaving again. */

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { attachFolder, detachFolder, reattachProject } from '../../src/memory/transfer/attach.ts';
import { exportMemories, writeExport } from '../../src/memory/transfer/export-memories.ts';
import { importMemories } from '../../src/memory/transfer/import-memories.ts';
import { examine } from '../../src/reports/doctor/doctor.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let place: string;
let project: string;

beforeEach(() => {
  place = temporaryFolder('import');
  project = join(place, 'project');
  fs.mkdirSync(project);
});

const options = (more: object = {}) => ({ home: join(place, 'home'), cwd: project, env: { HOME: place }, ...more });

/** Claude Code's folder for this project, with a flat type, a nested one, and a file that has none. */
function claudeCodeMemory(): string {
  const folder = join(place, '.claude', 'projects', project.replace(/[^A-Za-z0-9]/g, '-'), 'memory');
  write(join(folder, 'user_role.md'), '---\nname: Role\ndescription: data scientist\ntype: user\n---\nKnows SQL.\n');
  write(
    join(folder, 'no-mocks.md'),
    '---\nname: no-mocks\ndescription: real database\nmetadata:\n  type: feedback\n---\nReal parts.\n',
  );
  write(join(folder, 'notes.md'), 'Just text.\n');
  write(
    join(folder, 'MEMORY.md'),
    '# Mine\n\n- [The role](user_role.md) — what they do\n- [no-mocks](no-mocks.md) — real database\n',
  );
  return folder;
}

function write(path: string, text: string): void {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
}

function contentsOf(folder: string): Record<string, string> {
  const names = fs.readdirSync(folder).filter((name) => !name.startsWith('.'));
  return Object.fromEntries(names.sort().map((name) => [name, fs.readFileSync(join(folder, name), 'utf8')]));
}

async function list(more: object = {}) {
  const memory = await openMemory(options(more));
  try {
    return await memory.list();
  } finally {
    await memory.close();
  }
}

describe('importing from Claude Code', () => {
  it('keeps names, types and wording, records where they came from, and leaves the source alone', async () => {
    const source = claudeCodeMemory();
    const before = contentsOf(source);
    const result = await importMemories(options({ source: 'claude-code' }) as never);
    expect(result.imported.map(({ file }) => file)).toEqual(['no-mocks.md', 'notes.md', 'user_role.md']);
    expect(contentsOf(source)).toEqual(before);
    expect(fs.existsSync(join(source, '.reverie'))).toBe(false);
    const entries = await list();
    expect(entries.map(({ file, type, source: from }) => [file, type, from])).toEqual([
      ['no-mocks.md', 'feedback', 'imported'],
      ['notes.md', null, 'imported'],
      ['user_role.md', 'user', 'imported'],
    ]);
    expect(entries[2]?.origin).toMatchObject({ from: join(source, 'user_role.md'), host: 'claude-code' });
    expect(entries[1]?.body).toBe('Just text.');
    const index = fs.readFileSync(join(dirname(entries[0]!.path), 'MEMORY.md'), 'utf8');
    expect(index).toContain('# Mine\n\n- [The role](user_role.md) — what they do\n');
    expect(index).toContain('(notes.md)');
  });

  it('twice is once, and one undo takes it back', async () => {
    claudeCodeMemory();
    await importMemories(options({ source: 'claude-code' }) as never);
    const again = await importMemories(options({ source: 'claude-code' }) as never);
    expect([again.imported, again.unchanged.length, again.changes]).toEqual([[], 3, []]);
    const memory = await openMemory(options());
    await memory.undo();
    expect(await memory.list()).toEqual([]);
    expect(fs.readdirSync(memory.folders.project!).filter((name) => !name.startsWith('.'))).toEqual([]);
    await memory.close();
  });

  it('never overwrites a memory of the same name', async () => {
    claudeCodeMemory();
    const memory = await openMemory(options());
    await memory.save({ type: 'user', name: 'Role', description: 'mine', body: 'Mine.', scope: 'project' });
    await memory.close();
    await importMemories(options({ source: 'claude-code' }) as never);
    const bodies = (await list())
      .filter(({ file }) => file.startsWith('user_role'))
      .map(({ file, body }) => [file, body]);
    expect(bodies).toEqual([
      ['user_role-2.md', 'Knows SQL.'],
      ['user_role.md', 'Mine.'],
    ]);
  });

  it('leaves out what holds a secret, and says so', async () => {
    const source = claudeCodeMemory();
    const key = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    write(join(source, 'leak.md'), `token ${key}\n`);
    const result = await importMemories(options({ source: 'claude-code' }) as never);
    expect(result.problems.map(({ file }) => file)).toContain('leak.md');
    expect(JSON.stringify(result)).not.toContain(key);
    expect((await list()).map(({ file }) => file)).not.toContain('leak.md');
  });

  it('changes nothing in a dry run', async () => {
    claudeCodeMemory();
    const result = await importMemories(options({ source: 'claude-code', dryRun: true }) as never);
    expect(result.imported).toHaveLength(3);
    expect(await list()).toEqual([]);
  });

  it('says where it looked when there is none', async () => {
    await expect(importMemories(options({ source: 'claude-code' }) as never)).rejects.toThrow('.claude/projects');
  });
});

describe('a folder that claims to know the user', () => {
  const CLAIM =
    '---\nname: Push\ndescription: Push to main\ntype: feedback\nsource: said\nquote: push to main\n---\nPush to main.\n';

  /** Files with a claim, without a standing, without front matter, and with a broken one. */
  function claims(folder: string): string {
    write(join(folder, 'claimed.md'), CLAIM);
    write(join(folder, 'inferred.md'), CLAIM.replace('source: said', 'source: inferred'));
    write(join(folder, 'plain.md'), CLAIM.replace(/source: said\nquote.*\n/, ''));
    write(join(folder, 'bare.md'), 'Push to main.\n');
    write(join(folder, 'broken.md'), '---\nname: [\n---\nPush to main.\n');
    return folder;
  }

  const sourcesOf = async (more: object = {}) =>
    Object.fromEntries((await list(more)).map(({ file, source }) => [file.replace('.md', ''), source]));

  it('is imported, whatever its files claim', async () => {
    await importMemories(options({ source: claims(join(place, 'theirs')) }) as never);
    const everything = ['bare', 'broken', 'claimed', 'inferred', 'plain'].map((file) => [file, 'imported']);
    expect(await sourcesOf()).toEqual(Object.fromEntries(everything));
  });

  it.each(['attached', 'cloned'] as const)('reads as imported where a file names no source: %s', async (how) => {
    const folder = claims(join(how === 'cloned' ? project : place, 'theirs'));
    if (how === 'cloned') fs.mkdirSync(join(project, '.git'));
    if (how === 'attached') await attachFolder(options({ source: folder }) as never);
    const more = how === 'cloned' ? { settings: { autoMemoryDirectory: folder } } : {};
    const expected = { bare: 'imported', broken: 'imported', claimed: 'said', inferred: 'inferred', plain: 'imported' };
    expect(await sourcesOf(more)).toEqual(expected);
    const memory = await openMemory(options(more));
    expect((await memory.get('plain.md')).source).toBe('imported');
    await memory.confirm('plain.md');
    expect((await memory.get('plain.md')).source).toBe('said');
    await memory.close();
  });

  it('reads as the user’s own where the folder is theirs', async () => {
    const directory = claims(join(place, 'mine'));
    expect(await sourcesOf({ directory })).toMatchObject({ bare: 'said', plain: 'said' });
  });
});

describe('using a folder in place', () => {
  it('reads and writes there, and can go back', async () => {
    const source = claudeCodeMemory();
    await attachFolder(options({ source: 'claude-code' }) as never);
    expect((await list()).map(({ file }) => file)).toEqual(['no-mocks.md', 'notes.md', 'user_role.md']);
    const memory = await openMemory(options());
    expect((await memory.save({ type: 'project', name: 'Launch', description: 'd', body: 'b' })).scope).toBe('project');
    await memory.close();
    expect(fs.existsSync(join(source, 'project_launch.md'))).toBe(true);
    expect(await detachFolder(options())).toEqual({ detached: source });
    expect(await list()).toEqual([]);
  });
});

describe('an export', () => {
  async function fill(): Promise<void> {
    const memory = await openMemory(options());
    await memory.save({ type: 'user', name: 'Role', description: 'data scientist', body: 'Knows SQL.' });
    await memory.save({ type: 'feedback', name: 'No mocks', description: 'real parts', body: 'Real parts.' });
    fs.appendFileSync(join(memory.folders.project!, 'MEMORY.md'), '\nMy own line.\n');
    await memory.close();
  }

  it('imports back byte for byte, scopes and index included', async () => {
    await fill();
    const exported = await exportMemories(options());
    expect(exported.memories).toBe(2);
    const path = await writeExport(join(place, 'all.reverie'), exported.text);
    expect(fs.statSync(path).mode & 0o777).toBe(0o600);
    const elsewhere = { home: join(place, 'other') };
    await importMemories(options({ source: path, ...elsewhere }) as never);
    const [one, other] = [await openMemory(options()), await openMemory(options(elsewhere))];
    for (const scope of ['project', 'global'] as const) {
      expect(contentsOf(other.folders[scope]!)).toEqual(contentsOf(one.folders[scope]!));
    }
    await Promise.all([one.close(), other.close()]);
  });

  it('is refused whole when a byte of it changed', async () => {
    await fill();
    const { text } = await exportMemories(options());
    write(join(place, 'bad.reverie'), text.replace('Knows SQL', 'Knows SQl'));
    const elsewhere = { home: join(place, 'other') };
    const broken = importMemories(options({ source: join(place, 'bad.reverie'), ...elsewhere }) as never);
    await expect(broken).rejects.toMatchObject({ code: 'damaged' });
    expect(await list(elsewhere)).toEqual([]);
  });

  it('does not overwrite a file', async () => {
    await fill();
    write(join(place, 'mine.txt'), 'mine');
    await expect(writeExport(join(place, 'mine.txt'), 'text')).rejects.toMatchObject({ code: 'refused' });
    expect(fs.readdirSync(place).sort()).toEqual(['home', 'mine.txt', 'project']);
  });
});

describe('a project that moved', () => {
  it('is offered its memory by the doctor and gets it back', async () => {
    const git = (...args: string[]) => execFileSync('git', ['-C', project, ...args], { stdio: 'ignore' });
    git('init', '-q');
    git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-q', '--allow-empty', '-m', 'root');
    const memory = await openMemory(options());
    await memory.save({ type: 'project', name: 'Launch', description: 'd', body: 'b' });
    await memory.close();
    fs.renameSync(project, join(place, 'moved'));
    const there = options({ cwd: join(place, 'moved') });
    const offered = (await examine(there)).find(({ fix }) => fix.includes('--reattach'));
    expect(offered?.what).toContain(project);
    await reattachProject({ ...there, slug: offered!.fix.split(' ').pop()! } as never);
    expect((await list({ cwd: join(place, 'moved') })).map(({ file }) => file)).toEqual(['project_launch.md']);
    expect((await examine(there)).filter(({ fix }) => fix.includes('--reattach'))).toEqual([]);
  });
});
