/**
 * Removes a memory for good: its file, its index line, and every trace in the journal. A marker says what is being
 * purged until all of it is gone, so that a purge that was cut off is finished by the next process.
 */

import { messageOf } from '../../base/values.ts';
import { checkFence, readFile, restoreFile } from '../../disk/commit.ts';
import type { Change, FileChange } from '../../disk/journal/change.ts';
import type { JournalledFolder } from '../../disk/journal/journalled-folder.ts';
import { ReverieError } from '../../errors.ts';
import { INDEX_FILE } from '../files/walk.ts';
import { dropIndexLine } from '../index/index-file.ts';
import { indexAsLeft, noteIndexAsLeft, readIndex } from '../index/on-disk.ts';
import type { FolderContext } from './folder-context.ts';
import { type LockedFolder, newChangeId } from './record-change.ts';

const MARKER = 'purging';

export interface PurgeResult {
  /** Journal records that named the file. */
  readonly records: number;
  readonly wasThere: boolean;
}

export async function purgeFile(locked: LockedFolder, file: string): Promise<PurgeResult> {
  const { store } = locked;
  const name = await store.temporary.stage(Buffer.from(file));
  store.journalFolder.moveIn({ from: store.temporary, name }, MARKER, 'replace');
  await store.journalFolder.sync();
  try {
    return await finishPurge(locked, file);
  } catch (error) {
    throw new ReverieError({
      code: 'storage',
      message: `${messageOf(error)}; ${file} is purged in part`,
      fix: 'The next reverie command finishes it: run `reverie doctor`.',
      cause: error,
    });
  }
}

/** Called under the lock at every start of work; a single stat when there is nothing to do. */
export async function resumePurge(locked: LockedFolder): Promise<void> {
  const file = locked.store.journalFolder.read(MARKER)?.toString('utf8');
  if (file) await finishPurge(locked, file);
}

export function isPurging(store: JournalledFolder): boolean {
  return store.journalFolder.stat(MARKER) !== null;
}

async function finishPurge({ context, store, lock }: LockedFolder, file: string): Promise<PurgeResult> {
  checkFence(lock);
  const wasThere = readFile(store.root, file) !== null;
  if (wasThere) await restoreFile(store, file, null);
  await purgeIndexLine(store, { file, context });

  const { changes } = store.journal.readFrom(0);
  const files = formerNames(store, { changes, file });
  const isTrace = (trace: FileChange) => files.has(trace.file) || holdsIndexLine(store, trace, files);
  const named = new Set(changes.filter((change) => change.files.some(isTrace)).map((change) => change.id));
  checkFence(lock);
  await store.journal.rewrite((change) => withoutTraces(change, { isTrace, named }));
  removeUnnamedContents(store);
  await store.contents.sync();
  const record = purgeRecord(context.now());
  await store.journal.begin(record);
  await store.journal.close(record.id, 'done');
  store.journalFolder.remove(MARKER);
  await store.journalFolder.sync();
  return { records: named.size, wasThere };
}

async function purgeIndexLine(store: JournalledFolder, facts: { file: string; context: FolderContext }): Promise<void> {
  const text = readIndex(store)?.text;
  const dropped = text == null ? null : dropIndexLine(text, facts.file);
  if (dropped?.before) await restoreFile(store, INDEX_FILE, Buffer.from(dropped.text));
  const left = indexAsLeft(store)?.bytes;
  if (!left) return;
  const index = Buffer.from(dropIndexLine(left.toString('utf8'), facts.file).text);
  await noteIndexAsLeft(store, facts.context.secrets, { index, isByHand: false });
}

/** Also what an abandoned change or a failed one had put there. */
function removeUnnamedContents(store: JournalledFolder): void {
  const { changes } = store.journal.readFrom(0);
  const named = new Set(changes.flatMap((change) => change.files.flatMap(({ before, after }) => [before, after])));
  for (const hash of store.contents.hashes()) if (!named.has(hash)) store.contents.remove(hash);
}

/** A change that named other files too stays, without its reason: that may speak of what was purged. */
function withoutTraces(
  change: Change,
  facts: { isTrace: (file: FileChange) => boolean; named: ReadonlySet<string> },
): Change | null {
  const isAboutNamed = change.undoes !== undefined && facts.named.has(change.undoes);
  if (!facts.named.has(change.id) && !isAboutNamed) return change;
  const files = change.files.filter((file) => !facts.isTrace(file));
  return files.length === 0 ? null : { ...change, why: '', files };
}

/** The file, and the names it had before somebody renamed it: gone by now, with a text in common. */
function formerNames(
  store: JournalledFolder,
  facts: { changes: readonly Change[]; file: string },
): ReadonlySet<string> {
  const names = new Set([facts.file]);
  const texts = new Set<string>();
  const traces = facts.changes.flatMap((change) => change.files).filter(({ file }) => file !== INDEX_FILE);
  const isGone = new Map<string, boolean>();
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const trace of traces) {
      const hashes = [trace.before, trace.after].filter((hash) => hash !== null);
      if (!names.has(trace.file) && hashes.some((hash) => texts.has(hash))) {
        if (!isGone.has(trace.file)) isGone.set(trace.file, readFile(store.root, trace.file) === null);
        if (isGone.get(trace.file)) names.add(trace.file);
      }
      if (names.has(trace.file)) for (const hash of hashes) texts.add(hash);
    }
  }
  return names;
}

/** Earlier texts of MEMORY.md carry the memory's title and hook. */
function holdsIndexLine(store: JournalledFolder, trace: FileChange, files: ReadonlySet<string>): boolean {
  if (trace.file !== INDEX_FILE) return false;
  return [trace.before, trace.after].some((hash) => {
    const text = hash === null ? null : store.contents.get(hash);
    return text !== null && [...files].some((file) => dropIndexLine(text.toString('utf8'), file).before !== null);
  });
}

/** Says that something was purged, not what. */
function purgeRecord(now: Date): Change {
  return { id: newChangeId(now), at: now.toISOString(), kind: 'purge', who: 'user', why: '', files: [] };
}
