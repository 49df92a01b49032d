/** How git is run so that nothing in a repository can run a program. */

import { delimiter, isAbsolute } from 'node:path';

/** A repository's own configuration can name programs (file system monitors, hooks, pagers); here none of them may run. */
export const HARMLESS_GIT_OPTIONS: readonly string[] = [
  '--no-pager',
  '--no-replace-objects',
  '--no-optional-locks',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'protocol.allow=never'].flatMap((option) => ['-c', option]),
];

/**
 * Inherited GIT_ variables would answer for another repository: a hook of git runs us with GIT_DIR set. And git itself must not
 * come out of the project: a PATH with `.` or `node_modules/.bin` in it would take the one that lies there.
 */
export function harmlessGitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  const path = env.PATH?.split(delimiter).filter((folder) => isAbsolute(folder) && !IN_PROJECTS.test(folder));
  return {
    ...Object.fromEntries(kept),
    ...(path === undefined ? {} : { PATH: path.join(delimiter) }),
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
}

const IN_PROJECTS = /[\\/]node_modules[\\/]\.bin[\\/]*$/;
