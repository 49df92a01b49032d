/** What a failing disk says, in words for people. */

import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '../base/text/shell-words.ts';
import { messageOf } from '../base/values.ts';
import { errnoOf, ReverieError } from '../errors.ts';

/** A folder that could not be opened: a link in its place is refused, whatever it leads to. */
export function folderError(path: string, error: unknown): ReverieError {
  if (errnoOf(error) === 'ELOOP' || errnoOf(error) === 'ENOTDIR') {
    return new ReverieError({
      code: 'refused',
      message: `${path} is a link or not a folder`,
      fix: 'Replace it with a real folder.',
      cause: error,
    });
  }
  return storageError({ path, doing: 'open', error });
}

/** Where a fix says PATH, what has to be looked at stands in its place. */
const STORAGE_PROBLEMS: Record<string, { what: string; fix: string }> = {
  ENOSPC: { what: 'the disk is full', fix: 'Free some space and try again.' },
  EDQUOT: { what: 'the disk quota is used up', fix: 'Free some space and try again.' },
  EROFS: { what: 'the file system is read-only', fix: 'Remount it writable, or set REVERIE_HOME to another place.' },
  EACCES: { what: 'permission denied', fix: 'Make it yours and writable. To look at it: ls -ld PATH' },
  EPERM: { what: 'operation not permitted', fix: 'Make it yours and writable. To look at it: ls -ld PATH' },
  EIO: { what: 'the disk reported an error', fix: 'Check the disk; the previous content is still in place.' },
  EMFILE: { what: 'too many open files', fix: 'Close some programs or raise `ulimit -n`.' },
};

/** A system call that failed, in words for people and with what to do about it. */
export function storageError(problem: { path: string; doing: string; error: unknown }): ReverieError {
  const { path, doing, error } = problem;
  if (error instanceof ReverieError) return error;
  return new ReverieError({
    code: 'storage',
    message: `Cannot ${doing} ${path}: ${reasonOf(error)}`,
    fix: STORAGE_PROBLEMS[errnoOf(error)]?.fix.replace('PATH', () => quoted(presentAt(path))),
    cause: error,
  });
}

/** What to do where a check found that nothing can be written: a mode can be changed, a read-only disk cannot be helped by that. */
export function unwritableFix(error: unknown, { byMode }: { readonly byMode: string }): string {
  return errnoOf(error) === 'EROFS' ? STORAGE_PROBLEMS.EROFS!.fix : byMode;
}

/** Why folders could not be made, without where: on a read-only disk Node says no more than that there is none. */
export function whyNotMade(path: string, error: unknown): string {
  if (errnoOf(error) !== 'ENOENT') return reasonOf(error);
  try {
    accessSync(presentAt(path), constants.W_OK);
    return reasonOf(error);
  } catch (refusal) {
    return reasonOf(refusal);
  }
}

/** Why, without where. */
export function storageReason(error: ReverieError): string {
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

function reasonOf(error: unknown): string {
  return STORAGE_PROBLEMS[errnoOf(error)]?.what ?? messageOf(error);
}

/** What is not there could not be made in the folder above it. */
function presentAt(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : presentAt(dirname(path));
}
