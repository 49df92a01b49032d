/** Makes one journalled change to the files of a memory folder, index lines included. Runs under the folder's lock. */

import { randomBytes } from 'node:crypto';
import { ReverieError } from '../errors.ts';
import type { Change, ChangeAuthor, ChangeKind, FileChange, IndexLine } from '../store/change.ts';
import { checkInside, type PathOperation } from '../store/check-inside.ts';
import { commit, type FileWrite, readFile } from '../store/commit.ts';
import { hashOf } from '../store/contents.ts';
import { diskFor } from '../store/disk.ts';
import type { JournalledFolder } from '../store/journalled-folder.ts';
import type { HeldLock } from '../store/lock.ts';
import type { FolderContext } from './folder-context.ts';
import { editIndex, type IndexWish, readIndex, rememberIndex } from './index-upkeep.ts';
import { INDEX_FILE } from './walk.ts';

export interface FileEdit {
  readonly file: string;
  /** Null removes the file. */
  readonly after: Uint8Array | null;
  /** A new file must not take the place of one that is there. */
  readonly mustBeNew?: boolean;
  /** Undo says which line the index had; otherwise it follows from the content. */
  readonly line?: IndexLine | null;
}

export interface ChangeRequest {
  readonly kind: ChangeKind;
  readonly who: ChangeAuthor;
  readonly why: string;
  readonly undoes?: string;
  readonly edits: readonly FileEdit[];
  /** MEMORY.md is removed if nothing is left in it: the change that is undone had made it. */
  readonly removeEmptyIndex?: boolean;
}

export interface LockedFolder {
  readonly context: FolderContext;
  readonly store: JournalledFolder;
  readonly lock: HeldLock;
}

export async function changeFiles(locked: LockedFolder, request: ChangeRequest): Promise<Change> {
  const { context, store, lock } = locked;
  const writes: FileWrite[] = [];
  const files: FileChange[] = [];
  const wishes: IndexWish[] = [];
  for (const edit of request.edits) {
    checkAllowed(context, edit, request.kind);
    const previous = readFile(store.root, edit.file);
    if (edit.mustBeNew && previous) throw new ReverieError({ code: 'refused', message: `${edit.file} exists already` });
    const before = previous && (await keepContent(locked, previous.bytes));
    const after = edit.after && (await store.contents.put(edit.after));
    writes.push({ file: edit.file, bytes: edit.after, previous });
    files.push({ file: edit.file, before, after });
    if (edit.file !== INDEX_FILE) wishes.push({ ...edit, before: previous?.bytes ?? null });
  }

  const index = readIndex(store);
  const edited = editIndex(index?.text ?? '', wishes);
  const withLines = files.map((file): FileChange => {
    const line = edited.lines.get(file.file);
    return line ? { ...file, line } : file;
  });
  const indexWrite = planIndexWrite({ index, text: edited.text, request });
  if (indexWrite) writes.push(indexWrite);

  const change: Change = {
    id: newChangeId(context.now()),
    at: context.now().toISOString(),
    kind: request.kind,
    who: request.who,
    why: request.why,
    ...(request.undoes === undefined ? {} : { undoes: request.undoes }),
    ...(indexWrite && indexWrite.previous === null ? { madeIndex: true } : {}),
    ...(indexWrite && indexWrite.bytes === null ? { removedIndex: true } : {}),
    files: withLines,
  };
  await commit(store, { change, writes, lock, finish: () => rememberIndex(store) });
  context.known.record(change, store.journal.size());
  return change;
}

function checkAllowed(context: FolderContext, edit: FileEdit, kind: ChangeKind): void {
  const operation = operationOf(edit, kind);
  // Whether a new name has a twin was asked when it was chosen, from names that are kept; listing them again would be
  // most of what a save costs in a large folder.
  const disk = operation === 'create' ? { ...diskFor(process.platform), names: () => [] } : undefined;
  const check = checkInside(context.path, edit.file, operation, { disk });
  if (check.verdict === 'deny') {
    throw new ReverieError({ code: 'refused', message: `${edit.file}: ${check.reason}`, fix: 'Choose another name.' });
  }
}

function operationOf(edit: FileEdit, kind: ChangeKind): PathOperation {
  if (edit.file === INDEX_FILE) return 'index-write';
  if (kind === 'undo') return edit.after === null ? 'delete' : 'restore';
  if (edit.after === null) return 'delete';
  return edit.mustBeNew ? 'create' : 'write';
}

/**
 * Keeps what a file held, so that undo can bring it back. A secret that a person put there is not copied into the
 * journal: its hash alone is kept.
 */
async function keepContent(locked: LockedFolder, bytes: Buffer): Promise<string> {
  const { contents } = locked.store;
  const hash = hashOf(bytes);
  if (contents.has(hash)) return hash;
  const secret = await locked.context.secrets.describeSecretsIn(bytes.toString('utf8'));
  return secret === null ? contents.put(bytes) : hash;
}

function planIndexWrite(plan: {
  index: ReturnType<typeof readIndex>;
  text: string;
  request: ChangeRequest;
}): FileWrite | null {
  const { index, text, request } = plan;
  // The index itself is being put back: its lines are part of that.
  if (request.edits.some((edit) => edit.file === INDEX_FILE)) return null;
  if (text === (index?.text ?? '')) return null;
  const isEmptied = text === '' && (request.removeEmptyIndex ?? false);
  return { file: INDEX_FILE, bytes: isEmptied ? null : Buffer.from(text), previous: index?.onDisk ?? null };
}

/** Sorts by time, short enough to type. */
export function newChangeId(now: Date): string {
  return `${now.getTime().toString(36)}-${randomBytes(3).toString('hex')}`;
}
