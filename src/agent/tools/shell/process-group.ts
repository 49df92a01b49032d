/** A shell command in a session and process group of its own, so that all it started can be ended together. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setImmediate as nextRound, setTimeout as wait } from 'node:timers/promises';
import type { Limits } from '../../../limits.ts';
import type { SandboxedStart } from '../../sandbox/sandbox.ts';

export interface GroupStart {
  readonly script: string;
  /** In place of bash with the script: the sandbox that runs it. Its environment is all that it may know. */
  readonly sandbox?: Pick<SandboxedStart, 'program' | 'args' | 'environment'> | undefined;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  onOutput(bytes: Buffer): void;
}

export interface ProcessGroup {
  /** Its number; undefined where nothing could be started. */
  readonly id: number | undefined;
  /** The leader has ended and its output is in; what it left behind may still run. */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: string | null;
    readonly error: Error | null;
  }>;
  isRunning(): boolean;
  /** Asks all of the group to end, and kills what does not. */
  stop(graceMs: number): Promise<void>;
  /** Kills at once; for when there is no time to wait. */
  kill(): void;
}

const BASH = '/bin/bash';
const POLL_MS = 20;
/** How long a killed process may take to leave the process table. */
const KILLED_MS = 1_000;

/**
 * The output goes through `cat` because Node hands out sockets, which cannot be opened by name: `echo hi >/dev/stderr` would
 * fail. It ignores the signal that ends the group, so that the last words of the others still arrive. The second shell
 * takes the place of the first and does not know `cat` as a job of its own, so that a plain `wait` does not wait for it.
 */
const THROUGH_CAT = `exec > >(trap '' TERM INT HUP; exec cat) 2>&1; exec "$@"`;

function spawnShell({ script, cwd, environment, sandbox }: GroupStart) {
  const inner = sandbox === undefined ? [BASH, '-c', script] : [sandbox.program, ...sandbox.args];
  const words: [string, string[]] = existsSync(BASH)
    ? [BASH, ['-c', THROUGH_CAT, BASH, ...inner]]
    : ['/bin/sh', ['-c', `exec 2>&1; ${script}`]];
  return spawn(...words, {
    cwd,
    env: sandbox?.environment ?? environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

export function startGroup(start: GroupStart, limits: Pick<Limits['shell'], 'drainMs' | 'mostDrainMs'>): ProcessGroup {
  let child: ReturnType<typeof spawnShell>;
  try {
    child = spawnShell(start);
  } catch (error) {
    // A command longer than the system takes is refused on the spot.
    return neverStarted(error instanceof Error ? error : new Error(String(error)));
  }
  let lastOutputMs = Date.now();
  const onData = (bytes: Buffer) => {
    lastOutputMs = Date.now();
    start.onOutput(bytes);
  };
  // Read to the end even when nobody listens any more: what goes on in the background must not be stopped by a full pipe.
  child.stdout.on('data', onData);
  child.stderr.on('data', onData);
  let isClosed = false;
  child.once('close', () => {
    isClosed = true;
  });

  const ended = endOf(child).then(async (end) => {
    // What it left behind may hold the output open: then silence is its end, and a while of it if that never comes.
    lastOutputMs = Date.now();
    const untilMs = lastOutputMs + limits.mostDrainMs;
    const isSilent = () => Date.now() - lastOutputMs >= limits.drainMs;
    const isOver = () => isClosed || isSilent() || Date.now() >= untilMs;
    do {
      while (!isOver()) await wait(POLL_MS);
      // On a busy machine the time may be over before what was written is read.
      await nextRound();
    } while (!isOver());
    if (!isClosed) letGo(child);
    return end;
  });
  const signalGroup = (signal: NodeJS.Signals | 0) => signalTo(child.pid, signal);
  const isRunning = () => signalGroup(0) && hasLivingMember(child.pid);
  return {
    id: child.pid,
    ended,
    isRunning,
    async stop(graceMs) {
      if (!isRunning() || !signalGroup('SIGTERM')) return;
      if (await isGone(() => !isRunning(), graceMs)) return;
      signalGroup('SIGKILL');
      await isGone(() => !isRunning(), KILLED_MS);
    },
    kill: () => {
      signalGroup('SIGKILL');
    },
  };
}

function neverStarted(error: Error): ProcessGroup {
  const ended = Promise.resolve({ code: null, signal: null, error });
  return { id: undefined, ended, isRunning: () => false, stop: async () => undefined, kill: () => undefined };
}

/** A process that is left running must not keep ours from ending. */
function letGo(child: ChildProcess): void {
  for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref?(): void } | null)?.unref?.();
}

function endOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null; error: Error | null }> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal, error: null }));
  });
}

function signalTo(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

async function isGone(hasGone: () => boolean, withinMs: number): Promise<boolean> {
  for (const until = Date.now() + withinMs; Date.now() < until; ) {
    if (hasGone()) return true;
    await wait(POLL_MS);
  }
  return hasGone();
}

/** The dead count as members until somebody waits for them, which in a container may be never; only Linux tells. */
function hasLivingMember(group: number | undefined): boolean {
  if (process.platform !== 'linux') return true;
  return processes().some((pid) => {
    const [state, , memberOf] = statFields(pid);
    return memberOf === String(group) && state !== 'Z' && state !== 'X';
  });
}

/** State, parent and group; the name before them may hold anything. */
function statFields(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
  } catch {
    return [];
  }
}

function processes(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** Processes that left their group but still carry our mark in their environment; only Linux tells. */
export function markedProcesses(mark: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  return processes().filter((pid) => {
    if (pid === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark);
    } catch {
      return false;
    }
  });
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {}
  }
}
