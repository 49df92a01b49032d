/** Memories of this user's that whoever wrote them marked as fit for the team. They stay private until the user shares them. */

import { isOwnScope } from '../base/taxonomy.ts';
import { parseReference } from '../memory/find-memory.ts';
import type { MemoryEntry, MemoryHeader } from '../memory/memory.ts';
import type { Place } from '../settings/place.ts';
import { changeTeamState, readTeamState, type TeamState } from './state.ts';

type Marked = Omit<MemoryHeader, 'path' | 'warnings'>;

/** What a model marked counts only where the user could share it as it is, and never a second time. */
export function suggestedForTeam<Entry extends Marked>(
  entries: readonly Entry[],
  state: Pick<TeamState, 'shared' | 'declined'>,
): readonly Entry[] {
  const settled = new Set([...Object.values(state.shared).map(keyOf), ...(state.declined ?? [])]);
  return entries.filter((entry) => isShareable(entry) && !settled.has(keyOf(entry)));
}

function isShareable(entry: Marked): boolean {
  if (entry.forTeam !== true || !isOwnScope(entry.scope)) return false;
  if (entry.type === null || entry.type === 'user' || entry.source !== 'said') return false;
  return entry.supersededBy === null && entry.refuted === null;
}

function keyOf({ scope, file }: { readonly scope: string; readonly file: string }): string {
  return `${scope}:${file}`;
}

/** The user does not want to share it: it is not suggested again. Null where nothing of that name was suggested. */
export async function declineSuggestion(
  reference: string,
  { entries, place }: { readonly entries: readonly MemoryEntry[]; readonly place: Place },
): Promise<MemoryEntry | null> {
  const wanted = parseReference(reference);
  const found = suggestedForTeam(entries, readTeamState(place)).find(
    ({ scope, file }) => file === wanted.file && (wanted.scope === undefined || scope === wanted.scope),
  );
  if (found === undefined) return null;
  await changeTeamState(place, (state) => ({ ...state, declined: [...(state.declined ?? []), keyOf(found)] }));
  return found;
}
