/**
 * Work trees for agents: each is leased, worked in, and given back.
 * When: an agent is started with `isolation: "worktree"`. Cost: one checkout. Prevents: agents that change each other's files, or the user's.
 * On error: whatever is left is named by `reverie doctor`; work is never removed.
 */

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '../../../disk/disk.ts';
import { createFolder } from '../../../disk/folder.ts';
import { homeLayout } from '../../../disk/home.ts';
import { livenessOf, thisProcess } from '../../../disk/process-identity.ts';
import { ReverieError } from '../../../errors.ts';
import { changeWorktrees, untilUncontended } from './in-turn.ts';
import { branchOf, type Lease, readLeases, removeLease, removeUnwritten, writeLease } from './lease-file.ts';
import { headOf, removeIfUnchanged } from './remove.ts';

export interface LeasedWorktree {
  readonly path: string;
  readonly branch: string;
  /** Gives it back: removed when nothing was done in it, else kept. Answers with the path of what is kept, or null. */
  release(): Promise<string | null>;
}

export interface LeaseRequest {
  /** Reverie's home folder. */
  readonly home: string;
  /** The work tree whose HEAD it begins at. */
  readonly projectRoot: string;
  /** The agent that will work in it, for people. */
  readonly owner: string;
  readonly now: () => Date;
  readonly signal?: AbortSignal;
}

/** Characters of the owner that name the folder and the branch. */
const OWNER_CHARACTERS = 40;
/** A killed process may leave a git that is still at work on its half-made work tree. */
const MAKING_MS = 30_000;

export async function leaseWorktree(request: LeaseRequest): Promise<LeasedWorktree> {
  const { home, owner, now } = request;
  const repository = realPath(request.projectRoot) ?? request.projectRoot;
  const base = await headOf(repository);
  if (base === null) throw noWorktree('there is no git repository with a commit', request);
  const folder = worktreeFolder(home);
  const id = newId(owner);
  const lease: Lease = {
    ...{ id, state: 'making', owner, process: thisProcess(), at: now().toISOString() },
    ...{ repository, path: join(folder, id), branch: branchOf(id), base },
  };
  const words = ['add', '--quiet', '--no-track', '-b', lease.branch, lease.path, base];
  const made = await untilUncontended(async () => {
    await writeLease(folder, lease);
    const change = await changeWorktrees(words, { folder, cwd: repository, signal: request.signal });
    // Another try would fail on what this one began.
    if (!change.isDone) await removeIfUnchanged(lease);
    return change;
  });
  if (!made.isDone) throw noWorktree(made.why, request);
  const ready: Lease = { ...lease, state: 'ready' };
  await writeLease(folder, ready);
  return { path: lease.path, branch: lease.branch, release: () => giveBack(folder, ready) };
}

async function giveBack(folder: string, lease: Lease): Promise<string | null> {
  const removal = await removeIfUnchanged(lease);
  if (removal === 'removed') return null;
  if (removal === 'holds work') await writeLease(folder, { ...lease, state: 'kept' });
  return lease.path;
}

/** Removes unchanged work trees whose process is dead, marks the others as kept, and forgets those that the user removed. Answers with the paths that went. */
export async function sweepWorktrees({ home, now }: Pick<LeaseRequest, 'home' | 'now'>): Promise<readonly string[]> {
  const { worktrees } = homeLayout(home);
  if (!existsSync(worktrees)) return [];
  const swept: string[] = [];
  const folder = worktreeFolder(home);
  removeUnwritten(folder);
  for (const lease of readLeases(folder).leases) {
    if (lease.state === 'kept') {
      if (!existsSync(lease.path)) removeLease(folder, lease.id);
      continue;
    }
    if (livenessOf(lease.process) !== 'gone' || isStillMade(lease, now())) continue;
    const removal = await removeIfUnchanged(lease);
    if (removal === 'removed') swept.push(lease.path);
    if (removal === 'holds work') await writeLease(folder, { ...lease, state: 'kept' });
  }
  return swept;
}

function isStillMade({ state, at }: Lease, now: Date): boolean {
  return state === 'making' && now.getTime() - Date.parse(at) < MAKING_MS;
}

/** What is left of agents that are gone. */
export interface WorktreeLeftovers {
  /** Whose owner is dead, or cannot be asked, or that were given back with work in them. */
  readonly leases: readonly Lease[];
  readonly strays: readonly string[];
}

export function worktreeLeftovers(home: string): WorktreeLeftovers {
  const { worktrees } = homeLayout(home);
  const { leases, strays } = readLeases(realPath(worktrees) ?? worktrees);
  const left = leases.filter(({ state, process }) => {
    return state === 'kept' || ['gone', 'cannot-tell'].includes(livenessOf(process));
  });
  return { leases: left, strays };
}

/** By its real path, which git knows it by. */
function worktreeFolder(home: string): string {
  const { worktrees } = homeLayout(home);
  createFolder(worktrees).close();
  return realPath(worktrees) ?? worktrees;
}

function newId(owner: string): string {
  const words = owner.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, OWNER_CHARACTERS).replace(/-+$/, '') || 'agent';
  return `${name}-${randomBytes(5).toString('hex')}`;
}

function noWorktree(why: string, { projectRoot }: LeaseRequest): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: `No work tree can be made of ${projectRoot}: ${why}.`,
    fix: 'Start the agent without isolation, or commit something there first.',
  });
}
