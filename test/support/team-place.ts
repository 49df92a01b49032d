/** The place of a user who works in a clone. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findPlace, type Place } from '../../src/settings/place.ts';
import { openTeamFolder, type TeamFolder } from '../../src/team/folder.ts';

export function placeAt(cwd: string, home: string): Place {
  mkdirSync(home, { recursive: true });
  return findPlace({ cwd, home: join(home, '.reverie'), env: { HOME: home } });
}

export function openTeamAt(place: Place): TeamFolder {
  const folder = place.folders.find(({ scope }) => scope === 'team');
  if (folder === undefined) throw new Error('There is no team memory here');
  return openTeamFolder(folder, place);
}
