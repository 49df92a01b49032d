/** Paths as a model writes them, made absolute; and shown short again. */

import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ReverieError } from '../../errors.ts';
import type { ToolPorts } from '../tool.ts';

type Place = Pick<ToolPorts, 'cwd' | 'environment'>;

export function absolutePath(path: string, place: Place): string {
  if (path.trim() === '') throw new ReverieError({ code: 'usage', message: 'The path is empty.' });
  if (path.includes('\0')) throw new ReverieError({ code: 'usage', message: 'The path holds a NUL character.' });
  if (path === '~' || path.startsWith('~/')) return join(place.environment.HOME || homedir(), path.slice(1));
  return resolve(place.cwd, path);
}

/** Below the working directory without it, elsewhere in full. */
export function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  if (below === '') return '.';
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? path : below;
}
