/** How git is run so that nothing in a repository can run a program. */

/** A repository's own configuration can name programs (file system monitors, hooks, pagers); here none of them may run. */
export const HARMLESS_GIT_OPTIONS: readonly string[] = [
  '--no-pager',
  '--no-replace-objects',
  '--no-optional-locks',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'protocol.allow=never'].flatMap((option) => ['-c', option]),
];

/** Inherited GIT_ variables would answer for another repository: a hook of git runs us with GIT_DIR set. */
export function harmlessGitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' };
}
