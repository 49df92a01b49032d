/** What a failing disk says, in words for people. */

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

const STORAGE_PROBLEMS: Record<string, { what: string; fix: string }> = {
  ENOSPC: { what: 'the disk is full', fix: 'Free some space and try again.' },
  EDQUOT: { what: 'the disk quota is used up', fix: 'Free some space and try again.' },
  EROFS: { what: 'the file system is read-only', fix: 'Remount it writable, or set REVERIE_HOME to another place.' },
  EACCES: { what: 'permission denied', fix: 'Check the owner and mode with `ls -ld`; the folder must be yours.' },
  EPERM: { what: 'operation not permitted', fix: 'Check the owner and mode with `ls -ld`; the folder must be yours.' },
  EIO: { what: 'the disk reported an error', fix: 'Check the disk; the previous content is still in place.' },
  EMFILE: { what: 'too many open files', fix: 'Close some programs or raise `ulimit -n`.' },
};

/** A system call that failed, in words for people and with what to do about it. */
export function storageError(problem: { path: string; doing: string; error: unknown }): ReverieError {
  const { path, doing, error } = problem;
  if (error instanceof ReverieError) return error;
  const known = STORAGE_PROBLEMS[errnoOf(error)];
  const what = known?.what ?? (error instanceof Error ? error.message : String(error));
  return new ReverieError({
    code: 'storage',
    message: `Cannot ${doing} ${path}: ${what}`,
    fix: known?.fix,
    cause: error,
  });
}
