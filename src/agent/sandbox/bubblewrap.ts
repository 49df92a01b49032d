/** The sandbox of Linux: bubblewrap puts a script into namespaces of its own, where only what is mounted exists. */

import { SANDBOX_BOUNDS } from './bounds.ts';
import { sandboxEnvironment } from './environment.ts';
import type { Mount } from './mount.ts';
import { holdPlaceholder } from './placeholder.ts';
import { type LookedUp, planMounts, programFolders, systemMounts } from './plan-mounts.ts';
import type { ProcessBound } from './process-bound.ts';
import { BASH, closeDescriptors, type Sandbox, scriptArguments } from './sandbox.ts';
import { systemCallFilter } from './seccomp.ts';
import { rememberedToolchains } from './toolchains.ts';

export interface BubblewrapFacts {
  readonly program: string;
  /** Whether it can forbid user namespaces inside, as 0.8 and later can. */
  readonly forbidsNamespaces: boolean;
  readonly isRoot: boolean;
  readonly processes: ProcessBound;
}

const SCRATCH = ['--size', String(SANDBOX_BOUNDS.scratchBytes), '--perms', '0700', '--tmpfs'];
/**
 * Devices belong to root, who could change their modes for the whole system: bubblewrap takes them over as they are, so they have to be on
 * a read-only mount before, which devices can be written to all the same.
 */
const HOLD_DEVICES = '/bin/mount -o bind,ro /dev /dev || exit 1;';
/** Whatever joins the group counts to it, with all that it starts. */
const JOIN_GROUP = '[ -z "$0" ] || echo 0 2>/dev/null >"$0";';
/** When memory runs out, the kernel ends the command before anything of the user's. /proc is read-only inside: it cannot be taken back. */
const ENDED_FIRST = 'echo 1000 2>/dev/null >/proc/self/oom_score_adj;';
const FILTER_DESCRIPTOR = '9';
const FILTER =
  systemCallFilter(process.arch)?.reduce((text, byte) => `${text}\\x${byte.toString(16).padStart(2, '0')}`, '') ?? null;

export function bubblewrap(facts: BubblewrapFacts): Sandbox {
  let lookedUp: LookedUp | null = null;
  const known = () => {
    lookedUp ??= { system: systemMounts(), toolchains: rememberedToolchains() };
    return lookedUp;
  };
  return {
    kind: 'bubblewrap',
    programFolders: (policy) => programFolders(policy, known()),
    start(script, policy) {
      const plan = planMounts(policy, known());
      const ended = holdAll(plan.placeholders);
      const words = [
        facts.program,
        ...namespaceArguments(facts),
        ...['--proc', '/proc', '--dev', '/dev', ...SCRATCH, '/dev/shm'],
        ...plan.mounts.flatMap(mountArguments),
        ...(plan.home.startsWith(`${plan.scratch}/`) ? ['--dir', plan.home] : []),
        // As root, settings of the whole system could be changed below /proc/sys.
        ...['/proc', '/dev', '/'].flatMap((path) => ['--remount-ro', path]),
        ...['--chdir', plan.cwd, '--'],
        // Counted inside, where nothing else of the user's counts; it cannot be raised again.
        ...scriptArguments(script, facts.processes.kind === 'limit' ? `ulimit -u ${SANDBOX_BOUNDS.processes};` : ''),
      ];
      const [program, ...args] = [...firstArguments(facts), ...words];
      return {
        program: program!,
        args,
        environment: sandboxEnvironment(policy.environment, plan),
        ended,
      };
    },
  };
}

function holdAll(folders: readonly string[]): () => void {
  const held: (() => void)[] = [];
  const letGo = () => {
    for (const each of held.splice(0)) each();
  };
  try {
    for (const folder of folders) held.push(holdPlaceholder(folder));
  } catch (error) {
    letGo();
    throw error;
  }
  return letGo;
}

/** A shell that takes bubblewrap's place after what it cannot do itself. */
function firstArguments({ isRoot, processes }: BubblewrapFacts): readonly string[] {
  const door = processes.kind === 'group' ? processes.join() : '';
  const script = [
    ...(isRoot ? [HOLD_DEVICES] : []),
    JOIN_GROUP,
    ENDED_FIRST,
    ...(FILTER === null ? [] : [`exec ${FILTER_DESCRIPTOR}< <(printf '${FILTER}');`]),
    closeDescriptors(FILTER === null ? [] : [FILTER_DESCRIPTOR]),
    'ulimit -c 0; exec "$@"',
  ].join(' ');
  return [...(isRoot ? ['/usr/bin/unshare', '--mount'] : []), ...BASH, script, door];
}

function namespaceArguments({ forbidsNamespaces }: BubblewrapFacts): readonly string[] {
  return [
    // All of them: user, processes, network, mounts, System V and message queues, host name, control groups.
    ...['--unshare-all', '--unshare-user', ...(forbidsNamespaces ? ['--disable-userns'] : [])],
    ...['--hostname', 'sandbox', '--new-session', '--die-with-parent', '--cap-drop', 'ALL'],
    ...(FILTER === null ? [] : ['--seccomp', FILTER_DESCRIPTOR]),
  ];
}

function mountArguments(mount: Mount): readonly string[] {
  const { path } = mount;
  switch (mount.kind) {
    case 'system':
      return ['--ro-bind-try', path, path];
    case 'read-only':
      return ['--ro-bind', path, path];
    case 'writable':
      return ['--bind', path, path];
    case 'scratch':
      return [...SCRATCH, path];
    case 'link':
      return ['--symlink', mount.target, path];
    case 'absent-file':
      // A device on a mount without devices: it cannot be opened.
      return ['--ro-bind', '/dev/null', path];
    case 'absent-folder':
      return ['--perms', '0000', '--tmpfs', path, '--remount-ro', path];
  }
}
