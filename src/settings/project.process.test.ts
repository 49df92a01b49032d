/** Which folder a project is keyed by, on real repositories of every shape, and how a moved one is found again. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { unicodeText } from '../../test/support/unicode-text.ts';
import { readRootCommit, trackingByGit } from '../disk/git/git.ts';
import { readGit } from '../disk/git/read-git.ts';
import { projectLayout } from '../disk/home.ts';
import {
  claudeCodeSlug,
  findMovedProjects,
  findProjectRoot,
  folderMark,
  listProjectRecords,
  type ProjectRecord,
  projectSlug,
  readProjectRecord,
  renderProjectRecord,
} from './project.ts';

const base = temporaryFolder('project');

function git(folder: string, ...words: string[]): string {
  const identity = [
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.org',
    '-c',
    'init.defaultBranch=main',
    '-c',
    'commit.gpgsign=false',
  ];
  const env = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: '1', GIT_ALLOW_PROTOCOL: 'file' };
  return execFileSync('git', [...identity, '-c', 'protocol.file.allow=always', ...words], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}

function repository(name: string): string {
  const folder = join(base, name);
  mkdirSync(join(folder, 'src', 'deep'), { recursive: true });
  git(folder, 'init', '-q');
  git(folder, 'commit', '-q', '--allow-empty', '-m', name);
  return folder;
}

function folderOf(...names: string[]): string {
  const folder = join(base, ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

const main = repository('main');
git(main, 'worktree', 'add', '-q', join(base, 'tree'));
mkdirSync(join(base, 'tree', 'sub'));

describe('findProjectRoot', () => {
  it('is the folder itself outside git', () => {
    expect(findProjectRoot(folderOf('plain', 'sub'))).toBe(join(base, 'plain', 'sub'));
  });

  it('is the folder itself when it does not exist', () => {
    expect(findProjectRoot(join(base, 'nowhere', 'x'))).toBe(join(base, 'nowhere', 'x'));
  });

  it.each([
    ['the root', ''],
    ['a subfolder', 'src/deep'],
    ['inside .git', '.git/hooks'],
  ])('is the repository’s root from %s', (_, below) => {
    expect(findProjectRoot(join(main, below))).toBe(main);
  });

  it('is the main work tree’s root from another work tree and below it', () => {
    expect(findProjectRoot(join(base, 'tree'))).toBe(main);
    expect(findProjectRoot(join(base, 'tree', 'sub'))).toBe(main);
  });

  it('is the real path when it is reached through a link', () => {
    symlinkSync(main, join(base, 'link'));
    expect(findProjectRoot(join(base, 'link', 'src'))).toBe(main);
  });

  it('understands work trees with relative paths', () => {
    const owner = repository('relative');
    git(owner, 'worktree', 'add', '-q', join(base, 'relative-tree'));
    writeFileSync(join(base, 'relative-tree', '.git'), 'gitdir: ../relative/.git/worktrees/relative-tree\n');
    writeFileSync(join(owner, '.git', 'worktrees', 'relative-tree', 'gitdir'), '../../../../relative-tree/.git\n');
    expect(findProjectRoot(join(base, 'relative-tree'))).toBe(owner);
  });

  it('is a submodule’s own root, and its work trees lead to it', () => {
    const outer = repository('outer');
    git(outer, 'submodule', '--quiet', 'add', main, 'inner');
    git(join(outer, 'inner'), 'worktree', 'add', '-q', '-b', 'other', join(base, 'inner-tree'));
    expect(findProjectRoot(join(outer, 'inner', 'not-made-yet'))).toBe(join(outer, 'inner'));
    expect(findProjectRoot(join(outer, 'inner'))).toBe(join(outer, 'inner'));
    expect(findProjectRoot(join(base, 'inner-tree'))).toBe(join(outer, 'inner'));
    expect(findProjectRoot(join(outer, '.git', 'modules', 'inner'))).toBe(join(outer, 'inner'));
  });

  it('is the shared git folder for the work trees of a bare repository', () => {
    git(base, 'clone', '-q', '--bare', main, 'bare.git');
    git(join(base, 'bare.git'), 'worktree', 'add', '-q', '-b', 'one', join(base, 'bare-one'));
    git(join(base, 'bare.git'), 'worktree', 'add', '-q', '-b', 'two', join(base, 'bare-two'));
    expect(findProjectRoot(join(base, 'bare-one'))).toBe(join(base, 'bare.git'));
    expect(findProjectRoot(join(base, 'bare-two'))).toBe(join(base, 'bare.git'));
    expect(findProjectRoot(join(base, 'bare.git', 'hooks'))).toBe(join(base, 'bare.git'));
  });

  it('is the folder around a bare repository that points to it', () => {
    const around = folderOf('around');
    git(around, 'clone', '-q', '--bare', main, '.bare');
    writeFileSync(join(around, '.git'), 'gitdir: ./.bare\n');
    git(around, 'worktree', 'add', '-q', '-b', 'feature', 'feature');
    expect(findProjectRoot(around)).toBe(around);
    expect(findProjectRoot(join(around, 'feature'))).toBe(around);
  });

  it.each([
    ['someone else’s git folder', (victim: string) => `gitdir: ${victim}/.git\n`],
    ['someone else’s work tree', (victim: string) => `gitdir: ${victim}/.git/worktrees/tree\n`],
  ])('does not believe a checkout that claims %s', (name, text) => {
    const thief = folderOf('thief', name.replaceAll(/\W/g, '-'));
    writeFileSync(join(thief, '.git'), text(main));
    expect(findProjectRoot(thief)).toBe(thief);
  });

  it('does not believe a git folder of the checkout’s own that claims to share another’s', () => {
    const thief = folderOf('forger');
    const forged = folderOf('forger', 'forged', 'worktrees', 'x');
    writeFileSync(join(thief, '.git'), 'gitdir: forged/worktrees/x\n');
    writeFileSync(join(forged, 'commondir'), `${main}/.git\n`);
    writeFileSync(join(forged, 'gitdir'), `${join(thief, '.git')}\n`);
    expect(findProjectRoot(thief)).toBe(thief);
    rmSync(join(forged, 'commondir'));
    symlinkSync(join(main, '.git', 'worktrees', 'tree', 'commondir'), join(forged, 'commondir'));
    expect(findProjectRoot(thief)).toBe(thief);
  });

  it.each([
    ['an empty .git folder', (at: string) => mkdirSync(at)],
    ['a .git file without sense', (at: string) => writeFileSync(at, 'hello')],
    ['a .git file that leads nowhere', (at: string) => writeFileSync(at, 'gitdir: /no/such/place\n')],
    ['a .git link to nothing', (at: string) => symlinkSync('/no/such/place', at)],
    ['a .git pipe', (at: string) => execFileSync('mkfifo', [at])],
  ])('is not stopped by %s', (name, make) => {
    const folder = folderOf('odd', name.replaceAll(/\W/g, '-'));
    make(join(folder, '.git'));
    expect(findProjectRoot(folder)).toBe(folder);
    const inside = join(main, 'src', name.replaceAll(/\W/g, '-'));
    mkdirSync(inside);
    make(join(inside, '.git'));
    expect(findProjectRoot(inside)).toBe(main);
  });
});

describe('slugs', () => {
  it('are readable and end in a digest of the path', () => {
    const digest = createHash('sha256').update('/home/u/my.app').digest('hex').slice(0, 8);
    expect(projectSlug('/home/u/my.app')).toBe(`-home-u-my-app-${digest}`);
    expect(claudeCodeSlug('/home/u/my.app_2')).toBe('-home-u-my-app-2');
  });

  it('tell apart what the readable part cannot', () => {
    expect(projectSlug('/a/b-c')).not.toBe(projectSlug('/a-b/c'));
  });

  it('are one safe folder name for any path, and never longer than a name may be', () => {
    fc.assert(
      fc.property(unicodeText(), fc.integer({ min: 1, max: 5_000 }), (path, characters) => {
        const slug = projectSlug(path.repeat(20), characters);
        expect(slug).toMatch(/^[A-Za-z0-9-]+-[0-9a-f]{8}$|^-[0-9a-f]{8}$/);
        expect(slug.length).toBeLessThanOrEqual(Math.min(characters + 9, 255));
      }),
    );
  });
});

describe('readRootCommit', () => {
  it('is the first commit, from any folder of the repository', () => {
    const first = git(main, 'rev-parse', 'HEAD');
    git(main, 'commit', '-q', '--allow-empty', '-m', 'second');
    expect(readRootCommit(main)).toBe(first);
    expect(readRootCommit(join(main, 'src'))).toBe(first);
    expect(readRootCommit(join(base, 'tree'))).toBe(first);
  });

  it('is the older one when two histories were joined', () => {
    const joined = repository('joined');
    const dated = (date: string, ...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
        cwd: joined,
        env: { PATH: process.env.PATH, HOME: base, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
        stdio: 'pipe',
      });
    dated('2001-01-01T00:00:00Z', 'checkout', '-q', '--orphan', 'elder');
    dated('2001-01-01T00:00:00Z', 'commit', '-q', '--allow-empty', '-m', 'elder');
    const elder = git(joined, 'rev-parse', 'HEAD');
    git(joined, 'checkout', '-q', 'main');
    git(joined, 'merge', '-q', '--allow-unrelated-histories', '-m', 'join', 'elder');
    expect(readRootCommit(joined)).toBe(elder);
  });

  it('is null without a repository, without commits and where history was cut', () => {
    expect(readRootCommit(folderOf('plain'))).toBeNull();
    expect(readRootCommit(join(base, 'nowhere'))).toBeNull();
    const empty = folderOf('empty');
    git(empty, 'init', '-q');
    expect(readRootCommit(empty)).toBeNull();
    git(base, 'clone', '-q', '--depth', '1', `file://${main}`, 'shallow');
    expect(readRootCommit(join(base, 'shallow'))).toBeNull();
  });

  it('runs no program that the repository names', () => {
    const hostile = repository('hostile');
    const trace = join(base, 'trace');
    for (const key of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'alias.rev-list', 'alias.ls-files']) {
      git(hostile, 'config', key, `touch ${trace}`);
    }
    expect(readRootCommit(hostile)).toMatch(/^[0-9a-f]{40}$/);
    expect(trackingByGit(hostile, 'x')).toBe('untracked');
    expect(() => realpathSync(trace)).toThrow('ENOENT');
  });

  it('answers for the folder asked about, whatever the environment says', () => {
    const before = process.env.GIT_DIR;
    process.env.GIT_DIR = join(base, 'joined', '.git');
    try {
      expect(readRootCommit(main)).toBe(git(main, 'rev-list', '--max-parents=0', 'HEAD'));
    } finally {
      if (before === undefined) delete process.env.GIT_DIR;
      else process.env.GIT_DIR = before;
    }
  });
});

describe('trackingByGit', () => {
  const owner = repository('tracking');
  mkdirSync(join(owner, '.reverie'));
  for (const name of ['Committed.json', 'own.json', '*.json']) writeFileSync(join(owner, '.reverie', name), '{}');
  git(owner, 'add', '.reverie/Committed.json');

  it('tells what is committed from what is not', () => {
    expect(trackingByGit(owner, '.reverie/Committed.json')).toBe('tracked');
    expect(trackingByGit(owner, join(owner, '.reverie', 'own.json'))).not.toBe('tracked');
    expect(trackingByGit(owner, '.reverie/no-such.json')).not.toBe('tracked');
  });

  it('takes another spelling for the same file, and a star for a star', () => {
    expect(trackingByGit(owner, '.reverie/committed.json')).toBe('tracked');
    expect(trackingByGit(owner, '.reverie/*.json')).not.toBe('tracked');
  });

  it('asks the submodule, and the folder that a link leads to, about what they brought', () => {
    const inner = repository('brought');
    writeFileSync(join(inner, 'settings.local.json'), '{}');
    git(inner, 'add', 'settings.local.json');
    git(inner, 'commit', '-q', '-m', 'settings');
    const outer = repository('bringing');
    git(outer, 'submodule', '--quiet', 'add', inner, '.reverie');
    expect(trackingByGit(outer, '.reverie/settings.local.json')).toBe('tracked');
    const linking = repository('linking');
    mkdirSync(join(linking, 'config'));
    writeFileSync(join(linking, 'config', 'settings.local.json'), '{}');
    git(linking, 'add', 'config');
    symlinkSync('config', join(linking, '.reverie'));
    expect(trackingByGit(linking, '.reverie/settings.local.json')).toBe('tracked');
  });

  it('counts what a committed link leads to as committed, though git knows nothing of it there', () => {
    const linking = repository('leading-out');
    mkdirSync(join(linking, 'ignored'));
    writeFileSync(join(linking, 'ignored', 'settings.local.json'), '{}');
    symlinkSync('ignored', join(linking, '.reverie'));
    expect(trackingByGit(linking, '.reverie/settings.local.json')).toBe('untracked');
    git(linking, 'add', '.reverie');
    expect(trackingByGit(linking, '.reverie/settings.local.json')).toBe('tracked');
  });

  it.each([
    ['', { HEAD: 'ref: refs/heads/main', config: '[core]\nbare = false\nworktree = .' }],
    ['inner', { HEAD: 'ref: refs/heads/main', commondir: 'inner', 'inner/config': '[core]\nworktree = ..' }],
  ])('does not believe a bare repository that was committed beside the file (%s)', (name, files) => {
    const hostile = repository(`bare-within-${name}`);
    const folder = join(hostile, '.reverie');
    for (const part of ['objects', 'refs']) mkdirSync(join(folder, name, part), { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    writeFileSync(join(folder, 'settings.local.json'), '{}');
    git(hostile, 'add', '-f', '.reverie/settings.local.json');
    expect(trackingByGit(hostile, '.reverie/settings.local.json')).toBe('unknown');
  });

  it('says when there is no repository, and when git cannot tell', () => {
    expect(trackingByGit(folderOf('plain'), 'x')).toBe('no-repository');
    const broken = repository('broken');
    writeFileSync(join(broken, '.git', 'index'), 'not an index');
    expect(trackingByGit(broken, 'x')).toBe('unknown');
  });
});

describe('project records', () => {
  const home = join(base, 'home');
  const commit = 'a'.repeat(40);

  function keep(slug: string, text: string): void {
    const { folder, recordFile } = projectLayout(home, slug);
    mkdirSync(folder, { recursive: true });
    writeFileSync(recordFile, text);
  }

  it('come back as they were written', () => {
    for (const record of [
      { root: '/a/b', rootCommit: commit },
      { root: '/a/"b"\n', rootCommit: null, attached: '/c/d' },
    ]) {
      keep('one', renderProjectRecord(record));
      expect(readProjectRecord(home, 'one')).toEqual(record);
    }
  });

  it.each([
    ['nothing', ''],
    ['half of it', '{"root":"/a'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '5'],
    ['a relative root', '{"root":"a","rootCommit":null}'],
    ['no root', '{"rootCommit":null}'],
  ])('are null when they hold %s', (_, text) => {
    keep('damaged', text);
    expect(readProjectRecord(home, 'damaged')).toBeNull();
  });

  it('lose only what is wrong in them', () => {
    keep('partly', '{"root":"/a","rootCommit":"main","attached":"../b"}');
    expect(readProjectRecord(home, 'partly')).toEqual({ root: '/a', rootCommit: null });
  });

  it.each(['../one', 'a/b', '', '.', '\0'])('are not looked for under %j', (slug) => {
    expect(readProjectRecord(home, slug)).toBeNull();
  });

  it('are listed by slug, the damaged ones left out; none without a home', () => {
    const other = join(base, 'other-home');
    for (const slug of ['b', 'a', 'c']) {
      mkdirSync(projectLayout(other, slug).folder, { recursive: true });
      writeFileSync(
        projectLayout(other, slug).recordFile,
        slug === 'c' ? '{' : `{"root":"/${slug}","rootCommit":null}`,
      );
    }
    expect(listProjectRecords(other).map(({ slug, record }) => [slug, record.root])).toEqual([
      ['a', '/a'],
      ['b', '/b'],
    ]);
    expect(listProjectRecords(join(base, 'nowhere'))).toEqual([]);
  });
});

describe('findMovedProjects', () => {
  const home = join(base, 'moving-home');
  const origin = repository('origin');
  const rootCommit = readRootCommit(origin);
  const here = join(base, 'here');
  renameSync(origin, here);
  git(base, 'clone', '-q', here, 'clone');
  const replaced = repository('replaced');
  const records: Record<string, ProjectRecord> = {
    moved: { root: origin, rootCommit },
    clone: { root: join(base, 'clone'), rootCommit },
    itself: { root: here, rootCommit },
    replaced: { root: replaced, rootCommit },
    unrelated: { root: join(base, 'gone'), rootCommit: 'b'.repeat(40) },
    'no-commit': { root: join(base, 'gone'), rootCommit: null },
    'same-folder': { root: join(base, 'gone'), rootCommit: null, mark: '1-1' },
    'same-folder-twice': { root: replaced, rootCommit: null, mark: '1-1' },
  };
  for (const [slug, record] of Object.entries(records)) {
    mkdirSync(projectLayout(home, slug).folder, { recursive: true });
    writeFileSync(projectLayout(home, slug).recordFile, renderProjectRecord(record));
  }

  it('gives those whose place is empty or taken by another repository, not those still there', () => {
    expect(findMovedProjects({ home, root: here, rootCommit, mark: null })).toEqual([
      { slug: 'moved', root: origin },
      { slug: 'replaced', root: replaced },
    ]);
  });

  it('gives none for a project without commits whose folder is not known', () => {
    expect(findMovedProjects({ home, root: here, rootCommit: null, mark: null })).toEqual([]);
    expect(findMovedProjects({ home, root: here, rootCommit: null, mark: '1-2' })).toEqual([]);
  });

  it('gives, without a commit, those that were this very folder and whose place is empty', () => {
    expect(findMovedProjects({ home, root: here, rootCommit: null, mark: '1-1' })).toEqual([
      { slug: 'same-folder', root: join(base, 'gone') },
    ]);
  });

  it('knows a folder by its mark after a rename, and tells it from a copy and from whatever takes its place', () => {
    const [before, after, copy] = ['before', 'after', 'copy'].map((name) => join(base, `marked-${name}`));
    mkdirSync(before!);
    const mark = folderMark(before!);
    renameSync(before!, after!);
    cpSync(after!, copy!, { recursive: true });
    mkdirSync(before!);
    expect(folderMark(after!)).toBe(mark);
    expect(folderMark(copy!)).not.toBe(mark);
    expect(folderMark(before!)).not.toBe(mark);
    expect(folderMark(join(base, 'nowhere'))).toBeNull();
  });
});

describe('a repository that is not what it says', () => {
  it('is not asked when it has another work tree', () => {
    const own = repository('own-work');
    for (const claim of ['a file', 'a link']) {
      const claiming = folderOf(`claiming by ${claim}`);
      if (claim === 'a file') writeFileSync(join(claiming, '.git'), `gitdir: ${own}/.git\n`);
      else symlinkSync(join(own, '.git'), join(claiming, '.git'));
      expect(readRootCommit(claiming)).toBeNull();
      expect(trackingByGit(claiming, 'x')).toBe('unknown');
    }
  });

  it('keeps to its own folder, wherever core.worktree leads', async () => {
    const away = repository('led-away');
    writeFileSync(join(away, 'here.txt'), '');
    git(away, 'config', 'core.worktree', folderOf('elsewhere'));
    writeFileSync(join(base, 'elsewhere', 'there.txt'), '');
    const names: string[] = [];
    const reading = { cwd: away, separator: '\0', signal: AbortSignal.timeout(9_000) };
    await readGit(['ls-files', '-z', '--others'], { ...reading, onRecord: (name) => names.push(name) });
    expect(names).toContain('here.txt');
    expect(names).not.toContain('there.txt');
  });

  it('is asked when its folder is apart, and no other’s', () => {
    const apart = folderOf('apart');
    git(apart, 'init', '-q', '--separate-git-dir', join(base, 'apart.git'));
    git(apart, 'commit', '-q', '--allow-empty', '-m', 'first');
    expect(readRootCommit(apart)).toBe(git(apart, 'rev-list', '--max-parents=0', 'HEAD'));
  });
});
