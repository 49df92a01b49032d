/** Where everything lives: Reverie's home folder and the fixed places below it. */

import { isAbsolute, join, resolve } from 'node:path';
import { ReverieError } from '../errors.ts';
import { expandHome } from './check-root.ts';

/** `REVERIE_HOME`, else `~/.reverie`. An empty variable counts as unset. */
export function reverieHome(facts: { readonly env: NodeJS.ProcessEnv; readonly userHome: string }): string {
  const chosen = facts.env.REVERIE_HOME?.trim() ? facts.env.REVERIE_HOME : '~/.reverie';
  const home = expandHome(chosen, facts.userHome);
  if (isAbsolute(home)) return resolve(home);
  throw new ReverieError({
    code: 'usage',
    message: `REVERIE_HOME is the relative path ${home}: each directory would have a memory of its own`,
    fix: 'Give an absolute path, such as ~/.reverie.',
  });
}

export interface HomeLayout {
  readonly globalMemory: string;
  readonly projects: string;
  readonly cacheIndex: string;
  readonly ledger: string;
  readonly settingsFile: string;
  /** The projects whose own settings and hooks may take effect. */
  readonly trustFile: string;
}

export function homeLayout(home: string): HomeLayout {
  return {
    globalMemory: join(home, 'memory'),
    projects: join(home, 'projects'),
    cacheIndex: join(home, 'cache', 'index'),
    ledger: join(home, 'ledger'),
    settingsFile: join(home, 'settings.json'),
    trustFile: join(home, 'trusted.json'),
  };
}

export interface ProjectLayout {
  readonly folder: string;
  readonly memory: string;
  /** Which repository the folder belongs to, so that a moved one is found again. */
  readonly recordFile: string;
}

export function projectLayout(home: string, slug: string): ProjectLayout {
  const folder = join(homeLayout(home).projects, slug);
  return { folder, memory: join(folder, 'memory'), recordFile: join(folder, 'project.json') };
}
