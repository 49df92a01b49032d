/** Finds every system call of an operation that touches the store, and lets a process die or fail at one of them. */

import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { WorkerProcess } from './worker-process.ts';

export interface CallPoint {
  readonly thread: 'main' | 'pool';
  readonly call: string;
  /** Which one of its kind in its thread, from 1 on. */
  readonly nth: number;
  /** The call as strace shows it. */
  readonly shown: string;
}

/** Calls that can change what is on the disk. */
const MUTATING_CALLS = [
  ...['openat', 'open', 'creat', 'write', 'writev', 'pwrite64', 'pwritev', 'fsync', 'fdatasync'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'symlink', 'symlinkat', 'unlink', 'unlinkat', 'rmdir'],
  ...['mkdir', 'mkdirat', 'truncate', 'ftruncate', 'chmod', 'fchmod', 'fchmodat', 'copy_file_range', 'sendfile'],
];
const BY_DESCRIPTOR = new Set(['write', 'writev', 'pwrite64', 'pwritev', 'fsync', 'fdatasync', 'ftruncate', 'fchmod']);

/** Null when strace works here, else why not. Root gets it installed. */
export function whyNoStrace(): string | null {
  const works = () => {
    try {
      execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  if (process.platform !== 'linux') return 'strace exists on Linux only';
  if (works()) return null;
  if (process.getuid?.() !== 0) return 'strace does not work here, and installing it needs root';
  try {
    // A new machine has no package lists yet.
    execFileSync('apt-get', ['update'], { stdio: 'ignore', timeout: 120_000 });
    execFileSync('apt-get', ['install', '-y', 'strace'], { stdio: 'ignore', timeout: 120_000 });
  } catch {
    return 'strace is not installed, and apt-get could not install it';
  }
  return works() ? null : 'strace is installed but may not trace here';
}

/** Lets a waiting worker do its work and lists the calls that touched the store, in order. */
export async function traceCalls(
  worker: WorkerProcess,
  places: { readonly store: string; readonly output: string },
): Promise<CallPoint[]> {
  const options = ['-f', '-y', '-e', `trace=${MUTATING_CALLS.join(',')}`];
  await letGoUnder(worker, { thread: worker.pid, options, output: places.output });
  return pointsOf(readFileSync(places.output, 'utf8'), { mainThread: worker.pid, store: places.store });
}

function pointsOf(trace: string, facts: { readonly mainThread: number; readonly store: string }): CallPoint[] {
  const counts = new Map<string, number>();
  return trace.split('\n').flatMap((line): CallPoint[] => {
    const parts = /^(\d+)\s+(\w+)\((.*)/.exec(line);
    if (parts === null) return [];
    const [, thread = '', call = '', rest = ''] = parts;
    const key = `${thread} ${call}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    if (!touchesStore(call, rest, facts.store)) return [];
    return [{ thread: Number(thread) === facts.mainThread ? 'main' : 'pool', call, nth, shown: `${call}(${rest}` }];
  });
}

function touchesStore(call: string, rest: string, store: string): boolean {
  if (call === 'openat' || call === 'open') return rest.includes('O_CREAT') || rest.includes('O_TRUNC');
  return !BY_DESCRIPTOR.has(call) || rest.slice(0, rest.indexOf('>')).includes(`<${store}`);
}

/**
 * Lets a waiting worker do its work until it comes to a point, and there it is killed or the call fails. Calls are
 * counted, and now and then Node makes one more of its own: then a failure goes astray and hits no call of the store.
 */
export async function strikeAt(
  worker: WorkerProcess,
  strike: {
    readonly point: CallPoint;
    /** `signal=KILL`, `error=EIO` … */
    readonly effect: string;
    /** Whether every later call of the kind fails too, as on a disk that stays broken. */
    readonly onwards?: boolean;
    readonly store: string;
    readonly output: string;
  },
): Promise<{ readonly wasHit: boolean; readonly wentAstray: boolean }> {
  const { point, effect } = strike;
  const ready = (await worker.line('READY')) ?? '';
  const thread = point.thread === 'main' ? worker.pid : Number(ready.split(' ')[1]);
  const when = `${point.nth}${strike.onwards ? '+' : ''}`;
  const options = ['-y', '-e', `trace=${point.call}`, '-e', `inject=${point.call}:${effect}:when=${when}`];
  await letGoUnder(worker, { thread, options, output: strike.output });
  const isKilled = (await worker.ended).signal !== null;
  const failed = readFileSync(strike.output, 'utf8').match(/^.*\(INJECTED\)$/m)?.[0];
  return {
    wasHit: effect.startsWith('signal') ? isKilled : failed !== undefined,
    wentAstray: failed !== undefined && !touchesStore(point.call, failed, strike.store),
  };
}

/** Attaches to the threads of a worker that waits for a byte, gives it the byte, and sees it to its end. */
async function letGoUnder(
  worker: WorkerProcess,
  tracing: { readonly thread: number; readonly options: readonly string[]; readonly output: string },
): Promise<void> {
  if ((await worker.line('READY')) === null) throw new Error(`the worker did not start: ${worker.complaints()}`);
  const args = [...tracing.options, '-o', tracing.output, '-p', String(tracing.thread)];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const hasEnded = new Promise<void>((resolve) => tracer.on('close', () => resolve()));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('attached')) resolve();
    });
    tracer.on('close', () => reject(new Error(`strace could not attach: ${said}`)));
  });
  worker.tell('.');
  await worker.ended;
  await hasEnded;
}
