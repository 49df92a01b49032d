import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { protectionOf } from '../../../agent/permissions/protected-paths.ts';
import { leaseWorktree, sweepWorktrees, worktreeLeftovers } from './index.ts';
import { readLeases, writeLease } from './lease-file.ts';

let root: string;
let project: string;
let home: string;
const now = () => new Date();

function git(...words: readonly string[]): string {
  const env = { HOME: root, PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
  const ended = spawnSync('git', [...identity, ...words], { cwd: project, env, encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(ended.stderr);
  return ended.stdout.trim();
}

beforeEach(() => {
  root = temporaryFolder('worktrees');
  project = join(root, 'project');
  home = join(root, 'home');
  mkdirSync(project);
  git('init', '-q');
  writeFileSync(join(project, 'a.txt'), 'a\n');
  writeFileSync(join(project, '.gitignore'), 'built/\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
});

const shownIn = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith('.'));
const lease = (owner = 'explore') => leaseWorktree({ home, projectRoot: project, owner, now });
const inside = (path: string, ...words: readonly string[]) => git('-C', path, ...words);
const branches = () => git('branch', '--format=%(refname:short)').split('\n');
const DEAD = () => ({ ...readLeases(join(home, 'worktrees')).leases[0]!.process, started: '1' });

describe('a work tree', () => {
  it('is a checkout of its own outside of the repository, and is gone without a trace when nothing was done in it', async () => {
    writeFileSync(join(project, 'a.txt'), 'the user is at work\n');
    const { path, branch, release } = await lease('Explore the parser');
    expect(path).toContain(join('home', 'worktrees', 'explore-the-parser-'));
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a\n');
    expect(inside(path, 'branch', '--show-current')).toBe(branch);
    mkdirSync(join(path, 'built'));
    writeFileSync(join(path, 'built', 'x'), 'derived');
    expect(await release()).toBeNull();
    expect(shownIn(join(home, 'worktrees'))).toEqual([]);
    expect(branches()).toEqual(['main']);
    expect(git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
    expect(git('status', '--porcelain')).toContain('a.txt');
  });

  it.each<[string, (path: string) => unknown]>([
    ['a changed file', (path) => writeFileSync(join(path, 'a.txt'), 'b\n')],
    ['a new file', (path) => writeFileSync(join(path, 'new.txt'), 'b\n')],
    ['a removed file', (path) => rmSync(join(path, 'a.txt'))],
    ['a staged file', (path) => [writeFileSync(join(path, 'n'), ''), inside(path, 'add', 'n')]],
    ['a commit', (path) => inside(path, 'commit', '-q', '--allow-empty', '-m', 'work')],
    [
      'a commit on no branch',
      (path) => [inside(path, 'checkout', '-q', '--detach'), inside(path, 'commit', '-q', '--allow-empty', '-m', 'w')],
    ],
  ])('with %s is kept and named', async (_what, work) => {
    const { path, release } = await lease();
    work(path);
    expect(await release()).toBe(path);
    expect(existsSync(path)).toBe(true);
    expect(worktreeLeftovers(home).leases).toMatchObject([{ path, state: 'kept', owner: 'explore' }]);
    expect(await sweepWorktrees({ home, now })).toEqual([]);
    git('worktree', 'remove', '--force', path);
    await sweepWorktrees({ home, now });
    expect(worktreeLeftovers(home)).toEqual({ leases: [], strays: [] });
  });

  it('of a dead process is swept when unchanged, marked as kept when not, and left while its process lives', async () => {
    const [idle, worked, alive] = [await lease('idle'), await lease('worked'), await lease('alive')];
    writeFileSync(join(worked.path, 'new.txt'), 'work\n');
    const folder = join(home, 'worktrees');
    const dead = DEAD();
    for (const each of readLeases(folder).leases) {
      if (each.path !== alive.path) await writeLease(folder, { ...each, process: dead });
    }
    expect(await sweepWorktrees({ home, now })).toEqual([idle.path]);
    expect(worktreeLeftovers(home).leases).toMatchObject([{ path: worked.path, state: 'kept' }]);
    expect(existsSync(alive.path)).toBe(true);
    expect(await alive.release()).toBeNull();
  });

  it('with half of a file that a killed process was writing holds no work', async () => {
    const { path, release } = await lease();
    mkdirSync(join(path, 'deep'));
    writeFileSync(join(path, 'deep', '.reverie-0123456789abcdef01.tmp'), 'hal');
    expect(await release()).toBeNull();
    expect(existsSync(path)).toBe(false);
  });

  it('that git was killed in the middle of is removed whole, but not while that git may still run', async () => {
    const { path, branch } = await lease();
    const folder = join(home, 'worktrees');
    rmSync(join(path, 'a.txt'));
    rmSync(join(project, '.git', 'worktrees', path.split('/').at(-1)!, 'gitdir'));
    const half = { ...readLeases(folder).leases[0]!, process: DEAD(), state: 'making' } as const;
    await writeLease(folder, half);
    expect(await sweepWorktrees({ home, now })).toEqual([]);
    expect(worktreeLeftovers(home).leases).toHaveLength(1);
    expect(await sweepWorktrees({ home, now: () => new Date(Date.now() + 60_000) })).toEqual([path]);
    expect(shownIn(folder)).toEqual([]);
    expect(readdirSync(join(project, '.git', 'worktrees'))).toEqual([]);
    expect(branches()).not.toContain(branch);
  });

  it('is made beside many others at once, and none is left when they are given back', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, (_, at) => lease(`agent ${at}`)));
    expect(await Promise.all(all.map(({ release }) => release()))).toEqual(all.map(() => null));
    expect(shownIn(join(home, 'worktrees'))).toEqual([]);
    expect(branches()).toEqual(['main']);
  });

  it('is made once somebody else’s git is done with what is half made', async () => {
    const { path, release } = await lease();
    const common = join(project, '.git', 'worktrees', path.split('/').at(-1)!, 'commondir');
    const text = readFileSync(common, 'utf8');
    writeFileSync(common, '');
    setTimeout(() => writeFileSync(common, text), 150);
    const other = await lease('other');
    expect(readFileSync(common, 'utf8')).toBe(text);
    expect(await other.release()).toBeNull();
    expect(await release()).toBeNull();
  });

  it('runs nothing of the repository: no hook, no filter', async () => {
    const tripwire = join(root, 'tripped');
    const hook = join(project, '.git', 'hooks', 'post-checkout');
    writeFileSync(hook, `#!/bin/sh\ntouch ${tripwire}\n`);
    chmodSync(hook, 0o755);
    writeFileSync(join(project, '.gitattributes'), '*.txt filter=trip=wire\n');
    git('add', '-A');
    git('commit', '-qm', 'attributes');
    git('config', 'filter.trip=wire.smudge', `touch ${tripwire}; cat`);
    git('config', 'filter.trip=wire.clean', `touch ${tripwire}; cat`);
    git('config', 'filter.trip=wire.required', 'true');
    const { release } = await lease();
    expect(await release()).toBeNull();
    expect(existsSync(tripwire)).toBe(false);
  });

  it('is refused with the reason where there is no commit, and leaves nothing', async () => {
    project = join(root, 'empty');
    mkdirSync(project);
    await expect(lease()).rejects.toThrow('no git repository with a commit');
    git('init', '-q');
    await expect(lease()).rejects.toThrow('no git repository with a commit');
    expect(worktreeLeftovers(home)).toEqual({ leases: [], strays: [] });
  });

  it('may be written in by the agent that works there, unlike the rest of the home', async () => {
    const { path } = await lease();
    const place = { userHome: root, home, settingsFiles: [], memoryFolders: [] };
    expect(protectionOf(join(path, 'a.txt'), { ...place, roots: [path] })).toBeNull();
    expect(protectionOf(join(path, '.git'), { ...place, roots: [path] })).not.toBeNull();
    expect(protectionOf(join(path, 'a.txt'), { ...place, roots: [project] })).not.toBeNull();
    expect(protectionOf(join(home, 'worktrees', 'x.json'), { ...place, roots: [path] })).not.toBeNull();
  });

  it('and a lease never lead to a path that is not beside it', async () => {
    const folder = join(home, 'worktrees');
    await lease();
    const honest = readLeases(folder).leases[0]!;
    await writeLease(folder, { ...honest, path: project });
    expect(readLeases(folder).leases).toEqual([]);
    expect(worktreeLeftovers(home).strays).toEqual([join(folder, `${honest.id}.json`), join(folder, honest.id)]);
  });
});
