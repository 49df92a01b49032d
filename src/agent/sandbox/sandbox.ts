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
  /** To be called once the script is over: lets go of the empty folders that were made where protected ones are missing. */
  ended(): void;
}

export interface Sandbox {
  readonly kind: 'bubblewrap' | 'seatbelt';
  /** What it shows besides the folders of a policy, for whoever says which files of it are denied. */
  programFolders(policy: Omit<SandboxPolicy, 'denied' | 'protected'>): {
    readonly system: readonly string[];
    readonly toolchains: readonly string[];
  };
  /** Throws a ReverieError, code `refused`, for a policy that cannot be held. */
  start(script: string, policy: SandboxPolicy): SandboxedStart;
}

export type FoundSandbox =
  | { readonly sandbox: Sandbox }
  /** `why` is a sentence for the user, with what to do about it. */
  | { readonly sandbox: null; readonly why: string };

/** Nothing that the user or a project wrote for their shells is read first. */
export const BASH: readonly string[] = ['/bin/bash', '--noprofile', '--norc', '-c'];

/**
 * For the shell that starts a sandbox: descriptors that the whole process was started with reach every child, and an open folder among
 * them would be a way out. All but the standard ones and those that are named are closed.
 */
export function closeDescriptors(kept: readonly string[] = []): string {
  const pattern = ['0', '1', '2', ...kept].join('|');
  return `for fd in /dev/fd/*; do case \${fd##*/} in ${pattern}) ;; *) eval "exec \${fd##*/}>&-" ;; esac; done;`;
}

/** The script itself, after `first` where there is something to do in the same process. */
export function scriptArguments(script: string, first = ''): readonly string[] {
  return first === ''
    ? [...BASH, script]
    : [...BASH, `${first} exec "$0" --noprofile --norc -c "$1"`, BASH[0]!, script];
}
