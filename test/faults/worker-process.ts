/** A child process that speaks in lines: READY when it may begin, then what it did. */

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DIST_URL } from './fault-run.ts';

export interface WorkerProcess {
  readonly pid: number;
  readonly lines: readonly string[];
  /** What it wrote to stderr; a worker that means well writes nothing there. */
  complaints(): string;
  /** The first line that begins so; null when the process ended without one. */
  line(start: string): Promise<string | null>;
  tell(text: string): void;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export function startWorker(
  script: string,
  facts: object,
  options: { readonly env?: NodeJS.ProcessEnv } = {},
): WorkerProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [path, JSON.stringify({ dist: DIST_URL, ...facts })], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1', ...options.env },
  });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  let rest = '';
  let complaints = '';
  let hasEnded = false;
  const wake = () => {
    for (const listener of [...listeners]) listener();
  };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    wake();
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  // The other end may have been killed before it read what it was told.
  child.stdin!.on('error', () => undefined);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => {
      hasEnded = true;
      wake();
      resolve({ code, signal });
    });
  });

  return {
    pid: child.pid ?? -1,
    lines,
    complaints: () => complaints,
    line(start) {
      return new Promise((resolve) => {
        const look = () => {
          const found = lines.find((line) => line.startsWith(start));
          if (found === undefined && !hasEnded) return;
          listeners.delete(look);
          resolve(found ?? null);
        };
        listeners.add(look);
        look();
      });
    },
    tell: (text) => void child.stdin!.write(text),
    signal: (name) => void child.kill(name),
    ended,
  };
}
