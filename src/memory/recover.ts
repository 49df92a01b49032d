/** Finishes what a killed process left half done, from the journal. Runs under the lock, before anything else. */

import type { Change } from '../store/change.ts';
import { readFile, restoreFile } from '../store/commit.ts';
import { hashOf } from '../store/contents.ts';
import type { JournalledFolder } from '../store/journalled-folder.ts';
import { removeLeftovers } from '../store/leftovers.ts';
import { dropIndexLine, putIndexLineAt } from './index-file.ts';
import { readIndex, rememberIndex } from './index-upkeep.ts';
import { INDEX_FILE } from './walk.ts';

export async function recover(store: JournalledFolder): Promise<{ finished: Change | null }> {
  removeLeftovers(store.temporary);
  const change = store.journal.unfinished();
  if (change === null) return { finished: null };
  for (const { file, before, after } of change.files) {
    const present = readFile(store.root, file);
    const hash = present && hashOf(present.bytes);
    if (hash === after || hash !== before) continue; // in place already, or a person has edited it since
    const content = after === null ? null : store.contents.get(after);
    if (after === null || content !== null) await restoreFile(store, file, content);
  }
  await finishIndex(store, change);
  await rememberIndex(store);
  await store.journal.close(change.id, 'done');
  return { finished: change };
}

/** Applies each line change that is not there yet; a line that reads otherwise than before is done or the user's. */
async function finishIndex(store: JournalledFolder, change: Change): Promise<void> {
  const index = readIndex(store);
  let text = index?.text ?? '';
  for (const { file, line } of change.files) {
    if (line === undefined) continue;
    const dropped = dropIndexLine(text, file);
    if (dropped.before?.text !== line.before?.text) continue;
    text = line.after === null ? dropped.text : putIndexLineAt(dropped.text, line.after);
  }
  const isRemoved = text === '' && change.removedIndex === true;
  if (isRemoved && index) await restoreFile(store, INDEX_FILE, null);
  else if (text !== (index?.text ?? '')) await restoreFile(store, INDEX_FILE, Buffer.from(text));
}
