/** The memories of open folders as recall takes them in; apart from recall itself, which is much to load. */

import type { LookedFile } from '../memory/look.ts';
import { parseMemoryFile } from '../memory/memory-file.ts';
import type { MemoryFolder } from '../memory/memory-folder.ts';
import type { DocumentSource } from '../recall/local-index.ts';
import { hashOf } from '../store/contents.ts';
import type { Scopes } from './scopes.ts';

export function marksOf({ folders }: Pick<Scopes, 'folders'>): string {
  return folders.map((folder) => folder.mark()).join(' ');
}

export function documentSource(key: string, folder: MemoryFolder, looked: LookedFile): DocumentSource {
  const { inode, size, mtimeMs } = looked.stamp;
  const hash = looked.hash ?? `${inode}-${size}-${mtimeMs}`;
  return {
    key,
    hash,
    read() {
      const bytes = folder.read(looked.file);
      if (bytes === null) return null;
      const { name, description } = looked.facts;
      return {
        key,
        hash: looked.hash === null ? hash : hashOf(bytes),
        name,
        description,
        body: parseMemoryFile(bytes).body,
      };
    },
  };
}
