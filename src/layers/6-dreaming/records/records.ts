/**
 * Dreams on disk, under `.reverie/dreams/` of the memory folder they belong to: one record each, written beside its place
 * and moved in whole, so that a kill leaves the old one or the new one.
 */

import { randomBytes } from 'node:crypto';
import { createFolder, type Folder, openFolder } from '../../../disk/folder.ts';
import type { Journal } from '../../../disk/journal/journal.ts';
import { CONTROL_FOLDER, createJournalled, exclusively } from '../../../disk/journal/journalled-folder.ts';
import type { LockPatience } from '../../../disk/lock.ts';
import { ReverieError } from '../../../errors.ts';
import { DREAM_FILE_LIMITS } from '../../../limits.ts';
import type { DreamChange, DreamRecord } from './record.ts';
import { asDreamRecord, isDreamId, isRecordName } from './shape.ts';

export interface KeptDreams {
  /** Newest first. */
  readonly records: readonly DreamRecord[];
  /** Files that are not dream records, and why; they are left alone. */
  readonly damaged: readonly { readonly file: string; readonly reason: string }[];
}

/** Sorts by time, short enough to type. */
export function newDreamId(now: Date): string {
  return `${now.getTime().toString(36)}-${randomBytes(2).toString('hex')}`;
}

export async function writeDreamRecord(memoryFolder: string, record: DreamRecord): Promise<void> {
  const kept = { ...record, changes: record.changes.map(withoutSpentText) };
  if (asDreamRecord(kept) === null) throw new Error(`the record of dream ${record.id} has a wrong shape`);
  const whole = bytesOf(kept);
  // What is about to land is in the journal right after: its texts are no reason to fail a dream.
  const bytes = whole.length > DREAM_FILE_LIMITS.recordBytes ? bytesOf(withoutLandingTexts(kept)) : whole;
  if (bytes.length > DREAM_FILE_LIMITS.recordBytes) {
    throw new ReverieError({
      code: 'storage',
      message: `The record of dream ${record.id} would have ${bytes.length} bytes`,
      fix: 'Split the longest memories, then dream again.',
    });
  }
  await writeInDreams(memoryFolder, { name: `${record.id}.json`, bytes, durable: true });
}

function bytesOf(record: DreamRecord): Buffer {
  return Buffer.from(`${JSON.stringify(record, null, 1)}\n`);
}

function withoutLandingTexts(record: DreamRecord): DreamRecord {
  const isLanding = new Set(record.landing);
  const changes = record.changes.map((each) => (isLanding.has(each.number) ? { ...each, text: null } : each));
  return { ...record, changes };
}

/** What landed or was approved is in the journal; what was refused or rejected is stored nowhere. */
function withoutSpentText(change: DreamChange): DreamChange {
  return change.state === 'waiting' ? change : { ...change, text: null };
}

export function readDreamRecords(memoryFolder: string): KeptDreams {
  const records: DreamRecord[] = [];
  const damaged: KeptDreams['damaged'][number][] = [];
  inDreams(memoryFolder, null, (folder) => {
    for (const { name } of folder.entries()) {
      if (!isRecordName(name)) continue;
      const read = readOne(folder, name);
      if ('reason' in read) damaged.push({ file: `${CONTROL_FOLDER}/${DREAMS}/${name}`, reason: read.reason });
      else records.push(read);
    }
    return null;
  });
  const byTime = (one: DreamRecord, other: DreamRecord) =>
    Date.parse(other.startedAt) - Date.parse(one.startedAt) || (one.id < other.id ? 1 : -1);
  return { records: records.sort(byTime), damaged: damaged.sort((one, other) => (one.file < other.file ? -1 : 1)) };
}

export function readDreamRecord(memoryFolder: string, id: string): DreamRecord | null {
  if (!isDreamId(id)) return null;
  return inDreams(memoryFolder, null, (folder) => {
    if (folder.stat(`${id}.json`) === null) return null;
    const read = readOne(folder, `${id}.json`);
    return 'reason' in read ? null : read;
  });
}

/** Changes a record from its newest form; nobody writes in between, and the journal is current. Null when the record is gone. */
export async function updateDreamRecord(
  memoryFolder: string,
  wish: {
    readonly id: string;
    readonly patience: LockPatience;
    readonly update: (record: DreamRecord, journal: Journal) => DreamRecord;
  },
): Promise<DreamRecord | null> {
  const store = createJournalled(memoryFolder);
  try {
    return await exclusively(store, wish.patience, async () => {
      const record = readDreamRecord(memoryFolder, wish.id);
      if (record === null) return null;
      const updated = wish.update(record, store.journal);
      await writeDreamRecord(memoryFolder, updated);
      return updated;
    });
  } finally {
    store.close();
  }
}

/** Removes records older than this many days, including dreams that died; never one with waiting changes, and the newest with rejected ones stay. Returns their ids. */
export function pruneDreamRecords(
  memoryFolder: string,
  facts: { readonly now: Date; readonly keptDays: number },
): readonly string[] {
  const oldest = facts.now.getTime() - facts.keptDays * DAY_MS;
  const { records } = readDreamRecords(memoryFolder);
  const has = (wanted: DreamChange['state']) => (record: DreamRecord) =>
    record.changes.some(({ state }) => state === wanted);
  // What the user did not want must not come back just because time passed.
  const rejected = new Set(records.filter(has('rejected')).slice(0, DREAM_FILE_LIMITS.rejectedRecords));
  const isKept = (record: DreamRecord) => has('waiting')(record) || rejected.has(record);
  const old = records.filter((record) => Date.parse(record.startedAt) < oldest && !isKept(record));
  if (old.length === 0) return [];
  return inDreams(memoryFolder, [], (folder) => {
    for (const { id } of old) folder.discard(`${id}.json`);
    return old.map(({ id }) => id);
  });
}

const DREAMS = 'dreams';
const DAY_MS = 86_400_000;

function readOne(folder: Folder, name: string): DreamRecord | { readonly reason: string } {
  try {
    const bytes = folder.read(name, DREAM_FILE_LIMITS.recordBytes + 1);
    if (bytes === null) return { reason: 'it is gone' };
    if (bytes.length > DREAM_FILE_LIMITS.recordBytes) return { reason: 'it is too large' };
    const record = asDreamRecord(JSON.parse(bytes.toString('utf8')));
    if (record === null) return { reason: 'it has another shape' };
    return `${record.id}.json` === name ? record : { reason: 'it has the id of another dream' };
  } catch (error) {
    return { reason: error instanceof SyntaxError ? 'it is not JSON' : error instanceof Error ? error.message : '' };
  }
}

/** For reading and removing: `fallback` when there is no such folder. */
export function inDreams<T>(memoryFolder: string, fallback: T, use: (folder: Folder) => T): T {
  const opened: Folder[] = [];
  try {
    const root = openFolder(memoryFolder);
    if (root) opened.push(root);
    const control = root?.sub(CONTROL_FOLDER) ?? null;
    if (control) opened.push(control);
    const dreams = control?.sub(DREAMS) ?? null;
    if (dreams) opened.push(dreams);
    return dreams === null ? fallback : use(dreams);
  } finally {
    for (const folder of opened) folder.close();
  }
}

/** Staged where leftovers of killed processes are removed, then moved in whole. */
export async function writeInDreams(
  memoryFolder: string,
  file: { readonly name: string; readonly bytes: Uint8Array; readonly durable: boolean },
): Promise<void> {
  const opened: Folder[] = [createFolder(memoryFolder)];
  const make = (parent: Folder, name: string): Folder => {
    const folder = parent.sub(name, { create: true })!;
    opened.push(folder);
    return folder;
  };
  try {
    const control = make(opened[0]!, CONTROL_FOLDER);
    const temporary = make(control, 'temporary');
    const dreams = make(control, DREAMS);
    const name = await temporary.stage(file.bytes, { durable: file.durable });
    try {
      dreams.moveIn({ from: temporary, name }, file.name, 'replace');
    } catch (error) {
      temporary.discard(name);
      throw error;
    }
    if (file.durable) await dreams.sync();
  } finally {
    for (const folder of opened) folder.close();
  }
}
