/** Who a process is, in a way that another process can check later: a PID alone is reused. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from '../errors.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot at which the process started; null where the platform does not tell. */
  readonly started: string | null;
  readonly boot: string | null;
  readonly host: string;
  /** Two containers may share a folder and both be PID 7. */
  readonly pidNamespace: string | null;
}

export function thisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    started: startTime(process.pid),
    boot: readOrNull('/proc/sys/kernel/random/boot_id'),
    host: hostname(),
    pidNamespace: linkOrNull('/proc/self/ns/pid'),
  };
}

export type Liveness = 'alive' | 'gone' | 'cannot-tell';

export function livenessOf(other: ProcessIdentity, self: ProcessIdentity = thisProcess()): Liveness {
  if (other.host !== self.host) return 'cannot-tell';
  if (other.boot !== self.boot) return other.boot === null || self.boot === null ? 'cannot-tell' : 'gone';
  if (other.pidNamespace !== self.pidNamespace) return 'cannot-tell';
  if (!isRunning(other.pid)) return 'gone';
  const started = startTime(other.pid);
  return other.started === null || started === null || other.started === started ? 'alive' : 'gone';
}

/** Whether a process of this machine is there, as far as its number tells. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

/** Field 22 of stat; the command's name in field 2 may hold blanks and brackets, so counting starts behind it. */
function startTime(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie can write nothing any more, unless one of its threads is still inside a write.
  const isDead = (fields[0] === 'Z' || fields[0] === 'X') && threadsOf(pid) <= 1;
  return isDead ? 'dead' : (fields[19] ?? null);
}

function threadsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return 0;
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function linkOrNull(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
