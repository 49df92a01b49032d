/** Contents by their SHA-256, beside the journal: what a file held before and after each change, kept once. */

import { createHash } from 'node:crypto';
import type { Folder } from './folder.ts';

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface Contents {
  /** Written when the promise settles, to the disk if `durable`; what is there already is not written again. */
  put(bytes: Uint8Array, options?: { readonly durable: boolean }): Promise<string>;
  /** Null when it was withheld or purged, and when what is there is not what its name says. */
  get(hash: string): Buffer | null;
  has(hash: string): boolean;
  hashes(): readonly string[];
  remove(hash: string): void;
  sync(): Promise<void>;
}

export function openContents(places: { contents: Folder; temporary: Folder }): Contents {
  const { contents, temporary } = places;
  return {
    async put(bytes, options) {
      const hash = hashOf(bytes);
      if (contents.stat(hash)?.size === bytes.length) return hash;
      const name = await temporary.stage(bytes, options);
      contents.moveIn({ from: temporary, name }, hash, 'replace');
      return hash;
    },
    get(hash) {
      const bytes = contents.read(hash);
      return bytes !== null && hashOf(bytes) === hash ? bytes : null;
    },
    has: (hash) => contents.stat(hash) !== null,
    hashes: () => contents.entries().map((entry) => entry.name),
    remove: (hash) => contents.remove(hash),
    sync: () => contents.sync(),
  };
}
