/** Processes that a test started, told from all others by a number in their command lines. */

import { readdirSync, readFileSync } from 'node:fs';

export const canSeeProcesses = process.platform === 'linux';

/** In the command line of everything that is started, and of nothing else. */
export function newToken(): string {
  return String(Math.floor(Math.random() * 1e12)).padStart(12, '1');
}

/** By their numbers: what the command line says of those that carry the token, Reverie itself aside. */
export function startedWith(token: string): ReadonlyMap<number, string> {
  const found = readdirSync('/proc').flatMap((name): [number, string][] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const isReverie = line.includes('dist/main.js') || line.includes('-worker.mjs');
      return line.includes(token) && !isReverie ? [[Number(name), line]] : [];
    } catch {
      return [];
    }
  });
  return new Map(found);
}

/** So that a test that fails leaves nobody behind. */
export function endAllWith(token: string): void {
  for (const pid of startedWith(token).keys()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Milliseconds until nobody who carries the token runs; throws with those who still do. */
export async function untilGone(token: string, patienceMs: number): Promise<number> {
  const fromMs = performance.now();
  for (;;) {
    const left = [...startedWith(token).values()];
    const passedMs = performance.now() - fromMs;
    if (left.length === 0) return passedMs;
    if (passedMs > patienceMs) throw new Error(`still there: ${left.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
