/** Plans one change to the files of a memory folder: what may be touched, what was there, what is kept for undo. */

import { checkInside, type PathOperation } from '../../disk/check-inside.ts';
import { type FileWrite, readFile } from '../../disk/commit.ts';
import { diskFor } from '../../disk/disk.ts';
import type { Change, ChangeAuthor, ChangeKind, FileChange, IndexLine } from '../../disk/journal/change.ts';
import { ReverieError } from '../../errors.ts';
import { isInLogs } from '../daily-log/place.ts';
import { secretInName, secretNameError } from '../files/secret-name.ts';
import { INDEX_FILE } from '../files/walk.ts';
import type { IndexWish } from '../index/upkeep.ts';
import type { FolderContext } from './folder-context.ts';
import { keepContent } from './keep-content.ts';
import { type LockedFolder, recordChange } from './record-change.ts';

export interface FileEdit {
  readonly file: string;
  /** Null removes the file. Texts that come from outside were scanned for secrets by whoever asks for the change. */
  readonly after: Uint8Array | null;
  /** What the edit was made from; if the file holds something else by now, a person's edit wins. */
  readonly from?: Uint8Array;
  /** A new file must not take the place of one that is there. */
  readonly mustBeNew?: boolean;
  /** The earlier text may go unkept if it holds a secret: the person is taking that out. */
  readonly mayLoseSecret?: boolean;
  /** Which lines the index is to have for it; by default they follow from the content. */
  readonly lines?: readonly IndexLine[] | 'keep';
  /** The line as somebody worded it elsewhere. */
  readonly wording?: string;
}

export interface ChangeRequest {
  readonly kind: ChangeKind;
  readonly who: ChangeAuthor;
  readonly why: string;
  readonly undoes?: string;
  readonly edits: readonly FileEdit[];
  readonly removeEmptyIndex?: boolean;
}

export async function changeFiles(locked: LockedFolder, request: ChangeRequest): Promise<Change> {
  const { context, store } = locked;
  const ports = { contents: store.contents, secrets: context.secrets };
  const writes: FileWrite[] = [];
  const files: FileChange[] = [];
  const wishes: IndexWish[] = [];
  for (const edit of request.edits) {
    checkAllowed(context, edit, request.kind);
    const previous = readFile(store.root, edit.file);
    checkAsPlanned(edit, previous?.bytes ?? null);
    const before = previous && (await keepContent(ports, previous.bytes));
    if (before && !before.isKept && !edit.mayLoseSecret) throw unkeepable(edit.file);
    const after = edit.after && (await store.contents.put(edit.after));
    writes.push({ file: edit.file, bytes: edit.after, previous });
    files.push({ file: edit.file, before: before?.hash ?? null, after });
    const { file, lines, wording } = edit;
    if (file !== INDEX_FILE) wishes.push({ file, lines, wording, before: previous?.bytes ?? null, after: edit.after });
  }
  return recordChange(locked, { ...request, files, wishes, writes });
}

function checkAsPlanned(edit: FileEdit, present: Buffer | null): void {
  if (edit.mustBeNew && present) throw new ReverieError({ code: 'refused', message: `${edit.file} exists already` });
  if (edit.from === undefined || present?.equals(edit.from)) return;
  throw new ReverieError({
    code: 'refused',
    message: `${edit.file} was changed by someone else in this moment; nothing was changed`,
    fix: 'Look at it and try again.',
  });
}

/** Taking the file away keeps its text for undo, and a secret is not kept: so the person chooses. */
function unkeepable(file: string): ReverieError {
  return new ReverieError({
    code: 'secret',
    message: `${file} holds a secret, so its text would not be kept for undo; nothing was changed`,
    fix: `Take the secret out of the file first, or remove all of it for good: reverie memory purge ${file}`,
  });
}

function checkAllowed(context: FolderContext, edit: FileEdit, kind: ChangeKind): void {
  // Where names differ by case alone they may be one folder.
  if (isInLogs(edit.file.toLowerCase())) {
    throw new ReverieError({
      code: 'refused',
      message: `${edit.file} is the place of a daily log, which is added to and never changed`,
      fix: 'Choose another name for a memory; a log itself is yours to edit or delete with an editor.',
    });
  }
  const secret = context.known.get(edit.file) === undefined ? secretInName(edit.file) : null;
  if (secret !== null) throw secretNameError(secret);
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
