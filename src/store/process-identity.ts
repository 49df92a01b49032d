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
    pidNamespace: pidNamespace(),
  };
}

export function pidNamespace(): string | null {
  return linkOrNull('/proc/self/ns/pid');
}

/** `stopped`: it is there and does nothing, until somebody lets it go on. */
export type Liveness = 'alive' | 'stopped' | 'gone' | 'cannot-tell';

export function livenessOf(other: ProcessIdentity, self: ProcessIdentity = thisProcess()): Liveness {
  if (other.host !== self.host) return 'cannot-tell';
  if (other.boot !== self.boot) return other.boot === null || self.boot === null ? 'cannot-tell' : 'gone';
  if (other.pidNamespace !== self.pidNamespace) return 'cannot-tell';
  if (!isRunning(other.pid)) return 'gone';
  const started = startTime(other.pid);
  if (other.started !== null && started !== null && other.started !== started) return 'gone';
  return processState(other.pid) === 'T' ? 'stopped' : 'alive';
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

function startTime(pid: number): string | null {
  const fields = statFields(pid);
  if (fields === null) return null;
  // A zombie can write nothing any more, unless one of its threads is still inside a write.
  const isDead = (fields[0] === 'Z' || fields[0] === 'X') && threadsOf(pid) <= 1;
  return isDead ? 'dead' : (fields[19] ?? null);
}

function processState(pid: number): string | null {
  return statFields(pid)?.[0] ?? null;
}

/** From the third on: the command's name in the second may hold blanks and brackets, so counting starts behind it. */
function statFields(pid: number): string[] | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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
