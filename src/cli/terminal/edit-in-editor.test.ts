import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { entryOf, runLine } from '../../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { ReverieError } from '../../errors.ts';
import type { Memory } from '../../memory/memory.ts';

const ORIGINAL = '---\nname: A\n---\nbefore\n';

describe('memory edit in an editor', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder('test');
    path = join(folder, 'a.md');
    writeFileSync(path, ORIGINAL);
  });

  /** Plays an editor: `edit` gets the copy's path; returns what the command did and where the copy was. */
  async function editWith(
    edit: (copy: string) => void,
    options: { exitCode?: number | null; signal?: string; replace?: Memory['replace']; file?: string } = {},
  ) {
    const cleanups: (() => void)[] = [];
    let copy = '';
    let mode = 0;
    const file = options.file ?? 'a.md';
    const ran = await runLine(['memory', 'edit', '--', file], {
      memories: [entryOf(file, { path })],
      environment: { EDITOR: 'my-editor --wait' },
      memory: options.replace ? { replace: options.replace } : {},
      terminal: {
        atEnd: (cleanup) => void cleanups.push(cleanup),
        async runProgram(program, parameters) {
          expect([program, ...parameters].join(' ')).toContain('my-editor --wait');
          copy = parameters.at(-1)!;
          mode = statSync(copy).mode & 0o777;
          edit(copy);
          return { exitCode: options.exitCode === undefined ? 0 : options.exitCode, signal: options.signal ?? null };
        },
      },
    });
    for (const cleanup of cleanups) cleanup();
    return { ran, copy, mode, replaced: ran.calls.find(([name]) => name === 'replace') };
  }

  it('stores what was written, and removes the private copy', async () => {
    const { ran, copy, mode, replaced } = await editWith((file) => writeFileSync(file, 'after\n'));
    expect(ran.exitCode).toBe(0);
    expect(replaced).toEqual(['replace', 'a.md', 'after\n', { scope: 'project', who: 'user' }]);
    expect(mode).toBe(0o600);
    expect(existsSync(dirname(copy))).toBe(false);
  });

  it.each<[string, (file: string) => void, number, string]>([
    ['nothing was written', () => {}, 0, 'a.md is as it was'],
    ['the file was deleted', (file) => rmSync(file), 0, 'The editor left no file: a.md is as it was'],
    ['all was deleted', (file) => writeFileSync(file, '\n'), 1, 'empty'],
  ])('changes nothing when %s', async (_, edit, exitCode, message) => {
    const { ran, copy, replaced } = await editWith(edit);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stdout + ran.stderr).toContain(message);
    expect(replaced).toBeUndefined();
    expect(existsSync(copy)).toBe(false);
  });

  it.each([
    ['fails', { exitCode: 3 }, 'ended with 3'],
    ['is killed', { exitCode: null, signal: 'SIGKILL' }, 'ended with SIGKILL'],
  ])('changes nothing when the editor %s, and keeps what was typed', async (_, end, message) => {
    const { ran, copy, replaced } = await editWith((file) => writeFileSync(file, 'typed\n'), end);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).toContain(`Your text is kept in ${copy}`);
    expect(replaced).toBeUndefined();
    expect(readFileSync(copy, 'utf8')).toBe('typed\n');
    rmSync(dirname(copy), { recursive: true });
  });

  it('keeps nothing when the editor fails before anything was typed', async () => {
    const { ran, copy } = await editWith(() => {}, { exitCode: 3 });
    expect(ran.stderr).not.toContain('kept');
    expect(existsSync(copy)).toBe(false);
  });

  it.each([
    ['the shell', () => {}, { exitCode: 127 }],
    [
      'the system',
      () => {
        throw Object.assign(new Error('spawn my-editor ENOENT'), { code: 'ENOENT' });
      },
      {},
    ],
  ])('says how to set another editor when %s finds none', async (_, edit, end) => {
    const { ran, copy } = await editWith(edit, end);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('my-editor --wait cannot be started');
    expect(ran.stderr).toContain('export EDITOR=');
    expect(existsSync(copy)).toBe(false);
  });

  it('says what is odd about the stored file', async () => {
    const { ran } = await editWith((file) => writeFileSync(file, '---\nname: A\nno end\n'));
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toMatch(/^warning: a\.md:1: The front matter never ends/m);
  });

  it('passes a file that begins with a dash so that it is not an option', async () => {
    const { ran } = await editWith((file) => writeFileSync(file, ''), { file: '-a.md' });
    expect(ran.stderr).toContain('reverie memory forget -- -a.md');
  });

  it('keeps the text, and says where, when the file changed meanwhile', async () => {
    const { ran, copy, replaced } = await editWith((file) => {
      writeFileSync(file, 'mine\n');
      writeFileSync(path, 'theirs\n');
    });
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('changed while it was being edited');
    expect(ran.stderr).toContain(copy);
    expect(replaced).toBeUndefined();
    expect(readFileSync(copy, 'utf8')).toBe('mine\n');
    expect(readFileSync(path, 'utf8')).toBe('theirs\n');
    rmSync(dirname(copy), { recursive: true });
  });

  it('keeps the text when it cannot be stored', async () => {
    const replace = async () => {
      throw new ReverieError({ code: 'secret', message: 'It holds a key.', fix: 'Take it out.' });
    };
    const { ran, copy } = await editWith((file) => writeFileSync(file, 'mine\n'), { replace });
    expect(ran.exitCode).toBe(1);
    for (const part of ['It holds a key.', 'Take it out.', copy]) expect(ran.stderr).toContain(part);
    expect(readFileSync(copy, 'utf8')).toBe('mine\n');
    rmSync(dirname(copy), { recursive: true });
  });

  it('refuses a file that an editor would damage', async () => {
    writeFileSync(path, Buffer.from([0x61, 0xff, 0x62]));
    const { ran, copy } = await editWith(() => {});
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('not UTF-8');
    expect(copy).toBe('');
  });
});
