/** Where this run stands: home, project, settings, and the folders that hold its memory. */

import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../base/paths.ts';
import type { MemoryScope, MemorySource } from '../base/taxonomy.ts';
import { checkMemoryRoot, expandHome } from '../disk/check-root.ts';
import { homeLayout, reverieHome, TEAM_FOLDER } from '../disk/home.ts';
import { ReverieError } from '../errors.ts';
import { type Limits, TURN_LIMITS } from '../limits.ts';
import { findProjectRoot, findWorkTree, projectSlug } from './project.ts';
import {
  isTrusted,
  type ResolvedSettings,
  resolveMemoryFolders,
  resolveSettings,
  type SettingFacts,
  type Settings,
  type SwitchName,
} from './settings.ts';
import { settingsFilesOf } from './sources.ts';

export interface PlaceOptions {
  /** A memory folder that stands alone, without the global one. */
  readonly directory?: string;
  /** Default: the current directory. It decides the project. */
  readonly cwd?: string;
  /** Default: `REVERIE_HOME`, else `~/.reverie`. */
  readonly home?: string;
  /** Settings by name, as in a settings file; they rank as if given on the command line. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A settings file, or its JSON. */
  readonly settingsFile?: string;
  /** No memory, hooks, skills, servers or instruction files; `REVERIE_BARE=1` says the same. */
  readonly bare?: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

export interface ScopeFolder {
  readonly scope: MemoryScope;
  readonly path: string;
  /** The source of a file that names none: `imported` in a folder that was attached, or that came with the repository. */
  readonly unmarked: MemorySource;
  readonly cacheDirectory: string;
  /** Where its journal is, when not in the folder itself; and whether its files are for others too. */
  readonly journal?: { readonly control: string; readonly isShared: boolean };
  /** Of the team's: the work tree whose repository has it. `path` is what is made from that for this user. */
  readonly workTree?: string;
}

export interface Place {
  readonly home: string;
  readonly userHome: string;
  readonly projectRoot: string;
  readonly slug: string;
  readonly settings: ResolvedSettings;
  readonly limits: Limits;
  /** Of layers and mechanisms; in a session, the host's word among them. */
  readonly switches: Switches;
  /** Project first, the team's last. Empty when memory is off. */
  readonly folders: readonly ScopeFolder[];
  readonly offReason: string | null;
  /** No memory, hooks, skills, servers or instruction files. */
  readonly isBare: boolean;
  /** Whether the project's folder is the one Reverie itself keeps for it. */
  readonly isOwnProjectFolder: boolean;
}

export function findPlace(options: PlaceOptions = {}): Place {
  const env = options.env ?? process.env;
  const userHome = env.HOME?.trim() ? env.HOME : homedir();
  const home =
    options.home === undefined ? reverieHome({ env, userHome }) : resolve(expandHome(options.home, userHome));
  const projectRoot = findProjectRoot(resolve(options.cwd ?? process.cwd()));
  const facts = {
    ...{ home, userHome, projectRoot, env },
    flagFile: options.settingsFile,
    inline: options.settings,
    trusted: isTrusted(home, projectRoot),
  };
  const settings = resolveSettings(facts);
  const reread = rereadSettings(facts, settings);
  const slug = projectSlug(projectRoot, settings.limits.project.slugCharacters);
  const switches = settingSwitches(settings.values, () => reread().values);
  const isBare = isBareRun(options.bare, env);
  const shared = { home, userHome, projectRoot, slug, settings, switches, limits: settings.limits, isBare };
  const chosen = resolveMemoryFolders({ settings, env, home, userHome, projectRoot, bare: isBare });
  if (!chosen.enabled) return { ...shared, folders: [], offReason: chosen.reason, isOwnProjectFolder: false };
  const cached = (scope: MemoryScope, path: string): ScopeFolder => {
    const isForeign = (chosen.isAttached && path === chosen.project) || isInRepository(path, projectRoot);
    // What is derived from a file says whose word it is, too.
    const name = `${projectSlug(path)}${isForeign ? '-foreign' : ''}`;
    const cacheDirectory = join(homeLayout(home).cacheIndex, name);
    return { scope, path, unmarked: isForeign ? 'imported' : 'said', cacheDirectory };
  };
  if (options.directory !== undefined) {
    const folders = [cached('project', checkedDirectory(options.directory, userHome))];
    return { ...shared, folders, offReason: null, isOwnProjectFolder: false };
  }
  const folders = [cached('project', chosen.project)];
  if (chosen.global !== null) folders.push(cached('global', chosen.global));
  folders.push(...teamFolders(home, resolve(options.cwd ?? process.cwd())));
  const isOwnProjectFolder = chosen.project === join(homeLayout(home).projects, slug, 'memory');
  return { ...shared, folders, offReason: null, isOwnProjectFolder };
}

/** By the flag, or by the variable for programs that start this one. */
export function isBareRun(flag: boolean | undefined, env: NodeJS.ProcessEnv): boolean {
  return flag === true || /^(?:1|true|yes|on)$/i.test(env.REVERIE_BARE?.trim() ?? '');
}

/** The work tree's own, since each branch has its own: none where the repository has no team memory. */
function teamFolders(home: string, cwd: string): readonly ScopeFolder[] {
  const workTree = findWorkTree(cwd);
  if (workTree === null || !hasTeamMemory(workTree)) return [];
  const { cacheTeam, cacheIndex } = homeLayout(home);
  const slug = projectSlug(workTree);
  const cacheDirectory = join(cacheIndex, `${slug}-team`);
  return [{ scope: 'team', path: join(cacheTeam, slug), unmarked: 'imported', cacheDirectory, workTree }];
}

function hasTeamMemory(workTree: string): boolean {
  return statSync(join(workTree, TEAM_FOLDER), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Every folder whose text is memory, as it is read and as the repository has it: what a memory names is not shown by a memory. */
export function memoryPaths({ folders }: Pick<Place, 'folders'>): readonly string[] {
  return folders.flatMap(({ path, workTree }) =>
    workTree === undefined ? [path] : [path, join(workTree, TEAM_FOLDER)],
  );
}

/** Where the files lie that a memory of this scope names: the team's follow the branch of this work tree, as the memory itself does. */
export function treeOf({ folders, projectRoot }: Pick<Place, 'folders' | 'projectRoot'>, scope: MemoryScope): string {
  return folders.find((folder) => folder.scope === scope)?.workTree ?? projectRoot;
}

/** Whoever wrote to the repository may have written there. */
function isInRepository(path: string, projectRoot: string): boolean {
  return isWithin(path, projectRoot) && existsSync(join(projectRoot, '.git'));
}

function checkedDirectory(directory: string, userHome: string): string {
  const path = expandHome(directory, userHome);
  const check = checkMemoryRoot(path, { home: userHome });
  if (check.verdict === 'allow' && isAbsolute(path)) return path;
  throw new ReverieError({
    code: 'refused',
    message: `${directory} cannot be a memory folder: ${check.reason}`,
    fix: 'Give the absolute path of a folder of your own, such as ~/notes/memory.',
  });
}

// Settings as the files say now, for what may be switched off while a session runs: read again only when one of the files changed.

/** A stat of each file where a setting may stand, now and then: what asks comes in bursts. Nothing is known of one that cannot be looked at. */
function rereadSettings(facts: SettingFacts, resolved: ResolvedSettings): () => ResolvedSettings {
  const files = settingsFilesOf(facts);
  const mark = () => files.map(markOf).join(' ');
  let present = resolved;
  let presentMark = mark();
  let lookedAtMs = performance.now();
  return () => {
    if (performance.now() - lookedAtMs < TURN_LIMITS.settingsLookMs) return present;
    lookedAtMs = performance.now();
    const now = mark();
    if (now === presentMark) return present;
    presentMark = now;
    present = resolveSettings(facts);
    return present;
  };
}

function markOf(file: string): string {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? 'none' : `${stats.ino}/${stats.size}/${stats.mtimeMs}/${stats.ctimeMs}`;
  } catch {
    return 'none';
  }
}

// Whether a part may run now: by its setting and by the host's `flags`, each asked before each run.

interface Switches {
  /** Asked right before the part runs; what shapes the prompt is asked once a session. */
  isOn(name: SwitchName): boolean;
  /** The host's word alone, for what a session began with and may not lose by a setting. */
  isKilled(name: SwitchName): boolean;
}

type Values = Pick<Settings, SwitchName | 'autoMemoryEnabled'>;

/** What works on memory, and rests while that is switched off. */
const OF_MEMORY: ReadonlySet<SwitchName> = new Set(['layers.recall', 'layers.extraction', 'layers.dreaming']);

/**
 * A session has the layers it began with: what the settings say meanwhile can switch one off, and on again, but add none.
 * @param now the settings as their files stand.
 */
function settingSwitches(values: Values, now: () => Values = () => values): Switches {
  const isOn = (name: SwitchName) => {
    if (!values[name]) return false;
    const present = now();
    return present[name] && (present.autoMemoryEnabled || !OF_MEMORY.has(name));
  };
  return { isOn, isKilled: () => false };
}
