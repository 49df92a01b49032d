/** The disk behind the file tools: a file is replaced whole or not at all, keeps its mode, and only if it is as it was read. */

import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashOf } from '../disk/contents.ts';
import { realPath } from '../disk/disk.ts';
import { type Stamp, sameStamp, stampOf } from '../disk/stamp.ts';
import { storageError } from '../disk/storage-error.ts';
import { errnoOf, ReverieError } from '../errors.ts';
import { LIMITS, type Limits } from '../limits.ts';
import type { FileFacts, Files, WriteOutcome } from './files.ts';

const { O_RDONLY, O_NONBLOCK } = fs.constants;

export function diskFiles(limits: Pick<Limits, 'tools'> = LIMITS): Files {
  return {
    async stat(path) {
      const stats = await statOrNull(path);
      return stats && factsOf(stats);
    },
    read: (path) => readWhole(path, limits.tools.fileBytes),
    write: (path, bytes, { ifUnchanged }) => write(path, { bytes, ifUnchanged }),
  };
}

async function statOrNull(path: string): Promise<fs.Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return null;
    throw fileError({ path, doing: 'look at', error });
  }
}

function factsOf(stats: fs.Stats): FileFacts {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  return { kind, bytes: stats.size, modifiedMs: stats.mtimeMs };
}

async function readWhole(path: string, maxBytes: number): Promise<Buffer> {
  let file: FileHandle | undefined;
  try {
    // A pipe must not block us: opened without waiting, then looked at.
    file = await open(path, O_RDONLY | (O_NONBLOCK ?? 0));
    const stats = await file.stat();
    if (stats.isDirectory()) throw refusal(`${path} is a folder`);
    if (!stats.isFile()) throw refusal(`${path} is a pipe, a socket or a device, not a file`);
    if (stats.size > maxBytes)
      throw refusal(`${path} is too large: ${stats.size} bytes, and at most ${maxBytes} are read`);
    return await file.readFile();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error)))
      throw new ReverieError({ code: 'not-found', message: `${path} does not exist`, cause: error });
    throw fileError({ path, doing: 'read', error });
  } finally {
    await file?.close();
  }
}

interface Content {
  readonly bytes: Buffer;
  readonly ifUnchanged: string | null;
}

async function write(path: string, content: Content): Promise<WriteOutcome> {
  try {
    const target = realPath(path) ?? path;
    const present = await statOrNull(target);
    if (present === null && fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined)
      return { kind: 'refused', reason: `${path} is a link that leads nowhere` };
    if (present !== null && !present.isFile()) return { kind: 'refused', reason: `${path} is not a regular file` };
    if ((present === null) !== (content.ifUnchanged === null)) return { kind: 'changed-meanwhile' };
    // A rename would replace a file that its owner made read-only: the folder alone decides about that.
    if (present !== null) fs.accessSync(target, fs.constants.W_OK);
    else await mkdir(dirname(target), { recursive: true });
    return await replace(target, { ...content, present });
  } catch (error) {
    throw fileError({ path, doing: 'write', error });
  }
}

const STAGED_BYTES = 9;
const STAGED = new RegExp(`^\\.reverie-[0-9a-f]{${2 * STAGED_BYTES}}\\.tmp$`);

/** Whether a file was on its way into place; after a kill it stays, and is nobody's work. */
export function isStagedFile(name: string): boolean {
  return STAGED.test(name);
}

async function replace(
  target: string,
  content: Content & { readonly present: fs.Stats | null },
): Promise<WriteOutcome> {
  const { bytes, present, ifUnchanged } = content;
  const staged = join(dirname(target), `.reverie-${randomBytes(STAGED_BYTES).toString('hex')}.tmp`);
  try {
    await stage(staged, bytes, present);
    const isInPlace = present === null ? createFrom(staged, target) : await replaceFrom(staged, target, ifUnchanged);
    if (!isInPlace) return { kind: 'changed-meanwhile' };
    syncFolder(dirname(target));
    return { kind: 'written', notes: [] };
  } finally {
    await rm(staged, { force: true });
  }
}

async function stage(path: string, bytes: Buffer, present: fs.Stats | null): Promise<void> {
  // A new file gets what the umask leaves; a replaced one is nobody else's to read before it has its mode.
  const file = await open(path, 'wx', present === null ? 0o666 : 0o600);
  try {
    if (present !== null) await keepOwnerAndMode(file, present);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function keepOwnerAndMode(file: FileHandle, present: fs.Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== present.uid || own.gid !== present.gid) {
    // Only root may give files away; a file of a shared group then becomes the writer's.
    await file.chown(present.uid, present.gid).catch(() => undefined);
  }
  await file.chmod(present.mode & 0o7777);
}

/** Never takes the place of what came meanwhile. */
function createFrom(staged: string, target: string): boolean {
  try {
    fs.linkSync(staged, target);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error))) throw error;
  }
  // A file system without hard links: what is left is a look right before the rename.
  if (fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined) return false;
  fs.renameSync(staged, target);
  return true;
}

/** Hashes what is there, and moves in the same moment in which it is seen to be that still. */
async function replaceFrom(staged: string, target: string, ifUnchanged: string | null): Promise<boolean> {
  const before = stampNow(target);
  if (before === null || hashOf(await fs.promises.readFile(target)) !== ifUnchanged) return false;
  const after = stampNow(target);
  if (after === null || !sameStamp(before, after)) return false;
  fs.renameSync(staged, target);
  return true;
}

function stampNow(path: string): Stamp | null {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stampOf(stats) : null;
}

/** So that the new name lasts through a power cut; not every system lets a folder be opened for that. */
function syncFolder(path: string): void {
  try {
    const folder = fs.openSync(path, O_RDONLY);
    try {
      fs.fsyncSync(folder);
    } finally {
      fs.closeSync(folder);
    }
  } catch {}
}

function refusal(message: string): ReverieError {
  return new ReverieError({ code: 'refused', message });
}

const FIXES: Readonly<Record<string, string>> = {
  EROFS: 'Choose a place that can be written to.',
  EACCES: 'Check owner and mode with `ls -ld`.',
  EPERM: 'Check owner and mode with `ls -ld`.',
};

function fileError(problem: { path: string; doing: string; error: unknown }): ReverieError {
  const { path, error } = problem;
  if (errnoOf(error) === 'ENOTDIR' || errnoOf(error) === 'EEXIST') return refusal(`A part of ${path} is no folder`);
  const told = storageError(problem);
  const fix = FIXES[errnoOf(error)];
  return fix === undefined ? told : new ReverieError({ code: told.code, message: told.message, fix, cause: error });
}
