/** The memory of a hook that only reads: no settling of what happened outside, which would cost more than the answer. */

import type { MemoryScope } from '../base/taxonomy.ts';
import type { Limits } from '../limits.ts';
import type { Place, ScopeFolder } from '../settings/place.ts';
import type { SecretScan } from './history/folder-context.ts';
import { type MemoryFolder, openMemoryFolder } from './history/memory-folder.ts';
import { foldersWith, insideName, notFound, type OpenTeam, openScopes, type Scopes } from './scopes.ts';

/** Nothing is written, so that there is nothing to scan. */
const NO_WRITES: SecretScan = { describeSecretsIn: async () => null };

/** The headers of all memories are loaded once somebody looks at them all: most hooks read a file or two. */
function openReadFolder(
  { scope, path, unmarked, cacheDirectory }: ScopeFolder,
  { limits, now }: { limits: Limits; now: () => Date },
): MemoryFolder {
  const common = { path, scope, unmarked, limits, secrets: NO_WRITES, now };
  let whole: MemoryFolder | null = null;
  return {
    ...openMemoryFolder({ ...common, cacheDirectory: null }),
    look() {
      whole ??= openMemoryFolder({ ...common, cacheDirectory });
      return whole.look();
    },
    close: async () => whole?.close(),
  };
}

export async function openReadScopes(place: Place, openTeam?: OpenTeam): Promise<Scopes> {
  const now = () => new Date();
  const folders = foldersWith(place, openTeam, (folder) => openReadFolder(folder, { limits: place.limits, now }));
  // A change was cut off halfway: then even a reader waits until it is whole.
  if (folders.some((folder) => folder.isCutOff())) return openScopes(place, openTeam);
  const folderOf = (scope: MemoryScope) => folders.find((each) => each.scope === scope) ?? folders[0]!;
  return {
    place,
    folders,
    now,
    secrets: NO_WRITES,
    problems: [],
    offers: [],
    settled: async () => undefined,
    folder: folderOf,
    destination: folderOf,
    locate(name, scope) {
      for (const folder of folders.filter((each) => scope === undefined || each.scope === scope)) {
        const file = insideName(folder, name);
        const bytes = folder.read(file);
        if (bytes !== null) return { folder, file, bytes };
      }
      throw notFound(name, folders);
    },
  };
}
