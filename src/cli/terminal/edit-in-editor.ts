/** Lets the user edit a private copy of a file, and never loses what they wrote when it cannot be stored. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileWords, quoted } from '../../base/text/shell-words.ts';
import { messageOf } from '../../base/values.ts';
import { errnoOf, ReverieError } from '../../errors.ts';
import type { Terminal } from './terminal.ts';

export type Edited =
  | { readonly kind: 'unchanged'; readonly reason: 'same-text' | 'file-removed' }
  /** `store` passes the text to `write`; when that fails the copy stays, and the error says where. */
  | {
      readonly kind: 'edited';
      readonly text: string;
      store<Result>(write: (text: string) => Promise<Result>): Promise<Result>;
    };

interface Editor {
  readonly program: string;
  /** The variable that names it. */
  readonly variable: 'VISUAL' | 'EDITOR';
}

export async function editInEditor(request: {
  path: string;
  file: string;
  terminal: Terminal;
  environment: Readonly<Record<string, string | undefined>>;
}): Promise<Edited> {
  const { path, file, terminal } = request;
  const editor = chosenEditor(request.environment);
  const original = readFileSync(path, 'utf8');
  if (!readFileSync(path).equals(Buffer.from(original))) {
    throw new ReverieError({
      code: 'damaged',
      message: `${file} is not UTF-8 text.`,
      fix: `Open it where it is: ${editor.program} ${quoted(path)}`,
    });
  }
  const folder = mkdtempSync(join(tmpdir(), 'reverie-edit-'));
  const copy = join(folder, basename(file));
  writeFileSync(copy, original, { mode: 0o600, flag: 'wx' });
  let isSettled = false;
  const hasTyped = () => ![original, null].includes(readIfPresent(copy));
  const keptAt = () => (hasTyped() ? `Your text is kept in ${copy}` : '');
  // Also when the command is ended from outside: the typed text survives.
  terminal.atEnd(() => {
    if (isSettled || !hasTyped()) rmSync(folder, { recursive: true, force: true });
  });

  await runEditor({ editor, copy, terminal, keptAt });
  const text = readIfPresent(copy);
  if (text === null) return { kind: 'unchanged', reason: 'file-removed' };
  if (text === original) return { kind: 'unchanged', reason: 'same-text' };
  if (text.trim() === '') {
    isSettled = true;
    throw new ReverieError({
      code: 'refused',
      message: 'The edited text is empty; nothing was changed.',
      fix: `To remove the memory: reverie memory forget ${fileWords(file)}`,
    });
  }

  return {
    kind: 'edited',
    text,
    async store(write) {
      try {
        if (readIfPresent(path) !== original) {
          throw new ReverieError({
            code: 'refused',
            message: `${file} changed while it was being edited; it was left as it is.`,
          });
        }
        const result = await write(text);
        isSettled = true;
        return result;
      } catch (error) {
        throw new ReverieError({
          code: error instanceof ReverieError ? error.code : 'storage',
          message: messageOf(error),
          fix: [error instanceof ReverieError ? error.fix : '', keptAt()].filter(Boolean).join('\n'),
          cause: error,
        });
      }
    },
  };
}

function chosenEditor(environment: Readonly<Record<string, string | undefined>>): Editor {
  const { VISUAL, EDITOR } = environment;
  if (VISUAL?.trim()) return { program: VISUAL, variable: 'VISUAL' };
  if (EDITOR?.trim()) return { program: EDITOR, variable: 'EDITOR' };
  throw new ReverieError({ code: 'usage', message: 'No editor is set. Set one first: export EDITOR=vi' });
}

/** How a shell says that it found no such program, or nothing it may run. */
const NOT_RUNNABLE = [126, 127];

async function runEditor(run: {
  editor: Editor;
  copy: string;
  terminal: Terminal;
  keptAt: () => string;
}): Promise<void> {
  const { editor, copy, terminal, keptAt } = run;
  const whichEditor = `The editor is ${editor.program}, from ${editor.variable}.`;
  const ended = await terminal.runProgram(...editorProgram(editor.program, copy)).catch((error: unknown) => {
    terminal.throwIfInterrupted(keptAt());
    if (['ENOENT', 'EACCES'].includes(errnoOf(error))) return { exitCode: 127, signal: null };
    throw error;
  });
  terminal.throwIfInterrupted(keptAt());
  if (ended.exitCode === 0) return;
  if (ended.exitCode !== null && NOT_RUNNABLE.includes(ended.exitCode)) {
    throw new ReverieError({
      code: 'refused',
      message: `The editor ${editor.program} cannot be started: it is not installed, or not a program. Nothing was changed.`,
      fix: [`Set ${editor.variable} to one that is: export ${editor.variable}=vi`, keptAt()].filter(Boolean).join('\n'),
    });
  }
  throw new ReverieError({
    code: 'refused',
    message: `The editor ended with ${ended.signal ?? ended.exitCode}; nothing was changed.`,
    fix: [whichEditor, keptAt()].filter(Boolean).join('\n'),
  });
}

/** Through a shell when EDITOR holds more than a name (`code --wait`); the path is passed as an argument, never inserted. */
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
