/**
 * A folder held by its descriptor. Names are resolved by the kernel below that descriptor, so that swapping a parent
 * folder for a link after the check cannot lead a read or a write outside. Where the platform has no `/proc/self/fd`,
 * paths are used and a swap between check and use remains possible.
 */

import * as fs from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Steps } from '../base/async/in-turns.ts';
import { errnoOf, ReverieError } from '../errors.ts';
import { listInSteps } from './list-in-steps.ts';
import { stagedName } from './staged-name.ts';
import { folderError, storageError } from './storage-error.ts';

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK } = fs.constants;
// Windows knows neither; there the check alone protects.
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const O_DIRECTORY = fs.constants.O_DIRECTORY ?? 0;

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** For what goes into version control: the user's umask decides. */
const SHARED_FILE_MODE = 0o666;
const SHARED_FOLDER_MODE = 0o777;

export interface FolderSharing {
  /** Whether what is made follows the user's umask; for this user alone unless given. */
  readonly isShared?: boolean;
}

export interface Folder {
  /** For messages and for people; never used to reach a file once the folder is open. */
  readonly path: string;
  /** The way to a name below the descriptor, for a system call made at once. */
  at(name: string): string;
  /** Opens a folder below this one; null when it is not there and `create` is not asked for. */
  sub(name: string, options?: { readonly create: boolean }): Folder | null;
  entries(): fs.Dirent[];
  /** The same in steps: in a folder of a hundred thousand files it takes a while. */
  listing(): Steps<fs.Dirent[]>;
  /** Without following a link; null when there is nothing. */
  stat(name: string): fs.Stats | null;
  /** The bytes of a regular file, at most `maxBytes` of them; null when there is none. */
  read(name: string, maxBytes?: number): Buffer | null;
  /** Bytes from a position to another one, or to the end. */
  readFrom(name: string, position: number, end?: number): Buffer;
  /** A new file under a random name, written out and on the disk; for `moveIn`. */
  stage(bytes: Uint8Array | Iterable<Uint8Array>, options?: { readonly durable: boolean }): Promise<string>;
  /** Moves a staged file here. `replace` takes the place of what is there; `create` answers false when something is. */
  moveIn(staged: { from: Folder; name: string }, name: string, how: 'replace' | 'create'): boolean;
  /** One write on an append descriptor, then to the disk if `durable`. What a full disk cuts short is taken back. */
  append(name: string, bytes: Uint8Array, options: { readonly durable: boolean }): Promise<void>;
  truncate(name: string): void;
  /** Gone already is fine. */
  remove(name: string): void;
  /** Removes if it can: for what is in nobody's way when it stays. */
  discard(name: string): void;
  /** Makes renames and removals last through a power cut. */
  sync(): Promise<void>;
  /** The same, waiting for the disk. */
  syncNow(): void;
  close(): void;
}

/** Opens a folder that must already be at its real path: a link in its last part is refused. */
export function openFolder(path: string, sharing: FolderSharing = {}): Folder | null {
  try {
    return holdFolder(path, fs.openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), sharing);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw folderError(path, error);
  }
}

/** Opens a folder, making it and its missing parents for this user alone, whatever the umask; shared ones as the umask says. */
export function createFolder(path: string, sharing: FolderSharing = {}): Folder {
  const existing = openFolder(path, sharing);
  if (existing) return existing;
  const parent = dirname(path);
  if (parent !== path && !fs.existsSync(parent)) createFolder(parent, sharing).close();
  try {
    makeFolder(path, sharing);
    syncFolder(parent);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw storageError({ path, doing: 'make the folder', error });
  }
  const created = openFolder(path, sharing);
  if (!created) throw storageError({ path, doing: 'open the folder', error: new Error('it vanished') });
  return created;
}

function makeFolder(path: string, { isShared = false }: FolderSharing): void {
  fs.mkdirSync(path, isShared ? SHARED_FOLDER_MODE : FOLDER_MODE);
  if (!isShared) fs.chmodSync(path, FOLDER_MODE);
}

/** So that a folder that was made is there after a power cut; a parent that may not be opened is somebody else's care. */
function syncFolder(path: string): void {
  let fd: number;
  try {
    fd = fs.openSync(path, O_RDONLY | O_DIRECTORY);
  } catch {
    return;
  }
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function holdFolder(path: string, fd: number, sharing: FolderSharing): Folder {
  const { isShared = false } = sharing;
  const fileMode = isShared ? SHARED_FILE_MODE : FILE_MODE;
  const byDescriptor = `/proc/self/fd/${fd}`;
  const base = process.platform === 'linux' && fs.existsSync(`${byDescriptor}/.`) ? byDescriptor : path;
  const at = (name: string) => `${base}/${name}`;
  let closed = false;

  return {
    path,
    at,
    sub(name, options) {
      const make = options?.create ?? false;
      for (;;) {
        try {
          return holdFolder(join(path, name), fs.openSync(at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW), sharing);
        } catch (error) {
          if (errnoOf(error) !== 'ENOENT') throw folderError(join(path, name), error);
          if (!make) return null;
        }
        try {
          makeFolder(at(name), sharing);
          fs.fsyncSync(fd);
        } catch (error) {
          if (errnoOf(error) !== 'EEXIST')
            throw storageError({ path: join(path, name), doing: 'make the folder', error });
        }
      }
    },
    entries() {
      try {
        return fs.readdirSync(at('.'), { withFileTypes: true });
      } catch (error) {
        throw storageError({ path, doing: 'list', error });
      }
    },
    *listing() {
      try {
        return yield* listInSteps(at('.'));
      } catch (error) {
        throw storageError({ path, doing: 'list', error });
      }
    },
    stat: (name) => fs.lstatSync(at(name), { throwIfNoEntry: false }) ?? null,
    read(name, maxBytes) {
      const file = openRegular(at(name), join(path, name));
      if (file === null) return null;
      try {
        return maxBytes === undefined ? fs.readFileSync(file) : readHead(file, maxBytes);
      } finally {
        fs.closeSync(file);
      }
    },
    readFrom(name, position, end) {
      const file = openRegular(at(name), join(path, name));
      if (file === null) return Buffer.alloc(0);
      try {
        return readHead(file, Math.max(0, (end ?? fs.fstatSync(file).size) - position), position);
      } finally {
        fs.closeSync(file);
      }
    },
    async stage(bytes, options) {
      const name = stagedName();
      try {
        const file = await open(at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, fileMode);
        try {
          if (!isShared) await file.chmod(FILE_MODE);
          for (const part of bytes instanceof Uint8Array ? [bytes] : bytes) await file.writeFile(part);
          if (options?.durable ?? true) await file.sync();
        } finally {
          await file.close();
        }
        return name;
      } catch (error) {
        fs.rmSync(at(name), { force: true });
        // Its name is nobody's but ours.
        throw storageError({ path, doing: 'write to', error });
      }
    },
    moveIn(staged, name, how) {
      const from = staged.from.at(staged.name);
      try {
        if (how === 'replace') fs.renameSync(from, at(name));
        else {
          fs.linkSync(from, at(name));
          staged.from.discard(staged.name);
        }
        return true;
      } catch (error) {
        if (how === 'create' && errnoOf(error) === 'EEXIST') return false;
        throw storageError({ path: join(path, name), doing: 'put in place', error });
      }
    },
    async append(name, bytes, options) {
      try {
        const file = await open(at(name), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, fileMode);
        try {
          const size = (await file.stat()).size;
          if (size === 0 && !isShared) await file.chmod(FILE_MODE);
          try {
            const { bytesWritten } = await file.write(bytes);
            if (bytesWritten < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
            if (options.durable) await file.sync();
          } catch (error) {
            await file.truncate(size);
            throw error;
          }
        } finally {
          await file.close();
        }
      } catch (error) {
        throw storageError({ path: join(path, name), doing: 'append to', error });
      }
    },
    truncate(name) {
      const file = fs.openSync(at(name), O_WRONLY | O_NOFOLLOW);
      try {
        fs.ftruncateSync(file, 0);
      } finally {
        fs.closeSync(file);
      }
    },
    remove(name) {
      try {
        fs.unlinkSync(at(name));
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT') throw storageError({ path: join(path, name), doing: 'remove', error });
      }
    },
    discard(name) {
      try {
        fs.unlinkSync(at(name));
      } catch {}
    },
    sync: () =>
      new Promise((resolve, reject) => {
        fs.fsync(fd, (error) => (error ? reject(storageError({ path, doing: 'sync', error })) : resolve()));
      }),
    syncNow() {
      try {
        fs.fsyncSync(fd);
      } catch (error) {
        throw storageError({ path, doing: 'sync', error });
      }
    },
    close() {
      if (!closed) fs.closeSync(fd);
      closed = true;
    },
  };
}

/** A pipe must not block us and a device must not be read: opened without waiting, then looked at. */
function openRegular(path: string, shown: string): number | null {
  let fd: number;
  try {
    fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    if (errnoOf(error) === 'ELOOP') throw new ReverieError({ code: 'refused', message: `${shown} is a link` });
    throw storageError({ path: shown, doing: 'read', error });
  }
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  throw new ReverieError({
    code: 'refused',
    message: `${shown} is not a regular file`,
    fix: 'Move it out of the way.',
  });
}

function readHead(fd: number, maxBytes: number, position = 0): Buffer {
  const buffer = Buffer.allocUnsafe(maxBytes);
  let filled = 0;
  while (filled < maxBytes) {
    const count = fs.readSync(fd, buffer, filled, maxBytes - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
