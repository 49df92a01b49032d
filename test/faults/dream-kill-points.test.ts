/**
 * kill -9 at every system call of a dream that touches the store: the folder is as before or as the dream meant it, undo
 * works, and from the landing on the reasons of each change and the inbox are there for whoever comes next.
 */

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEndedDreams } from '../../src/layers/6-dreaming/records/dead.ts';
import type { DreamRecord } from '../../src/layers/6-dreaming/records/record.ts';
import { readDreamRecords } from '../../src/layers/6-dreaming/records/records.ts';
import { runDream } from '../../src/session/run-dream.ts';
import { read, scriptedDreamer } from '../support/dreamers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { aftermathOf, type Beginning, beginningOf, copiesLeft, recordProblems } from './dream-aftermath.ts';
import { type Attack, attackOf } from './dream-attacks.ts';
import { createSandbox, MEMORIES, type Sandbox, textOf, visibleFiles } from './dream-sandbox.ts';
import { inThisRun, sampleEvenly, say, twoAtOnce } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { type CallPoint, strikeAt, traceCalls, whyNoStrace } from './strace.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const missing = whyNoStrace();
if (missing !== null) say(`kill points of a dream SKIPPED: ${missing}`);

const KILLS = inThisRun({ short: 3, long: 400 });
/** Of those around and behind the landing. */
const KILLS_BEHIND = inThisRun({ short: 3, long: 200 });
/** Calls before the journal's closing line in which a dream of a few files lands. */
const BEFORE_CLOSING = 40;

/** A world with its dream and a copy of it as it was: one strike at a time happens in it. */
interface World {
  readonly sandbox: Sandbox;
  readonly pristine: string;
  readonly beginning: Beginning;
  readonly attack: Attack;
}

describe.skipIf(missing !== null)('a dream killed at any system call', () => {
  let folder: string;
  /** Those in which nobody is struck right now. */
  let free: World[];
  let runs = 0;

  beforeAll(async () => {
    folder = temporaryFolder('dream-kills');
    free = [await createWorld('pristine-1'), await createWorld('pristine-2')];
  });
  afterAll(() => {
    for (const { sandbox } of free ?? []) sandbox.remove();
  });

  async function createWorld(name: string): Promise<World> {
    const sandbox = await createSandbox();
    // The line, what is wanted of the pinned ones, which waits, and an end in peace.
    const draws = [0.1, 0.9, 0.4, 0.1];
    const moves = ['honest merge', 'honest date', 'honest line', 'touch the pinned'];
    const honest = attackOf(moves, { sandbox, random: () => draws.shift()! });
    const secret = attackOf(['tell secrets'], { sandbox, random: seededRandom(3) });
    const steps = honest.steps.map((step, at) =>
      at === 1 ? { calls: [...step.calls!, ...secret.steps[1]!.calls!.slice(1)] } : step,
    );
    const attack = { ...honest, steps, secrets: secret.secrets };
    const pristine = join(folder, name);
    cpSync(sandbox.root, pristine, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    return { sandbox, pristine, beginning: beginningOf(sandbox), attack };
  }

  /** The world as it was, where it was: a project is known by its path. */
  function restore({ sandbox, pristine }: World): void {
    rmSync(sandbox.root, { recursive: true, force: true });
    cpSync(pristine, sandbox.root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }

  function begin(world: World): { readonly worker: WorkerProcess; readonly output: string } {
    restore(world);
    runs += 1;
    const memories = Object.fromEntries(
      MEMORIES.flatMap((memory) => (memory.file.includes('/') ? [] : [[memory.file, textOf(memory)]])),
    );
    const facts = { place: world.sandbox.place, steps: world.attack.steps, memories, warmFolder: folder };
    return { worker: startWorker('./dream-worker.mjs', facts), output: join(folder, `${runs}.trace`) };
  }

  async function strike(world: World, point: CallPoint, whole: DreamRecord) {
    const { sandbox, attack, beginning } = world;
    const { worker, output } = begin(world);
    const { wasHit } = await strikeAt(worker, { point, effect: 'signal=KILL', store: sandbox.folder, output });
    const wasKilled = !worker.lines.some((line) => line.startsWith('ACK'));
    const facts = { sandbox, attack: { ...attack, secrets: [] }, beginning, wasKilled };
    const { problems, hasLanded } = await aftermathOf(facts);
    const [left] = readEndedDreams(sandbox.folder).records;
    const found = [
      ...problems,
      ...recordProblems(left, { whole, hasLanded }),
      ...(await nextProblems(world, { whole, hasLanded, left })),
    ];
    const isCutOff = wasKilled && !hasLanded && (left?.changes.length ?? 0) > 0;
    return { wasHit, hasLanded, isCutOff, problems: found.map((each) => `killed before ${point.shown}: ${each}`) };
  }

  /** The next dream takes the lock, clears away the copy of the dead one, settles its record, and finds everything as it was. */
  async function nextProblems(
    { sandbox, attack, beginning }: World,
    facts: { readonly whole: DreamRecord; readonly hasLanded: boolean; readonly left: DreamRecord | undefined },
  ): Promise<string[]> {
    const steps = [{ calls: [read('project_release.md')] }];
    const content = scriptedDreamer({ title: 'content', steps, after: 'end' });
    const report = await runDream({ ...sandbox.place, by: 'hand', model: content });
    const { problems } = await aftermathOf({ sandbox, attack, beginning });
    const kept = readDreamRecords(sandbox.folder).records.find(({ id }) => id === facts.left?.id);
    return [
      ...(report.kind === 'ended' ? [] : [`the next dream did not begin: ${report.reason}`]),
      ...copiesLeft(sandbox.place.home).map((path) => `of the dead one's copy ${path} is still there`),
      ...problems,
      ...(facts.left === undefined ? [] : recordProblems(kept, facts)),
    ];
  }

  it('leaves the change whole or not begun', { timeout: 1_800_000 }, async () => {
    const { sandbox } = free[0]!;
    const { worker, output } = begin(free[0]!);
    const points = await traceCalls(worker, { store: sandbox.folder, output });
    expect(worker.lines.join('\n') + worker.complaints()).toContain('ACK "completed"');
    expect(visibleFiles(sandbox.folder).has('project_ledger-copy.md')).toBe(false);
    const [whole] = readDreamRecords(sandbox.folder).records;
    const states = whole!.changes.map(({ state }) => state);
    expect(states.filter((state) => state === 'landed').length).toBeGreaterThan(3);
    expect(states.filter((state) => state === 'waiting').length).toBeGreaterThan(1);
    const found: string[] = [];
    const tally = { missed: 0, landed: 0, cutOff: 0 };
    const struck = chosen(points);
    await twoAtOnce(struck, async (point) => {
      const world = free.pop()!;
      const { wasHit, problems, hasLanded, isCutOff } = await strike(world, point, whole!);
      free.push(world);
      if (!wasHit) tally.missed += 1;
      if (hasLanded) tally.landed += 1;
      if (isCutOff) tally.cutOff += 1;
      found.push(...problems);
    });
    say(
      `kill points of a dream: ${struck.length} of ${points.length} struck (${tally.missed} not reached); ` +
        `${tally.landed} had landed, ${tally.cutOff} were about to, the others had not come so far; ${found.length} problems`,
    );
    expect(found).toEqual([]);
    expect(tally.missed).toBeLessThan(1 + struck.length / 4);
  });
});

/** A few from everywhere, and some from behind the landing on: there the record and the journal may differ. */
function chosen(points: readonly CallPoint[]): readonly CallPoint[] {
  const landing = points.findLastIndex(({ shown }) => shown.includes('changes.jsonl'));
  const behind = landing < 0 ? [] : points.slice(landing - BEFORE_CLOSING);
  return [
    ...new Set([
      ...sampleEvenly(points, { count: KILLS, seed: 5 }),
      ...sampleEvenly(behind, { count: KILLS_BEHIND, seed: 5 }),
    ]),
  ];
}
