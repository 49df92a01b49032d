/** The open folders of one memory, project first, and the finding of a file among them. */

import { existsSync } from 'node:fs';
import { loadedOnUse, nextTurn } from '../base/async/in-turns.ts';
import { MEMORY_SCOPES, type MemoryScope } from '../base/taxonomy.ts';
import { messageOf } from '../base/values.ts';
import { checkInside } from '../disk/check-inside.ts';
import { homeLayout, projectLayout } from '../disk/home.ts';
import { storageReason } from '../disk/storage-error.ts';
import { ReverieError } from '../errors.ts';
import type { Place, ScopeFolder } from '../settings/place.ts';
import type { SecretScan } from './history/folder-context.ts';
import { type MemoryFolder, openMemoryFolder } from './history/memory-folder.ts';

export interface Scopes {
  readonly place: Place;
  readonly folders: readonly MemoryFolder[];
  readonly secrets: SecretScan;
  /** What went wrong in the background, for status and doctor. */
  readonly problems: readonly string[];
  /** What the user may want to do: about the settings, about this project. */
  readonly offers: readonly string[];
  now(): Date;
  /** Edits made outside are in the journal. */
  settled(): Promise<void>;
  folder(scope: MemoryScope): MemoryFolder;
  /** Where something new of that scope goes: a folder that stands alone holds everything. */
  destination(scope: MemoryScope): MemoryFolder;
  /** The folder that holds a file, with its normalised name; an error that says what to do when none or both do. */
  locate(file: string, scope?: MemoryScope): { folder: MemoryFolder; file: string; bytes: Buffer };
}

/** At the first write: most commands only read. */
const loadSecrets = loadedOnUse(() => import('../base/secrets/secrets.ts'));

const lazySecrets: SecretScan = {
  async describeSecretsIn(text) {
    const { describeSecrets, findSecrets } = await loadSecrets();
    const findings = await findSecrets(text);
    return findings.length === 0 ? null : describeSecrets(findings);
  },
};

/** Opens the team's folder; without it the team's memory is left out. */
export type OpenTeam = (folder: ScopeFolder, place: Place) => MemoryFolder;

export async function openScopes(place: Place, openTeam?: OpenTeam): Promise<Scopes> {
  const now = () => new Date();
  const folders = foldersWith(place, openTeam, ({ cacheDirectory, workTree: _none, ...folder }) => {
    const project = folder.scope === 'global' ? place.projectRoot : undefined;
    const { limits } = place;
    return openMemoryFolder({ ...folder, project, cacheDirectory, limits, secrets: lazySecrets, now });
  });
  const problems: string[] = [];
  const isCutOff = folders.some((folder) => folder.isCutOff());
  const settling = Promise.all(
    folders.map(async (folder) => {
      try {
        // Whoever opened the memory goes on first.
        if (!isCutOff) await nextTurn();
        await folder.settle();
      } catch (error) {
        problems.push(settlingProblem(folder.path, error));
      }
    }),
  );
  if (isCutOff) await settling;
  const offers = place.settings.problems.filter(({ severity }) => severity === 'warning').map(settingProblem);
  const offering = offerFormerPlace(place).then((offer) => offers.push(...offer));

  function folder(scope: MemoryScope): MemoryFolder {
    const found = folders.find((each) => each.scope === scope);
    if (found) return found;
    const isScope = (MEMORY_SCOPES as readonly string[]).includes(scope);
    throw new ReverieError({
      code: 'usage',
      message: isScope ? noScope(scope) : `"${scope}" is not a scope`,
      fix: isScope ? 'Leave out the scope.' : `Choose one of ${MEMORY_SCOPES.join(', ')}.`,
    });
  }

  return {
    place,
    folders,
    problems,
    offers,
    secrets: lazySecrets,
    now,
    folder,
    destination: (scope) => (ownFolders(folders).length === 1 ? folders[0]! : folder(scope)),
    settled: async () => {
      await Promise.all([settling, offering]);
    },
    locate(name, scope) {
      const searched = scope === undefined ? folders : [folder(scope)];
      const found = searched.flatMap((each) => {
        const file = insideName(each, name);
        const bytes = each.read(file);
        return bytes === null ? [] : [{ folder: each, file, bytes }];
      });
      if (found.length > 1) throw ambiguous(name);
      const only = found[0];
      if (only === undefined) throw notFound(name, searched);
      return only;
    },
  };
}

function noScope(scope: MemoryScope): string {
  if (scope === 'team') return 'There is no team memory here: `reverie team init` makes one in the repository';
  return `There is no ${scope} memory here: the directory that was given stands alone`;
}

/** One folder for each of the place, in its order. */
export function foldersWith(
  place: Place,
  openTeam: OpenTeam | undefined,
  openOwn: (folder: ScopeFolder) => MemoryFolder,
): readonly MemoryFolder[] {
  return place.folders.flatMap((folder) => {
    if (folder.scope !== 'team') return [openOwn(folder)];
    return openTeam === undefined ? [] : [openTeam(folder, place)];
  });
}

function ownFolders(folders: readonly MemoryFolder[]): readonly MemoryFolder[] {
  return folders.filter(({ scope }) => scope !== 'team');
}

/** Which file of ours it failed at is for the doctor to say. */
function settlingProblem(path: string, error: unknown): string {
  const isStorage = error instanceof ReverieError && error.code === 'storage';
  if (!isStorage) return `${path}: ${messageOf(error)}`;
  return `The journal of ${path} cannot be written: ${storageReason(error)}. To see what to fix: reverie doctor`;
}

function settingProblem({ file, line, problem, fix }: Place['settings']['problems'][number]): string {
  const where = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `;
  return `${where}${problem} ${fix}`;
}

/** Until the project has memories of its own: it may be an old one in a new place. */
async function offerFormerPlace(place: Place): Promise<readonly string[]> {
  const { memory } = projectLayout(place.home, place.slug);
  if (!place.isOwnProjectFolder || existsSync(memory) || !existsSync(homeLayout(place.home).projects)) return [];
  return (await import('./former-places.ts')).formerPlaceLines(place);
}

/** The file's name below its folder; refused when it leads outside. */
export function insideName(folder: MemoryFolder, name: string): string {
  if (typeof name !== 'string') throw new ReverieError({ code: 'usage', message: 'The name of a memory is missing' });
  const check = checkInside(folder.path, name, 'read');
  if (check.verdict === 'allow' && check.file !== undefined) return check.file;
  throw new ReverieError({
    code: 'refused',
    message: `${JSON.stringify(name)} is not a memory's file: ${check.reason}`,
    fix: 'List the files with `reverie memory list`.',
  });
}

export function notFound(name: string, searched: readonly MemoryFolder[]): ReverieError {
  return new ReverieError({
    code: 'not-found',
    message: `There is no memory ${name} in ${searched.map((folder) => folder.path).join(' or ')}`,
    fix: 'List the files with `reverie memory list`.',
  });
}

function ambiguous(name: string): ReverieError {
  return new ReverieError({
    code: 'ambiguous',
    message: `${name} is in more than one memory`,
    fix: `Say which: \`project:${name}\`, \`global:${name}\` or \`team:${name}\` in the terminal, { scope } in code.`,
  });
}
