/**
 * A list of tasks that a team of processes shares: one log, one line a change, appended under a lock after reading what
 * others appended. So a task is claimed once however many claim it, and a kill loses at most the change it interrupted.
 */

import { findSecrets } from '../../base/secrets/secrets.ts';
import type { Folder } from '../../disk/folder.ts';
import { takeLock } from '../../disk/lock.ts';
import { livenessOf, thisProcess } from '../../disk/process-identity.ts';
import { ReverieError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { checkName } from '../layout.ts';
import { openTeam } from '../team-members.ts';
import {
  decideClaim,
  openBlockers,
  TASK_LIMITS,
  type Task,
  type TaskChange,
  type TaskOwner,
  type TaskState,
  wouldWaitForItself,
} from './task.ts';
import { openTaskLog } from './task-log.ts';

export interface TaskListOptions {
  readonly team: string;
  /** Whose claims these are; they count while this process lives. */
  readonly name: string;
  /** Default: `REVERIE_HOME`, else `~/.reverie`. */
  readonly home?: string;
}

/** A task as it is shown: a claim whose process is gone is none. */
export interface ListedTask {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly state: TaskState;
  readonly owner: string | null;
  /** Only those that are not completed yet. */
  readonly blockedBy: readonly string[];
}

export interface TaskUpdate {
  readonly id: string;
  /** `in_progress` claims it; `pending` gives it back; `completed` needs the claim. */
  readonly state?: TaskState;
  readonly subject?: string;
  readonly description?: string;
  readonly addBlockedBy?: readonly string[];
}

export interface TaskList {
  create(task: {
    readonly subject: string;
    readonly description?: string;
    readonly blockedBy?: readonly string[];
  }): Promise<ListedTask>;
  update(update: TaskUpdate): Promise<ListedTask>;
  /** Claims this task, or the first that can be; null when none can. Throws when this one cannot be, and says why. */
  claim(id?: string): Promise<ListedTask | null>;
  list(): Promise<ListedTask[]>;
  close(): void;
}

const WAIT_MS = 60_000;

type Append = (change: Omit<TaskChange, 'at'>) => Promise<void>;

export function openTaskList(options: TaskListOptions): TaskList {
  const folder = openTasks(options);
  const lock = folder.sub('lock', { create: true })!;
  const self = thisProcess();
  const own: TaskOwner = { name: checkName(options.name), process: self };
  const log = openTaskLog(folder);
  const { tasks, catchUp } = log;

  const isGone = (owner: TaskOwner) => livenessOf(owner.process, self) === 'gone';
  const isOwn = (owner: TaskOwner | null) =>
    owner !== null &&
    owner.name === own.name &&
    owner.process.pid === self.pid &&
    owner.process.started === self.started;

  /** `last`: through a power cut. Waited for without the lock, so that others need not wait for the disk as well. */
  async function changing<T>(how: { readonly last: boolean }, work: (append: Append) => Promise<T>): Promise<T> {
    const held = await takeLock(lock, { waitMs: WAIT_MS, staleAfterMs: LIMITS.lock.staleAfterMs });
    let result: T;
    try {
      catchUp();
      result = await work(async (change) => {
        if (!held.stillHeld()) throw takenOverError();
        await log.append(change);
      });
      if (held.stillHeld()) await log.shorten(Date.now());
    } finally {
      await held.release();
    }
    if (how.last) await log.sync();
    return result;
  }

  function shown(task: Task): ListedTask {
    const { id, subject, description } = task;
    const isFree = task.owner === null || (task.state === 'in_progress' && isGone(task.owner));
    const state = isFree && task.state === 'in_progress' ? 'pending' : task.state;
    return {
      id,
      subject,
      description,
      state,
      owner: isFree ? null : task.owner!.name,
      blockedBy: openBlockers(task, tasks),
    };
  }

  function known(id: string): Task {
    const task = tasks.get(id);
    if (task !== undefined && task.state !== 'deleted') return task;
    throw new ReverieError({
      code: 'not-found',
      message: `There is no task ${id}`,
      fix: 'TaskList shows those there are.',
    });
  }

  function checkBlockers(id: string, blockedBy: readonly string[]): void {
    for (const blocker of blockedBy) known(blocker);
    if (wouldWaitForItself(id, blockedBy, tasks)) throw usageError(`Task ${id} would wait for itself`);
  }

  function checkOwner(task: Task, state: TaskState): void {
    if (isOwn(task.owner) || (state !== 'completed' && (task.owner === null || isGone(task.owner)))) return;
    const who = task.owner === null || isGone(task.owner) ? 'nobody has claimed it' : `${task.owner.name} works on it`;
    throw new ReverieError({
      code: 'refused',
      message: `Task ${task.id} cannot become ${state}: ${who}`,
      fix: 'Claim it first: set it to in_progress.',
    });
  }

  return {
    async create({ subject, description = '', blockedBy = [] }) {
      await checkTexts({ subject, description });
      return changing({ last: true }, async (append) => {
        if (tasks.size >= TASK_LIMITS.tasks) throw usageError(`A list has at most ${TASK_LIMITS.tasks} tasks`);
        const id = String(Number([...tasks.keys()].at(-1) ?? 0) + 1);
        checkBlockers(id, blockedBy);
        await append({ id, subject, description, state: 'pending', owner: null, blockedBy });
        return shown(tasks.get(id)!);
      });
    },
    async update({ id, state, addBlockedBy, ...texts }) {
      await checkTexts(texts);
      return changing({ last: true }, async (append) => {
        const task = known(id);
        const blockedBy = [...new Set([...task.blockedBy, ...(addBlockedBy ?? [])])];
        checkBlockers(id, addBlockedBy ?? []);
        if (state === 'in_progress' && !isOwn(task.owner)) throwUnlessClaimable(task);
        else if (state !== undefined && state !== 'in_progress') checkOwner(task, state);
        const owner = state === 'in_progress' ? { owner: own } : state === 'pending' ? { owner: null } : {};
        await append({ id, ...texts, ...(state === undefined ? {} : { state }), ...owner, blockedBy });
        return shown(tasks.get(id)!);
      });
    },
    claim: (id) =>
      // After a power cut every owner is gone, so that a claim need not outlast one.
      changing({ last: false }, async (append) => {
        const task = id === undefined ? firstClaimable() : known(id);
        if (task === null) return null;
        if (id !== undefined) throwUnlessClaimable(task);
        await append({ id: task.id, state: 'in_progress', owner: own });
        return shown(tasks.get(task.id)!);
      }),
    async list() {
      catchUp();
      return [...tasks.values()].filter(({ state }) => state !== 'deleted').map(shown);
    },
    close() {
      lock.close();
      folder.close();
    },
  };

  function firstClaimable(): Task | null {
    for (const task of tasks.values()) if (decideClaim(task, { tasks, isGone }).kind === 'claim') return task;
    return null;
  }

  function throwUnlessClaimable(task: Task): void {
    const decision = decideClaim(task, { tasks, isGone });
    if (decision.kind === 'claim') return;
    throw new ReverieError({
      code: 'refused',
      message: `Task ${task.id} cannot be claimed: ${decision.detail}`,
      fix: 'Claim another one.',
    });
  }
}

function takenOverError(): ReverieError {
  return new ReverieError({
    code: 'locked',
    message: 'Another process took over the task list; nothing was changed',
    fix: 'Try again.',
  });
}

function openTasks(options: TaskListOptions): Folder {
  const own = openTeam(options);
  try {
    return own.sub('tasks', { create: true })!;
  } finally {
    own.close();
  }
}

async function checkTexts({
  subject,
  description,
}: {
  readonly subject?: string;
  readonly description?: string;
}): Promise<void> {
  if (subject !== undefined && (subject.trim() === '' || subject.length > TASK_LIMITS.subjectCharacters))
    throw usageError(`A subject has 1 to ${TASK_LIMITS.subjectCharacters} characters`);
  if (description !== undefined && description.length > TASK_LIMITS.descriptionCharacters)
    throw usageError(`A description has at most ${TASK_LIMITS.descriptionCharacters} characters`);
  const text = `${subject ?? ''}\n${description ?? ''}`;
  if (text.trim() === '' || (await findSecrets(text)).length === 0) return;
  throw new ReverieError({
    code: 'secret',
    message: 'The task was not written down, because it holds a secret',
    fix: 'Say where the secret is kept instead.',
  });
}

function usageError(message: string): ReverieError {
  return new ReverieError({ code: 'usage', message });
}
