/** The lease of one work tree: whose it is and what it was made of, on the disk before the work tree is. */

import { join } from 'node:path';
import { isObject } from '../../../base/values.ts';
import { createFolder, openFolder } from '../../../disk/folder.ts';
import { isProcess, type ProcessIdentity } from '../../../disk/process-identity.ts';
import { removeLeftovers, stagedBy } from '../../../disk/staged-name.ts';

export interface Lease {
  readonly id: string;
  /** `making`: git was not done yet, so nobody has worked in it. `kept`: it was given back with work in it. */
  readonly state: 'making' | 'ready' | 'kept';
  /** The agent that works in it, for people. */
  readonly owner: string;
  readonly process: ProcessIdentity;
  /** ISO time. */
  readonly at: string;
  /** Where git was asked for it. */
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  /** The commit that it began at. */
  readonly base: string;
}

const LEASE_ID = /^[a-z0-9][a-z0-9-]{0,79}$/;
const LEASE_BYTES = 65_536;
const SUFFIX = '.json';

export function isLeaseId(text: string): boolean {
  return LEASE_ID.test(text);
}

export async function writeLease(folder: string, lease: Lease): Promise<void> {
  const held = createFolder(folder);
  try {
    const name = await held.stage(Buffer.from(`${JSON.stringify(lease)}\n`));
    held.moveIn({ from: held, name }, `${lease.id}${SUFFIX}`, 'replace');
  } finally {
    held.close();
  }
}

export function removeLease(folder: string, id: string): void {
  const held = openFolder(folder);
  try {
    held?.remove(`${id}${SUFFIX}`);
  } finally {
    held?.close();
  }
}

/** Removes leases that a killed process did not finish writing. */
export function removeUnwritten(folder: string): void {
  const held = openFolder(folder);
  try {
    if (held !== null) removeLeftovers(held);
  } finally {
    held?.close();
  }
}

export interface Leases {
  readonly leases: readonly Lease[];
  /** Paths that no lease accounts for: a lease that cannot be read, or a folder without one. */
  readonly strays: readonly string[];
}

/** Oldest first. */
export function readLeases(folder: string): Leases {
  const held = openFolder(folder);
  if (held === null) return { leases: [], strays: [] };
  try {
    const names = held
      .entries()
      .map(({ name }) => name)
      // A lease on its way to the disk; one that will never arrive is nobody's.
      .filter((name) => [null, 'gone'].includes(stagedBy(name)))
      .filter((name) => isLeaseId(name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name));
    const read = names
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => ({ name, lease: asLease(held.read(name, LEASE_BYTES), { folder, name }) }));
    const leases = read.flatMap(({ lease }) => (lease === null ? [] : [lease]));
    const leased = new Set(leases.map(({ id }) => id));
    const strays = [
      ...read.filter(({ lease }) => lease === null).map(({ name }) => name),
      ...names.filter((name) => !name.endsWith(SUFFIX) && !leased.has(name)),
    ];
    return {
      leases: leases.toSorted((one, other) => one.at.localeCompare(other.at)),
      strays: strays.map((name) => join(folder, name)),
    };
  } finally {
    held.close();
  }
}

/** A lease names only what lies beside it: nothing else is ever removed because of one. */
function asLease(bytes: Buffer | null, { folder, name }: { readonly folder: string; readonly name: string }) {
  try {
    const value: unknown = JSON.parse(bytes?.toString('utf8') ?? '');
    return isLease(value) && `${value.id}${SUFFIX}` === name && value.path === join(folder, value.id) ? value : null;
  } catch {
    return null;
  }
}

function isLease(value: unknown): value is Lease {
  if (!isObject(value)) return false;
  const { id, state, owner, at, repository, path, branch, base } = value;
  const areTexts = [owner, at, repository, path].every((each) => typeof each === 'string');
  return (
    areTexts &&
    typeof id === 'string' &&
    isLeaseId(id) &&
    branch === branchOf(id) &&
    typeof base === 'string' &&
    /^[0-9a-f]{40,64}$/.test(base) &&
    ['making', 'ready', 'kept'].includes(String(state)) &&
    isProcess(value.process)
  );
}

/** Without a slash: a branch that is named like the part before it would keep it from being made. */
export function branchOf(id: string): string {
  return `reverie-${id}`;
}
