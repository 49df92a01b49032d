/**
 * Ends what we started when we are gone without having ended it ourselves, killed outright for one: a small shell beside us
 * that hears of each process group over a pipe. The pipe ends with us, however that comes about.
 */

import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { signalAll } from './process-group.ts';

export interface DeathWatch {
  /** To be called before a group is started: should we die before we can name it, it is found by its mark. */
  open(): void;
  /** The leader of a group that has to go with us. */
  add(group: number): void;
  /** It has ended; its number may be another's soon. */
  remove(group: number): void;
  /** Kills them at once; for when we end by ourselves and there is no time to wait. */
  killAll(): void;
  /** All is well: it ends, and does nothing. */
  close(): void;
}

/**
 * What left its group is found by its mark, where the system shows the environment of a process. `sleep` gives the asked a
 * second; a shell without fractions of one would wait longer.
 */
const SCRIPT = `trap '' HUP INT TERM
groups=
while read -r word group; do
  case $word in
    add) groups="$groups $group" ;;
    remove) kept=; for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done; groups=$kept ;;
    close) exit 0 ;;
  esac
done
strike() {
  for each in $groups; do kill -s "$1" -- "-$each"; done
  for each in $(grep -lsaF -e "$0" /proc/[0-9]*/environ); do each=\${each#/proc/}; kill -s "$1" "\${each%/environ}"; done
}
strike TERM
sleep 1
strike KILL`;

/** `mark`: `NAME=value` that all of them carry in their environment, and nobody else. Started before the first group. */
export function createDeathWatch(mark: string): DeathWatch {
  let pipe: Writable | null = null;
  const groups = new Set<number>();

  function start(): Writable {
    // A session of its own: what ends our group or closes our terminal must not end the watch before us.
    const child = spawn('/bin/sh', ['-c', SCRIPT, mark], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      cwd: '/',
    });
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    child.unref();
    (child.stdin as unknown as { unref?(): void }).unref?.();
    return child.stdin;
  }

  const tell = (line: string) => void pipe?.write(`${line}\n`);
  return {
    open() {
      if (process.platform !== 'win32') pipe ??= start();
    },
    add(group) {
      groups.add(group);
      tell(`add ${group}`);
    },
    remove(group) {
      if (groups.delete(group)) tell(`remove ${group}`);
    },
    killAll: () =>
      signalAll(
        [...groups].map((group) => -group),
        'SIGKILL',
      ),
    close() {
      groups.clear();
      pipe?.end('close\n');
      pipe = null;
    },
  };
}
