/** What came with pulls since this user last looked, in full. */

import type { MemoryType } from '../base/taxonomy.ts';
import { parseMemoryFile } from '../memory/files/memory-file.ts';
import type { Place } from '../settings/place.ts';
import type { TeamFolder } from './folder.ts';
import { type Provenance, readKnownProvenance } from './provenance.ts';
import { readTeamFolder, readTeamText, type TeamFile } from './read-folder.ts';
import type { TeamState } from './state.ts';

export interface TeamNews {
  readonly file: string;
  readonly id: string;
  /** Of the file's bytes; what was reviewed is known by it. */
  readonly hash: string;
  readonly kind: 'added' | 'changed';
  readonly name: string;
  readonly type: MemoryType | null;
  readonly text: string;
  readonly provenance: Provenance | null;
}

/** Memories of colleagues that this user has not reviewed as they are now. */
export function teamNews(team: TeamFolder, { place, state }: { place: Place; state: TeamState }): readonly TeamNews[] {
  const { workTree } = teamScope(place);
  const known = readKnownProvenance(teamScope(place).cacheDirectory)?.files ?? {};
  const reviewed = state.reviewed ?? {};
  const removed = new Set(team.view().hidden.flatMap(({ id, reason }) => (reason === 'untrusted' ? [] : [id])));
  return readTeamFolder(workTree).files.flatMap((each) => {
    const { file, id, hash, type } = each;
    if (removed.has(id) || isOwnWord(each, state) || reviewed[id] === hash) return [];
    const text = readTeamText(workTree, file) ?? '';
    const kind = Object.hasOwn(reviewed, id) ? 'changed' : 'added';
    const name = parseMemoryFile(Buffer.from(text)).meta.name ?? file;
    return [{ file, id, hash, kind, name, type, text, provenance: known[file] ?? null } as const];
  });
}

/** What this user shared, unchanged. */
export function isOwnWord({ id, hash }: Pick<TeamFile, 'id' | 'hash'>, { shared }: Pick<TeamState, 'shared'>): boolean {
  return Object.hasOwn(shared, id) && shared[id]?.hash === hash;
}

export function teamScope(place: Place): { readonly workTree: string; readonly cacheDirectory: string } {
  const folder = place.folders.find(({ scope }) => scope === 'team');
  return { workTree: folder?.workTree ?? place.projectRoot, cacheDirectory: folder?.cacheDirectory ?? '' };
}
