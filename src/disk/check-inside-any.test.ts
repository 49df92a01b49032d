/** Paths of other systems, and any path at all: nothing is thrown, and what is allowed is inside. */

import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { unicodeText } from '../../test/support/unicode-text.ts';
import { checkInside, type PathOperation } from './check-inside.ts';
import type { Disk } from './disk.ts';

const base = temporaryFolder('any');
const root = join(base, 'm', 'memory');

mkdirSync(join(root, 'notes'), { recursive: true });
mkdirSync(join(base, 'outside'));
for (const file of ['m/memory/user_role.md', 'm/memory/notes/a.md', 'outside/x.md', 'outside/a.md']) {
  writeFileSync(join(base, file), 'text');
}
if (process.platform !== 'win32') {
  symlinkSync(join(base, 'outside'), join(root, 'dirlink'));
  symlinkSync(join(base, 'outside', 'x.md'), join(root, 'link.md'));
  symlinkSync('user_role.md', join(root, 'alias.md'));
  symlinkSync('notes', join(root, 'inner'));
  symlinkSync('.', join(root, 'self'));
  symlinkSync(root, join(base, 'mlink'));
}

describe('other systems', () => {
  const windowsRoot = 'C:\\Users\\u\\mem\\memory';

  it.each([
    ['a short name of .git', 'git~1/config'],
    ['a drive’s root', 'C:\\'],
    ['a drive', 'C:'],
    ['a name relative to a drive', 'C:x.md'],
    ['a name relative to the drive’s root', '\\x.md'],
    ['another machine, with forward slashes', '//server/share/x.md'],
    ['another machine', '\\\\server\\share\\x.md'],
    ['the object namespace', '\\\\?\\GLOBALROOT\\Device\\x'],
    ['a stream', 'x.md:hidden'],
    ['the main stream', 'x.md::$DATA'],
    ['a device', 'nul.md'],
    ['a device with a number', 'com1.md'],
    ['a device with a superscript', 'LPT\u00b9.md'],
    ['a device before the first dot', 'aux.notes.md'],
    ['a short folder name', 'MEMORY~1\\x.md'],
    ['a junction, or any folder, with a backslash', 'junc\\x.md'],
    ['a sibling that shares the prefix', 'C:\\Users\\u\\mem\\memory-evil\\x.md'],
    ['a climb', 'C:\\Users\\u\\mem\\memory\\..\\x.md'],
    ['another drive', 'D:\\Users\\u\\mem\\memory\\x.md'],
  ])('Windows: refuses %s: %s', (_, path) => {
    expect(checkInside(windowsRoot, path, 'write', { platform: 'win32' }).verdict).toBe('deny');
  });

  it.each([
    ['an absolute path inside', 'C:\\Users\\u\\mem\\memory\\x.md', 'x.md'],
    ['in other letters', 'c:\\users\\U\\mem\\memory\\notes\\x.md', 'notes/x.md'],
    ['with forward slashes', 'C:/Users/u/mem/memory/x.md', 'x.md'],
    ['a relative path', 'notes/x.md', 'notes/x.md'],
  ])('Windows: takes %s', (_, path, file) => {
    expect(checkInside(windowsRoot, path, 'write', { platform: 'win32' })).toMatchObject({ verdict: 'allow', file });
  });

  it('macOS: takes the same folder in other letters', () => {
    const facts = { platform: 'darwin' } as const;
    expect(checkInside('/Users/u/mem/memory', '/users/U/MEM/memory/x.md', 'write', facts)).toMatchObject({
      verdict: 'allow',
      file: 'x.md',
    });
    expect(checkInside('/Users/u/mem/memory', '/users/U/MEM/memory2/x.md', 'write', facts).verdict).toBe('deny');
  });
});

describe.runIf(process.platform !== 'win32')('a disk that does not tell capital letters', () => {
  const stored = new Map([
    ['/mem/ory', { kind: 'folder', real: '/mem/ory' }],
    ['/mem/ory/user_role.md', { kind: 'file', real: '/mem/ory/user_role.md' }],
    ['/mem/ory/junction', { kind: 'folder', real: '/elsewhere' }],
    ['/mem/ory/junction/x.md', { kind: 'file', real: '/elsewhere/x.md' }],
  ] as const);
  const at = (path: string) => [...stored].find(([name]) => name === path.toLowerCase())?.[1];
  const disk: Disk = {
    look: (path) => ({ kind: at(path)?.kind ?? 'missing', ownerId: 0, hardLinks: 1 }),
    real: (path) => at(path)?.real ?? null,
    names: () => ['user_role.md', 'junction'],
  };
  const ask = (path: string, op: PathOperation) => checkInside('/mem/ory', path, op, { platform: 'darwin', disk });

  it('reads a file under another spelling, but neither writes nor removes it', () => {
    expect(ask('User_Role.md', 'read').verdict).toBe('allow');
    expect(ask('User_Role.md', 'write')).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('"user_role.md"'),
    });
    expect(ask('User_Role.md', 'delete').verdict).toBe('deny');
    expect(ask('user_role.md', 'write').verdict).toBe('allow');
  });

  it.each<PathOperation>(['read', 'write', 'delete'])(
    'refuses to %s beyond a folder that is really elsewhere',
    (op) => {
      expect(ask('junction/x.md', op)).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('leaves') });
    },
  );
});

describe.runIf(process.platform !== 'win32')('for any path', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      'notes',
      'dirlink',
      'inner',
      'self',
      'alias.md',
      'link.md',
      'user_role.md',
      'a.md',
      'x.md',
      'MEMORY.md',
      '~',
      '\\',
      '\0',
    ),
    unicodeText({ maxLength: 6 }),
  );
  const anyPath = fc
    .tuple(fc.constantFrom('', '/', `${root}/`, `${base}/`, `${base}/mlink/`), fc.array(piece, { maxLength: 6 }))
    .map(([start, pieces]) => start + pieces.join('/'));
  const anyOperation = fc.constantFrom<PathOperation>('read', 'write', 'create', 'delete', 'index-write', 'restore');

  it('nothing is thrown, and what is allowed is inside by its real path, without a link on the way', () => {
    const before = readdirSync(root);
    let allowed = 0;
    fc.assert(
      fc.property(anyPath, anyOperation, fc.constantFrom(root, join(base, 'mlink')), (path, op, from) => {
        const answer = checkInside(from, path, op);
        if (answer.verdict === 'deny') {
          expect(answer.file).toBeUndefined();
          return;
        }
        allowed++;
        const target = resolve(root, answer.file ?? '..');
        expect(target.startsWith(root + sep)).toBe(true);
        const folders = target
          .slice(root.length + 1)
          .split(sep)
          .map((_, index, parts) => join(root, ...parts.slice(0, index)));
        for (const folder of folders) expect(realOr(folder)).toBe(folder);
        expect(realOr(target)).toBe(target);
      }),
      { numRuns: 3_000 },
    );
    // Of 3,000 mostly hostile paths a few dozen are allowed; far fewer would mean that the property tests nothing.
    expect(allowed).toBeGreaterThan(15);
    expect(readdirSync(root)).toEqual(before);
  });

  it('nothing is thrown for any root or platform', () => {
    const anyText = unicodeText({ maxLength: 40 });
    const anyPlatform = fc.constantFrom<NodeJS.Platform>('linux', 'darwin', 'win32');
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.constantFrom('C:\\a\\b', '/a/b')),
        fc.oneof(anyText, anyPath),
        anyOperation,
        anyPlatform,
        (from, path, op, platform) => {
          expect(['allow', 'deny']).toContain(checkInside(from, path, op, { platform }).verdict);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/** The real path of what exists; the path itself where nothing does. */
function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
