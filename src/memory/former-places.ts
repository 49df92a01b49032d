/** Finds where a project was before it was moved, by its root commit. */

import { existsSync } from 'node:fs';
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

/** The same for every start: asking git costs a process, so it is asked only when some project's folder is gone. */
export function glanceAtFormerPlaces(place: Place): readonly MovedProject[] {
  const isAnyGone = listProjectRecords(place.home).some(({ record }) => !existsSync(record.root));
  return isAnyGone ? findFormerPlaces(place) : [];
}
