import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { addRules } from './settings-file.ts';

it('the settings of this user alone do not show in git, and its list of exclusions gets one line', async () => {
  const project = temporaryFolder('local-settings');
  const env = { HOME: project, PATH: process.env.PATH };
  const git = (...words: readonly string[]) => spawnSync('git', words, { cwd: project, env, encoding: 'utf8' }).stdout;
  git('init', '-q');
  const file = join(project, '.reverie', 'settings.local.json');
  await addRules(file, 'allow', ['Bash(ls)']);
  await addRules(file, 'allow', ['Bash(pwd)']);
  expect(git('status', '--porcelain', '-uall')).toBe('');
  expect(git('check-ignore', '-v', file).split('\n')).toHaveLength(2);
  await addRules(join(project, '.reverie', 'settings.json'), 'allow', ['Bash(ls)']);
  expect(git('status', '--porcelain', '-uall')).toContain('.reverie/settings.json');
});
