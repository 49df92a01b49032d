/** What a shared task is, and how its list follows from the lines of its log. Pure. */

import { isObject } from '../../base/values.ts';
import type { ProcessIdentity } from '../../disk/process-identity.ts';

export const TASK_STATES = ['pending', 'in_progress', 'completed', 'deleted'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const TASK_LIMITS = { subjectCharacters: 200, descriptionCharacters: 20_000, tasks: 10_000 } as const;

/** Who works on a task: a name, and the process that must live for the claim to count. */
export interface TaskOwner {
  readonly name: string;
  readonly process: ProcessIdentity;
}

export interface Task {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly state: TaskState;
  readonly owner: TaskOwner | null;
  /** Ids of tasks that must be completed first. */
  readonly blockedBy: readonly string[];
  /** ISO 8601. */
  readonly changedAt: string;
}

/** One line of the log: all of a task that it changes. */
export interface TaskChange extends Partial<Omit<Task, 'id' | 'changedAt'>> {
  readonly id: string;
  readonly at: string;
}

/** Null for a line that is not whole, which is what a kill or a power cut leaves. */
export function parseChange(line: string): TaskChange | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && typeof value.id === 'string' ? (value as unknown as TaskChange) : null;
  } catch {
    return null;
  }
}

export function applyChange(tasks: Map<string, Task>, change: TaskChange): void {
  const { at: changedAt, ...changed } = change;
  const before = tasks.get(change.id) ?? {
    id: change.id,
    subject: '',
    description: '',
    state: 'pending' as const,
    owner: null,
    blockedBy: [],
  };
  tasks.set(change.id, { ...before, ...changed, changedAt });
}

/** Which of the blocking tasks are still to be done; one that was deleted blocks nothing. */
export function openBlockers(task: Task, tasks: ReadonlyMap<string, Task>): string[] {
  return task.blockedBy.filter((id) => {
    const state = tasks.get(id)?.state;
    return state === 'pending' || state === 'in_progress';
  });
}

export type ClaimDecision =
  | { readonly kind: 'claim' }
  | { readonly kind: 'no'; readonly reason: 'not-there' | 'done' | 'owned' | 'blocked'; readonly detail: string };

/** Whether a task can be claimed now. A claim of a process that is gone counts for nothing. */
export function decideClaim(
  task: Task | undefined,
  facts: { readonly tasks: ReadonlyMap<string, Task>; isGone(owner: TaskOwner): boolean },
): ClaimDecision {
  if (task === undefined || task.state === 'deleted')
    return { kind: 'no', reason: 'not-there', detail: 'there is no such task' };
  if (task.state === 'completed') return { kind: 'no', reason: 'done', detail: 'it is completed' };
  if (task.owner !== null && !facts.isGone(task.owner))
    return { kind: 'no', reason: 'owned', detail: `${task.owner.name} works on it` };
  const blockers = openBlockers(task, facts.tasks);
  if (blockers.length > 0) return { kind: 'no', reason: 'blocked', detail: `it waits for ${blockers.join(', ')}` };
  return { kind: 'claim' };
}

/** Whether `blockedBy` would make a task wait for itself, by any way round. */
export function wouldWaitForItself(
  id: string,
  blockedBy: readonly string[],
  tasks: ReadonlyMap<string, Task>,
): boolean {
  const seen = new Set<string>();
  const open = [...blockedBy];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(tasks.get(next)?.blockedBy ?? []));
  }
  return false;
}
