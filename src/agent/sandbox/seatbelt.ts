/**
 * The sandbox of macOS: sandbox-exec with a profile that denies all but what it names. Written from the profiles that macOS itself has in
 * /System/Library/Sandbox/Profiles; not yet tried on a Mac. There are no private folders: HOME is an empty one that nobody can write to.
 */

import { isWithinAny } from '../../base/paths.ts';
import { realPathOf } from '../permissions/real-path.ts';
import { sandboxEnvironment } from './environment.ts';
import { otherNames } from './hard-links.ts';
import { existingRealPath, pathsBetween, withoutEndSlash } from './paths.ts';
import { refuse } from './refuse.ts';
import { closeDescriptors, type Sandbox, type SandboxPolicy, scriptArguments } from './sandbox.ts';
import { findToolchains } from './toolchains.ts';

const EMPTY_FOLDER = '/var/empty';
const SYSTEM_READABLE = [
  ...['/usr', '/bin', '/sbin', '/System', '/Library/Apple', '/Library/Developer/CommandLineTools', '/var/empty'],
  ...['/private/etc/passwd', '/private/etc/group', '/private/etc/localtime', '/private/etc/ssl', '/private/etc/hosts'],
  ...['/private/var/db/timezone', '/private/var/db/dyld', '/private/var/select', '/private/var/empty'],
];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/stdout', '/dev/stderr', '/dev/fd'];

export function seatbelt(program: string): Sandbox {
  return {
    kind: 'seatbelt',
    programFolders: (policy) => ({ system: SYSTEM_READABLE, toolchains: toolchainsOf(policy).folders }),
    start(script, policy) {
      const { profile, path } = planProfile(policy);
      const environment = sandboxEnvironment(policy.environment, { path, home: EMPTY_FOLDER, scratch: EMPTY_FOLDER });
      return {
        program,
        args: ['-p', profile, ...scriptArguments(script, `${closeDescriptors()} ulimit -c 0;`)],
        environment,
        ended() {},
      };
    },
  };
}

function planProfile(policy: SandboxPolicy): { readonly profile: string; readonly path: string } {
  const readable = policy.readable.flatMap((each) => existingRealPath(each) ?? []);
  const writable = policy.writable.flatMap((each) => existingRealPath(each) ?? []);
  const worked = [...readable, ...writable];
  const cwd = existingRealPath(policy.cwd);
  if (cwd === null || !isWithinAny(cwd, [...worked, ...SYSTEM_READABLE]))
    refuse(`${policy.cwd} is not among the folders that may be read.`);
  const toolchains = toolchainsOf(policy);
  const folders = [...worked, ...toolchains.folders.flatMap((each) => existingRealPath(each) ?? [])];
  const denied = named([...policy.denied, ...toolchains.hidden], worked);
  const kept = [...named(policy.protected, writable), ...denied];
  return { profile: profileText({ folders, writable, denied, kept }), path: toolchains.path };
}

function toolchainsOf({
  readable,
  writable,
  environment,
}: Pick<SandboxPolicy, 'readable' | 'writable' | 'environment'>) {
  const worked = [...readable, ...writable].flatMap((each) => existingRealPath(each) ?? []);
  const home = existingRealPath(environment.HOME ?? '') ?? EMPTY_FOLDER;
  const rustupHome = environment.RUSTUP_HOME ?? `${home}/.rustup`;
  return findToolchains({ path: environment.PATH ?? '', home, rustupHome, worked });
}

/** By every name that is known. */
function named(paths: readonly string[], searched: readonly string[]): readonly string[] {
  const names = paths.flatMap((path) => [withoutEndSlash(path), realPathOf(path)]);
  return [...new Set([...names, ...otherNames(names, searched)])];
}

interface ProfileFacts {
  readonly folders: readonly string[];
  readonly writable: readonly string[];
  readonly denied: readonly string[];
  readonly kept: readonly string[];
}

/** Where several rules fit, the last one counts. */
function profileText({ folders, writable, denied, kept }: ProfileFacts): string {
  const above = [...new Set(folders.flatMap((folder) => pathsBetween('/', folder).slice(0, -1)))];
  const around = kept.flatMap((path) => writable.flatMap((top) => pathsBetween(top, path).slice(1, -1)));
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    '(allow process-exec)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    rule('allow file-read*', 'subpath', [...SYSTEM_READABLE, ...DEVICES, ...folders]),
    rule('allow file-read-metadata', 'literal', ['/', '/etc', '/tmp', '/var', ...above]),
    rule('allow file-write*', 'subpath', writable),
    rule('allow file-write-data', 'subpath', DEVICES),
    rule('deny file-write*', 'subpath', kept),
    // A folder around what is kept keeps its name, or another could be put in its place.
    rule('deny file-write-unlink', 'literal', around),
    rule('deny file-read*', 'subpath', denied),
    '(deny network*)',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function rule(action: string, filter: 'subpath' | 'literal', paths: readonly string[]): string {
  if (paths.length === 0) return '';
  return `(${action} ${[...new Set(paths)].map((path) => `(${filter} ${JSON.stringify(path)})`).join(' ')})`;
}
