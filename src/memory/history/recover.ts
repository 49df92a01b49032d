/** Finishes what a killed process left half done, from the journal. Runs under the lock, before anything else. */

import { readFile, restoreFile } from '../../disk/commit.ts';
import { hashOf } from '../../disk/contents.ts';
import type { Change } from '../../disk/journal/change.ts';
import type { JournalledFolder } from '../../disk/journal/journalled-folder.ts';
import { removeLeftovers } from '../../disk/staged-name.ts';
import { INDEX_FILE } from '../files/walk.ts';
import { indexAsLeft, noteIndexAsLeft, readIndex } from '../index/on-disk.ts';
import { finishLines } from '../index/upkeep.ts';
import type { SecretScan } from './folder-context.ts';

export async function recover(store: JournalledFolder, secrets: SecretScan): Promise<{ finished: Change | null }> {
  for (const folder of new Set([store.temporary, store.staging])) removeLeftovers(folder);
  const change = store.journal.unfinished();
  if (change === null) return { finished: null };
  // What a person did is in place already; the change only records it.
  if (change.kind !== 'edit') await finishFiles(store, change);
  await finishIndex(store, { change, secrets });
  await store.journal.close(change.id, 'done');
  return { finished: change };
}

async function finishFiles(store: JournalledFolder, change: Change): Promise<void> {
  for (const { file, before, after } of change.files) {
    const present = readFile(store.root, file);
    const hash = present && hashOf(present.bytes);
    if (hash === after || hash !== before) continue; // in place already, or a person has edited it since
    const content = after === null ? null : store.contents.get(after);
    if (after === null || content !== null) await restoreFile(store, file, content);
  }
}

/** The index as left becomes what the change would have made of it, so that a person's edit meanwhile is still told. */
async function finishIndex(store: JournalledFolder, facts: { change: Change; secrets: SecretScan }): Promise<void> {
  const { change, secrets } = facts;
  const isIndexItself = change.files.some(({ file }) => file === INDEX_FILE);
  const index = readIndex(store);
  const left = indexAsLeft(store);
  if (isIndexItself || index?.text === null) {
    await noteIndexAsLeft(store, secrets, { index: index?.onDisk.bytes ?? null, isByHand: true });
    return;
  }
  const text = finishLines(index?.text ?? '', change.files);
  const isRemoved = text === '' && change.removedIndex === true;
  if (isRemoved && index) await restoreFile(store, INDEX_FILE, null);
  else if (text !== (index?.text ?? '')) await restoreFile(store, INDEX_FILE, Buffer.from(text));
  const isThere = !isRemoved && (index !== null || text !== '');
  const expected = left?.bytes ? finishLines(left.bytes.toString('utf8'), change.files) : text;
  await noteIndexAsLeft(store, secrets, { index: isThere ? Buffer.from(expected) : null, isByHand: false });
}
