/** Which files are memories that the user said. */

import { resolve } from 'node:path';
import type { Memory } from '../memory/memory.ts';

export async function usersWordIn(memory: Memory, cwd: string): Promise<(path: string) => boolean> {
  const said = new Set((await memory.list()).flatMap(({ path, source }) => (source === 'said' ? [path] : [])));
  return (path) => said.has(resolve(cwd, path));
}
