/** MEMORY.md of one scope as a conversation would get it: within the limits of the index. */

import type { MemoryScope } from '../base/taxonomy.ts';
import { openFolder } from '../disk/folder.ts';
import { ReverieError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { INDEX_FILE } from '../memory/files/walk.ts';
import { loadIndex } from '../memory/index/index-file.ts';
import type { Memory } from '../memory/memory.ts';

export async function readIndexText(memory: Memory, scope: MemoryScope): Promise<string> {
  const folder = memory.folders[scope];
  if (folder === undefined) throw new ReverieError({ code: 'not-found', message: `There is no ${scope} memory here` });
  const index = readIndexFile(folder);
  if (index === null) return 'Nothing is remembered yet.\n';
  const entries = new Map(
    (await memory.list()).filter((entry) => entry.scope === scope).map((entry) => [entry.file, entry]),
  );
  const { text, notice } = loadIndex(index, {
    limits: LIMITS.index,
    isPinned: (file) => entries.get(file)?.pinned === true,
    modified: (file) => Date.parse(entries.get(file)?.modified ?? '') || 0,
  });
  return notice === null ? text : `${text}\n${notice}\n`;
}

/** Through the folder's descriptor: a link in place of the index leads nowhere. */
function readIndexFile(path: string): string | null {
  const folder = openFolder(path);
  try {
    return folder?.read(INDEX_FILE)?.toString('utf8') ?? null;
  } finally {
    folder?.close();
  }
}
