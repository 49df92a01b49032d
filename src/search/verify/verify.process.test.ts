import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { LIMITS } from '../../limits.ts';
import { type Claims, searchByWalking, type VerifyFacts, verifyClaims } from './verify.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;
const isPosix = process.platform !== 'win32';
let base: string;
let root: string;
let environment: NodeJS.ProcessEnv;

beforeEach(() => {
  environment = { ...process.env };
  base = temporaryFolder('verify');
  root = join(base, 'project');
  mkdirSync(root);
});

afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});

function put(file: string, text = ''): string {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function git(...words: string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  const answer = spawnSync('git', [...identity, ...words], { cwd: root, encoding: 'utf8' });
  if (answer.status !== 0) throw new Error(answer.stderr);
}

/** A budget that no healthy machine needs, so that only the tests about time depend on it. */
function verify(claims: Partial<Claims>, facts: Partial<VerifyFacts> = {}) {
  return verifyClaims(
    { paths: [], identifiers: [], ...claims },
    { projectRoot: root, budgetMs: 20_000, now: () => performance.now(), limits: LIMITS.recall, ...facts },
  );
}

test('searches as many files as it is told to, and calls nothing gone that it did not look for', async () => {
  for (const name of ['a', 'b', 'c']) put(`src/${name}.ts`, 'nothing\n');
  const limits = { searchedFiles: 1, searchedFileBytes: 1_000 };
  expect(await verify({ identifiers: ['doNothing'] })).toMatchObject({ gone: ['doNothing'] });
  expect(await verify({ identifiers: ['doNothing'] }, { limits })).toMatchObject({ checked: 'not-checked', gone: [] });
});

describe.each(hasGit ? ['with git', 'without git'] : ['without git'])('%s', (kind) => {
  let made: string | null = null;

  beforeEach(() => {
    if (made !== null) return cpSync(made, root, { recursive: true });
    put('src/session/open.ts', 'export function openSession() {}\nconst $cache = 1;\n');
    put('docs/notes.md', 'about openSessionLater only\n');
    put('config/app.yaml', 'retries: 3\n');
    put('node_modules/left/index.js', 'function fromDependency() {}\n');
    put('.gitignore', 'node_modules\n');
    if (kind === 'with git') {
      git('init', '-q', '--template=');
      git('add', '.');
    }
    made = temporaryFolder('verify-made');
    cpSync(root, made, { recursive: true });
  });

  test('tells what is there from what is gone', async () => {
    const paths = ['src/session/open.ts', 'src/session/', 'src/old.ts', './config/app.yaml'];
    const identifiers = ['openSession', 'closeSession', '$cache'];
    expect(await verify({ paths, identifiers })).toEqual({
      checked: 'all',
      found: ['src/session/open.ts', 'src/session/', './config/app.yaml', 'openSession', '$cache'],
      gone: ['src/old.ts', 'closeSession'],
    });
  });

  test('takes whole words, and none from installed dependencies', async () => {
    const identifiers = ['openSess', 'Session', 'fromDependency'];
    expect(await verify({ identifiers })).toEqual({ checked: 'all', found: [], gone: identifiers });
  });

  test('a path may leave out the folders above it', async () => {
    const paths = ['session/open.ts', 'app.yaml', 'session', 'pen.ts', 'other/open.ts'];
    expect(await verify({ paths })).toEqual({
      checked: 'all',
      found: ['session/open.ts', 'app.yaml', 'session'],
      gone: ['pen.ts', 'other/open.ts'],
    });
  });

  test('an excluded folder proves nothing', async () => {
    const identifiers = ['openSession', 'openSessionLater'];
    expect(await verify({ identifiers }, { except: [join(root, 'docs')] })).toEqual({
      checked: 'all',
      found: ['openSession'],
      gone: ['openSessionLater'],
    });
  });

  test('home and absolute paths are looked at where they are', async () => {
    const userHome = join(base, 'home');
    mkdirSync(userHome);
    writeFileSync(join(userHome, '.zshrc'), '');
    const outside = join(base, 'elsewhere.ts');
    writeFileSync(outside, '');
    const paths = ['~/.zshrc', '~/.bashrc', outside, join(base, 'nowhere.ts')];
    expect(await verify({ paths }, { userHome })).toEqual({
      checked: 'all',
      found: ['~/.zshrc', outside],
      gone: ['~/.bashrc', join(base, 'nowhere.ts')],
    });
  });

  test.runIf(isPosix)('a relative path is never followed out of the project', async () => {
    writeFileSync(join(base, 'secret.ts'), '');
    symlinkSync(base, join(root, 'way-out'));
    const paths = ['../secret.ts', 'way-out/secret.ts', 'way-out/nothing.ts', 'src/../../secret.ts'];
    expect(await verify({ paths })).toEqual({ checked: 'not-checked', found: [], gone: [] });
    expect(await verify({ paths: [...paths, 'config/app.yaml'] })).toEqual({
      checked: 'partly',
      found: ['config/app.yaml'],
      gone: [],
    });
  });

  test('without time nothing is checked and nothing is called gone', async () => {
    const claims = { paths: ['src/old.ts'], identifiers: ['closeSession'] };
    expect(await verify(claims, { budgetMs: 0 })).toEqual({ checked: 'not-checked', found: [], gone: [] });
    let time = 0;
    const result = await verify(claims, { budgetMs: 150, now: () => (time += 100) });
    expect(result).toEqual({ checked: 'not-checked', found: [], gone: [] });
  });

  test('omitted claims make it partial', async () => {
    const result = await verify({ paths: ['config/app.yaml'], omitted: 3 });
    expect(result).toEqual({ checked: 'partly', found: ['config/app.yaml'], gone: [] });
  });
});

test('no claims, or no project, leave nothing to check', async () => {
  const nothing = { checked: 'all', gone: [], found: [] };
  expect(await verify({})).toEqual(nothing);
  const claims = { paths: ['src/a.ts'], identifiers: ['someName'] };
  expect(await verify(claims, { projectRoot: join(base, 'missing') })).toEqual(nothing);
  expect(await verify(claims, { projectRoot: '' })).toEqual(nothing);
  expect(await verify(claims, { projectRoot: put('file.txt') })).toEqual(nothing);
});

describe.runIf(hasGit)('git', () => {
  test('searches what the repository holds, which a walk could not know', async () => {
    put('tracked.ts', 'realName');
    git('init', '-q');
    git('add', '.');
    put('.gitignore', 'built/\n');
    put('scratch/untracked.ts', 'scratchName');
    put('built/ignored.ts', 'ignoredName');
    const identifiers = ['realName', 'scratchName', 'ignoredName'];
    expect(await verify({ paths: ['untracked.ts', 'ignored.ts'], identifiers })).toEqual({
      checked: 'all',
      found: ['untracked.ts', 'realName', 'scratchName'],
      gone: ['ignored.ts', 'ignoredName'],
    });
  });

  test('a deleted but uncommitted file is gone', async () => {
    rmSync(put('src/a.ts', 'wasHere'));
    put('src/b.ts', 'isHere');
    git('init', '-q');
    put('src/deep/c.ts', 'wasHere');
    git('add', '.');
    rmSync(join(root, 'src/deep/c.ts'));
    expect(await verify({ paths: ['deep/c.ts'], identifiers: ['wasHere', 'isHere'] })).toEqual({
      checked: 'all',
      found: ['isHere'],
      gone: ['deep/c.ts', 'wasHere'],
    });
  });

  test('a repository with nothing added is walked instead', async () => {
    git('init', '-q');
    put('src/new.ts', 'freshName');
    expect(await verify({ identifiers: ['freshName'], paths: ['new.ts'] })).toMatchObject({
      checked: 'all',
      found: ['new.ts', 'freshName'],
    });
  });

  test.runIf(isPosix)('nothing in the repository can make it run a program or change what it prints', async () => {
    const marker = join(base, 'ran');
    const program = join(base, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat "$@"\n`);
    chmodSync(program, 0o755);
    put('a.ts', 'realName');
    put('.gitattributes', '*.ts diff=mine filter=mine\n');
    git('init', '-q');
    git('add', '.');
    for (const option of ['core.fsmonitor', 'core.pager', 'pager.grep', 'diff.mine.textconv', 'diff.external'])
      git('config', option, program);
    for (const option of ['grep.lineNumber', 'grep.column', 'grep.extendedRegexp']) git('config', option, 'true');
    git('config', 'color.ui', 'always');
    rmSync(marker, { force: true });
    put('untracked.ts', 'scratchName');
    expect(await verify({ identifiers: ['realName', 'scratchName'] })).toEqual({
      checked: 'all',
      found: ['realName', 'scratchName'],
      gone: [],
    });
    expect(existsSync(marker)).toBe(false);
  });

  test('inherited GIT_ variables do not lead it to another repository', async () => {
    put('a.ts', 'realName');
    git('init', '-q');
    git('add', '.');
    const other = join(base, 'other');
    spawnSync('git', ['init', '-q', other]);
    writeFileSync(join(other, 'b.ts'), 'otherName');
    spawnSync('git', ['add', '.'], { cwd: other });
    process.env.GIT_DIR = join(other, '.git');
    process.env.GIT_WORK_TREE = other;
    const result = await verify({ identifiers: ['realName', 'otherName'] });
    expect(result).toEqual({ checked: 'all', found: ['realName'], gone: ['otherName'] });
  });

  test.runIf(isPosix)('a git that does not answer is killed, and its part is not checked', async () => {
    put('a.ts', 'realName');
    git('init', '-q');
    git('add', '.');
    const pidFile = join(base, 'pid');
    const slow = join(base, 'bin', 'git');
    mkdirSync(dirname(slow));
    writeFileSync(slow, `#!/bin/sh\necho $$ > ${pidFile}.new && mv ${pidFile}.new ${pidFile}\nexec sleep 60\n`);
    chmodSync(slow, 0o755);
    process.env.PATH = `${dirname(slow)}:${process.env.PATH}`;
    const result = await verify({ paths: ['a.ts'], identifiers: ['realName'] }, { budgetMs: 1_000 });
    expect(result).toEqual({ checked: 'partly', found: ['a.ts'], gone: [] });
    await expect.poll(() => isRunning(Number(readFileSync(pidFile, 'utf8'))), { timeout: 10_000 }).toBe(false);
  });

  test.runIf(isPosix)('a git that fails leaves the search to the walk', async () => {
    put('a.ts', 'realName');
    git('init', '-q');
    git('add', '.');
    const broken = join(base, 'bin', 'git');
    mkdirSync(dirname(broken));
    writeFileSync(broken, '#!/bin/sh\nexit 128\n');
    chmodSync(broken, 0o755);
    process.env.PATH = `${dirname(broken)}:${process.env.PATH}`;
    const result = await verify({ paths: ['gone.ts'], identifiers: ['realName', 'otherName'] });
    expect(result).toEqual({ checked: 'all', found: ['realName'], gone: ['gone.ts', 'otherName'] });
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the walk', () => {
  const walk = async (identifiers: readonly string[], limits: Partial<typeof LIMITS.recall> = {}) => {
    const found: string[] = [];
    const search = { root, identifiers, endings: [], except: [], onFound: (claim: string) => void found.push(claim) };
    const signal = new AbortController().signal;
    const end = await searchByWalking({ ...search, signal }, { ...LIMITS.recall, ...limits });
    return { end, found };
  };

  test('gives up after a number of files rather than call something gone', async () => {
    for (const name of ['a', 'b', 'c', 'd']) put(`${name}.ts`, 'x');
    put('z/last.ts', 'farAway');
    expect(await walk(['farAway'], { searchedFiles: 3 } as object)).toEqual({ end: 'cut', found: [] });
    expect(await walk(['farAway'])).toEqual({ end: 'finished', found: ['farAway'] });
  });

  test('reads neither binaries nor data, and does not follow links', async () => {
    put('image.bin', 'inBinary\0');
    put('huge.csv', `${'1,2,3\n'.repeat(50)}inData`);
    mkdirSync(join(base, 'other'));
    writeFileSync(join(base, 'other', 'x.ts'), 'inOther');
    if (isPosix) symlinkSync(join(base, 'other'), join(root, 'linked'));
    const { found } = await walk(['inBinary', 'inData', 'inOther'], { searchedFileBytes: 200 } as object);
    expect(found).toEqual([]);
  });
});
