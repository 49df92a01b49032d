/** Keeps beside a project's memory which repository and which folder it belongs to, so that a moved project finds it again. */

import type { MemoryScope } from '../base/taxonomy.ts';
import { createFolder, openFolder } from '../disk/folder.ts';
import { readRootCommit } from '../disk/git/git.ts';
import { projectLayout } from '../disk/home.ts';
import type { Place } from '../settings/place.ts';
import { folderMark, type ProjectRecord, readProjectRecord, renderProjectRecord } from '../settings/project.ts';

const RECORD_FILE = 'project.json';

/** At the first save, and again where that one could not know all: the first commit may come later. The save is done by then, so this may not fail it. */
export async function rememberProject(place: Place, scope: MemoryScope): Promise<void> {
  if (scope !== 'project' || !place.isOwnProjectFolder) return;
  await noteProject(place).catch(() => undefined);
}

async function noteProject(place: Place): Promise<void> {
  const folder = openFolder(projectLayout(place.home, place.slug).folder);
  const isThere = folder?.stat(RECORD_FILE) != null;
  folder?.close();
  const known = readProjectRecord(place.home, place.slug);
  // A damaged one is for the user to remove.
  if (isThere && known === null) return;
  const record = projectRecordOf(place, known);
  if (known === null || renderProjectRecord(known) !== renderProjectRecord(record)) {
    await writeProjectRecord(place, record);
  }
}

/** Git is asked until there is a commit: it costs a process. */
export function projectRecordOf(place: Place, known: ProjectRecord | null): ProjectRecord {
  const root = place.projectRoot;
  const mark = known?.mark ?? folderMark(root) ?? undefined;
  return {
    ...{ root, rootCommit: known?.rootCommit ?? readRootCommit(root) },
    ...(mark === undefined ? {} : { mark }),
    ...(known?.attached === undefined ? {} : { attached: known.attached }),
  };
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
