/** Checks the memory folders themselves: whether they can be used, their index, their journal, who is writing. */

import { accessSync, constants, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { isOwnScope } from '../../base/taxonomy.ts';
import { quoted } from '../../base/text/shell-words.ts';
import { openFolder } from '../../disk/folder.ts';
import { JOURNAL_FILE } from '../../disk/journal/journal.ts';
import { CONTROL_FOLDER, openJournalled } from '../../disk/journal/journalled-folder.ts';
import { type LockRecord, readLock } from '../../disk/lock.ts';
import { livenessOf } from '../../disk/process-identity.ts';
import { stampOf } from '../../disk/stamp.ts';
import { unwritableFix } from '../../disk/storage-error.ts';
import { PATH_LIMITS } from '../../limits.ts';
import { INDEX_FILE, type SeenFile, walkMemoryFiles } from '../../memory/files/walk.ts';
import { openMemoryFolder } from '../../memory/history/memory-folder.ts';
import { indexWarnings, parseIndex } from '../../memory/index/index-file.ts';
import type { Place, ScopeFolder } from '../../settings/place.ts';
import { type Finding, guarded, statsAt } from '../finding.ts';
import { openExamined } from './examined.ts';
import { examineFiles, examineSuperseded, type FolderFiles, readFiles } from './files.ts';
import { type SecretScanner, scanOnce } from './scan-once.ts';

/** How much is looked at again. */
export interface Thoroughness {
  /** What was in order and has not changed since is taken for that. */
  readonly trustsLast?: boolean;
  /** Called for each text that is looked through for secrets; there may be many. */
  readonly onScanned?: () => void;
}

export async function examineFolders(place: Place, how: Thoroughness = {}): Promise<Finding[]> {
  const findings: Finding[] = [];
  const folders: FolderFiles[] = [];
  // The team's is derived, and made again: `reverie team check` looks at what is in the repository.
  for (const folder of place.folders.filter(({ scope }) => isOwnScope(scope))) {
    const look = async () => {
      const { files, found } = await examineFolder(place, folder, how);
      if (files !== null) folders.push(files);
      return found;
    };
    findings.push(...(await guarded(folder.path, look)));
  }
  return [...findings, ...examineSuperseded(folders)];
}

async function examineFolder(
  place: Place,
  folder: ScopeFolder,
  { trustsLast = false, onScanned }: Thoroughness,
): Promise<{ files: FolderFiles | null; found: Finding[] }> {
  const stats = statsAt(folder.path);
  if (stats === undefined) return { files: null, found: examineAbsent(place, folder) };
  if (!stats.isDirectory()) {
    const fix = 'Move it away, or name another folder.';
    return {
      files: null,
      found: [{ severity: 'error', what: 'The memory folder is not a folder', where: folder.path, fix }],
    };
  }
  const path = realpathSync(folder.path);
  const misplaced = examineControl(path);
  const access = [...examineAccess(path, stats.mode), ...misplaced];
  const examined = openExamined(folder.cacheDirectory);
  const seen = misplaced.length === 0 ? seenIn(path) : null;
  const before = trustsLast && seen !== null ? examined.foundIn([...seen.memories, ...seen.others]) : null;
  if (before !== null) {
    const names = seen!.memories.map(({ file }) => file);
    return { files: { path, names, files: [] }, found: [...access, ...examineWriter(path), ...before] };
  }
  const scan = scanOnce(onScanned);
  const found: Finding[] = [];
  const writing: Finding[] = [];
  // If a part of the journal is not a valid file, opening it says no more than that.
  if (misplaced.length === 0) {
    found.push(...(await guarded(path, () => examineJournal(path))));
    writing.push(...(await guarded(path, () => examineWriting(place, folder, scan))));
  }
  const lookedAtMs = Date.now();
  const others = othersIn(path);
  let files: FolderFiles = { path, names: [], files: [] };
  let inOrder: readonly SeenFile[] = [];
  const lookAtFiles = async () => {
    const isInOrder = trustsLast ? examined.isInOrder : () => false;
    const read = readFiles(path, { maxDepth: PATH_LIMITS.depth, isInOrder });
    files = read.files;
    const { found: odd, inOrder: fine } = await examineFiles(files, scan);
    inOrder = [...read.inOrder, ...fine];
    return [...odd, ...read.passedOver];
  };
  found.push(...(await guarded(path, lookAtFiles)));
  if (!misplaced.some(({ where }) => where === join(path, INDEX_FILE))) {
    found.push(...(await guarded(join(path, INDEX_FILE), () => examineIndex(place, files, scan))));
  }
  // A successor may be in another folder.
  const isAlone = writing.length === 0 && files.files.every(({ facts }) => facts.supersededBy === null);
  const after = isAlone && misplaced.length === 0 ? seenIn(path) : null;
  const whole = after === null ? null : [...after.memories, ...others];
  await examined.keep({ inOrder, folder: whole, found, lookedAtMs });
  return { files, found: [...access, ...writing, ...found] };
}

/** By the walk that every look at a folder takes; null where that cannot be trusted. */
function seenIn(path: string): { readonly memories: readonly SeenFile[]; readonly others: readonly SeenFile[] } | null {
  const root = openFolder(path);
  try {
    const walk = root === null ? null : walkMemoryFiles(root, PATH_LIMITS.depth);
    return walk === null || walk.passedOver.length > 0 ? null : { memories: walk.files, others: othersIn(path) };
  } finally {
    root?.close();
  }
}

function othersIn(path: string): readonly SeenFile[] {
  return [INDEX_FILE, `${CONTROL_FOLDER}/journal/${JOURNAL_FILE}`].flatMap((file) => {
    const stats = statsAt(join(path, file), { itself: true });
    return stats === undefined ? [] : [{ file, stamp: stampOf(stats) }];
  });
}

function examineAbsent(place: Place, folder: ScopeFolder): Finding[] {
  const where = folder.path;
  if (statsAt(where, { itself: true }) !== undefined) {
    return [{ severity: 'error', what: 'The memory folder is a link to nothing', where, fix: `rm ${quoted(where)}` }];
  }
  const isAttached = folder.scope === 'project' && !place.isOwnProjectFolder && place.folders.length > 1;
  if (!isAttached) return [];
  const fix = 'Bring it back, or go back to your own folder: reverie import --detach';
  return [{ severity: 'error', what: 'The attached memory folder is gone', where, fix }];
}

function examineAccess(path: string, mode: number): Finding[] {
  const findings: Finding[] = [];
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const what = 'Other users of this machine can read this folder';
    findings.push({ severity: 'warning', what, where: path, fix: `chmod 700 ${quoted(path)}` });
  }
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    const what = 'This folder cannot be written to';
    const fix = unwritableFix(error, { byMode: `chmod u+w ${quoted(path)}` });
    findings.push({ severity: 'error', what, where: path, fix });
  }
  return findings;
}

const CONTROL_PARTS = [
  { name: INDEX_FILE, kind: 'file' },
  { name: CONTROL_FOLDER, kind: 'folder' },
  { name: `${CONTROL_FOLDER}/lock`, kind: 'folder' },
  { name: `${CONTROL_FOLDER}/temporary`, kind: 'folder' },
  { name: `${CONTROL_FOLDER}/journal`, kind: 'folder' },
  { name: `${CONTROL_FOLDER}/journal/contents`, kind: 'folder' },
  { name: `${CONTROL_FOLDER}/journal/${JOURNAL_FILE}`, kind: 'file' },
] as const;

function examineControl(path: string): Finding[] {
  return CONTROL_PARTS.flatMap(({ name, kind }): Finding[] => {
    const where = join(path, name);
    const stats = statsAt(where, { itself: true });
    if (stats === undefined) return [];
    if (!(kind === 'file' ? stats.isFile() : stats.isDirectory())) {
      const what = `Here belongs a ${kind}, and it is ${kindOf(stats)}`;
      return [{ severity: 'error', what, where, fix: 'Move it out of the folder; Reverie then makes its own.' }];
    }
    if (isAllowed(where, constants.R_OK)) return [];
    return [{ severity: 'error', what: 'It cannot be read', where, fix: `chmod u+r ${quoted(where)}` }];
  });
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link';
  return stats.isDirectory() ? 'a folder' : stats.isFile() ? 'a file' : 'something else';
}

/** Finishes what was cut off and journals outside edits, as every command does, unless another is doing so. */
async function examineWriting(
  place: Place,
  { cacheDirectory, ...given }: ScopeFolder,
  scan: SecretScanner,
): Promise<Finding[]> {
  const { path } = given;
  const writing = examineWriter(realpathSync(path));
  if (writing.length > 0) return writing;
  const secrets = { describeSecretsIn: scan };
  const now = () => new Date();
  const folder = openMemoryFolder({ ...given, cacheDirectory, limits: place.limits, secrets, now });
  try {
    await folder.settle();
  } finally {
    await folder.close();
  }
  return [];
}

function examineJournal(path: string): Finding[] {
  const store = openJournalled(path);
  if (store === null) return [];
  try {
    const { damagedLines } = store.journal.readFrom(0);
    if (damagedLines === 0) return [];
    const what = `${damagedLines} damaged ${damagedLines === 1 ? 'line' : 'lines'} in the journal: those changes cannot be undone, the memories are not affected`;
    const fix = 'Nothing needs to be done; restore the journal from a backup to have them back.';
    return [{ severity: 'warning', what, where: join(path, CONTROL_FOLDER, 'journal', JOURNAL_FILE), fix }];
  } finally {
    store.close();
  }
}

function examineWriter(path: string): Finding[] {
  const writer = writerIn(path);
  return writer === null
    ? []
    : [{ severity: 'note', what: `Process ${writer.pid} is writing here`, where: path, fix: '' }];
}

/** A killed process leaves its record behind; the next writer skips it. */
function writerIn(path: string): LockRecord | null {
  const store = openJournalled(path);
  try {
    const holder = store === null ? null : readLock(store.lockFolder);
    return holder === null || livenessOf(holder) === 'gone' ? null : holder;
  } finally {
    store?.close();
  }
}

async function examineIndex(place: Place, { path, names: all }: FolderFiles, scan: SecretScanner): Promise<Finding[]> {
  const text = readIndexText(path);
  if (text === null) return [];
  const where = join(path, INDEX_FILE);
  const names = new Set(all);
  const odd = parseIndex(text, { exists: (file) => names.has(file) }).warnings.map(({ message, line }): Finding => {
    return { severity: 'warning', what: message, where: `${where}:${line}`, fix: 'Edit that line of the index.' };
  });
  const shorten = 'Shorten descriptions with `reverie memory edit`, or forget what is no longer needed.';
  const over = indexWarnings(text, place.limits.index).map((what): Finding => {
    return { severity: 'warning', what, where, fix: shorten };
  });
  const secret = await scan(text);
  const fix = 'Take it out with your editor, and change the credential.';
  return [...odd, ...over, ...(secret === null ? [] : [{ severity: 'error', what: secret, where, fix } as const])];
}

function readIndexText(path: string): string | null {
  const folder = openFolder(path);
  try {
    return folder?.read(INDEX_FILE)?.toString('utf8') ?? null;
  } finally {
    folder?.close();
  }
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
