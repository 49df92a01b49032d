/** Who may do what in a session: its mode, the rules of every settings file, and the folders it is at home in. */

import { join } from 'node:path';
import { standsFor } from '../agent/mcp-client/deferred-tools.ts';
import type { PermissionMode } from '../agent/permission.ts';
import { createPermissions, type PermissionPorts, type Permissions } from '../agent/permissions/permissions.ts';
import { readRules } from '../agent/permissions/read-rules.ts';
import type { SourcedRule } from '../agent/permissions/rule.ts';
import { homeLayout } from '../disk/home.ts';
import type { Memory } from '../memory/memory.ts';
import type { Place } from '../settings/place.ts';
import { isTrusted, MANAGED_SETTINGS_FILE } from '../settings/settings.ts';
import { type AgentDailyLog, LOG_TOOL } from './daily-log.ts';

export function openAgentPermissions(facts: {
  readonly place: Place;
  readonly memory: Memory;
  /** Where the session was started, and where its shell is by now. */
  readonly cwd: string;
  readonly shellCwd: () => string;
  /** Records that may be read, though not changed. */
  readonly readable: readonly string[];
  readonly mode: PermissionMode | undefined;
  readonly checkReadOnly: PermissionPorts['checkReadOnly'];
  readonly ask: PermissionPorts['ask'];
  readonly advise?: PermissionPorts['advise'];
  readonly canConfine?: PermissionPorts['canConfine'];
  readonly dailyLog?: AgentDailyLog | null;
}): { readonly permissions: Permissions; readonly warnings: readonly string[] } {
  const { place, memory, cwd, ask, advise, canConfine } = facts;
  const { rules, additionalDirectories, problems } = readRules(place.settings.gathered('permissions'));
  const own = facts.dailyLog == null ? [] : [OWN_LOG];
  const permissions = createPermissions({
    mode: facts.mode ?? place.settings.values.permissionMode,
    rules: { ...rules, allow: [...rules.allow, ...own] },
    place: {
      userHome: place.userHome,
      isTrusted: isTrusted(place.home, place.projectRoot),
      fileCwd: cwd,
      home: place.home,
      roots: [...new Set([place.projectRoot, cwd])],
      settingsFiles: settingsFilesOf(place, cwd),
      memoryFolders: Object.values(memory.folders),
      readableFolders: facts.readable,
      additionalDirectories,
      closedFolders: closedFoldersOf(place),
    },
    cwd: facts.shellCwd,
    checkReadOnly: facts.checkReadOnly,
    ...(ask === undefined ? {} : { ask }),
    ...(advise === undefined ? {} : { advise }),
    ...(canConfine === undefined ? {} : { canConfine }),
  });
  // A tool that is called through another one is judged as itself: its own rules and hooks hold.
  return { permissions: judgedAsItself(permissions), warnings: problems };
}

function judgedAsItself(permissions: Permissions): Permissions {
  return {
    ...permissions,
    decide: (call, about) => permissions.decide(standsFor(call), about),
    forAgent: (agent) => judgedAsItself(permissions.forAgent(agent)),
  };
}

/** The log is the agent's to add to, as memory is elsewhere; a rule of the user's against it still holds. */
const OWN_LOG: SourcedRule = {
  rule: { text: LOG_TOOL, kind: 'tool', tool: LOG_TOOL },
  from: 'the daily log',
};

/** Whoever reads a key there can speak in another's name. */
export function closedFoldersOf({ home }: Pick<Place, 'home'>): readonly string[] {
  const { mail, sockets, teams } = homeLayout(home);
  return [mail, sockets, teams];
}

/** Also those that do not exist yet: whoever may write one of them can give himself every right. */
export function settingsFilesOf(place: Place, cwd: string): readonly string[] {
  const { settingsFile, trustFile } = homeLayout(place.home);
  const own = [place.projectRoot, cwd].flatMap((root) =>
    ['settings.json', 'settings.local.json'].map((name) => join(root, '.reverie', name)),
  );
  return [MANAGED_SETTINGS_FILE, settingsFile, trustFile, ...new Set(own)];
}
