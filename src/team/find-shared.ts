/** Finds the team's memory that a person means: by its file, its id or its title. */

import { fold } from '../base/text/fold.ts';
import { ReverieError } from '../errors.ts';
import { parseMemoryFile } from '../memory/files/memory-file.ts';
import { readTeamText, type TeamFile } from './read-folder.ts';

/** `files`: those that the team has not removed. A title that was corrected stands for its correction. */
export function findShared(
  reference: string,
  { workTree, files }: { workTree: string; files: readonly TeamFile[] },
): TeamFile | undefined {
  const name = reference.replace(/^team:/, '');
  const named = files.find(({ id, file }) => id === name || file === name || file === `${name}.md`);
  if (named !== undefined) return named;
  const corrected = new Set(files.flatMap(({ supersedes }) => supersedes));
  const titled = files.filter(({ id, file }) => !corrected.has(id) && fold(titleOf(workTree, file)) === fold(name));
  if (titled.length < 2) return titled[0];
  throw new ReverieError({
    code: 'ambiguous',
    message: `Several memories of the team are called ${reference}.`,
    fix: `Say which: ${titled.map(({ id }) => id).join(' or ')}`,
  });
}

function titleOf(workTree: string, file: string): string {
  return parseMemoryFile(Buffer.from(readTeamText(workTree, file) ?? '')).meta.name ?? '';
}
