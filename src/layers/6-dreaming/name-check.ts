/** Whether the file that a proposal names is one that its action can be about. */

import { MEMORY_TYPES } from '../../base/taxonomy.ts';
import { twinKey } from '../../disk/safe-name.ts';
import { placeProblem } from '../../memory/gate/place.ts';
import type { BaseMemory, Proposal } from './proposal.ts';

export interface NameFacts {
  readonly base: ReadonlyMap<string, BaseMemory>;
  /** By twin key, the files that were there when the dream began. */
  readonly twins: ReadonlyMap<string, string>;
  /** Twin keys of the files that earlier proposals are about. */
  readonly taken: ReadonlySet<string>;
  /** Files that MEMORY.md has a line for and that are not there. */
  readonly stale: ReadonlySet<string>;
}

/** Null when it is fine, else what is wrong with it and what to do. */
export function nameProblem({ action, file }: Proposal, { base, twins, taken, stale }: NameFacts): string | null {
  const isExisting = base.has(file);
  const problem = placeProblem(file, isExisting);
  if (problem !== null) return `The file name cannot be used: ${problem}.`;
  if (/(?:^|\/)memory\.md$/i.test(file)) return 'MEMORY.md is the index: its lines follow from the memories.';
  if (/^logs\//i.test(file)) return 'Daily logs are only added to, never changed.';
  if (taken.has(twinKey(file))) return 'Another change of this dream is about the same file.';
  if (action === 'unlist' && stale.has(file)) return null;
  if (action !== 'create') return isExisting ? null : 'There is no such memory.';
  if (isExisting) return 'There is a memory of that name already: update it, or choose another name.';
  const twin = twins.get(twinKey(file));
  if (twin !== undefined) return `On some disks it is the same file as ${twin}: choose another name.`;
  return NEW_NAME.test(file) ? null : 'A new memory is called {type}_{name-in-small-letters}.md, in no folder.';
}

const NEW_NAME = new RegExp(`^(?:${MEMORY_TYPES.join('|')})_[\\p{L}\\p{M}\\p{N}][\\p{L}\\p{M}\\p{N}_-]*\\.md$`, 'u');
