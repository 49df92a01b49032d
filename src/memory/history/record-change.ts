/** Puts one change into the journal and carries it out: file writes, index lines, and what is known of the folder. */

import { randomBytes } from 'node:crypto';
import { nextTurn } from '../../base/async/in-turns.ts';
import { commit, type FileWrite } from '../../disk/commit.ts';
import type { Change, ChangeAuthor, ChangeKind, FileChange, IndexLineChange } from '../../disk/journal/change.ts';
import type { JournalledFolder } from '../../disk/journal/journalled-folder.ts';
import type { HeldLock } from '../../disk/lock.ts';
import { ReverieError } from '../../errors.ts';
import { INDEX_FILE } from '../files/walk.ts';
import { type IndexOnDisk, indexCopy, noteIndexAsLeft, readIndex } from '../index/on-disk.ts';
import { editIndex, type IndexWish } from '../index/upkeep.ts';
import type { FolderContext } from './folder-context.ts';

export interface LockedFolder {
  readonly context: FolderContext;
  readonly store: JournalledFolder;
  readonly lock: HeldLock;
}

export interface ChangeToRecord {
  readonly kind: ChangeKind;
  readonly who: ChangeAuthor;
  readonly why: string;
  readonly undoes?: string;
  readonly files: readonly FileChange[];
  readonly wishes: readonly IndexWish[];
  readonly writes: readonly FileWrite[];
  /** MEMORY.md is removed if nothing is left in it: the change that is undone had made it. */
  readonly removeEmptyIndex?: boolean;
}

export async function recordChange(locked: LockedFolder, request: ChangeToRecord): Promise<Change> {
  const { context, store, lock } = locked;
  await refuseSecretReason(locked, request.why);
  const index = readIndex(store);
  // Each of the steps to come takes a while where the index is long.
  await nextTurn();
  const isIndexWritten = request.writes.some(({ file }) => file === INDEX_FILE);
  const canEdit = !isIndexWritten && index?.text !== null;
  const edited = canEdit ? editIndex(index?.text ?? '', request.wishes) : null;
  await nextTurn();
  const indexWrite =
    edited && planIndexWrite({ index, text: edited.text, removeEmpty: request.removeEmptyIndex ?? false });
  const lines = edited ? await linesToRecord(locked, edited.lines) : new Map<string, IndexLineChange>();

  const change: Change = {
    id: newChangeId(context.now()),
    at: context.now().toISOString(),
    kind: request.kind,
    who: request.who,
    why: request.why,
    ...(request.undoes === undefined ? {} : { undoes: request.undoes }),
    // Where an edit was noticed says nothing of where it was made.
    ...(context.project === undefined || request.kind === 'edit' ? {} : { project: context.project }),
    ...(indexWrite?.previous === null ? { madeIndex: true } : {}),
    ...(indexWrite?.bytes === null ? { removedIndex: true } : {}),
    files: request.files.map((file) => {
      const line = lines.get(file.file);
      return line ? { ...file, line } : file;
    }),
  };
  const writes = indexWrite ? [...request.writes, indexWrite] : request.writes;
  const left = { index: indexAfter(writes, index), isByHand: request.files.some(({ file }) => file === INDEX_FILE) };
  await commit(store, { change, writes, lock, finish: () => noteIndexAsLeft(store, context.secrets, left) });
  context.known.record(change, store.journal.size());
  return change;
}

async function refuseSecretReason({ context }: LockedFolder, why: string): Promise<void> {
  const secret = why === '' ? null : await context.secrets.describeSecretsIn(why);
  if (secret === null) return;
  throw new ReverieError({ code: 'secret', message: `The reason holds a secret; nothing was changed. ${secret}` });
}

function planIndexWrite(plan: { index: IndexOnDisk | null; text: string; removeEmpty: boolean }): FileWrite | null {
  const { index, text } = plan;
  if (text === (index?.text ?? '')) return null;
  const bytes = text === '' && plan.removeEmpty ? null : Buffer.from(text);
  return { file: INDEX_FILE, bytes, previous: index?.onDisk ?? null };
}

/** Where a person wrote a secret into the index, its lines are recorded only if they are clean themselves. */
async function linesToRecord(
  { context, store }: LockedFolder,
  lines: ReadonlyMap<string, IndexLineChange>,
): Promise<ReadonlyMap<string, IndexLineChange>> {
  if (indexCopy(store) !== 'withheld') return lines;
  const clean = new Map<string, IndexLineChange>();
  for (const [file, line] of lines) {
    const text = [...line.before, ...line.after].map((each) => each.text).join('\n');
    if ((await context.secrets.describeSecretsIn(text)) === null) clean.set(file, line);
  }
  return clean;
}

function indexAfter(writes: readonly FileWrite[], index: IndexOnDisk | null): Buffer | null {
  const write = writes.find(({ file }) => file === INDEX_FILE);
  if (write === undefined) return index?.onDisk.bytes ?? null;
  return write.bytes && (Buffer.isBuffer(write.bytes) ? write.bytes : Buffer.from(write.bytes));
}

/** Sorts by time, short enough to type. */
export function newChangeId(now: Date): string {
  return `${now.getTime().toString(36)}-${randomBytes(3).toString('hex')}`;
}
