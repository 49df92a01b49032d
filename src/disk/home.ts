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

/** Team memory, below the root of a repository's work tree. */
export const TEAM_FOLDER = '.reverie/team-memory';

export interface HomeLayout {
  readonly globalMemory: string;
  readonly projects: string;
  readonly cacheIndex: string;
  /** Team memory as this user sees it, made from what is in each repository. */
  readonly cacheTeam: string;
  readonly ledger: string;
  /** Memory of agents of the user's own. */
  readonly agentMemory: string;
  /** Journals of memory folders that are in repositories. */
  readonly journals: string;
  /** Messages between agents, with the key that seals each one's. */
  readonly mail: string;
  readonly sockets: string;
  /** Teams of processes: who leads and belongs to each, its tasks, and logs. */
  readonly teams: string;
  /** Work trees of agents, with a lease each. */
  readonly worktrees: string;
  readonly settingsFile: string;
  /** The projects whose own settings and hooks may take effect. */
  readonly trustFile: string;
  /** Keys of providers, readable by the user alone. */
  readonly credentialsFile: string;
}

export function homeLayout(home: string): HomeLayout {
  return {
    globalMemory: join(home, 'memory'),
    projects: join(home, 'projects'),
    cacheIndex: join(home, 'cache', 'index'),
    cacheTeam: join(home, 'cache', 'team'),
    ledger: join(home, 'ledger'),
    agentMemory: join(home, 'agent-memory'),
    journals: join(home, 'journals'),
    mail: join(home, 'mail'),
    sockets: join(home, 'sockets'),
    teams: join(home, 'teams'),
    worktrees: join(home, 'worktrees'),
    settingsFile: join(home, 'settings.json'),
    trustFile: join(home, 'trusted.json'),
    credentialsFile: join(home, 'credentials.json'),
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

export interface SessionPlace {
  readonly home: string;
  readonly slug: string;
  readonly sessionId: string;
}

export interface SessionLayout {
  readonly transcript: string;
  /** All else that a session keeps. */
  readonly folder: string;
  readonly toolResults: string;
  readonly notesFile: string;
  readonly lock: string;
}

const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID and nothing else: a session's folder stands beside the memory folder, and is removed one day. */
export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

export function sessionLayout(place: SessionPlace): SessionLayout {
  if (!isSessionId(place.sessionId)) {
    throw new ReverieError({
      code: 'usage',
      message: `${JSON.stringify(place.sessionId)} is no session id`,
      fix: 'Give a UUID in lower case, as `crypto.randomUUID()` makes it.',
    });
  }
  const project = projectLayout(place.home, place.slug).folder;
  const folder = join(project, place.sessionId);
  return {
    transcript: join(project, `${place.sessionId}.jsonl`),
    folder,
    toolResults: join(folder, 'tool-results'),
    notesFile: join(folder, 'session-memory', 'summary.md'),
    lock: join(folder, 'lock'),
  };
}
