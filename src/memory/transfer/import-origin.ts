/** Notes in an imported memory that it was imported, and where from; changes nothing else in it. */

import { editMemoryFile, parseMemoryFile } from '../files/memory-file.ts';

/** What the file says about its origin stays, since it knows better; whose word it is was settled elsewhere, and does not count here. */
export function withImportOrigin(bytes: Uint8Array, origin: { from: string; at: string; host?: string }): Uint8Array {
  const parsed = parseMemoryFile(bytes);
  const { from, at, host } = origin;
  const set = {
    ...(parsed.meta.source === 'imported' ? {} : { source: 'imported' }),
    ...(parsed.origin === null ? { origin: { from, imported: at, ...(host === undefined ? {} : { host }) } } : {}),
  };
  if (Object.keys(set).length === 0) return bytes;
  const edited = editMemoryFile(bytes, { set });
  // Front matter that cannot be edited safely is kept as it is; the journal still says where the file came from.
  return 'refused' in edited ? bytes : edited.bytes;
}
