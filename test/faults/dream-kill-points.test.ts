/** kill -9 at every system call of a dream that touches the store: the folder is as before or as the dream meant it, and undo works. */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDream } from '../../src/session/run-dream.ts';
import { scriptedDreamer } from '../support/dreamers.ts';
import { aftermathOf, type Beginning, beginningOf, copiesLeft } from './dream-aftermath.ts';
import { type Attack, attackOf } from './dream-attacks.ts';
import { createSandbox, MEMORIES, type Sandbox, textOf, visibleFiles } from './dream-sandbox.ts';
import { inThisRun, sampleEvenly, say } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { type CallPoint, strikeAt, traceCalls, whyNoStrace } from './strace.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const missing = whyNoStrace();
if (missing !== null) say(`kill points of a dream SKIPPED: ${missing}`);

const KILLS = inThisRun({ short: 3, long: 400 });

describe.skipIf(missing !== null)('a dream killed at any system call', () => {
  let folder: string;
  let sandbox: Sandbox;
  let pristine: string;
  let beginning: Beginning;
  let attack: Attack;
  let runs = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reverie-dream-kills-'));
    sandbox = await createSandbox();
    const honest = attackOf(['honest merge', 'honest date', 'honest line'], { sandbox, random: () => 0.1 });
    const secret = attackOf(['tell secrets'], { sandbox, random: seededRandom(3) });
    const steps = honest.steps.map((step, at) =>
      at === 1 ? { calls: [...step.calls!, ...secret.steps[1]!.calls!.slice(1)] } : step,
    );
    attack = { ...honest, steps, secrets: secret.secrets };
    pristine = join(folder, 'pristine');
    cpSync(sandbox.root, pristine, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    beginning = beginningOf(sandbox);
  });
  afterAll(() => {
    sandbox?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The world as it was, where it was: a project is known by its path. */
  function restore(): void {
    rmSync(sandbox.root, { recursive: true, force: true });
    cpSync(pristine, sandbox.root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }

  function begin(): { readonly worker: WorkerProcess; readonly output: string } {
    restore();
    runs += 1;
    const memories = Object.fromEntries(
      MEMORIES.flatMap((memory) => (memory.file.includes('/') ? [] : [[memory.file, textOf(memory)]])),
    );
    const facts = { place: sandbox.place, steps: attack.steps, memories, warmFolder: folder };
    return { worker: startWorker('./dream-worker.mjs', facts), output: join(folder, `${runs}.trace`) };
  }

  async function strike(
    point: CallPoint,
  ): Promise<{ wasHit: boolean; problems: readonly string[]; hasLanded: boolean }> {
    const { worker, output } = begin();
    const { wasHit } = await strikeAt(worker, { point, effect: 'signal=KILL', output });
    const wasKilled = !worker.lines.some((line) => line.startsWith('ACK'));
    const first = await aftermathOf({ sandbox, attack: { ...attack, secrets: [] }, beginning, wasKilled });
    const problems = [...first.problems, ...(await nextProblems())];
    return {
      wasHit,
      hasLanded: first.hasLanded,
      problems: problems.map((each) => `killed before ${point.shown}: ${each}`),
    };
  }

  /** The next dream takes the lock, clears away the copy of the dead one, and finds everything as it was. */
  async function nextProblems(): Promise<string[]> {
    const idle = scriptedDreamer({ title: 'idle', steps: [], after: 'end' });
    const report = await runDream({ ...sandbox.place, by: 'hand', model: idle });
    const { problems } = await aftermathOf({ sandbox, attack, beginning });
    return [
      ...(report.kind === 'ended' ? [] : [`the next dream did not begin: ${report.reason}`]),
      ...copiesLeft(sandbox.place.home).map((path) => `of the dead one's copy ${path} is still there`),
      ...problems,
    ];
  }

  it('leaves the change whole or not begun', { timeout: 1_800_000 }, async () => {
    const { worker, output } = begin();
    const points = await traceCalls(worker, { store: sandbox.folder, output });
    expect(worker.lines.join('\n') + worker.complaints()).toContain('ACK "completed"');
    const whole = visibleFiles(sandbox.folder);
    expect(whole.has('project_ledger-copy.md')).toBe(false);
    const found: string[] = [];
    const tally = { missed: 0, landed: 0 };
    const struck = sampleEvenly(points, { count: KILLS, seed: 5 });
    for (const point of struck) {
      const { wasHit, problems, hasLanded } = await strike(point);
      if (!wasHit) tally.missed += 1;
      if (hasLanded) tally.landed += 1;
      found.push(...problems);
    }
    say(
      `kill points of a dream: ${struck.length} of ${points.length} struck (${tally.missed} not reached); ` +
        `${tally.landed} had landed, the others not begun; ${found.length} problems`,
    );
    expect(found).toEqual([]);
    expect(tally.missed).toBeLessThan(1 + struck.length / 4);
  });
});
