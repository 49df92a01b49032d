/** The memory of one agent: a folder of its own in one of three scopes, behind the same gate and journal as every other. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import { escapeMarkup } from '../../base/text/visible-text.ts';
import { realPath } from '../../disk/disk.ts';
import { createFolder } from '../../disk/folder.ts';
import { excludeFromGit } from '../../disk/git/exclude.ts';
import { homeLayout } from '../../disk/home.ts';
import { ReverieError } from '../../errors.ts';
import type { WriteGuard } from '../../memory/gate/writer/judge-write.ts';
import type { Memory } from '../../memory/memory.ts';
import type { Place, ScopeFolder } from '../../settings/place.ts';
import { projectSlug } from '../../settings/project.ts';
import type { AgentSpanFacts } from '../../toolbox/span.ts';
import { agentWriteGuard } from '../../toolbox/tools.ts';
import { renderIndexes } from '../context/index.ts';
import { openMemoryAt } from '../open-memory.ts';

export const AGENT_MEMORY_SCOPES = ['user', 'project', 'local'] as const;
/** `user`: in every project. `project`: committed with it. `local`: this project, on this machine. */
export type AgentMemoryScope = (typeof AGENT_MEMORY_SCOPES)[number];

export interface AgentMemory {
  /** Absolute; it exists. */
  readonly folder: string;
  /** The folder as a memory that stands alone: whoever gives it to tools has gate, journal and index with it. */
  readonly memory: Memory;
  /** For the system prompt: the guide of memory, the folder, and what belongs into this scope. */
  readonly prompt: string;
  /** For the first message: the index, within its limits; empty only where settings leave it out. */
  index(): Promise<{ readonly text: string; readonly warnings: readonly string[] }>;
  /** Judges what the agent writes there by its own conversation. */
  guard(facts: Omit<AgentSpanFacts, 'memory' | 'limits'> & GuardFacts): WriteGuard;
  close(): Promise<void>;
}

interface GuardFacts {
  readonly sessionId: string;
  readonly now: () => Date;
}

export async function openAgentMemory({
  place,
  agent,
  scope,
}: {
  readonly place: Place;
  readonly agent: string;
  readonly scope: AgentMemoryScope;
}): Promise<AgentMemory> {
  const folder = agentFolder({ place, agent, scope });
  const own = scopeFolder(folder, { place, scope });
  createFolder(folder, { isShared: own.journal?.isShared === true }).close();
  if (scope === 'local') await excludeFromGit(place.projectRoot, `/${LOCAL_FOLDER}/`);
  const ownPlace: Place = { ...place, folders: [own], offReason: null, isOwnProjectFolder: false };
  const memory = await openMemoryAt(ownPlace);
  const { limits, projectRoot } = place;
  return {
    folder,
    memory,
    prompt: [
      fillPrompt('memory', { indexLines: String(limits.index.lines) }),
      fillPrompt('memory-agent', { agent: escapeMarkup(agent), folder: escapeMarkup(folder), hint: HINTS[scope] }),
    ].join('\n\n'),
    async index() {
      const { parts, warnings } = await renderIndexes({ place: ownPlace, memory });
      return { text: parts.join('\n\n'), warnings };
    },
    guard: (facts) => agentWriteGuard({ ...facts, memory, projectRoot, limits }),
    close: memory.close,
  };
}

const SHARED_FOLDER = join('.reverie', 'agent-memory');
const LOCAL_FOLDER = join('.reverie', 'agent-memory-local');

const HINTS: Readonly<Record<AgentMemoryScope, string>> = {
  user: 'It goes with you into every project: keep what holds everywhere, and name the project where something holds only there.',
  project:
    'It belongs to this project and is shared by version control with everybody who works on it: keep what all of them can use, nothing about one person or one machine.',
  local:
    'It belongs to this project on this machine, and nobody else sees it: its paths, ports and tools may stand here.',
};

/** Where the memory of an agent is. A colon in its name becomes a dash; nothing in it leads elsewhere. */
export function agentFolder({
  place,
  agent,
  scope,
}: {
  readonly place: Pick<Place, 'home' | 'projectRoot'>;
  readonly agent: string;
  readonly scope: AgentMemoryScope;
}): string {
  const name = agent.replaceAll(':', '-');
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,79}$/u.test(name) || name.endsWith('.') || name.endsWith(' ')) {
    throw new ReverieError({
      code: 'usage',
      message: `An agent that is called ${JSON.stringify(agent)} can have no memory: the name has to be one of a folder.`,
      fix: 'Use letters, digits, dots and dashes in its name.',
    });
  }
  const base = scope === 'user' ? homeLayout(place.home).agentMemory : rootOf(place.projectRoot, scope);
  const folder = join(base, name);
  const limit = scope === 'user' ? place.home : place.projectRoot;
  if (!leadsInto(folder, limit)) {
    throw new ReverieError({
      code: 'refused',
      message: `${folder} leads out of ${limit} by a link; nothing is kept there.`,
      fix: 'Remove the link.',
    });
  }
  return folder;
}

function rootOf(projectRoot: string, scope: 'project' | 'local'): string {
  return join(projectRoot, scope === 'project' ? SHARED_FOLDER : LOCAL_FOLDER);
}

/** Also where parts of the path are still to be made. */
function leadsInto(folder: string, limit: string): boolean {
  let present = folder;
  while (!existsSync(present) && dirname(present) !== present) present = dirname(present);
  // A home that is still to be made lies in something that exists.
  const real = realPath(present);
  const realLimit = realPath(limit);
  return real !== null && (realLimit === null || isWithin(real, realLimit));
}

function scopeFolder(
  path: string,
  { place, scope }: { readonly place: Place; readonly scope: AgentMemoryScope },
): ScopeFolder {
  const { cacheIndex, journals } = homeLayout(place.home);
  const name = `${projectSlug(path)}-agent`;
  const shared = { scope: 'project', path, cacheDirectory: join(cacheIndex, name) } as const;
  if (scope === 'user') return { ...shared, unmarked: 'said' };
  // Whoever wrote to the repository may have written there; and a journal in it would be committed.
  const journal = { control: join(journals, name), isShared: scope === 'project' };
  return { ...shared, unmarked: scope === 'project' ? 'imported' : 'said', journal };
}
