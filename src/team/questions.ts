/** Asks once, after a pull, about what may contradict: one line that names the command. Nothing is decided here. */

import type { Memory, MemoryEntry } from '../memory/memory.ts';
import type { Place } from '../settings/place.ts';
import { readManifest } from './manifest.ts';
import { isOwnWord, teamScope } from './news.ts';
import { oneLine } from './one-line.ts';
import { type ContradictionPair, findContradictions, MOST_NEWCOMERS } from './review.ts';
import { changeTeamState, readTeamState } from './state.ts';

/** Null when nothing came since the last time, or nothing of it may contradict. */
export async function contradictionQuestion(facts: {
  readonly place: Place;
  readonly memory: Memory;
  readonly isStopped: () => boolean;
}): Promise<string | null> {
  const { place, memory, isStopped } = facts;
  const state = readTeamState(place);
  const compared = state.compared ?? {};
  const { files } = readManifest(teamScope(place).cacheDirectory);
  const fresh = files
    .filter((each) => compared[each.id] !== each.hash && state.reviewed?.[each.id] !== each.hash)
    .filter((each) => !isOwnWord(each, state))
    .slice(0, MOST_NEWCOMERS);
  if (fresh.length === 0) return null;
  const asked = [...state.asked, ...(state.told ?? [])];
  const pairs = await findContradictions({
    ...{ memory, asked, isStopped },
    fresh: new Set(fresh.map(({ file }) => file)),
  });
  // Stopped half way, it begins again the next time.
  if (isStopped()) return null;
  await changeTeamState(place, (now) => ({
    ...now,
    compared: { ...now.compared, ...Object.fromEntries(fresh.map(({ id, hash }) => [id, hash])) },
    told: [...(now.told ?? []), ...pairs.map(({ key }) => key)],
  }));
  return pairs.length === 0 ? null : questionLine(pairs);
}

function questionLine(pairs: readonly ContradictionPair[]): string {
  const { one, other } = pairs[0]!;
  const more = pairs.length === 1 ? '' : ` (and ${pairs.length - 1} more)`;
  return `Do these contradict? ${saidBy(other)}; ${saidBy(one)}${more}. To decide: reverie team review`;
}

function saidBy(entry: MemoryEntry): string {
  const who = entry.scope === 'team' ? oneLine(entry.origin?.author ?? 'A colleague') : 'You';
  return `${who}: “${oneLine(entry.description || entry.name)}”`;
}
