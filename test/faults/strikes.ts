/** Strikes one operation at one system call, and judges what is left of the folder afterwards. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMemory } from '../../src/session/open-memory.ts';
import {
  areSame,
  type Files,
  indexProblems,
  leftovers,
  modeProblems,
  readJournalFacts,
  readUserFiles,
  strangeIndexLines,
  tornFiles,
} from './folder-facts.ts';
import { type Case, copyFolder, type Operation } from './operations.ts';
import { type CallPoint, strikeAt, traceCalls } from './strace.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

/** Whoever waits for a lock here waits for one that nobody will release. */
const LOCK_WAIT_MS = 1_000;
/** About one failure in twenty goes astray. */
const TRIES_TO_HIT = 50;

/** How one operation goes when nothing disturbs it. */
export interface Unharmed {
  readonly points: readonly CallPoint[];
  readonly before: Files;
  readonly after: Files;
  readonly changesBefore: number;
  readonly changesAfter: number;
}

export interface Struck {
  readonly directory: string;
  readonly wasHit: boolean;
  /** What the process said, line by line. */
  readonly lines: readonly string[];
}

export interface Striker {
  unharmed(struck: Case): Promise<Unharmed>;
  /** `from` strikes a folder that an earlier strike left, with another operation. */
  strike(
    struck: Pick<Case, 'operation' | 'template'>,
    how: { readonly point: CallPoint; readonly effect: string; readonly onwards?: boolean; readonly attempts?: number },
  ): Promise<Struck>;
  pointsOf(struck: Pick<Case, 'operation' | 'template'>): Promise<readonly CallPoint[]>;
  place(directory: string): { directory: string; home: string; cwd: string };
}

export function createStriker(folder: string): Striker {
  let runs = 0;
  const place = (directory: string) => ({ directory, home: `${folder}/home`, cwd: folder });

  function begin(
    struck: Pick<Case, 'operation' | 'template'>,
    attempts = 1,
  ): { directory: string; output: string; worker: WorkerProcess } {
    runs += 1;
    const run = `${folder}/run-${runs}`;
    const directory = `${run}/memory`;
    // Without a template the operation itself makes the folder.
    if (struck.template !== undefined) copyFolder(struck.template, run);
    const settings = { 'limits.lock.waitMs': LOCK_WAIT_MS };
    const facts = {
      operation: struck.operation,
      place: { ...place(directory), settings },
      warmFolder: folder,
      attempts,
    };
    return { directory, output: `${run}.trace`, worker: startWorker('./store-worker.mjs', facts) };
  }

  async function trace(struck: Pick<Case, 'operation' | 'template'>) {
    const { directory, output, worker } = begin(struck);
    const points = await traceCalls(worker, { store: directory, output });
    const isAcknowledged = worker.lines.some((line) => line.startsWith('ACK'));
    if (!isAcknowledged) throw new Error(`unharmed, it failed: ${worker.lines.join('\n')}${worker.complaints()}`);
    return { directory, points };
  }

  return {
    place,
    async unharmed(struck) {
      const { directory, points } = await trace(struck);
      const template = struck.template === undefined ? undefined : `${struck.template}/memory`;
      return {
        points,
        before: template === undefined ? new Map() : readUserFiles(template),
        after: readUserFiles(directory),
        changesBefore: template === undefined ? 0 : readJournalFacts(template).changes.length,
        changesAfter: readJournalFacts(directory).changes.length,
      };
    },
    async strike(struck, how) {
      for (let tries = 1; tries <= TRIES_TO_HIT; tries += 1) {
        const { directory, output, worker } = begin(struck, how.attempts);
        const { wasHit, wentAstray } = await strikeAt(worker, { ...how, store: directory, output });
        if (!wentAstray) return { directory, wasHit, lines: [...worker.lines] };
      }
      throw new Error(`${TRIES_TO_HIT} failures in a row missed ${how.point.shown}`);
    },
    pointsOf: async (struck) => (await trace(struck)).points,
  };
}

export type EndState = 'before' | 'after' | 'neither';

export interface Judgement {
  /** The state that the next open settled on. */
  readonly state: EndState;
  readonly problems: readonly string[];
}

/** Opens what was left, as the next process would, and looks at everything that was promised. */
export async function judge(
  struck: Case,
  facts: {
    readonly unharmed: Unharmed;
    readonly directory: string;
    readonly acknowledged: boolean;
    readonly place: { directory: string; home: string; cwd: string };
  },
): Promise<Judgement> {
  const { unharmed, directory } = facts;
  const found = readUserFiles(directory);
  // Many edits are journalled one by one, each with its line: then the index is whole line by line.
  const problems =
    struck.operation.name === 'open'
      ? strangeIndexLines(found, [unharmed.before, unharmed.after])
      : tornFiles(found, [unharmed.before, unharmed.after]);
  const memory = await openMemory(facts.place);
  try {
    await memory.log();
    const present = readUserFiles(directory);
    const state = stateOf(present, unharmed, facts.acknowledged);
    if (state === 'neither') problems.push('the folder is neither as before nor as after');
    if (facts.acknowledged && state !== 'after') problems.push('it was acknowledged and is not there');
    if (struck.operation.name === 'open' && state !== 'after') problems.push('the edits were not noticed');
    if (state !== 'before' || struck.operation.name !== 'open') problems.push(...indexProblems(present));
    problems.push(...memory.problems(), ...controlProblems(struck, { directory, unharmed, state }));
    if (state === 'after' && struck.undoable) problems.push(...(await undoProblems(memory, directory, unharmed)));
    return { state, problems };
  } finally {
    await memory.close();
  }
}

function stateOf(present: Files, unharmed: Unharmed, acknowledged: boolean): EndState {
  const isAfter = areSame(present, unharmed.after, { times: 'any' });
  // An operation may change times alone; then only the acknowledgement tells which one to ask for.
  if (isAfter && (acknowledged || !areSame(present, unharmed.before, { times: 'exact' }))) return 'after';
  return areSame(present, unharmed.before, { times: 'exact' }) ? 'before' : 'neither';
}

function controlProblems(
  struck: Case,
  facts: { readonly directory: string; readonly unharmed: Unharmed; readonly state: EndState },
): string[] {
  const { directory, unharmed, state } = facts;
  const journal = readJournalFacts(directory);
  const problems: string[] = [];
  if (journal.unclosed.length > 0) problems.push(`the journal left ${journal.unclosed.join(', ')} unfinished`);
  if (journal.damagedLines > 0) problems.push(`the journal has ${journal.damagedLines} damaged lines`);
  const wanted = state === 'after' ? unharmed.changesAfter : unharmed.changesBefore;
  const isPurge = struck.operation.name === 'purge';
  if (journal.changes.length !== wanted && !isPurge) {
    const newest = journal.changes.slice(unharmed.changesBefore).map(({ kind, why }) => `${kind} (${why})`);
    problems.push(`the journal has ${journal.changes.length} changes instead of ${wanted}: ${newest.join(', ')}`);
  }
  if (isPurge && state === 'after') problems.push(...purgeTraces(directory, struck.operation));
  problems.push(...leftovers(directory).map((path) => `${path} was left behind`), ...modeProblems(directory));
  return problems;
}

function purgeTraces(directory: string, operation: Operation): string[] {
  const file = 'file' in operation ? operation.file : '';
  const journal = join(directory, '.reverie', 'journal');
  const paths = [
    'changes.jsonl',
    'index-as-left.md',
    ...readdirSync(`${journal}/contents`).map((n) => `contents/${n}`),
  ];
  return paths
    .filter((path) => readFileSync(join(journal, path)).includes('blue board') || path === 'purging')
    .map((path) => `${path} still holds the text of ${file}`);
}

async function undoProblems(
  memory: Awaited<ReturnType<typeof openMemory>>,
  directory: string,
  unharmed: Unharmed,
): Promise<string[]> {
  const [newest] = await memory.log({ limit: 1 });
  try {
    await memory.undo(newest?.id);
  } catch (error) {
    return [`undo failed: ${String(error)}`];
  }
  const present = readUserFiles(directory);
  if (areSame(present, unharmed.before, { times: 'exact' })) return [];
  const differing = [...new Set([...present.keys(), ...unharmed.before.keys()])].filter(
    (file) => present.get(file)?.equals(unharmed.before.get(file) ?? Buffer.from('\0')) !== true,
  );
  return [`undo did not restore ${differing.join(', ')}`];
}
