/** Paths that lead out of a memory folder, that mislead, or that are fine: judged on a real folder with real links. */

import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { checkInside, type PathOperation } from './check-inside.ts';

const base = temporaryFolder('inside');
const root = join(base, 'm', 'memory');
const isUnix = process.platform !== 'win32';

for (const folder of ['m/memory/notes', 'm/memory/dir.md', 'm/memory/.reverie/journal', 'm/memory-evil', 'outside']) {
  mkdirSync(join(base, folder), { recursive: true });
}
for (const file of [
  ...[
    'm/memory/user_role.md',
    'm/memory/notes/a.md',
    'm/memory/-dash.md',
    'm/memory/100% сat.md',
    'm/memory/plain.txt',
  ],
  ...[
    'm/memory/.reverie/journal/1.md',
    'm/memory/cafe\u0301.md',
    'm/memory/claude.md',
    'outside/secret.txt',
    'outside/x.md',
  ],
]) {
  writeFileSync(join(base, file), 'text');
}
if (isUnix) {
  symlinkSync(join(base, 'outside'), join(root, 'dirlink'));
  symlinkSync(join(base, 'outside', 'secret.txt'), join(root, 'link.md'));
  symlinkSync(join(base, 'outside', 'not-there.md'), join(root, 'dangling.md'));
  symlinkSync('loop.md', join(root, 'loop.md'));
  symlinkSync('link.md', join(root, 'chain2.md'));
  symlinkSync('user_role.md', join(root, 'alias.md'));
  symlinkSync('notes', join(root, 'inner'));
  symlinkSync('.', join(root, 'self'));
  symlinkSync('.reverie/journal/1.md', join(root, 'peek.md'));
  symlinkSync('plain.txt', join(root, 'text.md'));
  symlinkSync('/proc/self/environ', join(root, 'environ.md'));
  symlinkSync(root, join(base, 'mlink'));
  symlinkSync(join(base, 'nowhere'), join(base, 'broken'));
  linkSync(join(base, 'outside', 'secret.txt'), join(root, 'hard.md'));
  execFileSync('mkfifo', [join(root, 'fifo.md')]);
}

/** Tables write `/srv` for the temporary folder that everything is in. */
const onDisk = (path: string) => path.replaceAll('/srv', base);
const check = (path: string, op: PathOperation, from = root) => checkInside(from, onDisk(path), op);

type Row = readonly [name: string, path: string, op: PathOperation];

const REFUSED: readonly { readonly because: RegExp; readonly rows: readonly Row[] }[] = [
  {
    because: /leaves the memory folder/,
    rows: [
      ['parent traversal', '../x.md', 'write'],
      ['two levels up', '../../etc/passwd', 'read'],
      ['a leading ./', './../x.md', 'write'],
      ['absolute, then up', '/srv/m/memory/../x.md', 'write'],
      ['mixed . and ..', '/srv/m/memory/./../../../etc/passwd', 'read'],
      ['what normalises to a sibling', 'sub/../sub/../../memory-evil/x.md', 'write'],
      ['down, up, down, up', 'notes/../../memory/../x.md', 'write'],
      ['out and back in', '../memory/user_role.md', 'read'],
    ],
  },
  {
    because: /outside the memory folder/,
    rows: [
      ['absolute elsewhere', '/etc/passwd', 'read'],
      ['an ancestor of the root', '/srv', 'read'],
      ['the direct parent', '/srv/m', 'read'],
      ['keys that let someone in', '/root/.ssh/authorized_keys', 'write'],
      ['a shell’s start-up file', '/home/u/.bashrc', 'write'],
      ['a magic link to the root', '/proc/self/root/srv/outside/secret.txt', 'read'],
      ['a magic link to the root and back inside', '/proc/self/root/srv/m/memory/user_role.md', 'read'],
      ['a magic link to the working folder', '/proc/self/cwd/x.md', 'read'],
      ['the environment of the process', '/proc/self/environ', 'read'],
      ['a descriptor', '/dev/fd/3', 'read'],
      ['a device', '/dev/stdin', 'read'],
      ['the prefix plus a digit', '/srv/m/memory2/x.md', 'write'],
      ['the prefix without a separator', '/srv/m/memoryx.md', 'write'],
      ['the prefix plus a dot', '/srv/m/memory.bak/x.md', 'write'],
      ['the prefix plus a dash, which exists', '/srv/m/memory-evil/x.md', 'write'],
      ['the prefix plus a blank', '/srv/m/memory /x.md', 'write'],
    ],
  },
  {
    because: /names a folder|memory folder itself/,
    rows: [
      ['a climb to the root itself', 'notes/..', 'write'],
      ['the file system’s root', '/', 'read'],
      ['a dot', '.', 'write'],
      ['a dot and a slash', './', 'write'],
      ['a file with a trailing slash', 'x.md/', 'write'],
      ['a file used as a folder', 'x.md/.', 'write'],
      ['the absolute root', '/srv/m/memory', 'read'],
    ],
  },
  {
    because: /begin with a dot/,
    rows: [
      ['what survives a naive removal of ../', '....//x.md', 'write'],
      ['what survives a filter of one pass', '..././x.md', 'write'],
      ['a path parameter of web servers', '..;/x.md', 'write'],
      ['an overlong slash', '..%c0%afx.md', 'write'],
      ['an encoded full-width slash', '..%ef%bc%8fx.md', 'write'],
      ['a division slash', '..\u2215x.md', 'write'],
      ['a full-width backslash', '..\uff3cx.md', 'write'],
      ['files of git itself', '.git/config', 'write'],
      ['the same in capital letters', '.GIT/config', 'write'],
      ['the lock', '.consolidate-lock', 'write'],
      ['settings that define hooks', '.claude/settings.json', 'write'],
      ['the journal', '.reverie/journal/1.md', 'read'],
      ['a hidden memory', 'notes/.hidden.md', 'create'],
    ],
  },
  {
    because: /percent-encoded/,
    rows: [
      ['encoded dots', '%2e%2e/x.md', 'write'],
      ['an encoded NUL', 'x.md%00.png', 'write'],
      ['an encoded absolute path', '%2fetc%2fpasswd', 'read'],
      ['twice encoded dots', '%252e%252e/x.md', 'read'],
      ['a wide encoding', '%u002e%u002e/x.md', 'read'],
    ],
  },
  {
    because: /backslash/,
    rows: [
      ['hexadecimal escapes', '\\x2e\\x2e/x.md', 'write'],
      ['a backslash as a separator', 'notes\\a.md', 'write'],
      ['a climb with backslashes', '..\\..\\x.md', 'read'],
    ],
  },
  {
    because: /NUL|control character|cannot be seen|half a character/,
    rows: [
      ['a NUL that ends the name in C', 'x.md\0.txt', 'write'],
      ['a NUL before a climb', 'x\0/../../etc/passwd', 'read'],
      ['a newline', 'x\n.md', 'write'],
      ['a tab', 'x\t.md', 'write'],
      ['an escape sequence', 'x\u001b[31m.md', 'write'],
      ['a right-to-left override', 'x\u202egnp.md', 'write'],
      ['a zero-width space', 'x\u200b.md', 'write'],
      ['half a character', 'x\ud800.md', 'write'],
      ['.git with a character that HFS+ ignores', '.g\u200cit/config', 'write'],
    ],
  },
  {
    because: /home folder|shells and programs/,
    rows: [
      ['a tilde', '~/x.md', 'write'],
      ['another user’s home', '~root/x.md', 'write'],
      ['a variable', '$HOME/x.md', 'write'],
      ['a variable in braces', `$\{HOME}/x.md`, 'write'],
      ['a variable of Windows', '%USERPROFILE%/x.md', 'write'],
      ['backticks', '`id`.md', 'write'],
    ],
  },
  {
    because: /dot or a slash|mixes alphabets/,
    rows: [
      ['full-width dots', '\uff0e\uff0e/x.md', 'write'],
      ['a two-dot leader', '\u2025/x.md', 'write'],
      ['one-dot leaders', '\u2024\u2024/x.md', 'write'],
      ['a Cyrillic letter in a Latin word', 'notes/\u0441at.md', 'create'],
    ],
  },
  {
    because: /ends in `\.md`/,
    rows: [
      ['a trailing blank', 'x.md ', 'write'],
      ['a trailing dot', 'x.md.', 'write'],
      ['no ending', 'x', 'write'],
      ['a script', 'x.sh', 'write'],
      ['two endings', 'x.md.exe', 'write'],
      ['a text file that exists', 'plain.txt', 'read'],
      ['a stream of Windows', 'x.md:hidden', 'write'],
    ],
  },
  {
    because: /option|Windows|begins with a blank|agents obey/,
    rows: [
      ['a leading dash', '-rf.md', 'write'],
      ['a device with an ending', 'nul.md', 'write'],
      ['a device with a number', 'com1.md', 'write'],
      ['a device with a superscript', 'LPT\u00b9.md', 'write'],
      ['a device before the first dot', 'aux.notes.md', 'write'],
      ['a character that Windows refuses', 'x<y.md', 'write'],
      ['a double quote', 'a"b.md', 'write'],
      ['an address', 'file:///srv/m/memory/user_role.md', 'read'],
      ['a folder that ends in a dot', 'notes./a.md', 'write'],
      ['a short name', 'notes~1/a.md', 'write'],
      ['a leading blank', ' x.md', 'create'],
      ['a file that other agents obey', 'notes/AGENTS.md', 'create'],
    ],
  },
  {
    because: /used as a folder|named like a memory/,
    rows: [
      ['the index used as a folder', 'MEMORY.md/x.md', 'write'],
      ['a climb through a file', 'user_role.md/../../x.md', 'write'],
      ['a climb through a file that stays inside', 'user_role.md/../x.md', 'read'],
    ],
  },
  {
    because: /at most 255 bytes|too long|deeper than 8/,
    rows: [
      ['88 characters that are 258 bytes', `${'日'.repeat(85)}.md`, 'write'],
      ['256 bytes', `${'a'.repeat(253)}.md`, 'write'],
      ['a path longer than the system takes', `${`${'d'.repeat(200)}/`.repeat(22)}x.md`, 'write'],
      ['forty folders', `${'d/'.repeat(40)}x.md`, 'write'],
      ['nine folders', `${'d/'.repeat(9)}x.md`, 'write'],
    ],
  },
  {
    because: /empty/,
    rows: [
      ['a blank', ' ', 'write'],
      ['nothing', '', 'read'],
    ],
  },
  {
    because: /already/,
    rows: [
      ['a case twin of a file', 'User_Role.md', 'create'],
      ['a case twin, as an update', 'USER_ROLE.md', 'write'],
      ['a case twin of a folder', 'Notes/b.md', 'create'],
      ['a twin in full-width letters', 'ｕser_role.md', 'create'],
      ['a file that is there', 'user_role.md', 'create'],
      ['the same name in other code points', 'caf\u00e9.md', 'create'],
    ],
  },
  {
    because: /the index/,
    rows: [
      ['the index by anyone but its writer', 'MEMORY.md', 'write'],
      ['removing the index', 'MEMORY.md', 'delete'],
      ['a memory by the index writer', 'user_role.md', 'index-write'],
      ['an index further down', 'notes/MEMORY.md', 'index-write'],
    ],
  },
  { because: /taken for MEMORY\.md/, rows: [['a case twin of the index', 'Memory.md', 'create']] },
  { because: /is a folder/, rows: [['a folder with a file’s name', 'dir.md', 'read']] },
];

const REFUSED_LINKS: typeof REFUSED = [
  {
    because: /through links/,
    rows: [
      ['a linked folder in the middle', 'dirlink/x.md', 'write'],
      ['a missing leaf below a linked folder', 'dirlink/new/deep/x.md', 'write'],
      ['a climb out of a link’s target', 'dirlink/../x.md', 'write'],
      ['a link to a file outside', 'link.md', 'write'],
      ['a link to nothing', 'dangling.md', 'write'],
      ['a link to nothing, to create', 'dangling.md', 'create'],
      ['a link that stays inside', 'alias.md', 'write'],
      ['a linked folder that stays inside', 'inner/b.md', 'create'],
      ['a link, to remove', 'alias.md', 'delete'],
      ['a link, to restore', 'alias.md', 'restore'],
    ],
  },
  {
    because: /out of the memory folder|leads nowhere/,
    rows: [
      ['a link to a file outside', 'link.md', 'read'],
      ['a linked folder', 'dirlink/x.md', 'read'],
      ['a link that loops', 'loop.md', 'read'],
      ['a chain of links', 'chain2.md', 'read'],
      ['a link to the environment', 'environ.md', 'read'],
    ],
  },
  { because: /after a link/, rows: [['a climb after a link', 'inner/../user_role.md', 'read']] },
  {
    because: /not a memory/,
    rows: [
      ['a link into the journal', 'peek.md', 'read'],
      ['a link to a text file', 'text.md', 'read'],
    ],
  },
  { because: /pipe/, rows: [['a named pipe', 'fifo.md', 'read']] },
];

describe.each(REFUSED)('refused because $because', ({ because, rows }) => {
  it.each(rows)('%s: %j to %s', (_, path, op) => {
    expect(check(path, op)).toEqual({ verdict: 'deny', reason: expect.stringMatching(because) });
  });
});

describe.runIf(isUnix).each(REFUSED_LINKS)('on links, refused because $because', ({ because, rows }) => {
  it.each(rows)('%s: %j to %s', (_, path, op) => {
    expect(check(path, op)).toEqual({ verdict: 'deny', reason: expect.stringMatching(because) });
  });
});

describe('allowed', () => {
  it.each<readonly [string, string, PathOperation, string]>([
    ['a composed name', 'notes/caf\u00e9.md', 'write', 'notes/caf\u00e9.md'],
    ['a decomposed name, stored composed', 'notes/cafe\u0301.md', 'write', 'notes/caf\u00e9.md'],
    ['an emoji', 'notes/😀.md', 'write', 'notes/😀.md'],
    ['an alphabet of its own', 'notes/кот.md', 'create', 'notes/кот.md'],
    ['a leading ./', './notes/a.md', 'read', 'notes/a.md'],
    ['an inner .', 'notes/./a.md', 'read', 'notes/a.md'],
    ['a climb that stays inside', 'notes/../user_role.md', 'read', 'user_role.md'],
    ['absolute inside', '/srv/m/memory/user_role.md', 'write', 'user_role.md'],
    ['absolute with a double slash', '/srv/m/memory//notes/a.md', 'read', 'notes/a.md'],
    ['a dated log', 'logs/2026/03/2026-03-31.md', 'write', 'logs/2026/03/2026-03-31.md'],
    ['dots and dashes', 'feedback_no-mocks.v2.md', 'write', 'feedback_no-mocks.v2.md'],
    ['the index by its writer', 'MEMORY.md', 'index-write', 'MEMORY.md'],
    ['the index, to read', 'MEMORY.md', 'read', 'MEMORY.md'],
    ['the longest name', `${'a'.repeat(252)}.md`, 'write', `${'a'.repeat(252)}.md`],
    ['the longest name in long characters', `${'日'.repeat(84)}.md`, 'write', `${'日'.repeat(84)}.md`],
    ['eight folders', `${'d/'.repeat(8)}x.md`, 'write', `${'d/'.repeat(8)}x.md`],
    ['a bad name that is there, to read', '-dash.md', 'read', '-dash.md'],
    ['a bad name that is there, to remove', '100% сat.md', 'delete', '100% сat.md'],
    ['a bad name that was there, to restore', 'notes/-rf.md', 'restore', 'notes/-rf.md'],
    ['a decomposed name on disk, asked for composed', 'caf\u00e9.md', 'read', 'cafe\u0301.md'],
  ])('%s: %j to %s', (_, path, op, file) => {
    expect(check(path, op)).toMatchObject({ verdict: 'allow', file });
  });

  it.runIf(isUnix).each<readonly [string, string, string]>([
    ['a link that stays inside, as its target', 'alias.md', 'user_role.md'],
    ['a linked folder that stays inside', 'inner/a.md', 'notes/a.md'],
    ['a link to the folder itself', 'self/self/user_role.md', 'user_role.md'],
  ])('reads %s', (_, path, file) => {
    expect(check(path, 'read')).toMatchObject({ verdict: 'allow', file });
  });

  it.runIf(isUnix)('reads a hard link, and says that it is one', () => {
    expect(check('hard.md', 'read')).toMatchObject({ verdict: 'allow', reason: expect.stringContaining('hard link') });
    expect(check('user_role.md', 'read').reason).not.toContain('hard link');
  });
});

describe.runIf(isUnix)('a root that is reached through a link', () => {
  const linked = join(base, 'mlink');

  it.each([
    ['by the link', '/srv/mlink/user_role.md', linked],
    ['by the real path, root by the link', '/srv/m/memory/user_role.md', linked],
    ['by the link, root by the real path', '/srv/mlink/user_role.md', root],
  ])('is the same folder %s', (_, path, from) => {
    expect(check(path, 'read', from)).toMatchObject({ verdict: 'allow', file: 'user_role.md' });
  });

  it('cannot be climbed out of', () => {
    expect(check('/srv/mlink/../outside/x.md', 'read', linked).verdict).toBe('deny');
  });

  it('is refused when the link leads nowhere, and when it is no folder', () => {
    expect(check('x.md', 'create', join(base, 'broken')).verdict).toBe('deny');
    expect(check('x.md', 'create', join(root, 'user_role.md')).verdict).toBe('deny');
    expect(check('x.md', 'create', 'relative/memory').verdict).toBe('deny');
  });

  it('need not exist yet', () => {
    const later = join(base, 'later', 'memory');
    expect(check('notes/x.md', 'create', later)).toMatchObject({ verdict: 'allow', file: 'notes/x.md' });
    expect(check('../x.md', 'create', later).verdict).toBe('deny');
    expect(check('/srv/mlink/../later/memory/x.md', 'create', join(base, 'mlink', 'sub')).verdict).toBe('deny');
  });
});

it.runIf(isUnix && process.getuid?.() !== 0)('refuses what may not be examined', () => {
  const closed = join(root, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o000);
  expect(check('closed/x.md', 'read')).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('EACCES') });
  chmodSync(closed, 0o700);
});
