import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { LIMITS } from '../../../limits.ts';
import { findGone } from './gone.ts';

let root: string;
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x.test', ...words], { cwd: root, stdio: 'ignore' });
const gone = async (...paths: string[]) =>
  [
    ...(await findGone(
      paths.map((path) => ({ path, sentence: `It is in ${path}.` })),
      { projectRoot: root, memoryFolder: join(root, 'memory'), limits: LIMITS },
    )),
  ].sort();

beforeAll(() => {
  root = temporaryFolder('gone');
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'a.ts'), 'a');
  writeFileSync(join(root, 'src', 'moved.ts'), 'b');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'First');
  git('branch', 'older');
  git('rm', '-q', 'src/moved.ts');
  git('commit', '-qm', 'Second');
});
it('is a path that no work tree and no branch has, and only if it is written like one', async () => {
  expect(await gone('src/a.ts', 'src/moved.ts', 'src/never.ts', 'Tuesdays', 'the')).toEqual(['src/never.ts']);
  git('branch', '-qD', 'older');
  expect(await gone('src/a.ts', 'src/moved.ts')).toEqual(['src/moved.ts']);
});

it('is nothing when there is no project', async () => {
  const claims = [{ path: 'src/never.ts', sentence: 'It is in src/never.ts.' }];
  expect((await findGone(claims, { projectRoot: null, memoryFolder: root, limits: LIMITS })).size).toBe(0);
});
