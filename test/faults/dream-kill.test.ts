/** A dream's process is killed at every step and in the middle of landing: the folder is as it was or as the dream meant it, never in between. */

import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDreamLock } from '../../src/layers/6-dreaming/records/lock.ts';
import { findPlace } from '../../src/settings/place.ts';
import { createAgentHome } from '../support/agent-process.ts';
import { dreamer, FREEZE, filesIn, MERGE_LIST, MERGED, putMemories, RELEASE, stepOf } from '../support/dream-story.ts';
import { startMessagesServer } from '../support/messages-server.ts';
import { inThisRun, say, twoAtOnce } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';

const STEPS = 3;
/** Milliseconds behind the last answer within which judging and landing happen. */
const LANDING_MS = 350;

async function killedOnce(kill: { readonly step: number; readonly afterMs: number }): Promise<'before' | 'after'> {
  const merging = dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST });
  let strike: (() => void) | null = null;
  const server = await startMessagesServer((request) => {
    if (stepOf(request) === kill.step) strike?.();
    return merging(request);
  });
  const agent = createAgentHome(server.url);
  try {
    const folder = findPlace({ cwd: agent.project, home: agent.home, env: {} }).folders[0]!.path;
    putMemories(folder, { 'project_release.md': RELEASE, 'project_freeze.md': FREEZE });
    const running = agent.start(['dream']);
    strike = () => void pause(kill.afterMs).then(() => running.child.kill('SIGKILL'));
    await running.ended;
    strike = null;
    // Whatever was cut off is finished by whoever comes next.
    expect(await agent.run(['memory', 'list'])).toMatchObject({ code: 0 });
    const files = filesIn(folder);
    const isAfter = !('project_freeze.md' in files);
    expect(Object.keys(files)).toEqual(['MEMORY.md', ...(isAfter ? [] : ['project_freeze.md']), 'project_release.md']);
    expect(files['project_release.md']!.includes('Kestrel')).toBe(isAfter);
    expect(files['MEMORY.md']!.includes('project_freeze.md')).toBe(!isAfter);
    expect(openDreamLock(folder).look().heldBy).toBeNull();
    if (!isAfter) {
      expect(openDreamLock(folder).look()).toMatchObject({ lastAtMs: null, failures: 1 });
      expect(await agent.run(['dream'])).toMatchObject({ code: 0 });
      expect(Object.keys(filesIn(folder))).toEqual(['MEMORY.md', 'project_release.md']);
    }
    // Whichever of the two dreams it was that landed, its reasons are told.
    const status = await agent.run(['status', '--json']);
    const { last } = JSON.parse(status.stdout).dreaming.scopes[0];
    expect(last).toMatchObject({ status: 'completed', changes: { landed: 2 } });
    expect((await agent.run(['dream', 'show', last.id])).stdout).toContain(MERGE_LIST.changes[0]!.reason);
    const undone = await agent.run(['memory', 'undo']);
    expect(undone).toMatchObject({ code: 0 });
    expect(filesIn(folder)).toMatchObject({ 'project_release.md': RELEASE, 'project_freeze.md': FREEZE });
    return isAfter ? 'after' : 'before';
  } finally {
    agent.remove();
    await server.close();
  }
}

it('leaves a whole folder and a free lock wherever a dream is killed', async () => {
  const random = seededRandom(11);
  const landings = Array.from({ length: inThisRun({ short: 4, long: 60 }) }, () => random() * LANDING_MS);
  const counts = { before: 0, after: 0 };
  const tally = async (kill: Parameters<typeof killedOnce>[0]) => {
    counts[await killedOnce(kill)] += 1;
  };
  const steps = Array.from({ length: STEPS }, (_, step) => ({ step, afterMs: 0 }));
  await twoAtOnce(steps, tally);
  // One at a time: beside another one the landing would come later than the kill.
  for (const afterMs of landings) await tally({ step: STEPS - 1, afterMs });
  const kills = steps.length + landings.length;
  say(`dreams killed: ${kills}, ${counts.before} left nothing and ${counts.after} all of it`);
  expect(counts.before).toBeGreaterThan(0);
}, 600_000);
