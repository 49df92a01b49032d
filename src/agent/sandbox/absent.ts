/** Denied paths: an empty folder or a file that cannot be opened lies on each of their names. */

import { isWithin } from '../../base/paths.ts';
import { realPathOf } from '../permissions/real-path.ts';
import { otherNames } from './hard-links.ts';
import { isShown, type Mount } from './mount.ts';
import { outermostFirst, statOf, withoutEndSlash } from './paths.ts';
import { refuse } from './refuse.ts';
import { SYSTEM_FOLDERS } from './toolchains.ts';

/** `shown` are the mounts below; `searched` are the folders in which a denied file may have another name. */
export function absentMounts(
  denied: readonly string[],
  facts: { readonly cwd: string; readonly shown: readonly Mount[]; readonly searched: readonly string[] },
): readonly Mount[] {
  const named = [...new Set(denied.flatMap((path) => [withoutEndSlash(path), realPathOf(path)]))];
  const needed = [facts.cwd, ...SYSTEM_FOLDERS];
  const tooMuch = named.find((path) => needed.some((each) => isWithin(each, path)));
  if (tooMuch !== undefined) refuse(`${tooMuch} is denied, and a command here cannot run without it.`);
  // Also what is not shown itself may have a name where it is.
  const names = [...named, ...otherNames(named, facts.searched)];
  const mounts: Mount[] = [];
  for (const { path } of outermostFirst(names.map((name) => ({ path: name })))) {
    const stats = isShown(path, facts.shown) ? statOf(path) : null;
    if (stats === null || stats.isSymbolicLink()) continue;
    // What is in a folder that is absent is absent too, and nothing could be put on it.
    if (mounts.some((mount) => isWithin(path, mount.path))) continue;
    mounts.push({ kind: stats.isDirectory() ? 'absent-folder' : 'absent-file', path });
  }
  return mounts;
}
