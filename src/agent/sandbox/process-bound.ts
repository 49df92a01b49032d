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

/** The newest groups stay: the process that was planned for one may not have joined it yet. */
const YOUNG_GROUPS = 16;

export function chooseProcessBound(facts: { readonly isRoot: boolean; readonly release: string }): ProcessBound {
  if (facts.isRoot) return groupBound(HIERARCHIES.map((folder) => join(folder, 'reverie-sandbox')));
  const [major = 0, minor = 0] = facts.release.split('.').map(Number);
  const isNew =
    major > LIMIT_COUNTS_NAMESPACES.major ||
    (major === LIMIT_COUNTS_NAMESPACES.major && minor >= LIMIT_COUNTS_NAMESPACES.minor);
  return { kind: isNew ? 'limit' : 'none' };
}

/** A group for each sandbox, so that one that is full does not keep others from starting. Groups of ended ones are removed by later starts. */
function groupBound(places: readonly string[]): ProcessBound {
  const place = places.find((each) => makeGroup(each, join(each, `${process.pid}-0`)));
  if (place === undefined) return { kind: 'none' };
  removeDeadGroups(place);
  const made = new Set([join(place, `${process.pid}-0`)]);
  let count = 0;
  return {
    kind: 'group',
    join() {
      for (const group of [...made].slice(0, -YOUNG_GROUPS)) if (removeGroup(group)) made.delete(group);
      count += 1;
      const group = join(place, `${process.pid}-${count}`);
      if (makeGroup(place, group)) made.add(group);
      return doorOf(group);
    },
  };
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

/** What processes left behind that were killed, or that ended before their last sandbox did. */
function removeDeadGroups(place: string): void {
  for (const name of readdirSync(place)) {
    const owner = /^(\d+)-\d+$/.exec(name)?.[1];
    if (owner !== undefined && !existsSync(`/proc/${owner}`)) removeGroup(join(place, name));
  }
}

/** A group that still has processes stays. */
function removeGroup(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch {
    return !existsSync(group);
  }
}
