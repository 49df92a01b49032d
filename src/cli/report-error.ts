/** Says on standard error what failed and how to fix it, and chooses the exit code. */

import { messageOf } from '../base/values.ts';
import { errnoOf, ReverieError } from '../errors.ts';
import { plainJson, plainText } from './terminal/plain-text.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface ErrorContext {
  readonly terminal: Pick<Terminal, 'paint' | 'writeError'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
}

/** 2 for a line that was not understood, 1 for everything else. */
export function reportError(error: unknown, { terminal, environment, isJson }: ErrorContext): 1 | 2 {
  const { code, message, fix } = describe(error);
  if (isJson) terminal.writeError(`${plainJson({ error: { code, message, fix } })}\n`);
  else {
    const lines = [`${terminal.paint.red('reverie:')} ${plainText(message)}`, ...(fix === '' ? [] : [plainText(fix)])];
    terminal.writeError(`${lines.join('\n')}\n`);
  }
  const isStackWanted = environment.REVERIE_DEBUG === '1' && code === 'unexpected';
  if (isStackWanted && error instanceof Error) terminal.writeError(`${error.stack}\n`);
  return code === 'usage' ? 2 : 1;
}

function describe(error: unknown): { code: string; message: string; fix: string } {
  if (error instanceof ReverieError) return { code: error.code, message: error.message, fix: error.fix };
  const message = messageOf(error);
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd') {
    const gone = 'The current directory no longer exists; go to another one.';
    return { code: 'not-found', message: gone, fix: '' };
  }
  // An operating system error already says what and where.
  if (/^E(?!RR_)[A-Z0-9]+$/.test(errnoOf(error))) return { code: 'storage', message, fix: '' };
  return { code: 'unexpected', message, fix: 'This is a bug in Reverie. Run with REVERIE_DEBUG=1 to see where.' };
}
