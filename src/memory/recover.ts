/** Finishes what a killed process left half done, from the journal. Runs under the lock, before anything else. */

import type { Change } from '../store/change.ts';
import { readFile, restoreFile } from '../store/commit.ts';
import { hashOf } from '../store/contents.ts';
import type { JournalledFolder } from '../store/journalled-folder.ts';
import { dropIndexLine, putIndexLineAt } from './index-file.ts';
import { readIndex, rememberIndex } from './index-upkeep.ts';
import { INDEX_FILE } from './walk.ts';

export async function recover(store: JournalledFolder): Promise<{ finished: Change | null }> {
  removeLeftovers(store);
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

const LEFTOVER_AFTER_MS = 10 * 60_000;

/** Staged files are named after their process; those of living ones are left alone. */
function removeLeftovers(store: JournalledFolder): void {
  for (const { name } of store.temporary.entries()) {
    const pid = Number(/^(\d+)-[0-9a-f]{12}$/.exec(name)?.[1] ?? 0);
    const ageMs = Date.now() - (store.temporary.stat(name)?.mtimeMs ?? 0);
    if (pid !== process.pid && (!isRunning(pid) || ageMs > LEFTOVER_AFTER_MS)) store.temporary.remove(name);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
