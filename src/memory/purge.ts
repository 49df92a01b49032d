/**
 * Removes a memory for good: its file, its index line, and every trace in the journal. A marker says what is being
 * purged until all of it is gone, so that a purge that was cut off is finished by the next process.
 */

import { ReverieError } from '../errors.ts';
import type { Change } from '../store/change.ts';
import { readFile, restoreFile } from '../store/commit.ts';
import type { JournalledFolder } from '../store/journalled-folder.ts';
import { newChangeId } from './change-files.ts';
import { dropIndexLine } from './index-file.ts';
import { readIndex, rememberIndex } from './index-upkeep.ts';
import { INDEX_FILE } from './walk.ts';

const MARKER = 'purging';

export interface PurgeResult {
  /** Journal records that named the file. */
  readonly records: number;
  readonly wasThere: boolean;
}

export async function purgeFile(store: JournalledFolder, file: string, now: Date): Promise<PurgeResult> {
  const name = await store.temporary.stage(Buffer.from(file));
  store.journalFolder.moveIn({ from: store.temporary, name }, MARKER, 'replace');
  await store.journalFolder.sync();
  try {
    return await finishPurge(store, file, now);
  } catch (error) {
    throw new ReverieError({
      code: 'storage',
      message: `${error instanceof Error ? error.message : String(error)}; ${file} is purged in part`,
      fix: 'The next reverie command finishes it: run `reverie doctor`.',
      cause: error,
    });
  }
}

/** Called under the lock at every start of work; a single stat when there is nothing to do. */
export async function resumePurge(store: JournalledFolder, now: Date): Promise<void> {
  const file = store.journalFolder.read(MARKER)?.toString('utf8');
  if (file) await finishPurge(store, file, now);
}

export function isPurging(store: JournalledFolder): boolean {
  return store.journalFolder.stat(MARKER) !== null;
}

async function finishPurge(store: JournalledFolder, file: string, now: Date): Promise<PurgeResult> {
  const wasThere = readFile(store.root, file) !== null;
  if (wasThere) await restoreFile(store, file, null);
  const index = readIndex(store);
  const dropped = dropIndexLine(index?.text ?? '', file);
  if (dropped.before) await restoreFile(store, INDEX_FILE, Buffer.from(dropped.text));
  await rememberIndex(store);

  const { changes } = store.journal.readFrom(0);
  const isTrace = (trace: Change['files'][number]) => trace.file === file || holdsIndexLine(store, trace, file);
  const traces = changes.flatMap((change) => change.files.filter(isTrace));
  const kept = new Set(
    changes.flatMap((change) =>
      change.files.filter((each) => !isTrace(each)).flatMap((each) => [each.before, each.after]),
    ),
  );
  for (const trace of traces) {
    for (const hash of [trace.before, trace.after]) if (hash !== null && !kept.has(hash)) store.contents.remove(hash);
  }
  await store.contents.sync();
  const named = new Set(changes.filter((change) => change.files.some(isTrace)).map((change) => change.id));
  await store.journal.rewrite((change) => withoutTraces(change, { isTrace, named }));
  const record = purgeRecord(now);
  await store.journal.begin(record);
  await store.journal.close(record.id, 'done');
  store.journalFolder.remove(MARKER);
  await store.journalFolder.sync();
  return { records: named.size, wasThere };
}

/** A change that named other files too stays, without its reason: that may speak of what was purged. */
function withoutTraces(
  change: Change,
  facts: { isTrace: (file: Change['files'][number]) => boolean; named: ReadonlySet<string> },
): Change | null {
  const isAboutNamed = change.undoes !== undefined && facts.named.has(change.undoes);
  if (!facts.named.has(change.id) && !isAboutNamed) return change;
  const files = change.files.filter((file) => !facts.isTrace(file));
  return files.length === 0 ? null : { ...change, why: '', files };
}

/** Earlier texts of MEMORY.md carry the memory's title and hook. */
function holdsIndexLine(store: JournalledFolder, trace: Change['files'][number], file: string): boolean {
  if (trace.file !== INDEX_FILE) return false;
  return [trace.before, trace.after].some((hash) => {
    const text = hash === null ? null : store.contents.get(hash);
    return text !== null && dropIndexLine(text.toString('utf8'), file).before !== null;
  });
}

/** Says that something was purged, not what. */
function purgeRecord(now: Date): Change {
  return { id: newChangeId(now), at: now.toISOString(), kind: 'purge', who: 'user', why: '', files: [] };
}
