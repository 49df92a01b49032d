/** Two people with a clone each of one repository, and a home each. */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Memory } from '../../src/memory/memory.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import type { Place } from '../../src/settings/place.ts';
import { installTeam } from '../../src/team/install.ts';
import { shareMemory } from '../../src/team/share.ts';
import { placeAt } from './team-place.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Git looks after every commit and pull whether there is something to tidy up, in a process of its own. */
const WITHOUT_MAINTENANCE = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
};

export interface Person {
  readonly tree: string;
  place(): Place;
  git(...words: string[]): string;
  tryGit(...words: string[]): { readonly isDone: boolean; readonly output: string };
  withMemory<T>(work: (memory: Memory) => Promise<T>): Promise<T>;
  share(file: string, supersedes?: string): ReturnType<typeof shareMemory>;
}

export function person(folder: string, name: string): Person {
  const tree = join(folder, name);
  const home = join(folder, `${name}-home`);
  const place = () => placeAt(tree, home);
  const identity = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: `${name}@example.org` };
  const committer = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: `${name}@example.org` };
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...WITHOUT_MAINTENANCE,
    ...identity,
    ...committer,
  };
  const tryGit = (...words: string[]) => {
    const answer = spawnSync('git', words, { cwd: existsSync(tree) ? tree : folder, env, encoding: 'utf8' });
    return { isDone: answer.status === 0, output: `${answer.stdout}${answer.stderr}` };
  };
  const git = (...words: string[]) => {
    const { isDone, output } = tryGit(...words);
    if (!isDone) throw new Error(`git ${words.join(' ')}: ${output}`);
    return output;
  };
  const withMemory: Person['withMemory'] = async (work) => {
    const memory = await openMemory({ cwd: tree, home: join(home, '.reverie'), env: { HOME: home } });
    try {
      return await work(memory);
    } finally {
      await memory.close();
    }
  };
  const share: Person['share'] = (file, supersedes) =>
    withMemory(async (memory) =>
      shareMemory(await memory.get(file), { place: place(), ...(supersedes === undefined ? {} : { supersedes }) }),
    );
  return { tree, place, git, tryGit, withMemory, share };
}

let template = '';

/** Two clones of one repository, in which team memory was begun. */
export function twoPeople(): { readonly ann: Person; readonly bob: Person } {
  // Made once for each test file: copying it is far cheaper than cloning.
  if (!existsSync(template)) template = makeTemplate();
  const folder = temporaryFolder('team');
  cpSync(template, folder, { recursive: true });
  for (const name of ['ann', 'bob']) {
    const config = join(folder, name, '.git', 'config');
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll(template, folder));
  }
  return { ann: person(folder, 'ann'), bob: person(folder, 'bob') };
}

function makeTemplate(): string {
  const folder = temporaryFolder('team-template');
  spawnSync('git', ['init', '-q', '--bare', '--template=', '-b', 'main', 'hub.git'], { cwd: folder });
  const [ann, bob] = [person(folder, 'ann'), person(folder, 'bob')];
  ann.git('clone', '-q', '--template=', 'hub.git', 'ann');
  installTeam({ workTree: ann.tree, program: [process.execPath, 'none'] }, { hook: false, driver: false });
  ann.git('add', '-A');
  ann.git('commit', '-q', '-m', 'Team memory');
  ann.git('push', '-q', 'origin', 'HEAD:main');
  bob.git('clone', '-q', '--template=', 'hub.git', 'bob');
  return folder;
}

export function publish({ git }: Person): void {
  git('add', '-A');
  git('commit', '-q', '-m', 'Share');
  git('pull', '-q', '--no-rebase', '--no-edit', 'origin', 'main');
  git('push', '-q', 'origin', 'HEAD:main');
}
