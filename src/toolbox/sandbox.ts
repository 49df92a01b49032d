/** The sandbox of a session: what its commands see of the disk there, and what of it they can change. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement } from '../agent/permission.ts';
import { findHiddenPaths } from '../agent/permissions/hidden-paths.ts';
import { fromFolder } from '../agent/permissions/path-problem.ts';
import { protectionOf } from '../agent/permissions/protected-paths.ts';
import { readRules } from '../agent/permissions/read-rules.ts';
import { realPathOf } from '../agent/permissions/real-path.ts';
import { isPlaceholder } from '../agent/sandbox/placeholder.ts';
import type { Sandbox, SandboxPolicy } from '../agent/sandbox/sandbox.ts';
import type { ShellSandbox } from '../agent/tools/ports.ts';
import { isWithinAny } from '../base/paths.ts';
import { findGitFolders, ownGitFolder } from '../disk/git/git-folder.ts';
import { projectLayout } from '../disk/home.ts';
import { ReverieError } from '../errors.ts';
import { settingsFilesOf } from './permissions.ts';
import type { SessionContext } from './session-context.ts';

export interface AgentSandbox extends ShellSandbox {
  /** Whether commands can be held in; where not, the user is told once why. */
  isThere(): Promise<boolean>;
}

type SandboxSession = Pick<SessionContext, 'place' | 'memory' | 'cwd' | 'environment' | 'tell'> & {
  /** Of a memory of the agent's own. */
  readonly ownFolder?: string | undefined;
};

function memoriesOf({ memory, ownFolder }: SandboxSession): readonly string[] {
  return [...Object.values(memory.folders), ...(ownFolder === undefined ? [] : [ownFolder])];
}

export function openAgentSandbox(session: SandboxSession): AgentSandbox {
  const { place, tell } = session;
  let isTold = false;

  async function find() {
    // Loaded with the first command: most of what a session does is none.
    const { findSandbox } = await import('../agent/sandbox/find-sandbox.ts');
    return findSandbox();
  }

  return {
    async isThere() {
      if (place.settings.values.sandbox === 'off') return false;
      // The sandbox hides the home folder by not having it: where it is worked in, nothing could be hidden.
      if (isWithinAny(place.userHome, [place.projectRoot, session.cwd])) return false;
      const found = await find();
      if (found.sandbox === null && !isTold) {
        isTold = true;
        tell(found.why);
      }
      return found.sandbox !== null;
    },
    async start(script, { cwd, confined }) {
      const { sandbox } = await find();
      if (sandbox === null) throw new ReverieError({ code: 'refused', message: 'There is no sandbox here.' });
      const policy = await policyOf(session, { cwd, confined, sandbox });
      const started = sandbox.start(script, policy);
      const shown = [...policy.readable, ...policy.writable].flatMap((folder) => [folder, realPathOf(folder)]);
      return {
        ...started,
        hint: namesMemory(script, session) ? MEMORY_HINT : undefined,
        isInside: (folder) => isWithinAny(realPathOf(folder), shown),
        ended() {
          started.ended();
          tellMade(policy, session);
        },
      };
    },
  };
}

const MEMORY_HINT = 'Memory cannot be changed by a command: use Write and Edit there, and Forget';

function namesMemory(script: string, session: SandboxSession): boolean {
  return memoriesOf(session).some((folder) => script.includes(folder));
}

/** What is missing cannot be kept from being made: the user hears of it instead. */
function tellMade(policy: SandboxPolicy, session: SandboxSession): void {
  const known = new Set(policy.protected);
  const repositories = policy.writable.map((folder) => join(folder, '.git'));
  for (const path of [...protectedIn(policy.writable, session), ...repositories]) {
    if (known.has(path) || !existsSync(path) || isPlaceholder(path)) continue;
    session.tell(`A command made ${path}, which other programs run or obey. Look at it before you use them.`);
  }
}

async function policyOf(
  session: SandboxSession,
  { cwd, confined, sandbox }: { readonly cwd: string; readonly confined: Confinement; readonly sandbox: Sandbox },
): Promise<SandboxPolicy> {
  const { place, environment } = session;
  const { projectRoot, userHome, settings } = place;
  const { rules, additionalDirectories } = readRules(settings.gathered('permissions'));
  const roots = [...new Set([projectRoot, session.cwd])];
  const added = additionalDirectories.map((folder) => fromFolder(folder, { cwd: projectRoot, userHome }));
  const wanted = settings.gathered('sandbox.readable').flatMap(({ value }) => value);
  const repositories = roots.flatMap((root) => ownGitFolder(root) ?? []);
  const memories = memoriesOf(session);
  const readable = [
    ...[...roots, ...added, ...repositories, ...memories],
    // This project's sessions, of which the prompt says that they can be searched.
    projectLayout(place.home, place.slug).folder,
    ...wanted.map((folder) => fromFolder(folder, { cwd: projectRoot, userHome })),
  ].filter((path) => existsSync(path));
  const writable = confined === 'editing' ? [...roots, ...added].filter((path) => existsSync(path)) : [];
  const hidden = await findHiddenPaths({
    ...{ deny: rules.deny, roots, userHome },
    programs: sandbox.programFolders({ cwd, readable, writable, environment }),
    // One folder may hold another: it is looked through once.
    folders: readable.filter((folder) => !isWithinAny(folder, without(readable, folder))),
  });
  const kept = [...repositoryFiles([...roots, ...added]), ...hidden.repositories, ...hidden.kept];
  return {
    cwd,
    readable,
    writable,
    protected: writable.length === 0 ? [] : [...new Set([...protectedIn(writable, session), ...kept])],
    denied: hidden.denied,
    environment,
  };
}

function without(folders: readonly string[], folder: string): readonly string[] {
  return folders.filter((each) => each !== folder);
}

/**
 * What git runs or obeys. Of a git folder that is all of it: `commondir` leads to another configuration, and an entry of the index to that
 * of a repository inside of the project.
 */
function repositoryFiles(roots: readonly string[]): readonly string[] {
  return roots.flatMap((root) => {
    const git = findGitFolders(root);
    if (git === null) return [];
    // A bare repository is the project itself.
    if (git.common === git.workTree) return [join(git.common, 'hooks'), join(git.common, 'config')];
    return [join(git.workTree, '.git'), git.common];
  });
}

/** Settings, memory, and whatever else of a folder other programs run or obey. */
function protectedIn(folders: readonly string[], session: SandboxSession): readonly string[] {
  const { place, cwd } = session;
  const memories = memoriesOf(session);
  const settingsFiles = settingsFilesOf(place, cwd);
  const facts = {
    ...{ userHome: place.userHome, home: place.home, memoryFolders: memories },
    roots: folders,
    settingsFiles,
  };
  const obeyed = folders.flatMap((folder) =>
    namesIn(folder)
      .map((name) => join(folder, name))
      .filter((path) => !path.endsWith('/.git') && protectionOf(path, facts) !== null),
  );
  return [...settingsFiles, ...memories, ...obeyed].filter((path) => isWithinAny(path, folders));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
