/** All that a sandbox shows of the disk, in the order in which it is mounted. */

import { readlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isWithin, isWithinAny } from '../../base/paths.ts';
import { realPathOf } from '../permissions/real-path.ts';
import { absentMounts } from './absent.ts';
import { heldMounts } from './held.ts';
import { isShown, type Mount } from './mount.ts';
import { existingRealPath, linksTo, outermostFirst, statOf, withoutEndSlash } from './paths.ts';
import { refuse } from './refuse.ts';
import type { SandboxPolicy } from './sandbox.ts';
import { SYSTEM_FOLDERS, type ToolchainFacts, type Toolchains } from './toolchains.ts';

export interface MountPlan {
  readonly mounts: readonly Mount[];
  /** Empty folders that have to be there before. */
  readonly placeholders: readonly string[];
  readonly cwd: string;
  readonly path: string;
  readonly home: string;
  readonly scratch: string;
}

/** Of /etc: who is who, how libraries, hosts and the time zone are found, public certificates. Each costs a start some time. */
const ETC = [
  'passwd',
  'group',
  'nsswitch.conf',
  'hosts',
  'localtime',
  'os-release',
  'ld.so.cache',
  'alternatives',
  'ssl/certs',
];
/** A folder that holds one of these is not shown: it would put the system's own in the place of the sandbox's. */
const NEVER_COVERED = ['/proc', '/dev', '/sys', '/usr', '/etc', '/run'];

/** The same for every policy, so it is looked up once. */
export function systemMounts(): readonly Mount[] {
  return [...SYSTEM_FOLDERS, ...ETC.map((name) => `/etc/${name}`)].flatMap((path): Mount[] => {
    const stats = statOf(path);
    if (stats === null || existingRealPath(path) === null) return [];
    // What a link names in the system's folders is there as well.
    return stats.isSymbolicLink() && isWithin(existingRealPath(path)!, '/usr')
      ? [{ kind: 'link', path, target: readlinkSync(path) }]
      : [{ kind: 'system', path }];
  });
}

/** What is looked up once: where it is gone by the time of a start, it is left out. */
export interface LookedUp {
  readonly system: readonly Mount[];
  readonly toolchains: (facts: ToolchainFacts) => Toolchains;
}

export function planMounts(policy: SandboxPolicy, lookedUp: LookedUp): MountPlan {
  const { writable, readable } = namedFolders(policy);
  const worked = [...writable, ...readable].map(({ real }) => real);
  const cwd = existingRealPath(policy.cwd);
  if (cwd === null || !isWithinAny(cwd, worked)) refuse(`${policy.cwd} is not among the folders that may be read.`);
  const { home, scratch } = privateFolders(policy.environment.HOME, worked);
  const toolchains = lookedUp.toolchains(toolchainFacts(policy, { home, worked }));
  const base: readonly Mount[] = [
    ...lookedUp.system,
    { kind: 'scratch', path: '/tmp' },
    ...(isWithin(home, scratch) ? [] : [{ kind: 'scratch', path: home } as const]),
    ...shownOnce(toolchains.folders),
    ...outermostFirst(readable.map(({ real }) => ({ kind: 'read-only', path: real }) as const)),
    ...outermostFirst(writable.map(({ real }) => ({ kind: 'writable', path: real }) as const)),
  ];
  const given = [...policy.writable, ...policy.readable, ...toolchains.folders, policy.cwd];
  const shown = [...base, ...linkMounts(given, base)];
  const absent = absentMounts([...policy.denied, ...toolchains.hidden], { cwd, shown, searched: worked });
  const held = heldMounts(
    { protected: realNames(policy.protected, writable), absent: absent.map(({ path }) => path) },
    writable.map(({ real }) => real),
  );
  const mounts = [...shown, ...held.mounts, ...absent];
  return { mounts, placeholders: held.placeholders, cwd, path: toolchains.path, home, scratch };
}

function toolchainFacts(
  { environment }: Pick<SandboxPolicy, 'environment'>,
  { home, worked }: { readonly home: string; readonly worked: readonly string[] },
): ToolchainFacts {
  return {
    path: environment.PATH ?? '',
    home: existingRealPath(environment.HOME ?? '') ?? home,
    rustupHome: environment.RUSTUP_HOME ?? `${environment.HOME}/.rustup`,
    worked,
  };
}

/** The folders of programs that a policy shows, however its denied paths may be. */
export function programFolders(policy: Omit<SandboxPolicy, 'denied' | 'protected'>, lookedUp: LookedUp) {
  const { writable, readable } = namedFolders(policy);
  const worked = [...writable, ...readable].map(({ real }) => real);
  const { home } = privateFolders(policy.environment.HOME, worked);
  const { folders } = lookedUp.toolchains(toolchainFacts(policy, { home, worked }));
  return { system: SYSTEM_FOLDERS, toolchains: shownOnce(folders).map(({ path }) => path) };
}

interface NamedFolder {
  readonly given: string;
  readonly real: string;
}

/** A path inside another one of the policy is there already; if it is a link that leads out, following it would show more than was named. */
function namedFolders(policy: Pick<SandboxPolicy, 'writable' | 'readable'>): {
  writable: readonly NamedFolder[];
  readable: readonly NamedFolder[];
} {
  const [writable, readable] = [policy.writable, policy.readable].map((paths) =>
    [...new Set(paths.map(withoutEndSlash))].flatMap((given) => {
      const real = existingRealPath(given);
      return real === null || isOfTheSystem(real) ? [] : [{ given, real }];
    }),
  ) as [NamedFolder[], NamedFolder[]];
  const isBelow = (folder: NamedFolder, other: NamedFolder) =>
    folder.given !== other.given && isWithin(folder.given, other.given);
  const leadsOut = (folder: NamedFolder) =>
    readable.some((other) => isBelow(folder, other) && !isWithin(folder.real, other.real));
  return {
    writable: writable.filter((folder) => !writable.some((other) => isBelow(folder, other)) && !leadsOut(folder)),
    readable: readable.filter((folder) => ![...writable, ...readable].some((other) => isBelow(folder, other))),
  };
}

function isOfTheSystem(real: string): boolean {
  const isSpecial = isWithinAny(real, ['/proc', '/sys', '/dev']) && !isWithin(real, '/dev/shm');
  return isSpecial || NEVER_COVERED.some((each) => isWithin(each, real));
}

/** As they are called where the folders really are, however the way there was given. */
function realNames(paths: readonly string[], folders: readonly NamedFolder[]): readonly string[] {
  const names = paths.map(withoutEndSlash).flatMap((path) => {
    const around = folders.filter(({ given }) => isWithin(path, given));
    return [path, realPathOf(path), ...around.map(({ given, real }) => join(real, path.slice(given.length)))];
  });
  return [...new Set(names)];
}

/** The home folder is at its usual path, where programs in it expect it, unless that is what is worked in. */
function privateFolders(given: string | undefined, worked: readonly string[]): { home: string; scratch: string } {
  const scratch = worked.some((folder) => isWithin('/tmp', folder)) ? '/dev/shm' : '/tmp';
  const home = given !== undefined && isAbsolute(given) ? existingRealPath(given) : null;
  const isTaken = (path: string) =>
    isWithinAny(path, [...worked, ...SYSTEM_FOLDERS]) || NEVER_COVERED.some((each) => isWithin(each, path));
  return home === null || home === '/tmp' || isTaken(home) ? { home: `${scratch}/home`, scratch } : { home, scratch };
}

/** Each by its real path, and none that lies in another. */
function shownOnce(folders: readonly string[]): readonly Mount[] {
  const real = [...new Set(folders.flatMap((folder) => existingRealPath(folder) ?? []))];
  const outermost = real.filter((path) => !real.some((other) => other !== path && isWithin(path, other)));
  return outermost.map((path) => ({ kind: 'system', path }) as const);
}

/** So that a path through a link works as it was given. Inside a folder that is shown its links are there already. */
function linkMounts(given: readonly string[], mounts: readonly Mount[]): readonly Mount[] {
  const links = new Map<string, Mount>();
  for (const link of given.flatMap(linksTo)) {
    if (!isShown(link.path, mounts)) links.set(link.path, { kind: 'link', ...link });
  }
  const taken = new Set(mounts.map(({ path }) => path));
  return [...links.values()].filter(({ path }) => !taken.has(path));
}
