/** What came with pulls since this user last looked: told once, and shown in full when asked for. */

import type { MemoryType } from '../base/taxonomy.ts';
import { escapeMarkup } from '../base/text/visible-text.ts';
import { parseMemoryFile } from '../memory/files/memory-file.ts';
import type { Place } from '../settings/place.ts';
import { isTrusted } from '../settings/trust.ts';
import type { TeamFolder } from './folder.ts';
import { readManifest } from './manifest.ts';
import { type Provenance, readKnownProvenance } from './provenance.ts';
import { readTeamFolder, readTeamText, type TeamFile } from './read-folder.ts';
import { changeTeamState, readTeamState, type TeamState } from './state.ts';

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

function isOwnWord({ id, hash }: TeamFile, { shared }: TeamState): boolean {
  return Object.hasOwn(shared, id) && shared[id]?.hash === hash;
}

export function teamScope(place: Place): { readonly workTree: string; readonly cacheDirectory: string } {
  const folder = place.folders.find(({ scope }) => scope === 'team');
  return { workTree: folder?.workTree ?? place.projectRoot, cacheDirectory: folder?.cacheDirectory ?? '' };
}

const MOST_NAMED = 3;
const NAME_CHARACTERS = 80;

/**
 * One line on rules that colleagues added or changed, once for each; nothing without team memory. From what the last look kept: the start of a
 * session does not look again.
 */
export async function announceRules(place: Place): Promise<readonly string[]> {
  if (!place.folders.some(({ scope }) => scope === 'team')) return [];
  const { workTree, cacheDirectory } = teamScope(place);
  const state = readTeamState(place);
  const { files } = readManifest(cacheDirectory);
  const rules = files.filter(
    (each) => each.type === 'feedback' && state.announced[each.id] !== each.hash && !isOwnWord(each, state),
  );
  if (rules.length === 0) return [];
  const { removed } = readTeamFolder(workTree, new Map(files.map((each) => [each.file, each])));
  const fresh = rules.filter(({ id }) => !removed.has(id));
  const announced = Object.fromEntries(rules.map(({ id, hash }) => [id, hash]));
  await changeTeamState(place, (now) => ({ ...now, announced: { ...now.announced, ...announced } }));
  if (fresh.length === 0) return [];
  const known = readKnownProvenance(cacheDirectory)?.files ?? {};
  const named = fresh.slice(0, MOST_NAMED).map(({ file }) => {
    const name = parseMemoryFile(Buffer.from(readTeamText(workTree, file) ?? '')).meta.name ?? file;
    const author = known[file]?.author;
    return `“${shortened(name)}”${author === undefined ? '' : ` (${shortened(author)})`}`;
  });
  const more = fresh.length > MOST_NAMED ? ` and ${fresh.length - MOST_NAMED} more` : '';
  const effect = isTrusted(place.home, place.projectRoot)
    ? ''
    : ' They have no effect until you trust this project: reverie trust.';
  return [`Team memory has new rules: ${named.join(', ')}${more}. To read them: reverie team diff.${effect}`];
}

/** On one line, and nothing in it that a terminal or a model would take for more than a name. */
function shortened(text: string): string {
  const plain = escapeMarkup(text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim());
  const characters = [...plain];
  return characters.length <= NAME_CHARACTERS ? plain : `${characters.slice(0, NAME_CHARACTERS).join('')}…`;
}
