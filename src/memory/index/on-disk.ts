/** MEMORY.md on disk, and a copy of it as Reverie last left it: so a person's edit can be told, journalled and taken back. */

import { isUtf8 } from 'node:buffer';
import { readFile } from '../../disk/commit.ts';
import { hashOf } from '../../disk/contents.ts';
import type { JournalledFolder } from '../../disk/journal/journalled-folder.ts';
import type { Stamp } from '../../disk/stamp.ts';
import { INDEX_FILE } from '../files/walk.ts';
import type { SecretScan } from '../history/folder-context.ts';

const LEFT_FILE = 'index-as-left.md';
const WITHHELD = /^withheld ([0-9a-f]{64})\n$/;
/** One more than such a line has, so that a longer text is told from it. */
const WITHHELD_BYTES = 'withheld '.length + 64 + 2;

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
  /** Null when the text holds a secret and was not copied. */
  readonly bytes: Buffer | null;
  hash(): string;
  isStill(present: Buffer | null): boolean;
}

export function indexAsLeft(store: JournalledFolder): IndexAsLeft | null {
  const bytes = store.journalFolder.read(LEFT_FILE);
  if (bytes === null) return null;
  const withheld = withheldHash(bytes);
  if (withheld === null)
    return { bytes, hash: () => hashOf(bytes), isStill: (present) => present?.equals(bytes) ?? false };
  return { bytes: null, hash: () => withheld, isStill: (present) => present !== null && hashOf(present) === withheld };
}

/** Whether the index was left with a copy, without one because it holds a secret, or never: told by its first bytes. */
export function indexCopy(store: JournalledFolder): 'kept' | 'withheld' | 'none' {
  const head = store.journalFolder.read(LEFT_FILE, WITHHELD_BYTES);
  return head === null ? 'none' : withheldHash(head) === null ? 'kept' : 'withheld';
}

function withheldHash(bytes: Buffer): string | null {
  return WITHHELD.exec(bytes.toString('latin1', 0, WITHHELD_BYTES))?.[1] ?? null;
}

/**
 * Notes the index as it was written or read, which is not necessarily what is on disk by now. What a person wrote in it
 * is scanned before it is copied; what Reverie itself wrote was scanned then.
 */
export async function noteIndexAsLeft(
  store: JournalledFolder,
  secrets: SecretScan,
  noted: { readonly index: Buffer | null; readonly isByHand: boolean },
): Promise<void> {
  const { index } = noted;
  if (index === null) {
    store.journalFolder.remove(LEFT_FILE);
    return;
  }
  const isKnown = indexCopy(store) === 'kept' && !noted.isByHand;
  const isClean = isKnown || (await secrets.describeSecretsIn(index.toString('utf8'))) === null;
  const copy = isClean ? index : Buffer.from(`withheld ${hashOf(index)}\n`);
  const name = await store.temporary.stage(copy, { durable: false });
  store.journalFolder.moveIn({ from: store.temporary, name }, LEFT_FILE, 'replace');
}
