/** What the agent has opened itself: memories, with its file tools or a command that shows them, and project files. */

import { isAbsolute, relative, resolve, sep } from 'node:path';
import { shownFiles } from '../agent/read-only-shell/shown-files.ts';
import type { FinishedCall } from '../agent/tool-runs.ts';
import { keyOfPath } from '../memory/key.ts';
import type { Memory } from '../memory/memory.ts';
import type { Place } from '../settings/place.ts';
import type { AgentTools } from '../toolbox/tools.ts';

export interface OpeningFacts {
  readonly memory: Memory;
  readonly place: Pick<Place, 'projectRoot'>;
  readonly cwd: string;
  readonly tools: Pick<AgentTools, 'cwd'>;
}

export interface OpenedMemory {
  /** `scope:file`. */
  readonly key: string;
  /** Its text was shown, not only changed. */
  readonly isRead: boolean;
}

const FILE_TOOLS = new Set(['Read', 'Edit', 'Write']);

export function openedMemories({ call, result }: FinishedCall, facts: OpeningFacts): readonly OpenedMemory[] {
  if (result.is_error === true) return [];
  const { file_path: path, command } = call.input;
  const opened = (real: string, isRead: boolean): readonly OpenedMemory[] => {
    const key = keyOfPath(facts.memory, real);
    return key === null ? [] : [{ key, isRead }];
  };
  if (FILE_TOOLS.has(call.name) && typeof path === 'string') {
    return opened(resolve(facts.cwd, path), call.name === 'Read');
  }
  if (call.name !== 'Bash' || typeof command !== 'string') return [];
  const roots = [facts.place.projectRoot, facts.cwd, ...Object.values(facts.memory.folders)];
  return shownFiles(command, { cwd: facts.tools.cwd(), roots }).flatMap((real) => opened(real, true));
}

/** From the project's root, with forward slashes; null for anything outside the project. */
export function pathInProject(path: string, { place, cwd }: Pick<OpeningFacts, 'place' | 'cwd'>): string | null {
  const below = relative(place.projectRoot, resolve(cwd, path));
  const isOutside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  return below === '' || isOutside ? null : below.split(sep).join('/');
}
