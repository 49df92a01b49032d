/** Lets the user edit a private copy of a file, and never loses what they wrote when it cannot be stored. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ReverieError } from '../errors.ts';
import type { Terminal } from './terminal.ts';
import { usageError } from './usage.ts';

export type Edited =
  | { readonly kind: 'unchanged' }
  /** `store` gives the text to `write`; when that fails the copy stays, and the error says where. */
  | { readonly kind: 'edited'; store<Result>(write: (text: string) => Promise<Result>): Promise<Result> };

export async function editInEditor(request: {
  path: string;
  file: string;
  terminal: Terminal;
  environment: Readonly<Record<string, string | undefined>>;
}): Promise<Edited> {
  const { path, terminal, environment } = request;
  const editor = environment.VISUAL || environment.EDITOR;
  if (!editor)
    throw usageError('No editor is set, and no flag says what to change.', 'memory edit', 'Set one: export EDITOR=vi');

  const original = readFileSync(path, 'utf8');
  if (!readFileSync(path).equals(Buffer.from(original))) {
    throw new ReverieError({
      code: 'damaged',
      message: `${request.file} is not UTF-8 text.`,
      fix: `Open it where it is: ${editor} ${path}`,
    });
  }
  const folder = mkdtempSync(join(tmpdir(), 'reverie-edit-'));
  const copy = join(folder, basename(request.file));
  let isKept = false;
  terminal.atEnd(() => isKept || rmSync(folder, { recursive: true, force: true }));
  writeFileSync(copy, original, { mode: 0o600, flag: 'wx' });

  const ended = await terminal.runProgram(...editorProgram(editor, copy));
  terminal.throwIfInterrupted();
  if (ended.exitCode !== 0) {
    throw new ReverieError({
      code: 'refused',
      message: `The editor ended with ${ended.signal ?? ended.exitCode}; nothing was changed.`,
      fix: `The editor is ${editor}, from ${environment.VISUAL ? 'VISUAL' : 'EDITOR'}.`,
    });
  }
  const text = readFileSync(copy, 'utf8');
  if (text === original) return { kind: 'unchanged' };
  if (text.trim() === '') {
    throw new ReverieError({
      code: 'refused',
      message: 'The edited text is empty; nothing was changed.',
      fix: `To remove the memory: reverie memory forget ${request.file}`,
    });
  }

  return {
    kind: 'edited',
    async store(write) {
      try {
        if (readIfPresent(path) !== original) {
          throw new ReverieError({
            code: 'refused',
            message: `${request.file} changed while it was being edited; it was left as it is.`,
          });
        }
        return await write(text);
      } catch (error) {
        isKept = true;
        throw new ReverieError({
          code: error instanceof ReverieError ? error.code : 'storage',
          message: error instanceof Error ? error.message : String(error),
          fix: [error instanceof ReverieError ? error.fix : '', `Your text is kept in ${copy}`]
            .filter(Boolean)
            .join('\n'),
          cause: error,
        });
      }
    },
  };
}

/** Through a shell when EDITOR holds more than a name (`code --wait`); the path is passed, never pasted. */
function editorProgram(editor: string, path: string): [string, string[]] {
  if (/^[\w./-]+$/.test(editor)) return [editor, [path]];
  if (process.platform === 'win32') return ['cmd.exe', ['/d', '/s', '/c', `${editor} "${path}"`]];
  return ['/bin/sh', ['-c', `${editor} "$@"`, editor, path]];
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
