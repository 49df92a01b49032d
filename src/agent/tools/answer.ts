/** How tools answer: text, and errors that say what to do next. */

import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ReverieError } from '../../errors.ts';
import type { ToolInput, ToolPorts, ToolResult } from '../tool.ts';

export function failed(content: string): ToolResult {
  return { content, isError: true };
}

/** Input was checked against the schema before; these only name the types it then has. */
export function textIn(input: ToolInput, name: string): string {
  return String(input[name] ?? '');
}

export function numberIn(input: ToolInput, name: string): number | null {
  const value = input[name];
  return typeof value === 'number' ? value : null;
}

export function isSet(input: ToolInput, name: string): boolean {
  return input[name] === true;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

// Paths as a model writes them, made absolute; and shown short again.

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
