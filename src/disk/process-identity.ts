/** Who a process is, in a way that another process can check later: a PID alone is reused. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isObject } from '../base/values.ts';
import { errnoOf } from '../errors.ts';

/** Of the clock in which Linux tells when a process started, and how far two such times may be apart and mean one. */
const TICK_MS = 10;
const START_SLACK_MS = 2_000;

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

/** Of a record that was read back. */
export function isProcess(value: unknown): value is ProcessIdentity {
  const { pid, started, boot, host, pidNamespace } = (isObject(value) ? value : {}) as Partial<ProcessIdentity>;
  const areTexts = [started, boot, pidNamespace].every((each) => each === null || typeof each === 'string');
  return Number.isSafeInteger(pid) && pid! > 0 && typeof host === 'string' && areTexts;
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

/**
 * Whether the process that had this number at a time is still there, for records that hold nothing but the number: one
 * that started later merely got it. Where the platform does not tell, whoever has the number is taken for that process.
 */
export function hasRunSince(pid: number, atMs: number): boolean {
  if (!isRunning(pid)) return false;
  const started = startTime(pid);
  if (started === 'dead') return false;
  const upSeconds = Number(readOrNull('/proc/uptime')?.split(' ')[0] ?? Number.NaN);
  const agoMs = upSeconds * 1_000 - Number(started ?? Number.NaN) * TICK_MS;
  // Inside some containers the two count from different starts; then they tell nothing.
  if (!(agoMs >= 0)) return true;
  return Date.now() - agoMs <= atMs + START_SLACK_MS;
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
