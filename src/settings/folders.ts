/** Decides which folders hold the memory of this run, and whether there is one at all. */

import { resolve } from 'node:path';
import { checkMemoryRoot, expandHome } from '../disk/check-root.ts';
import { homeLayout, projectLayout } from '../disk/home.ts';
import { ReverieError } from '../errors.ts';
import { projectSlug, readProjectRecord } from './project.ts';
import type { ResolvedSettings } from './settings.ts';

export type MemoryFolders =
  | {
      readonly enabled: true;
      readonly project: string;
      /** Null when the project's folder is the global one. */
      readonly global: string | null;
      /** Where the project's folder was named, in words for people. */
      readonly origin: string;
      /** Whether the project's folder is another program's or person's, used in place. */
      readonly isAttached: boolean;
    }
  | { readonly enabled: false; readonly reason: string };

export interface FolderFacts {
  readonly settings: Pick<ResolvedSettings, 'values' | 'origins' | 'limits'>;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly userHome: string;
  readonly projectRoot: string;
  /** `--bare`: an agent without any memory. */
  readonly bare?: boolean;
}

const HOME_ORIGIN = 'the home folder (REVERIE_HOME, or ~/.reverie)';

/** Throws only when the folder that was asked for is one that no memory may live in. */
export function resolveMemoryFolders(facts: FolderFacts): MemoryFolders {
  const remote = remoteMode(facts);
  const off = whyOff(facts, remote);
  if (off !== null) return { enabled: false, reason: off };
  const base = remote?.directory ?? facts.home;
  const baseOrigin = remote === null ? HOME_ORIGIN : 'REVERIE_REMOTE_MEMORY_DIR';
  const project = projectFolder(facts, { base, baseOrigin });
  const global = homeLayout(base).globalMemory;
  refuseUnsafe(project.folder, project.origin, facts.userHome);
  refuseUnsafe(global, baseOrigin, facts.userHome);
  const folder = resolve(project.folder);
  const { origin, isAttached = false } = project;
  return { enabled: true, project: folder, global: global === folder ? null : global, origin, isAttached };
}

interface RemoteMode {
  readonly directory: string | null;
}

function remoteMode(facts: FolderFacts): RemoteMode | null {
  if (!isSet(facts.env.REVERIE_REMOTE)) return null;
  const directory = facts.env.REVERIE_REMOTE_MEMORY_DIR;
  return { directory: directory?.trim() ? expandHome(directory, facts.userHome) : null };
}

function whyOff(facts: FolderFacts, remote: RemoteMode | null): string | null {
  if (facts.bare) return 'Memory is off: --bare or REVERIE_BARE=1 was given.';
  if (!facts.settings.values.autoMemoryEnabled) {
    const origin = facts.settings.origins.find(({ key }) => key === 'autoMemoryEnabled');
    return `Memory is off: ${origin?.variable ? `${origin.variable} is set` : `autoMemoryEnabled is false${origin?.file ? ` in ${origin.file}` : ''}`}.`;
  }
  if (remote !== null && remote.directory === null)
    return 'Memory is off: REVERIE_REMOTE is set, but REVERIE_REMOTE_MEMORY_DIR is not.';
  return null;
}

function projectFolder(
  facts: FolderFacts,
  fallback: { readonly base: string; readonly baseOrigin: string },
): { readonly folder: string; readonly origin: string; readonly isAttached?: boolean } {
  const chosen = facts.settings.values.autoMemoryDirectory;
  if (chosen !== undefined) return { folder: chosen, origin: nameOrigin(facts.settings) };
  const slug = projectSlug(facts.projectRoot, facts.settings.limits.project.slugCharacters);
  const attached = readProjectRecord(fallback.base, slug)?.attached;
  if (attached !== undefined) {
    return { folder: attached, origin: projectLayout(fallback.base, slug).recordFile, isAttached: true };
  }
  return { folder: projectLayout(fallback.base, slug).memory, origin: fallback.baseOrigin };
}

function nameOrigin(settings: FolderFacts['settings']): string {
  const origin = settings.origins.find(({ key }) => key === 'autoMemoryDirectory');
  if (origin?.variable) return origin.variable;
  return origin?.file
    ? `autoMemoryDirectory in ${origin.file}`
    : `autoMemoryDirectory of the ${origin?.origin ?? 'given'} settings`;
}

function refuseUnsafe(folder: string, origin: string, userHome: string): void {
  const check = checkMemoryRoot(folder, { home: userHome });
  if (check.verdict === 'allow') return;
  throw new ReverieError({
    code: 'refused',
    message: `${JSON.stringify(folder)} cannot hold a memory: ${check.reason}. The path comes from ${origin}.`,
    fix:
      origin === HOME_ORIGIN
        ? 'Set REVERIE_HOME to an absolute folder of your own, or unset it; then ~/.reverie is used, which must be a folder.'
        : `Correct ${origin}: name an absolute folder of your own, such as ~/.reverie/memory, or remove it.`,
  });
}

function isSet(variable: string | undefined): boolean {
  return /^(?:1|true|yes|on)$/i.test(variable?.trim() ?? '');
}
