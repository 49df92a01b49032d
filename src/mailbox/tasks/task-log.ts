/** The log behind a list of tasks: read as it grows, and written again without what was finished long ago. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Folder } from '../../disk/folder.ts';
import { storageError } from '../../disk/storage-error.ts';
import { applyChange, parseChange, type Task, type TaskChange } from './task.ts';

const LOG = 'log.jsonl';
/** A log of this many bytes is written again, one line a task. */
const LONGEST_BYTES = 1_000_000;
/** Finished tasks are kept for these days, and never more of them than this. */
const KEPT_DAYS = 30;
const KEPT_FINISHED = 1_000;
const DAY_MS = 24 * 60 * 60_000;

export interface TaskLog {
  readonly tasks: ReadonlyMap<string, Task>;
  /** Reads what others appended since, up to the last whole line. */
  catchUp(): void;
  append(change: Omit<TaskChange, 'at'>): Promise<void>;
  /** Under the lock: writes the log again where it has grown long. */
  shorten(nowMs: number): Promise<void>;
  /** Makes what was appended last through a power cut. */
  sync(): Promise<void>;
}

export function openTaskLog(folder: Folder, longestBytes = LONGEST_BYTES): TaskLog {
  const tasks = new Map<string, Task>();
  let position = 0;
  let file = '';
  /** Bytes after the log was last written again: it must have doubled before it is again. */
  let shortBytes = 0;

  function catchUp(): void {
    const facts = folder.stat(LOG);
    if (facts === null) return;
    const present = `${facts.ino} ${facts.birthtimeMs}`;
    if (present !== file || facts.size < position) {
      tasks.clear();
      position = 0;
    }
    file = present;
    if (facts.size <= position) return;
    const bytes = folder.readFrom(LOG, position, facts.size);
    const end = bytes.lastIndexOf(0x0a) + 1;
    position += end;
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n')) {
      const change = line === '' ? null : parseChange(line);
      if (change !== null) applyChange(tasks, change);
    }
  }

  return {
    tasks,
    catchUp,
    async append(change) {
      // Begins a line of its own: what a kill cut short before it spoils nothing.
      const line = `\n${JSON.stringify({ ...change, at: new Date().toISOString() })}\n`;
      await folder.append(LOG, Buffer.from(line), { durable: false });
      catchUp();
    },
    async shorten(nowMs) {
      if (position < longestBytes || position < 2 * shortBytes) return;
      const kept = keptTasks([...tasks.values()], nowMs);
      const text = kept.map(({ changedAt, ...task }) => `${JSON.stringify({ ...task, at: changedAt })}\n`).join('');
      const staged = await folder.stage(Buffer.from(text));
      folder.moveIn({ from: folder, name: staged }, LOG, 'replace');
      await folder.sync();
      shortBytes = Buffer.byteLength(text);
      catchUp();
    },
    async sync() {
      try {
        const opened = await open(folder.at(LOG), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
        await opened.sync().finally(() => opened.close());
      } catch (error) {
        throw storageError({ path: join(folder.path, LOG), doing: 'sync', error });
      }
    },
  };
}

/** All that is open, what was finished lately, and the newest one: its number is where the next goes on. */
export function keptTasks(tasks: readonly Task[], nowMs: number): readonly Task[] {
  const isFinished = ({ state }: Task) => state === 'completed' || state === 'deleted';
  const isOld = ({ changedAt }: Task) => Date.parse(changedAt) < nowMs - KEPT_DAYS * DAY_MS;
  const lately = tasks.filter((task) => isFinished(task) && !isOld(task)).slice(-KEPT_FINISHED);
  const kept = new Set(lately);
  return tasks.filter((task, at) => !isFinished(task) || kept.has(task) || at === tasks.length - 1);
}
