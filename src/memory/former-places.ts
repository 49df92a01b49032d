/** Finds where a project was before it was moved, by its root commit or, without one, by its folder. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRootCommit } from '../disk/git/git.ts';
import type { Place } from '../settings/place.ts';
import { findMovedProjects, folderMark, listProjectRecords, type MovedProject } from '../settings/project.ts';

/** Projects with this one's history or folder that are no longer where they were: most likely this one, before it was moved. */
export function findFormerPlaces(place: Place): readonly MovedProject[] {
  const { home, projectRoot: root } = place;
  const moved = findMovedProjects({ home, root, rootCommit: readRootCommit(root), mark: folderMark(root) });
  return moved.filter(({ slug }) => slug !== place.slug);
}

/** What the user reads about it, a line each. */
export function formerPlaceLines(place: Place): readonly string[] {
  return glanceAtFormerPlaces(place).map(
    ({ slug, root }) =>
      `This project was at ${root} before; its memory from there is not attached. To use it: reverie doctor --reattach ${slug}`,
  );
}

/** The same for every start: asking git costs a process, so it is asked only when some repository is gone, or this very folder was elsewhere. */
function glanceAtFormerPlaces(place: Place): readonly MovedProject[] {
  const isGone = (root: string) => ['.git', 'HEAD'].every((mark) => !existsSync(join(root, mark)));
  const here = folderMark(place.projectRoot);
  const mayBeThis = listProjectRecords(place.home).some(({ record: { root, rootCommit, mark } }) => {
    if (root === place.projectRoot) return false;
    return (rootCommit !== null && isGone(root)) || (here !== null && mark === here);
  });
  return mayBeThis ? findFormerPlaces(place) : [];
}
