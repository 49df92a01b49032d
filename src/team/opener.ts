/** Opens the team's folder where the repository has one; all else of this room is loaded only then. */

import type { OpenTeam } from '../memory/scopes.ts';
import type { Place } from '../settings/place.ts';

export async function teamOpener(place: Place): Promise<OpenTeam | undefined> {
  if (!place.folders.some(({ scope }) => scope === 'team')) return undefined;
  return (await import('./folder.ts')).openTeamFolder;
}
