/** Which files that a conversation read are memories that the user said. */

import { resolve } from 'node:path';
import type { Entry } from '../conversation/entry.ts';
import { toolUsesOf } from '../conversation/message.ts';
import type { Memory } from '../memory/memory.ts';

export async function usersWordIn(
  entries: readonly Entry[],
  { memory, cwd }: { readonly memory: Memory; readonly cwd: string },
): Promise<(path: string) => boolean> {
  const folders = Object.values(memory.folders);
  const isOfMemory = (path: unknown) =>
    typeof path === 'string' && folders.some((folder) => resolve(cwd, path).startsWith(folder));
  const calls = entries.flatMap(({ message }) => toolUsesOf(message.content));
  // Most conversations read no memory file, and there may be thousands to list.
  if (!calls.some(({ name, input }) => name === 'Read' && isOfMemory(input.file_path))) return () => false;
  const said = new Set((await memory.list()).flatMap(({ path, source }) => (source === 'said' ? [path] : [])));
  return (path) => said.has(resolve(cwd, path));
}
