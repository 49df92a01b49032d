/** Notices what a person did to the folder with an editor or a file manager, journals it, and updates the index. */

import { inTurns, type Steps } from '../../base/async/in-turns.ts';
import { readFile, within } from '../../disk/commit.ts';
import { hashOf } from '../../disk/contents.ts';
import type { Folder } from '../../disk/folder.ts';
import type { Change, ChangeAuthor, FileChange } from '../../disk/journal/change.ts';
import type { JournalledFolder } from '../../disk/journal/journalled-folder.ts';
import { isSettled, isSince, sameStamp, stampOf } from '../../disk/stamp.ts';
import { isInLogs } from '../daily-log/place.ts';
import { type Look, lookingAt } from '../files/look.ts';
import { secretInName } from '../files/secret-name.ts';
import { INDEX_FILE, type SeenFile } from '../files/walk.ts';
import { parsingIndex } from '../index/index-file.ts';
import { indexAsLeft, indexCopy, noteIndexAsLeft, readIndex } from '../index/on-disk.ts';
import { type IndexWish, isUnlisted } from '../index/upkeep.ts';
import type { FolderContext } from './folder-context.ts';
import { type KeptContent, keepContent } from './keep-content.ts';
import { type LockedFolder, recordChange } from './record-change.ts';

/** What there is to journal; null when the folder is as Reverie left it. */
export function* findingOutsideEdits(context: FolderContext, root: Folder): Steps<Look | null> {
  const look = yield* lookingAt(root, context);
  const stats = root.stat(INDEX_FILE);
  const seen = context.known.indexSeen();
  const isIndexSeen =
    stats !== null && seen !== null && sameStamp(stampOf(stats), seen.stamp) && isSettled(seen.stamp, seen.atMs);
  const isIndexIdle = isIndexSeen || (stats === null && look.files.length === 0);
  const isQuiet = look.changedOutside.length === 0 && look.removedOutside.length === 0;
  return isQuiet && isIndexIdle ? null : look;
}

export type KeptEdits = ReadonlyMap<string, KeptContent>;

/** Reads, scans and keeps the new contents before the lock is taken: a thousand files must not hold up a writer. */
export async function keepOutsideContents(
  context: FolderContext,
  store: JournalledFolder,
  files: readonly SeenFile[],
): Promise<KeptEdits> {
  const kept = new Map<string, KeptContent>();
  for (const { file } of files) {
    const present = readFile(store.root, file);
    if (present === null) continue;
    // The file itself holds the same bytes: a copy that a power cut takes costs an undo, not a memory.
    const ports = { contents: store.contents, secrets: context.secrets };
    kept.set(file, await keepContent(ports, present.bytes, { durable: false }));
  }
  return kept;
}

/** Whose work it is what has changed since a time: a command's of the agent, say. What is older is a person's. */
export interface EditsBy {
  readonly who: ChangeAuthor;
  readonly why: string;
  readonly sinceMs: number;
}

interface OutsideEdit {
  readonly edit: FileChange;
  /** Whether it is `by` somebody. */
  readonly theirs: boolean;
}

/** Edits up to here are a change each, which can be undone alone. More at once are a checkout or a script, and each change writes the index. */
const EDITS_ONE_BY_ONE = 20;

/** Under the lock: one change per edited or removed file unless they are many, one for all that are new, one for the index. Gives those that are `by` somebody. */
export async function journalOutsideEdits(
  locked: LockedFolder,
  { kept, by }: { readonly kept: KeptEdits; readonly by: EditsBy | null },
): Promise<readonly Change[]> {
  const { context, store } = locked;
  const made: Change[] = [];
  const isTheirs = (ctimeMs: number) => by !== null && isSince(ctimeMs, by.sinceMs);
  const add = async (edits: readonly OutsideEdit[], why: string) => {
    for (const theirs of [false, true]) {
      const files = edits.filter((each) => each.theirs === theirs).map(({ edit }) => edit);
      if (files.length === 0) continue;
      const author = theirs && by !== null ? { who: by.who, why: by.why } : { why };
      const change = await journal(locked, { ...author, files, kept });
      if (theirs) made.push(change);
    }
  };
  const addEach = async (edits: readonly OutsideEdit[], why: string) => {
    // What was not kept cannot be undone, and must not keep the others from it.
    const isAlone = ({ edit }: OutsideEdit) =>
      edits.length <= EDITS_ONE_BY_ONE || kept.get(edit.file)?.isKept === false;
    for (const edit of edits.filter(isAlone)) await add([edit], why);
    await add(
      edits.filter((edit) => !isAlone(edit)),
      why,
    );
  };
  const index = await journalIndexEdit(locked, isTheirs(store.root.stat(INDEX_FILE)?.ctimeMs ?? 0) ? by : null);
  if (index !== null && index.who === by?.who) made.push(index);
  const look = await inTurns(lookingAt(store.root, context));
  const created: OutsideEdit[] = [];
  const edited: OutsideEdit[] = [];
  for (const seen of look.changedOutside) {
    const edit = await editOf(locked, { seen, kept: kept.get(seen.file), look });
    if (edit) (edit.before === null ? created : edited).push({ edit, theirs: isTheirs(seen.stamp.ctimeMs) });
  }
  const removed = look.removedOutside.map((file): OutsideEdit => {
    const before = context.known.get(file)?.hash ?? null;
    return { edit: { file, before, after: null }, theirs: isTheirs(emptiedAtMs(store.root, file)) };
  });
  await addEach(edited, 'edited outside Reverie');
  await add(created, 'found in the folder');
  await addEach(removed, 'removed outside Reverie');
  await repairIndex(locked, look);
  return made;
}

/** When a file last came or went where this one was: the time of its removal, or a later one. */
function emptiedAtMs(root: Folder, file: string): number {
  const folder = within(root, file, { create: false }, (parent) => parent.stat('.')) ?? root.stat('.');
  return folder?.ctimeMs ?? 0;
}

/** Edits of these files alone, and of the index: what comes before a change of our own to them. */
export async function journalEditsOf(locked: LockedFolder, files: readonly string[]): Promise<void> {
  const { context, store } = locked;
  await journalIndexEdit(locked);
  for (const file of files) {
    if (isInLogs(file.toLowerCase())) continue;
    const present = readFile(store.root, file);
    const before = context.known.get(file)?.hash ?? null;
    if ((present && hashOf(present.bytes)) === before) continue;
    // The change that is to come will be refused.
    if (before === null && secretInName(file) !== null) continue;
    const kept = present && (await keepContent({ contents: store.contents, secrets: context.secrets }, present.bytes));
    const why = before === null ? 'found in the folder' : kept ? 'edited outside Reverie' : 'removed outside Reverie';
    const edit = { file, before, after: kept?.hash ?? null };
    await journal(locked, { why, files: [edit], kept: new Map(kept ? [[file, kept]] : []) });
  }
}

/** Null when there is nothing to journal: edited again since its content was kept, or read and found to be as recorded. */
async function editOf(
  { context, store }: LockedFolder,
  facts: { seen: SeenFile; kept: KeptContent | undefined; look: Look },
): Promise<FileChange | null> {
  const { file } = facts.seen;
  const atMs = Date.now();
  const present = readFile(store.root, file);
  const hash = present && hashOf(present.bytes);
  if (present === null || hash === null || hash !== facts.kept?.hash) return null;
  const before = context.known.get(file)?.hash ?? null;
  if (before === hash) {
    const looked = facts.look.files.find((each) => each.file === file);
    if (looked) context.known.markSeen(file, { stamp: present.stamp, atMs, facts: looked.facts });
    return null;
  }
  // A purge may have swept it away before the journal named it.
  if (facts.kept.isKept && !store.contents.has(hash)) await store.contents.put(present.bytes, { durable: false });
  return { file, before, after: hash };
}

async function journalIndexEdit(locked: LockedFolder, by: EditsBy | null = null): Promise<Change | null> {
  const { store, context } = locked;
  const left = indexAsLeft(store);
  const present = readFile(store.root, INDEX_FILE)?.bytes ?? null;
  if (left === null || left.isStill(present)) return null;
  const ports = { contents: store.contents, secrets: context.secrets };
  if (left.bytes) await store.contents.put(left.bytes);
  const after = present && (await keepContent(ports, present));
  const file: FileChange = { file: INDEX_FILE, before: left.hash(), after: after?.hash ?? null };
  const author = by === null ? { why: 'edited outside Reverie' } : { who: by.who, why: by.why };
  return journal(locked, { ...author, files: [file], kept: new Map() });
}

/** The files are as they are; the change records that, and brings the index into step. */
async function journal(
  locked: LockedFolder,
  edit: { who?: ChangeAuthor; why: string; files: readonly FileChange[]; kept: KeptEdits },
): Promise<Change> {
  const topics = edit.files.filter(({ file }) => file !== INDEX_FILE);
  const wishes = topics.map((file): IndexWish => {
    const before = file.before === null ? null : locked.store.contents.get(file.before);
    const after = file.after === null ? null : (readFile(locked.store.root, file.file)?.bytes ?? null);
    return { file: file.file, before, after, isWithheld: edit.kept.get(file.file)?.isKept === false };
  });
  const { who = 'user', why, files } = edit;
  return recordChange(locked, { kind: 'edit', who, why, files, wishes, writes: [] });
}

/** Every file has its line unless it wants none; only files whose content the journal knows, since others are journalled first, next time. */
async function repairIndex(locked: LockedFolder, look: Look): Promise<void> {
  const { context, store } = locked;
  const atMs = Date.now();
  const index = readIndex(store);
  if (index?.text === null) return;
  const { entries } = await inTurns(parsingIndex(index?.text ?? ''));
  const listed = new Set(entries.map((entry) => entry.file));
  const unlisted = look.files.filter(({ file }) => !listed.has(file));
  const missing = unlisted.flatMap(({ file }): FileChange[] => {
    const known = context.known.get(file)?.hash;
    const present = known === undefined ? null : readFile(store.root, file);
    const isWanted = present !== null && hashOf(present.bytes) === known && !isUnlisted(present.bytes);
    return isWanted ? [{ file, before: known, after: known }] : [];
  });
  if (missing.length > 0) {
    const kept = new Map(
      missing.map(({ file, after }) => [file, { hash: after ?? '', isKept: store.contents.has(after ?? '') }]),
    );
    await journal(locked, { why: 'index line was missing', files: missing, kept });
  }
  // From here on a person's edit of the index can be told, and taken back.
  if (indexCopy(store) === 'none')
    await noteIndexAsLeft(store, context.secrets, { index: readIndex(store)?.onDisk.bytes ?? null, isByHand: true });
  if (missing.length === 0 && index) context.known.markIndexSeen({ stamp: index.onDisk.stamp, atMs });
}
