/** A hook whose work may block its thread runs in a child: the parent stays awake, and answers in time whatever the child does. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseLine } from '../disk/tail.ts';
import { recallDirectory } from '../memory/derived-files.ts';
import { INDEX_FILE } from '../memory/files/walk.ts';
import type { Place } from '../settings/place.ts';
import { CHILD_MARK } from './run/event.ts';

/** Far more than an index of ten thousand memories has: somebody put something else there. */
const STRANGE_INDEX_BYTES = 8_388_608;
/** About two thousand memories: to take them all in for the first time takes seconds. */
const LARGE_INDEX_BYTES = 200_000;

/** One stat a folder; an ordinary hook starts no child. */
export function isHeavy(place: Place): boolean {
  const sizes = place.folders.map(({ path }) => {
    return statSync(join(path, INDEX_FILE), { throwIfNoEntry: false })?.size ?? 0;
  });
  const largest = Math.max(0, ...sizes);
  return largest > STRANGE_INDEX_BYTES || (largest > LARGE_INDEX_BYTES && !existsSync(recallDirectory(place)));
}

export interface HookChild {
  /** What the child answered; nothing when it failed, which it has noted itself. */
  readonly answer: Promise<Readonly<Record<string, unknown>>>;
  stop(): void;
}

/** The same command once more, with the same payload. */
export function startHookChild(target: Pick<NodeJS.Process, 'execPath' | 'argv' | 'env'>, payload: string): HookChild {
  const child: ChildProcess = spawn(target.execPath, target.argv.slice(1), {
    env: { ...target.env, [CHILD_MARK]: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(payload);
  const answer = new Promise<Readonly<Record<string, unknown>>>((resolve) => {
    child.on('error', () => resolve({}));
    child.on('close', () => resolve(parseLine(printed) ?? {}));
  });
  return { answer, stop: () => void child.kill('SIGKILL') };
}
