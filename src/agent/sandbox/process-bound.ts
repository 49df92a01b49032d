/**
 * How many processes a sandbox may have. Since Linux 5.14 `ulimit -u` counts within a user namespace, so it bounds one sandbox; before, it
 * counts all that the user runs, and nothing is set. The kernel never holds root to it: there a control group counts, where one can be made.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_BOUNDS } from './bounds.ts';

export type ProcessBound =
  | { readonly kind: 'limit' }
  /** A file that a process joins the group by. */
  | { readonly kind: 'group'; join(): string }
  | { readonly kind: 'none' };

const LIMIT_COUNTS_NAMESPACES = { major: 5, minor: 14 };
/** Version 1 has a hierarchy for the controller, version 2 has one for all. */
const HIERARCHIES = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'];

export function chooseProcessBound(facts: { readonly isRoot: boolean; readonly release: string }): ProcessBound {
  if (facts.isRoot) return groupBound(HIERARCHIES.map((folder) => join(folder, 'reverie-sandbox')));
  const [major = 0, minor = 0] = facts.release.split('.').map(Number);
  const isNew =
    major > LIMIT_COUNTS_NAMESPACES.major ||
    (major === LIMIT_COUNTS_NAMESPACES.major && minor >= LIMIT_COUNTS_NAMESPACES.minor);
  return { kind: isNew ? 'limit' : 'none' };
}

/** One group for each process of ours; those of ended processes are removed first. */
function groupBound(places: readonly string[]): ProcessBound {
  for (const place of places) {
    const group = join(place, String(process.pid));
    if (!makeGroup(place, group)) continue;
    removeDeadGroups(place);
    return {
      kind: 'group',
      join() {
        makeGroup(place, group);
        return doorOf(group);
      },
    };
  }
  return { kind: 'none' };
}

/** Where a hierarchy takes single threads, that is a good deal faster: no fork of any other process has to wait. */
function doorOf(group: string): string {
  const single = join(group, 'tasks');
  return existsSync(single) ? single : join(group, 'cgroup.procs');
}

function makeGroup(place: string, group: string): boolean {
  try {
    if (existsSync(join(group, 'pids.max'))) return true;
    mkdirSync(place, { recursive: true });
    const controls = join(place, 'cgroup.subtree_control');
    if (existsSync(controls) && !readFileSync(controls, 'utf8').includes('pids')) writeFileSync(controls, '+pids');
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, 'pids.max'), String(SANDBOX_BOUNDS.processes));
    return true;
  } catch {
    return false;
  }
}

function removeDeadGroups(place: string): void {
  for (const name of readdirSync(place)) {
    if (!/^\d+$/.test(name) || existsSync(`/proc/${name}`)) continue;
    try {
      rmdirSync(join(place, name));
    } catch {}
  }
}
