/** A server that runs as a program of ours: in a process group of its own, with a mark by which all it started is found and ended with it. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AGENT_MARK } from '../../base/agent-mark.ts';
import { createDeathWatch } from '../tools/shell/death-watch.ts';
import { markedProcesses, signalAll } from '../tools/shell/process-group.ts';
import type { ProgramPlan } from './server-plan.ts';

export interface ServerProcess {
  /** Rejects with the reason when the program cannot be started. */
  readonly started: Promise<void>;
  /** When `onEnd` was told; never rejects. */
  readonly ended: Promise<void>;
  write(text: string): Promise<void>;
  /** Asks all of it to end, and kills what does not. */
  stop(): Promise<void>;
  /** Kills at once; for when there is no time to wait. */
  kill(): void;
}

export interface ProcessPorts {
  readonly killGraceMs: number;
  onOutput(chunk: Buffer): void;
  onErrorOutput(chunk: Buffer): void;
  /** The program has ended and its output is in. */
  onEnd(how: string): void;
}

const MARK_NAME = 'REVERIE_MCP_SERVER';
const POLL_MS = 25;
/** How long a killed process may take to leave the process table. */
const KILLED_MS = 1_000;
/** What a program left behind may hold its output open for ever. */
const DRAIN_MS = 100;
const HAS_GROUPS = process.platform !== 'win32';

export function startServerProcess(plan: ProgramPlan, ports: ProcessPorts): ServerProcess {
  const mark = randomBytes(12).toString('hex');
  const deathWatch = createDeathWatch(`${MARK_NAME}=${mark}`);
  deathWatch.open();
  const child = spawn(plan.command, [...plan.arguments], {
    cwd: plan.cwd,
    env: { ...plan.environment, ...AGENT_MARK, [MARK_NAME]: mark },
    detached: HAS_GROUPS,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  if (child.pid !== undefined) deathWatch.add(child.pid);
  let hasEnded = false;
  let tellEnded = () => {};
  const ended = new Promise<void>((resolve) => {
    tellEnded = resolve;
  });

  function onEnd(how: string): void {
    if (!hasEnded) ports.onEnd(how);
    hasEnded = true;
    tellEnded();
  }

  child.stdout.on('data', ports.onOutput).on('error', () => undefined);
  child.stderr.on('data', ports.onErrorOutput).on('error', () => undefined);
  // A server that has gone does not read on; its end is told by the process, not by the pipe.
  child.stdin.on('error', () => undefined);
  const words = (code: number | null, signal: string | null) =>
    signal === null ? `exit code ${code}` : `signal ${signal}`;
  // Once more round the loop: on a busy machine the time may be over before what was written is read.
  child.once('exit', (...end) => setTimeout(() => setImmediate(() => onEnd(words(...end))), DRAIN_MS));
  child.once('close', (...end) => onEnd(words(...end)));
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      onEnd(error.message);
      reject(error);
    });
  });

  function signal(name: NodeJS.Signals): void {
    if (child.pid === undefined) return;
    signalAll([HAS_GROUPS ? -child.pid : child.pid], name);
    signalAll(markedProcesses(`${MARK_NAME}=${mark}`), name);
  }

  function isRunning(): boolean {
    if (child.pid === undefined) return false;
    if (process.platform === 'linux') return markedProcesses(`${MARK_NAME}=${mark}`).length > 0;
    return HAS_GROUPS ? isThere(-child.pid) : child.exitCode === null && child.signalCode === null;
  }

  async function isGone(withinMs: number): Promise<boolean> {
    for (const until = Date.now() + withinMs; Date.now() < until; ) {
      if (!isRunning()) return true;
      await wait(POLL_MS);
    }
    return !isRunning();
  }

  return {
    started,
    ended,
    write: (text) =>
      new Promise((resolve, reject) => {
        child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    async stop() {
      child.stdin.end();
      if (isRunning()) {
        signal('SIGTERM');
        if (!(await isGone(ports.killGraceMs))) {
          signal('SIGKILL');
          await isGone(KILLED_MS);
        }
      }
      deathWatch.close();
      // What escaped and still holds a pipe must not keep us from ending.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    },
    kill: () => signal('SIGKILL'),
  };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
