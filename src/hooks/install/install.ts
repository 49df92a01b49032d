/** Carries an install out: the settings of a host are replaced whole or not at all, and the original is kept until uninstall. */

import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from '../../disk/folder.ts';
import { storageError } from '../../disk/storage-error.ts';
import { errnoOf, ReverieError } from '../../errors.ts';
import type { InstallPlan, SettingsEdit, SettingsFile } from './settings.ts';

export type InstallAction = 'install' | 'uninstall';

export interface SettingsChange {
  readonly path: string;
  readonly what: string;
  /** Null: the file does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

interface Kept {
  /** Null: there was no such file. */
  readonly original: string | null;
  /** SHA-256 of what was written, to see whether anybody changed it since. */
  readonly written: string;
  /** Folders that were made for the file, deepest first. */
  readonly madeFolders: readonly string[];
}

/** What would change, file by file; refuses all when one file cannot be edited. */
export function planChanges(
  plan: InstallPlan,
  facts: { action: InstallAction; home: string },
): readonly SettingsChange[] {
  return plan.files.map((file) => {
    const before = readText(file.path);
    const after =
      facts.action === 'install' ? accepted(file, file.install(before)) : restored(file, before, facts.home);
    return { path: file.path, what: file.what, before, after };
  });
}

export function applyChanges(
  plan: InstallPlan,
  facts: { action: InstallAction; home: string },
): readonly SettingsChange[] {
  const changes = planChanges(plan, facts);
  const emptied: string[] = [];
  for (const [position, change] of changes.entries()) {
    const file = plan.files[position]!;
    if (facts.action === 'install' && change.after !== null) install(file, change, facts.home);
    else emptied.push(...uninstall(file, change, facts.home));
  }
  // Deepest first, and only now: two files may lie in one folder that was made for the first.
  for (const folder of emptied.toSorted((one, other) => other.length - one.length)) removeIfEmpty(folder);
  return changes;
}

function install(file: SettingsFile, { before, after }: SettingsChange, home: string): void {
  if (after === null || after === before) return;
  const kept = readKept(file.path, home);
  // Changed since by somebody else: what uninstall goes back to is their text without ours.
  const isAsWritten = kept !== null && before !== null && hashOf(before) === kept.written;
  const original = isAsWritten ? kept.original : before === null ? null : accepted(file, file.uninstall(before));
  const madeFolders = [...missingFolders(dirname(file.path)), ...(kept?.madeFolders ?? [])];
  writeKept(file.path, { home, kept: { original, written: hashOf(after), madeFolders } });
  for (const folder of [...madeFolders].reverse()) makeFolder(folder);
  writeWhole(file.path, after);
}

/** Answers with the folders that were made for a file which is gone now. */
function uninstall(file: SettingsFile, { before, after }: SettingsChange, home: string): readonly string[] {
  const kept = readKept(file.path, home);
  if (after === null && before !== null) removeFile(file.path);
  else if (after !== null && after !== before) writeWhole(file.path, after);
  dropKept(file.path, home);
  return after === null ? (kept?.madeFolders ?? []) : [];
}

/** The original byte for byte when nobody touched the file since, else the file as it is without what is ours. */
function restored(file: SettingsFile, before: string | null, home: string): string | null {
  if (before === null) return null;
  const kept = readKept(file.path, home);
  if (kept !== null && hashOf(before) === kept.written) return kept.original;
  const without = accepted(file, file.uninstall(before));
  return kept?.original === null && without !== null && /^\s*(?:\{\s*\})?\s*$/.test(without) ? null : without;
}

function accepted(file: SettingsFile, edit: SettingsEdit): string | null {
  if (edit.kind === 'text') return edit.text;
  throw new ReverieError({ code: 'refused', message: `${file.path} is left as it is: ${edit.problem}`, fix: edit.fix });
}

function readText(path: string): string | null {
  let bytes: Buffer;
  try {
    if (!fs.statSync(path).isFile()) throw refusal(path, 'it is not a regular file');
    bytes = fs.readFileSync(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return null;
    if (error instanceof ReverieError) throw error;
    throw refusal(path, `it cannot be read (${errno})`);
  }
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw refusal(path, 'it is not UTF-8');
  return text;
}

function refusal(path: string, problem: string): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: `${path} is left as it is: ${problem}`,
    fix: 'Fix it, then try again.',
  });
}

/** Through links, so that settings kept elsewhere stay where they are; with the mode the file had. */
export function writeWhole(path: string, text: string): void {
  const target = fs.existsSync(path) ? fs.realpathSync(path) : path;
  const mode = fs.statSync(target, { throwIfNoEntry: false })?.mode ?? 0o600;
  const temporary = join(dirname(target), `.${randomBytes(6).toString('hex')}.reverie`);
  try {
    const descriptor = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeFileSync(descriptor, text);
      fs.fchmodSync(descriptor, mode & 0o777);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw storageError({ path: target, doing: 'write', error });
  }
}

function removeFile(path: string): void {
  try {
    fs.rmSync(path, { force: true });
  } catch (error) {
    throw storageError({ path, doing: 'remove', error });
  }
}

function makeFolder(path: string): void {
  if (!fs.existsSync(path)) createFolder(path).close();
}

function keptFile(path: string, home: string): string {
  return join(home, 'installed', `${hashOf(path).slice(0, 32)}.json`);
}

function readKept(path: string, home: string): Kept | null {
  try {
    const { original, written, madeFolders } = JSON.parse(
      fs.readFileSync(keptFile(path, home), 'utf8'),
    ) as Partial<Kept>;
    const isWhole = (original === null || typeof original === 'string') && typeof written === 'string';
    return isWhole ? { original, written, madeFolders: Array.isArray(madeFolders) ? madeFolders : [] } : null;
  } catch {
    return null;
  }
}

function writeKept(path: string, { home, kept }: { home: string; kept: Kept }): void {
  const target = keptFile(path, home);
  makeFolder(dirname(target));
  writeWhole(target, `${JSON.stringify({ path, ...kept }, null, 2)}\n`);
}

/** One that stays in a home which cannot be written is no reason to leave a host half connected: it no longer fits the file it is about. */
function dropKept(path: string, home: string): void {
  try {
    fs.rmSync(keptFile(path, home), { force: true });
  } catch {}
}

function missingFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let at = folder; !fs.existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  return missing;
}

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {}
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
