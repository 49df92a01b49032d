/** Says in a file whose word it is, whatever it says itself. */

import type { MemorySource } from '../../base/taxonomy.ts';
import { factsOf } from './header.ts';
import { editMemoryFile, parseMemoryFile } from './memory-file.ts';

/** Front matter that cannot be edited safely becomes part of the text, below one of ours: there it claims nothing. */
export function withSource(bytes: Uint8Array, source: MemorySource, more: Parameters<typeof editMemoryFile>[1] = {}) {
  const edited = editMemoryFile(bytes, { ...more, set: { source, ...more.set } });
  if ('bytes' in edited && sourceIn(edited.bytes) === source) return edited.bytes;
  return Buffer.concat([Buffer.from(`---\nsource: ${source}\n---\n\n`), bytes]);
}

export function sourceIn(bytes: Uint8Array): MemorySource {
  const { body: _body, ...parsed } = parseMemoryFile(bytes);
  return factsOf('', parsed).source;
}
