/** A tool's whole result on disk, in the session's folder: written once, never over another. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createFolder } from '../../disk/folder.ts';
import { ReverieError } from '../../errors.ts';
import type { StoreResult } from './index.ts';

const SAFE_ID = /^[A-Za-z0-9_-]{1,100}$/;

export async function storeToolResult(folder: string, result: StoreResult): Promise<string> {
  const held = createFolder(folder);
  try {
    // The id comes from the model: anything that could be a path becomes a name of our own.
    const id = SAFE_ID.test(result.toolUseId) ? result.toolUseId : hashOf(Buffer.from(result.toolUseId));
    const name = `${id}.${result.extension}`;
    const staged = await held.stage(result.bytes);
    if (held.moveIn({ from: held, name: staged }, name, 'create')) return join(folder, name);
    held.discard(staged);
    // A replay of the same call finds its own file.
    if (held.read(name)?.equals(result.bytes) === true) return join(folder, name);
    throw new ReverieError({ code: 'refused', message: `${join(folder, name)} holds another result` });
  } finally {
    held.close();
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
