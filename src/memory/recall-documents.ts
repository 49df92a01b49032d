/** The memories of open folders as recall takes them in; apart from recall itself, which is much to load. */

import { hashOf } from '../disk/contents.ts';
import type { DocumentSource } from '../search/local-index.ts';
import type { LookedFile } from './files/look.ts';
import { parseMemoryFile } from './files/memory-file.ts';
import type { MemoryFolder } from './history/memory-folder.ts';
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
      const { name, description, created } = looked.facts;
      const { body, aliases } = parseMemoryFile(bytes);
      return {
        key,
        hash: looked.hash === null ? hash : hashOf(bytes),
        name,
        description,
        aliases: aliases.join(', '),
        ...(created === null ? {} : { date: created }),
        body,
      };
    },
  };
}
