/** Agents in work trees of their own, a tenth of them killed at any moment: no unchanged work tree stays, and no work goes. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sweepWorktrees, worktreeLeftovers } from '../../src/layers/7-agents/worktrees/index.ts';
import { examineWorktrees } from '../../src/reports/doctor/worktrees.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { startWorker } from './worker-process.ts';

const AGENTS = inThisRun({ short: 12, long: 200 });
const AT_ONCE = inThisRun({ short: 4, long: 20 });
/** Of the agents, every such one is killed, and every such one works. */
const KILLED_EACH = inThisRun({ short: 3, long: 10 });
const WORKING_EACH = 7;

function git(cwd: string, ...words: readonly string[]): string {
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
  const ended = spawnSync('git', [...identity, ...words], { cwd, encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(ended.stderr);
  return ended.stdout;
}

function makeProject(folder: string): string {
  const project = join(folder, 'project');
  mkdirSync(project);
  git(project, 'init', '-q');
  for (let at = 0; at < 60; at += 1) writeFileSync(join(project, `file-${at}.txt`), `${at}\n`.repeat(50));
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
  return project;
}

it('leaves no unchanged work tree, and nothing that doctor does not name', { timeout: 900_000 }, async () => {
  await inTemporaryFolder(async (folder) => {
    const projectRoot = makeProject(folder);
    const home = join(folder, 'home');
    const random = seededRandom(inThisRun({ short: 3, long: 4 }));
    const worked = new Set<string>();
    let killed = 0;
    const complaints: string[] = [];
    /** How long one takes that is not killed: a kill may come at any moment of it. */
    let usualMs = 0;

    async function runAgent(number: number): Promise<void> {
      const works = number % WORKING_EACH === 0;
      const worker = startWorker('./worktree-worker.mjs', { home, projectRoot, owner: `agent ${number}`, works });
      await worker.line('READY');
      const startedMs = performance.now();
      if (number % KILLED_EACH === KILLED_EACH - 1) {
        await sleep(random() * usualMs);
        worker.signal('SIGKILL');
        killed += 1;
      }
      await worker.ended;
      if (usualMs === 0) usualMs = performance.now() - startedMs;
      complaints.push(...(worker.complaints() === '' ? [] : [worker.complaints()]));
      const path = worker.lines.find((line) => line.startsWith('WORKED '))?.slice('WORKED '.length);
      if (works && path !== undefined) worked.add(path);
    }

    await runAgent(0);
    let next = 1;
    const one = async () => {
      while (next < AGENTS) await runAgent(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    expect(complaints).toEqual([]);

    // A git that lost its parent ends by itself; what it was at is named meanwhile.
    const there = readdirSync(join(home, 'worktrees')).filter((name) => !/^\.|\.json$/.test(name));
    const named = examineWorktrees(home).map(({ where }) => where);
    expect(there.map((name) => join(home, 'worktrees', name)).filter((path) => !named.includes(path))).toEqual([]);
    await sleep(1_000);
    const later = () => new Date(Date.now() + 60_000);
    const swept = await sweepWorktrees({ home, now: later });

    const { leases, strays } = worktreeLeftovers(home);
    expect(strays).toEqual([]);
    const left = leases.map(({ path }) => path);
    // One that was killed between its work and telling of it has work too.
    for (const path of left) expect(existsSync(join(path, 'work.txt'))).toBe(true);
    expect([...worked].filter((path) => !left.includes(path))).toEqual([]);
    const listed = [...git(projectRoot, 'worktree', 'list', '--porcelain').matchAll(/^worktree (.*)$/gm)];
    expect(listed).toHaveLength(left.length + 1);
    expect(git(projectRoot, 'branch', '--list', 'reverie-*').trim().split('\n').filter(Boolean)).toHaveLength(
      left.length,
    );
    say(`worktrees: ${AGENTS} agents, ${killed} killed, ${swept.length} swept, ${left.length} kept with work, 0 lost`);
  });
});
