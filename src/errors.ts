/** What goes wrong in a way we expected: what happened, where, and the command or edit that fixes it. */

/** What kind of error it is. */
export type ErrorCode =
  | 'usage' // the caller asked for something that cannot be: exit 2 in the terminal
  | 'refused' // a rule forbids it: containment, undo over a later change
  | 'secret' // the text holds a credential
  | 'not-found'
  | 'ambiguous' // the name is in both scopes
  | 'locked' // another process holds the folder
  | 'damaged' // a file is not what it should be
  | 'memory-off'
  | 'storage' // the disk is full, read-only or failing
  | 'model' // a language model cannot be had or did not answer
  | 'interrupted'; // the user ended it

/** An expected error: what happened, and in `fix` what to do about it. */
export class ReverieError extends Error {
  readonly code: ErrorCode;
  /** The command or edit that fixes it; empty when there is none. */
  readonly fix: string;

  constructor(problem: { code: ErrorCode; message: string; fix?: string | undefined; cause?: unknown }) {
    super(problem.message, problem.cause === undefined ? undefined : { cause: problem.cause });
    this.name = 'ReverieError';
    this.code = problem.code;
    this.fix = problem.fix ?? '';
  }
}

/** The errno of a failed system call, or an empty string for any other error. */
export function errnoOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
