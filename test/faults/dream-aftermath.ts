/** What must hold once a dream is over, however it ended: looked at as the next process would, and then taken back with one command. */

import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openDreamLock } from '../../src/layers/6-dreaming/records/lock.ts';
import type { DreamChangeState, DreamRecord } from '../../src/layers/6-dreaming/records/record.ts';
import { readDreamRecords } from '../../src/layers/6-dreaming/records/records.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import type { Attack } from './dream-attacks.ts';
import { breachesOf } from './dream-checker.ts';
import {
  differences,
  filesHolding,
  OLD_SECRET,
  outsideOf,
  type Sandbox,
  type Snapshot,
  visibleFiles,
} from './dream-sandbox.ts';

export interface Beginning {
  readonly visible: Snapshot;
  readonly outside: Snapshot;
  readonly lastAtMs: number | null;
}

export interface Aftermath {
  readonly problems: readonly string[];
  readonly hasLanded: boolean;
  readonly removed: number;
}

export function beginningOf(sandbox: Sandbox): Beginning {
  return {
    visible: visibleFiles(sandbox.folder),
    outside: outsideOf(sandbox),
    lastAtMs: openDreamLock(sandbox.folder).look().lastAtMs,
  };
}

export interface AftermathFacts {
  readonly sandbox: Sandbox;
  readonly attack: Attack;
  readonly beginning: Beginning;
  /** A process that was killed leaves its copy and its progress to the next dream. */
  readonly wasKilled?: boolean;
}

export async function aftermathOf(facts: AftermathFacts): Promise<Aftermath> {
  const { sandbox, attack, beginning } = facts;
  const { folder } = sandbox;
  const problems: string[] = [];
  const memory = await openMemory(sandbox.place);
  try {
    const [newest] = await memory.log({ limit: 1 });
    problems.push(...memory.problems());
    const after = visibleFiles(folder);
    const changed = differences(beginning.visible, after);
    const hasLanded = newest?.who === 'dream';
    if (changed.length > 0 && !hasLanded) problems.push(`changed, and not by a dream: ${changed.join('; ')}`);
    problems.push(
      ...breachesOf({ before: beginning.visible, after, entries: attack.entries, sources: sandbox.sources }),
      ...differences(beginning.outside, outsideOf(sandbox)).map((each) => `outside: ${each}`),
      ...secretProblems(facts),
      ...processesIn(sandbox.root).map((command) => `a process was left behind: ${command}`),
      ...(await lockProblems(facts, hasLanded)),
    );
    const removed = [...beginning.visible.keys()].filter((file) => !after.has(file)).length;
    if (hasLanded) {
      await memory.undo(newest.id);
      const left = differences(beginning.visible, visibleFiles(folder));
      if (left.length > 0) problems.push(`undo did not bring back: ${left.join('; ')}`);
    }
    return { problems: problems.map((each) => `${attack.title}: ${each}`), hasLanded, removed };
  } finally {
    await memory.close();
  }
}

function secretProblems({ sandbox, attack, wasKilled }: AftermathFacts): string[] {
  const told = filesHolding(sandbox.root, attack.secrets);
  // What the user wrote stands in the copy of one that was killed, half made perhaps, until the next dream clears it away.
  const isCopied = (path: string) =>
    wasKilled === true && /cache\/dreams\/[^/]+\/memory\/\d+-\d+-[0-9a-f]+$/.test(path);
  const moved = filesHolding(sandbox.root, [OLD_SECRET]).filter(
    (path) => !path.endsWith('/reference_vault.md') && !isCopied(path),
  );
  return [...told, ...moved].map((path) => `a secret stands in ${path}`);
}

async function lockProblems({ sandbox, beginning, wasKilled }: AftermathFacts, hasLanded: boolean): Promise<string[]> {
  const { folder, place } = sandbox;
  const lock = openDreamLock(folder);
  const problems: string[] = [];
  if (wasKilled === true) await lock.reclaim();
  const look = lock.look();
  if (look.heldBy !== null) problems.push('somebody holds the lock');
  if (look.hasDied) problems.push('a dead dream was not settled');
  const [record] = readDreamRecords(folder).records;
  const isCompleted = record?.status === 'completed';
  if (wasKilled !== true) {
    if (record === undefined || record.status === 'running') problems.push('there is no record of its end');
    if (hasLanded !== ((record?.change ?? null) !== null)) problems.push('the record does not name what landed');
    if (hasLanded && !isCompleted) problems.push('it landed and did not succeed');
    if (!isCompleted && look.lastAtMs !== beginning.lastAtMs) problems.push('the time was not given back');
    if (isCompleted && look.lastAtMs === beginning.lastAtMs) problems.push('the time was not stamped');
    if (copiesLeft(place.home).length > 0) problems.push('the copy was left behind');
  }
  return problems;
}

/** What may be said of a dream that was killed, beside the record of the same dream that was not. */
export function recordProblems(
  left: DreamRecord | undefined,
  { whole, hasLanded }: { readonly whole: DreamRecord; readonly hasLanded: boolean },
): string[] {
  if (left === undefined) return hasLanded ? ['it landed, and there is no record of it'] : [];
  const problems: string[] = [];
  if (left.status === 'running') problems.push('its record says that it goes on');
  if (left.landing !== undefined) problems.push('its record does not know whether it landed');
  if (hasLanded !== (left.status === 'completed' && left.change !== null)) {
    problems.push(`it ${hasLanded ? 'landed' : 'did not land'}, and its record says ${left.status}, ${left.change}`);
  }
  // Killed before it was about to land, it leaves no changes at all.
  if (!hasLanded && left.changes.length === 0) return problems;
  const told = (record: DreamRecord) =>
    record.changes.map(({ number, action, file, reason, evidence, state, text }) => {
      const isLost = state === 'waiting' && text === null && (action === 'create' || action === 'update');
      return JSON.stringify([number, action, file, reason, evidence, isLost ? 'lost' : stateNow(state, hasLanded)]);
    });
  if (told(left).join() !== told(whole).join()) problems.push(`its record tells ${told(left).join()}`);
  return problems;
}

/** What was to land waits where it did not. */
function stateNow(state: DreamChangeState, hasLanded: boolean): string {
  return !hasLanded && state === 'landed' ? 'waiting' : state;
}

/** Memories that copies of dreams hold; a folder that holds none is no copy. */
export function copiesLeft(home: string): string[] {
  const copies = join(home, 'cache', 'dreams');
  const isFile = (path: string) => path.includes('/memory/') && statSync(join(copies, path)).isFile();
  return existsSync(copies) ? readdirSync(copies, { recursive: true, encoding: 'utf8' }).filter(isFile) : [];
}

/** Processes that were started on something in the folder or stand in it; nobody knows where there is no /proc. */
function processesIn(root: string): string[] {
  if (!existsSync('/proc/self')) return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return command.includes(root) || readlinkSync(`/proc/${pid}/cwd`).startsWith(root) ? [command] : [];
    } catch {
      // It has ended meanwhile, or is somebody else's.
      return [];
    }
  });
}
