/** Runs one hook command through the shell: fed with JSON, bounded in time and output, and gone with its children when its time is over. */

import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Limits } from '../../limits.ts';
import type { DeathWatch } from '../tools/shell/death-watch.ts';

/** How long the output of a command that ended is waited for: what it left behind may keep it open. */
const DRAIN_MS = 200;

export interface CommandFacts {
  readonly command: string;
  readonly stdin: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly limits: Limits['userHooks'];
  readonly signal: AbortSignal;
  /** Sees to it that the command does not outlive us. */
  readonly deathWatch?: DeathWatch;
}

export type CommandEnd =
  | {
      readonly kind: 'exited';
      readonly code: number | null;
      readonly stdout: string;
      readonly stderr: string;
      readonly isCut: boolean;
    }
  | { readonly kind: 'timed-out' | 'flooded' | 'aborted' }
  | { readonly kind: 'not-started'; readonly reason: string };

export function runCommand(facts: CommandFacts): Promise<CommandEnd> {
  if (facts.signal.aborted) return Promise.resolve({ kind: 'aborted' });
  facts.deathWatch?.open();
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', facts.command], {
      cwd: facts.cwd,
      env: { ...facts.environment },
      // A group of its own, so that everything it starts can be ended with it.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) facts.deathWatch?.add(child.pid);
    const timers: NodeJS.Timeout[] = [];
    let isOver = false;
    const finish = (end: CommandEnd) => {
      if (isOver) return;
      isOver = true;
      if (child.pid !== undefined) facts.deathWatch?.remove(child.pid);
      for (const timer of timers) clearTimeout(timer);
      facts.signal.removeEventListener('abort', onAbort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      resolve(end);
    };
    const end = (kind: 'timed-out' | 'flooded' | 'aborted') => {
      killGroup(child);
      finish({ kind });
    };
    const onAbort = () => end('aborted');
    facts.signal.addEventListener('abort', onAbort, { once: true });
    timers.push(setTimeout(() => end('timed-out'), facts.timeoutMs));

    const onFlood = () => end('flooded');
    const stdout = keepStart(child.stdout, { ...facts.limits, onFlood });
    const stderr = keepStart(child.stderr, { ...facts.limits, onFlood });
    const exited = (code: number | null) =>
      finish({ kind: 'exited', code, stdout: stdout.text(), stderr: stderr.text(), isCut: stdout.isCut() });
    child.on('error', (error) => finish({ kind: 'not-started', reason: error.message }));
    child.on('close', exited);
    // What it left running in the background may hold its output open for ever.
    child.on('exit', (code) => timers.push(setTimeout(() => exited(code), DRAIN_MS)));
    // A command that does not read its input is no error.
    child.stdin.on('error', () => {});
    child.stdin.end(facts.stdin);
  });
}

function keepStart(
  stream: Readable,
  limits: Pick<Limits['userHooks'], 'outputBytes' | 'floodBytes'> & { readonly onFlood: () => void },
): { text(): string; isCut(): boolean } {
  const kept: Buffer[] = [];
  let [keptBytes, seenBytes] = [0, 0];
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    seenBytes += chunk.length;
    const room = limits.outputBytes - keptBytes;
    // A copy: a slice would keep the whole chunk alive.
    if (room > 0) kept.push(Buffer.from(chunk.subarray(0, room)));
    keptBytes += Math.min(room, chunk.length);
    if (seenBytes > limits.floodBytes) limits.onFlood();
  });
  return { text: () => Buffer.concat(kept).toString('utf8'), isCut: () => seenBytes > keptBytes };
}

/** Without a warning: it had its time, and we may be gone before a second signal. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of them are gone already.
  }
}
