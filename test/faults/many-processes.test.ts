/** Sixteen processes at one folder, some of them killed: one history, all of what was acknowledged, and nothing else. */

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/session/open-memory.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import {
  type Files,
  indexProblems,
  type JournalledChange,
  leftovers,
  modeProblems,
  readJournalFacts,
  readUserFiles,
} from './folder-facts.ts';
import { seededRandom } from './seeded-random.mjs';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const PROCESSES = 16;
const OPERATIONS = inThisRun({ short: 15, long: 200 });
const KILLS = inThisRun({ short: 6, long: 60 });
const LOCK_WAIT_MS = 120_000;

interface LogLine {
  readonly event: 'save' | 'update' | 'forget' | 'undo' | 'edit' | 'refused' | 'error' | 'end';
  readonly mark?: string;
  readonly file?: string;
  readonly change?: string;
  readonly undoes?: string;
  readonly message?: string;
  readonly problems?: readonly string[];
}

describe('many processes in one folder', () => {
  it('make one history in which everything acknowledged is', { timeout: 480_000 }, async () => {
    await inTemporaryFolder(async (folder) => {
      const directory = `${folder}/memory`;
      const settings = { 'limits.lock.waitMs': LOCK_WAIT_MS };
      const place = { directory, home: `${folder}/home`, cwd: folder, settings };
      mkdirSync(directory, { mode: 0o700 });
      const { kills, complaints } = await letThemWork({ folder, place });

      const log = Array.from({ length: PROCESSES }, (_, slot) => readLog(`${folder}/log-${slot}`)).flat();
      const memory = await openMemory(place);
      await memory.log();
      const open = memory.problems();
      await memory.close();
      const files = readUserFiles(directory);
      const journal = readJournalFacts(directory);
      const acknowledged = log.filter((line) => line.change !== undefined);
      say(
        `many processes: ${PROCESSES} at once, ${kills} killed and replaced; ${acknowledged.length} operations ` +
          `acknowledged, ${count(log, 'refused')} refused, ${count(log, 'edit')} edits by hand; ` +
          `${journal.changes.length} changes in the journal`,
      );

      expect.soft(complaints).toBe('');
      expect.soft(log.filter(({ event }) => event === 'error')).toEqual([]);
      expect.soft([...open, ...log.flatMap((line) => line.problems ?? [])]).toEqual([]);
      expect.soft(journal).toMatchObject({ unclosed: [], damagedLines: 0 });
      expect.soft(historyProblems(journal.changes, files)).toEqual([]);
      expect.soft(lostOperations(acknowledged, journal.changes, directory)).toEqual([]);
      expect.soft(strangeEdits(journal.changes)).toEqual([]);
      expect.soft(indexProblems(files)).toEqual([]);
      expect.soft([...leftovers(directory), ...modeProblems(directory)]).toEqual([]);
      expect.soft(acknowledged.length).toBeGreaterThan((PROCESSES * OPERATIONS) / 4);
    });
  });
});

async function letThemWork(facts: { readonly folder: string; readonly place: { readonly directory: string } }) {
  const random = seededRandom(31);
  let seed = 1;
  const start = (slot: number) => {
    const log = `${facts.folder}/log-${slot}`;
    // A killed process may leave its log in the middle of a line.
    appendFileSync(log, '\n');
    const role = { editsByHand: slot === 0, reopens: slot % 4 === 1 };
    return startWorker('./many-writers-worker.mjs', {
      place: facts.place,
      log,
      seed: seed++,
      operations: OPERATIONS,
      ...role,
    });
  };
  const workers: WorkerProcess[] = Array.from({ length: PROCESSES }, (_, slot) => start(slot));
  const all = [...workers];
  let kills = 0;
  let running = workers.length;
  const watch = (worker: WorkerProcess) => void worker.ended.then(() => (running -= 1));
  for (const worker of workers) watch(worker);
  await Promise.all(workers.map((worker) => worker.line('READY')));
  while (running > 0) {
    await sleep(20 + random() * inThisRun({ short: 250, long: 900 }));
    const slot = 1 + Math.floor(random() * (PROCESSES - 1));
    const victim = workers[slot]!;
    if (kills >= KILLS || running === 0) continue;
    victim.signal('SIGKILL');
    if ((await victim.ended).signal === null) continue;
    kills += 1;
    running += 1;
    workers[slot] = start(slot);
    watch(workers[slot]);
    all.push(workers[slot]);
  }
  return { kills, complaints: all.map((worker) => worker.complaints()).join('') };
}

function readLog(path: string): LogLine[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LogLine);
}

function count(log: readonly LogLine[], event: LogLine['event']): number {
  return log.filter((line) => line.event === event).length;
}

/** Replays the journal from nothing: each change must begin where the one before it ended, and the last one on disk. */
function historyProblems(changes: readonly JournalledChange[], files: Files): string[] {
  const state = new Map<string, string>();
  const problems: string[] = [];
  for (const { id, files: touched } of changes) {
    for (const { file, before, after } of touched) {
      const known = state.get(file) ?? null;
      if (before !== known) problems.push(`${id} begins ${file} with ${before} and not with ${known}`);
      if (after === null) state.delete(file);
      else state.set(file, after);
    }
  }
  const onDisk = new Map(
    [...files]
      .filter(([file]) => file !== 'MEMORY.md')
      .map(([file, bytes]) => [file, createHash('sha256').update(bytes).digest('hex')]),
  );
  for (const file of new Set([...state.keys(), ...onDisk.keys()])) {
    if (state.get(file) !== onDisk.get(file)) problems.push(`${file} on disk is not where its history ends`);
  }
  return problems;
}

/** What a process was told is done, and the journal does not show so. */
function lostOperations(
  acknowledged: readonly LogLine[],
  changes: readonly JournalledChange[],
  directory: string,
): string[] {
  const byId = new Map(changes.map((change) => [change.id, change]));
  return acknowledged.flatMap((line) => {
    const change = byId.get(line.change ?? '');
    const what = `${line.event} ${line.mark} of ${line.file} (${line.change})`;
    if (change === undefined) return [`${what} is not in the journal`];
    const touched = change.files.find(({ file }) => file === line.file);
    if (change.kind !== line.event || touched === undefined) return [`${what} is another change in the journal`];
    if (line.event === 'forget') return touched.after === null ? [] : [`${what} left the file`];
    if (line.event === 'undo') return undoneRightly(touched, byId.get(line.undoes ?? ''), what);
    const kept = readFileSync(`${directory}/.reverie/journal/contents/${touched.after}`, 'utf8');
    return kept.includes(line.mark!) ? [] : [`${what} has another text`];
  });
}

function undoneRightly(
  undo: JournalledChange['files'][number],
  undone: JournalledChange | undefined,
  what: string,
): string[] {
  const origin = undone?.files.find(({ file }) => file === undo.file);
  return origin !== undefined && origin.before === undo.after ? [] : [`${what} did not restore what was before`];
}

/** Only the files that were edited by hand may be taken for edited by hand. */
function strangeEdits(changes: readonly JournalledChange[]): string[] {
  return changes
    .filter(({ kind, files }) => kind === 'edit' && !files.every(({ file }) => file.startsWith('hand-')))
    .map(({ id, why, files }) => `${id}: ${why}: ${files.map(({ file }) => file).join(', ')}`);
}
