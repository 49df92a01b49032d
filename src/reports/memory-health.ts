/** How much of a memory is pollution, and how much is stale: for this project and for global memory, at the top of `stats`. */

import { timeBefore } from '../disk/ledger/read.ts';
import { readUsefulness, type UsefulnessOptions } from '../memory/history/usefulness.ts';
import type { Memory, MemoryEntry } from '../memory/memory.ts';
import { claimsIn, verifyClaims } from '../search/verify/verify.ts';
import type { Place } from '../settings/place.ts';
import { listUsefulness } from './usefulness-rows.ts';

/** How many of the newest memories have their paths looked up for the stale share, and how long that may take. */
const STALE_MEMORIES = 1_000;
const STALE_MS = 3_000;

export interface MemoryHealth {
  /** Existing memories, and those that were undone. */
  readonly memories: number;
  /** Saved and undone within the period; refuted; recalled several times and never used. */
  readonly undone: number;
  readonly refuted: number;
  readonly neverUsed: number;
  /** Share of all; null when there is nothing. */
  readonly pollutionRate: number | null;
  /** The newest memories whose paths were looked up, and those that name a missing one. */
  readonly checked: number;
  readonly stale: number;
  readonly staleShare: number | null;
}

export interface HealthOptions {
  readonly place: Place;
  readonly memory: Pick<Memory, 'list' | 'log'>;
  readonly now: Date;
  readonly days: number;
  readonly onProblem?: UsefulnessOptions['onProblem'];
}

export async function readMemoryHealth(options: HealthOptions): Promise<MemoryHealth> {
  const { place, memory, now, days } = options;
  const [listed, log, counts] = await Promise.all([memory.list(), memory.log(), readUsefulness(options)]);
  const since = timeBefore(now, days);
  const undone = log.filter(
    ({ kind, undoneBy, at }) => kind === 'save' && undoneBy !== undefined && at >= since,
  ).length;
  const refuted = listed.filter((entry) => entry.refuted !== null);
  const { rows } = listUsefulness(counts, {
    memories: listed.filter((entry) => entry.refuted === null),
  });
  const neverUsed = rows.filter(({ verdict }) => verdict === 'never-used').length;
  const memories = listed.length + undone;
  const polluted = undone + refuted.length + neverUsed;
  const { checked, stale } = await countStale(listed, place);
  return {
    ...{ memories, undone, refuted: refuted.length, neverUsed, pollutionRate: shareOf(polluted, memories) },
    ...{ checked, stale, staleShare: shareOf(stale, checked) },
  };
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** All paths are looked up together: missing ones are searched for once, not once per memory. */
async function countStale(
  listed: readonly MemoryEntry[],
  place: Place,
): Promise<{ readonly checked: number; readonly stale: number }> {
  const newest = [...listed].sort((one, other) => (one.modified < other.modified ? 1 : -1)).slice(0, STALE_MEMORIES);
  const named = newest.map((entry) => pathsOf(entry, place));
  const { gone, found } = await verifyClaims(
    { paths: [...new Set(named.flat())], identifiers: [] },
    {
      ...{ projectRoot: place.projectRoot, userHome: place.userHome, budgetMs: STALE_MS, now: Date.now },
      except: place.folders.map(({ path }) => path),
      limits: place.limits.recall,
    },
  );
  const isGone = new Set(gone);
  const isDecided = new Set([...gone, ...found]);
  const checked = named.filter(
    (paths) => paths.every((path) => isDecided.has(path)) || paths.some((path) => isGone.has(path)),
  );
  return { checked: checked.length, stale: checked.filter((paths) => paths.some((path) => isGone.has(path))).length };
}

/** A relative path in a memory that follows the user everywhere may belong to another project. */
function pathsOf({ scope, description, body }: MemoryEntry, { limits }: Place): readonly string[] {
  const { paths } = claimsIn(`${description}\n${body}`, limits.recall);
  return scope === 'project' ? paths : paths.filter((path) => /^[~/]/.test(path));
}
