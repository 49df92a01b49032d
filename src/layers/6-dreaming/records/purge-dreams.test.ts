import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { type ProcessIdentity, thisProcess } from '../../../disk/process-identity.ts';
import type { Memory } from '../../../memory/memory.ts';
import { openMemory } from '../../../session/open-memory.ts';
import { isStopAsked, writeProgress } from './progress.ts';
import type { KeptProgress } from './shape.ts';

let place: string;
let memory: Memory;
const home = () => join(place, 'home');

beforeEach(async () => {
  place = temporaryFolder('purge');
  memory = await openMemory({ home: home(), cwd: place, env: { HOME: place } });
  await memory.files.write('project_b.md', '---\nname: b\ndescription: b\ntype: project\n---\n\nprivate\n');
});
afterEach(async () => {
  await memory.close();
});

/** A process that has ended. */
function gone(): ProcessIdentity {
  return { ...thisProcess(), pid: spawnSync('true').pid };
}

function leaveCopy(id: string, owner: ProcessIdentity): string {
  const copy = join(home(), 'cache', 'dreams', id, 'memory');
  fs.mkdirSync(copy, { recursive: true });
  fs.writeFileSync(join(copy, '..', 'owner.json'), JSON.stringify(owner));
  fs.writeFileSync(join(copy, 'project_b.md'), 'private');
  return copy;
}

const PROGRESS: KeptProgress = {
  ...{ id: 'd1', scope: 'project', startedAt: '2031-05-08T03:30:00.000Z', status: 'running', state: 'updating' },
  ...{ rounds: 1, lastRounds: [{ at: '', text: 'private', tools: [] }], toolCalls: 1, files: [] },
  ...{ equivalentTokens: 1, money: null, closing: null },
};

it('what a killed dream left of a purged memory goes with it', async () => {
  const copy = leaveCopy('d1', gone());
  const folder = memory.folders.project!;
  await writeProgress(folder, PROGRESS);
  const file = join(folder, '.reverie', 'dreams', 'progress.json');
  const kept = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...kept, process: gone() }));
  await memory.purge('project_b.md');
  expect(fs.existsSync(copy)).toBe(false);
  expect(fs.existsSync(file)).toBe(false);
});

it('a running dream is asked to end, since it has read the memory', async () => {
  const copy = leaveCopy('d1', thisProcess());
  await writeProgress(memory.folders.project!, PROGRESS);
  await memory.purge('project_b.md');
  expect(isStopAsked(memory.folders.project!, 'd1')).toBe(true);
  expect(fs.existsSync(copy)).toBe(true);
});
