/** The team's folder of a command's place, with who added what as git says now. */

import { findPlace, type Place } from '../../../settings/place.ts';
import { openTeamFolder, type TeamFolder } from '../../../team/folder.ts';
import { teamWorkTree } from '../../../team/share.ts';
import type { Invocation } from '../../command.ts';
import { placeOptions } from '../../options/place-options.ts';

export interface OpenedTeam {
  readonly place: Place;
  readonly workTree: string;
  readonly team: TeamFolder;
}

export async function openTeam({ place, environment }: Pick<Invocation, 'place' | 'environment'>): Promise<OpenedTeam> {
  const found = findPlace(placeOptions(place, environment));
  const workTree = teamWorkTree(found);
  const team = openTeamFolder(found.folders.find(({ scope }) => scope === 'team')!, found);
  await team.settle();
  team.look();
  return { place: found, workTree, team };
}
