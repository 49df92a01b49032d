/** Finds where a project was before it was moved, by its root commit. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRootCommit } from '../disk/git/git.ts';
import type { Place } from '../settings/place.ts';
import { findMovedProjects, listProjectRecords, type MovedProject } from '../settings/project.ts';

/** Projects with this one's history that are no longer where they were: most likely this one, before it was moved. */
export function findFormerPlaces(place: Place): readonly MovedProject[] {
  const rootCommit = readRootCommit(place.projectRoot);
  if (rootCommit === null) return [];
  const moved = findMovedProjects({ home: place.home, root: place.projectRoot, rootCommit });
  return moved.filter(({ slug }) => slug !== place.slug);
}

/** What the user reads about it, a line each. */
export function formerPlaceLines(place: Place): readonly string[] {
  return glanceAtFormerPlaces(place).map(
    ({ slug, root }) =>
      `This repository was at ${root} before; its memory from there is not attached. To use it: reverie doctor --reattach ${slug}`,
  );
}

/** The same for every start: asking git costs a process, so it is asked only when some repository is gone. */
function glanceAtFormerPlaces(place: Place): readonly MovedProject[] {
  const isGone = (root: string) => ['.git', 'HEAD'].every((mark) => !existsSync(join(root, mark)));
  const isAnyGone = listProjectRecords(place.home).some(
    ({ record }) => record.rootCommit !== null && isGone(record.root),
  );
  return isAnyGone ? findFormerPlaces(place) : [];
}
