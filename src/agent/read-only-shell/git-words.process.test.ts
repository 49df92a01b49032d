import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHostileWorld, type HostileWorld } from '../../../test/support/hostile-repository.ts';
import { setTripwires } from '../../../test/support/tripwires.ts';
import { LIMITS } from '../../limits.ts';
import { checkCommand } from './check-command.ts';
import { type ReadOnlyRun, runReadOnly } from './run-read-only.ts';

let world: HostileWorld;

beforeAll(async () => {
  world = await createHostileWorld();
  setTripwires(world);
  addSignedCommit(world);
  world.putProgram('verify', `#!/bin/sh\n${world.trap('gpg')}\n`);
  world.git('config', 'gpg.program', join(world.repository, 'verify'));
  world.git('config', 'format.pretty', '%G? %GS %s');
  world.git('config', 'status.submoduleSummary', 'true');
  writeFileSync(join(world.repository, 'second.txt'), 'changed since');
  world.forgetTraces();
});

afterAll(() => world.remove());

/** Whoever looks at its signature runs the configured program; the signature itself is nonsense. */
function addSignedCommit({ git, repository }: HostileWorld): void {
  const tree = git('write-tree').trim();
  // The world's own history lacks a commit.
  const parent = git('commit-tree', tree, '-m', 'second').trim();
  const person = 'E <e@example.org> 1700000000 +0000';
  const signature = ' -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----';
  const head = [`tree ${tree}`, `parent ${parent}`, `author ${person}`, `committer ${person}`, `gpgsig${signature}`];
  const input = `${head.join('\n')}\n\nsigned\n`;
  const words = ['hash-object', '-t', 'commit', '-w', '--stdin'];
  const made = execFileSync('git', words, { cwd: repository, input, encoding: 'utf8' }).trim();
  git('update-ref', 'refs/heads/main', made);
}

function run(command: string): Promise<ReadOnlyRun> {
  const { repository } = world;
  const signal = new AbortController().signal;
  return runReadOnly(command, { cwd: repository, roots: [repository], signal, limits: LIMITS.readOnlyShell });
}

const READING: readonly (readonly [string, string])[] = [
  ['git status', 'modified:   second.txt'],
  ['git status --short --branch', ' M second.txt'],
  ['git --no-pager diff', '+changed since'],
  ['git diff --stat HEAD', 'second.txt'],
  ['git diff HEAD~1 -- second.txt', '+changed since'],
  ['git log', 'signed'],
  ['git log -3 --oneline --stat', 'second'],
  ['git log --format="%G? %GK %(trailers) %s" -p', 'second'],
  ['git log --oneline | head -n 1', 'signed'],
  ['git show HEAD~1:second.txt', 'second'],
  ['git show --stat HEAD~1', 'second.txt'],
  ['git branch -a -v', 'main'],
  ['git branch --list "ma*"', 'main'],
  ['git rev-parse --abbrev-ref HEAD', 'main'],
];

describe("git's reading commands in the read-only shell", () => {
  it('would set a trap off if git were started plainly', () => {
    execFileSync('git', ['log', '-1'], { cwd: world.repository, stdio: 'pipe' });
    expect(world.traces()).toContain('trap: gpg');
    world.forgetTraces();
  });

  it.each(READING)('run %s', async (command, shown) => {
    const { output, exitCode } = await run(command);
    expect(output).toContain(shown);
    expect(exitCode).toBe(0);
    expect(world.traces()).toEqual([]);
  });

  it.each([
    'git branch new',
    'git branch -D main',
    'git commit -m x',
    'git -c core.pager=sh log',
    'git -C /etc status',
    'git log --output=stolen',
    'git log --show-signature',
    'git diff --ext-diff',
    'git diff --no-index /etc/passwd second.txt',
    'git diff /etc/passwd second.txt',
    'git diff ../outside/diary.txt second.txt',
    'git show --textconv HEAD',
    'git grep --open-files-in-pager=sh x',
    'git status --no-ignore-submodules',
    'git rev-parse --git-dir',
    'git',
  ])('refuse %s', async (command) => {
    await expect(run(command)).rejects.toMatchObject({ code: 'refused' });
    expect(world.traces()).toEqual([]);
  });

  it('show no patch where a rule denies reading files', () => {
    const facts = { cwd: world.repository, roots: [world.repository], isHidden: () => false };
    const verdicts = ['git status', 'git log --oneline', 'git log -p', 'git show', 'git diff'].map(
      (command) => checkCommand(command, facts).verdict,
    );
    expect(verdicts).toEqual(['allow', 'allow', 'deny', 'deny', 'deny']);
  });

  it('read no repository that reaches outside of what may be read', () => {
    const facts = { cwd: join(world.repository, 'nested'), roots: [join(world.repository, 'nested')] };
    expect(checkCommand('git log', facts)).toMatchObject({ verdict: 'deny' });
  });
});
