/** MEMORY.md on disk, and a copy of it as Reverie last left it: so a person's edit can be told, journalled and taken back. */

import { isUtf8 } from 'node:buffer';
import { readFile } from '../store/commit.ts';
import { hashOf } from '../store/contents.ts';
import type { JournalledFolder } from '../store/journalled-folder.ts';
import type { Stamp } from '../store/stamp.ts';
import type { SecretScan } from './folder-context.ts';
import { INDEX_FILE } from './walk.ts';

const LEFT_FILE = 'index-as-left.md';
const WITHHELD = /^withheld ([0-9a-f]{64})\n$/;

export interface IndexOnDisk {
  /** Null when it is not UTF-8: then no line of it is touched. */
  readonly text: string | null;
  readonly onDisk: { readonly bytes: Buffer; readonly stamp: Stamp };
}

export function readIndex(store: JournalledFolder): IndexOnDisk | null {
  const onDisk = readFile(store.root, INDEX_FILE);
  return onDisk && { text: isUtf8(onDisk.bytes) ? onDisk.bytes.toString('utf8') : null, onDisk };
}

export interface IndexAsLeft {
  readonly hash: string;
  /** Null when the text holds a secret and was not copied. */
  readonly bytes: Buffer | null;
}

export function indexAsLeft(store: JournalledFolder): IndexAsLeft | null {
  const bytes = store.journalFolder.read(LEFT_FILE);
  if (bytes === null) return null;
  const withheld = WITHHELD.exec(bytes.toString('latin1', 0, 80))?.[1];
  return withheld === undefined ? { hash: hashOf(bytes), bytes } : { hash: withheld, bytes: null };
}

/** Notes the index as it was written or read, which is not necessarily what is on disk by now. */
export async function noteIndexAsLeft(
  store: JournalledFolder,
  secrets: SecretScan,
  index: Buffer | null,
): Promise<void> {
  if (index === null) {
    store.journalFolder.remove(LEFT_FILE);
    return;
  }
  const last = indexAsLeft(store);
  // What Reverie itself wrote since was scanned then; a person's own lines were not.
  const isClean = last?.bytes != null || (await secrets.describeSecretsIn(index.toString('utf8'))) === null;
  const noted = isClean ? index : Buffer.from(`withheld ${hashOf(index)}\n`);
  const name = await store.temporary.stage(noted, { durable: false });
  store.journalFolder.moveIn({ from: store.temporary, name }, LEFT_FILE, 'replace');
}
