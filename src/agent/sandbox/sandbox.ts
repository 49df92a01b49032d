/** What a sandbox of the operating system promises: a script runs where it can read what the policy names, and change nothing else. */

export interface SandboxPolicy {
  /** Where the script starts; it has to be in a readable or writable folder. */
  readonly cwd: string;
  /** Absolute paths that are there, read-only. A path below another one of the policy needs no mention; a link out of it stays dangling. */
  readonly readable: readonly string[];
  /** Folders that may be changed. */
  readonly writable: readonly string[];
  /** What stays as it is inside `writable`, also where it does not exist yet. */
  readonly protected: readonly string[];
  /** Files and folders whose content nobody reads, by whatever name. */
  readonly denied: readonly string[];
  /** Whose variables an allow-list chooses from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What to start in place of `bash -c script`. */
export interface SandboxedStart {
  readonly program: string;
  readonly args: readonly string[];
  /** All of it: nothing may be added that the script must not know. */
  readonly environment: Record<string, string>;
  /**
   * Empty folders that were made where protected ones were missing, so that a script cannot put anything there. They may be removed when
   * no sandbox of this project runs any more; with `rmdir`, which leaves alone what somebody has filled since.
   */
  readonly placeholders: readonly string[];
}

export interface Sandbox {
  readonly kind: 'bubblewrap' | 'seatbelt';
  /** Throws a ReverieError, code `refused`, for a policy that cannot be held. */
  start(script: string, policy: SandboxPolicy): SandboxedStart;
}

export type FoundSandbox =
  | { readonly sandbox: Sandbox }
  /** `why` is a sentence for the user, with what to do about it. */
  | { readonly sandbox: null; readonly why: string };

/** Nothing that the user or a project wrote for their shells is read first. */
const BASH = ['/bin/bash', '--noprofile', '--norc', '-c'] as const;

/**
 * Descriptors that the whole process was started with reach every child, and an open folder among them would be a way out: all but the
 * standard ones are closed before the script. Limits that are set here cannot be raised again.
 */
export function bashArguments(script: string, limits: { readonly processes: number | null }): readonly string[] {
  const close = `for fd in /dev/fd/*; do fd=\${fd##*/}; ((fd < 3)) || eval "exec $fd>&-"; done`;
  const limit = limits.processes === null ? '' : `ulimit -u ${limits.processes};`;
  return [...BASH, `${close}; ulimit -c 0; ${limit} exec "$0" --noprofile --norc -c "$1"`, BASH[0], script];
}
