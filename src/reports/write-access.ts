/** What keeps Reverie from writing: a check of the home and the memory folders, cheap enough for every `reverie status`. */

import { accessSync, constants } from 'node:fs';
import { quoted } from '../base/text/shell-words.ts';
import type { Place } from '../settings/place.ts';
import { examineCache, examineHome } from './doctor/home.ts';
import { type Finding, guarded, statsAt } from './finding.ts';

export async function findUnwritable(place: Place): Promise<readonly Finding[]> {
  const { home, folders } = place;
  const ofHome = await guarded(home, () => examineHome(home));
  const ofFolders = folders.map(({ path }) => guarded(path, () => unwritable(path)));
  const ofCache = ofHome.length > 0 ? [] : await guarded(home, () => examineCache(place));
  return [...ofHome, ...(await Promise.all(ofFolders)).flat(), ...ofCache];
}

/** A missing one is created with the first memory. */
function unwritable(path: string): Finding[] {
  if (statsAt(path) === undefined) return [];
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return [];
  } catch {
    const what = 'A memory folder cannot be written to';
    return [{ severity: 'error', what, where: path, mend: `chmod u+rwx ${quoted(path)}` }];
  }
}
