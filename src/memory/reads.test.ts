/** The listing of a memory, whatever the number of its files. */

import { expect, it } from 'vitest';
import { factsOf } from './files/header.ts';
import { parseMemoryFile } from './files/memory-file.ts';
import type { MemoryFolder } from './history/memory-folder.ts';
import { memoryReads } from './reads.ts';
import type { Scopes } from './scopes.ts';

it('lists a folder of more files than a function takes arguments, in the order of their names', async () => {
  const facts = factsOf('a.md', parseMemoryFile(Buffer.from('---\nname: A\ntype: user\n---\n\nText.\n')));
  const stamp = { inode: 1, size: 1, mtimeMs: 1, ctimeMs: 1 };
  const files = Array.from({ length: 200_000 }, (_, at) => ({ file: `${at}.md`, facts, stamp }));
  const folder = { scope: 'project', path: '/memory', look: () => ({ files }) } as unknown as MemoryFolder;
  const listed = await memoryReads({ folders: [folder] } as unknown as Scopes).list();
  expect(listed).toHaveLength(200_000);
  expect(listed.slice(0, 3).map(({ file }) => file)).toEqual(['0.md', '1.md', '10.md']);
});
