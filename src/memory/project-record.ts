/** Keeps beside a project's memory which repository it belongs to, so that a moved project finds it again. */

import type { MemoryScope } from '../base/taxonomy.ts';
import { createFolder, openFolder } from '../disk/folder.ts';
import { readRootCommit } from '../disk/git/git.ts';
import { projectLayout } from '../disk/home.ts';
import type { Place } from '../settings/place.ts';
import { type ProjectRecord, renderProjectRecord } from '../settings/project.ts';

const RECORD_FILE = 'project.json';

/** Once per project, at its first save: asking git costs a process. The save is done by then, so this may not fail it. */
export async function rememberProject(place: Place, scope: MemoryScope): Promise<void> {
  if (scope !== 'project' || !place.isOwnProjectFolder) return;
  await noteProject(place).catch(() => undefined);
}

async function noteProject(place: Place): Promise<void> {
  const folder = openFolder(projectLayout(place.home, place.slug).folder);
  const isKnown = folder?.stat(RECORD_FILE) != null;
  folder?.close();
  if (isKnown) return;
  await writeProjectRecord(place, { root: place.projectRoot, rootCommit: readRootCommit(place.projectRoot) });
}

export async function writeProjectRecord(place: Place, record: ProjectRecord): Promise<void> {
  const folder = createFolder(projectLayout(place.home, place.slug).folder);
  try {
    const name = await folder.stage(Buffer.from(renderProjectRecord(record)));
    folder.moveIn({ from: folder, name }, RECORD_FILE, 'replace');
    await folder.sync();
  } finally {
    folder.close();
  }
}
