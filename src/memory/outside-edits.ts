/** Notices what a person did to the folder with an editor or a file manager, journals it, and mends the index. */

import type { Change, FileChange } from '../store/change.ts';
import { commit, type FileWrite, readFile } from '../store/commit.ts';
import { hashOf } from '../store/contents.ts';
import type { Folder } from '../store/folder.ts';
import type { JournalledFolder } from '../store/journalled-folder.ts';
import { isSettled, type Stamp, sameStamp, stampOf } from '../store/stamp.ts';
import { type LockedFolder, newChangeId } from './change-files.ts';
import type { FolderContext } from './folder-context.ts';
import { parseIndex } from './index-file.ts';
import { editIndex, type IndexWish, lastIndex, readIndex, rememberIndex } from './index-upkeep.ts';
import { type Look, lookAt } from './look.ts';
import { INDEX_FILE } from './walk.ts';

export interface Outside {
  readonly look: Look;
  readonly index: 'as-left' | 'edited' | 'to-check';
}

/** What there is to journal; null when the folder is as Reverie left it. */
export function findOutsideEdits(context: FolderContext, root: Folder): Outside | null {
  const look = lookAt(root, context.known, context.limits.path);
  const stats = root.stat(INDEX_FILE);
  const seen = context.known.indexSeen();
  const isIndexSeen =
    stats !== null && seen !== null && sameStamp(stampOf(stats), seen.stamp) && isSettled(seen.stamp, seen.atMs);
  const isIndexIdle = isIndexSeen || (stats === null && look.files.length === 0);
  const isQuiet = look.changedOutside.length === 0 && look.removedOutside.length === 0;
  return isQuiet && isIndexIdle ? null : { look, index: isIndexIdle ? 'as-left' : 'to-check' };
}

/** Reads, scans and keeps the new contents before the lock is taken: a thousand files must not hold up a writer. */
export async function keepOutsideContents(
  context: FolderContext,
  store: JournalledFolder,
  look: Look,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const { file } of look.changedOutside) {
    const present = readFile(store.root, file);
    if (present === null) continue;
    const hash = hashOf(present.bytes);
    hashes.set(file, hash);
    if (store.contents.has(hash)) continue;
    const secret = await context.secrets.describeSecretsIn(present.bytes.toString('utf8'));
    // The file itself holds the same bytes: a copy that a power cut takes costs an undo, not a memory.
    if (secret === null) await store.contents.put(present.bytes, { durable: false });
  }
  return hashes;
}

/** Under the lock: one change per edited or removed file, one for all that are new, one for the index. */
export async function journalOutsideEdits(
  locked: LockedFolder,
  hashes: ReadonlyMap<string, string>,
): Promise<Change[]> {
  const { context, store } = locked;
  const look = lookAt(store.root, context.known, context.limits.path);
  const changes: Change[] = [];
  const indexEdit = await findIndexEdit(locked);
  if (indexEdit) changes.push(await journalOne(locked, { why: 'edited outside Reverie', files: [indexEdit] }));

  const created: FileChange[] = [];
  for (const { file } of look.changedOutside) {
    const present = readFile(store.root, file);
    // Edited again since its content was kept: the next start sees it.
    if (present === null || hashOf(present.bytes) !== hashes.get(file)) continue;
    const before = context.known.get(file)?.hash ?? null;
    const change: FileChange = { file, before, after: hashes.get(file) ?? null };
    if (before === null) created.push(change);
    else changes.push(await journalOne(locked, { why: 'edited outside Reverie', files: [change] }));
  }
  if (created.length > 0) changes.push(await journalOne(locked, { why: 'found in the folder', files: created }));
  for (const file of look.removedOutside) {
    const before = context.known.get(file)?.hash ?? null;
    changes.push(await journalOne(locked, { why: 'removed outside Reverie', files: [{ file, before, after: null }] }));
  }

  const missing = filesWithoutLine(locked, look);
  if (missing.length > 0) changes.push(await journalOne(locked, { why: 'index line was missing', files: missing }));
  // From here on a person's edit of the index can be told, and taken back.
  if (lastIndex(store) === null) await rememberIndex(store);
  markIndexChecked(locked);
  return changes;
}

async function findIndexEdit(locked: LockedFolder): Promise<FileChange | null> {
  const { store, context } = locked;
  const before = lastIndex(store);
  const present = readIndex(store)?.onDisk.bytes ?? null;
  if (before === null || (present !== null && before.equals(present))) return null;
  const keep = async (bytes: Buffer) => {
    const secret = await context.secrets.describeSecretsIn(bytes.toString('utf8'));
    return secret === null ? store.contents.put(bytes) : hashOf(bytes);
  };
  return { file: INDEX_FILE, before: await keep(before), after: present && (await keep(present)) };
}

/** The files are as they are; the change records that, and brings the index into step. */
async function journalOne(locked: LockedFolder, edit: { why: string; files: readonly FileChange[] }): Promise<Change> {
  const { context, store, lock } = locked;
  const wishes = edit.files.filter(({ file }) => file !== INDEX_FILE).map((file) => wishFor(store, file));
  const index = readIndex(store);
  const edited = editIndex(index?.text ?? '', wishes);
  const hasIndexChanged = edited.text !== (index?.text ?? '');
  const writes: FileWrite[] = hasIndexChanged
    ? [{ file: INDEX_FILE, bytes: Buffer.from(edited.text), previous: index?.onDisk ?? null }]
    : [];
  const change: Change = {
    id: newChangeId(context.now()),
    at: context.now().toISOString(),
    kind: 'edit',
    who: 'user',
    why: edit.why,
    ...(index === null && hasIndexChanged ? { madeIndex: true } : {}),
    files: edit.files.map((file) => {
      const line = edited.lines.get(file.file);
      return line ? { ...file, line } : file;
    }),
  };
  await commit(store, { change, writes, lock, finish: () => rememberIndex(store) });
  context.known.record(change, store.journal.size());
  return change;
}

function wishFor(store: JournalledFolder, change: FileChange): IndexWish {
  const before = change.before === null ? null : store.contents.get(change.before);
  const after = change.after === null ? null : (readFile(store.root, change.file)?.bytes ?? null);
  return { file: change.file, before, after };
}

/** Only files whose content the journal knows: what came or changed this moment is journalled as that, next time. */
function filesWithoutLine({ context, store }: LockedFolder, look: Look): FileChange[] {
  const { entries } = parseIndex(readIndex(store)?.text ?? '');
  const listed = new Set(entries.map((entry) => entry.file));
  return look.files
    .filter(({ file }) => !listed.has(file))
    .flatMap(({ file }) => {
      const present = readFile(store.root, file);
      const hash = present && hashOf(present.bytes);
      return hash === null || context.known.get(file)?.hash !== hash ? [] : [{ file, before: hash, after: hash }];
    });
}

function markIndexChecked(locked: LockedFolder): void {
  const stats = locked.store.root.stat(INDEX_FILE);
  if (stats === null) return;
  const stamp: Stamp = stampOf(stats);
  locked.context.known.markIndexSeen({ stamp, atMs: Date.now() });
}
