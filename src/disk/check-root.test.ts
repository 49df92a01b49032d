/** Folders that a memory may and may not live in: by name, by what they link to, and by who owns them. */

import { chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { unicodeText } from '../../test/support/unicode-text.ts';
import { checkMemoryRoot, expandHome } from './check-root.ts';

const isUnix = process.platform !== 'win32';
const base = temporaryFolder('root');

const linux = { home: '/home/u', platform: 'linux' } as const;
const mac = { home: '/Users/u', platform: 'darwin' } as const;
const windows = { home: 'C:\\Users\\u', platform: 'win32' } as const;

describe.runIf(isUnix)('refused on Linux', () => {
  it.each([
    ['one level below the root', '/a', /root of the disk/],
    ['the root', '/', /root of the disk/],
    ['a climb to the root', '/home/u/../..', /root of the disk/],
    ['/tmp', '/tmp', /root of the disk/],
    ['/var/tmp', '/var/tmp', /all users share/],
    ['/var/tmp with a slash', '/var/tmp/', /all users share/],
    ['/dev/shm', '/dev/shm', /not kept on a disk/],
    ['below /dev/shm', '/dev/shm/mem', /not kept on a disk/],
    ['a relative path', 'memory', /not an absolute/],
    ['a relative path with a dot', './memory', /not an absolute/],
    ['a relative path upwards', '../memory', /not an absolute/],
    ['the home folder', '~', /your home folder/],
    ['the home folder with a slash', '~/', /your home folder/],
    ['the home folder, in full', '/home/u', /your home folder/],
    ['a climb out of home', '~/..', /root of the disk/],
    ['a climb into another home', '~/../other/mem', /another user/],
    ['another user’s home by name', '~root/mem', /another user/],
    ['another user’s home', '/home/other/mem', /another user/],
    ['the home of root', '/root/mem', /belongs to the system/],
    ['keys', '~/.ssh', /keys and passwords/],
    ['keys, further down', '~/.ssh/memory', /keys and passwords/],
    ['keys of a cloud', '~/.aws', /keys and passwords/],
    ['keys of signatures', '~/.gnupg', /keys and passwords/],
    ['keys of a cluster', '~/.kube/memory', /keys and passwords/],
    ['keys in capital letters', '~/.SSH', /keys and passwords/],
    ['a keyring', '~/.local/share/keyrings/m', /keys and passwords/],
    ['keys outside home', '/srv/agent/.ssh', /keys and passwords/],
    ['settings of all programs', '~/.config', /other programs/],
    ['settings of one program', '~/.config/nvim', /other programs/],
    ['what starts at login', '~/.config/autostart/x', /other programs obey/],
    ['settings of a coding agent', '~/.claude', /other programs/],
    ['commands of a coding agent', '~/.claude/commands/x', /other programs obey/],
    ['git’s own files', '/home/u/project/.git/memory', /git itself/],
    ['NUL', '/home/u/\0mem', /NUL/],
    ['a newline', '/home/u/mem\nx', /control/],
    ['an override', '/home/u/mem\u202ex', /turns the text/],
    ['a magic link', '/proc/self/cwd', /not kept on a disk/],
    ['the system’s settings', '/etc/reverie/memory', /belongs to the system/],
    ['programs', '/usr/lib/memory', /belongs to the system/],
    ['another machine', '//server/share', /another machine/],
    ['a leading blank', ' /home/u/mem', /blank/],
    ['a trailing blank', '/home/u/mem ', /blank/],
    ['nothing', '', /empty/],
    ['a variable', '$HOME/mem', /variable/],
    ['a variable further on', '/home/$USER/mem', /variable/],
    ['a path of Windows', 'C:\\mem\\agent', /not an absolute/],
    ['a backslash', '/home/u\\mem', /backslash/],
    ['an address', 'file:///home/u/mem', /not an absolute/],
  ])('%s: %j', (_, path, reason) => {
    expect(checkMemoryRoot(path, linux)).toEqual({ verdict: 'deny', reason: expect.stringMatching(reason) });
  });
});

describe.runIf(isUnix)('allowed on Linux', () => {
  it.each([
    ['a trailing slash', '/home/u/agent/memory/'],
    ['a blank and an accent', '/home/u/my notes/mémoire'],
    ['outside home', '/data/team/memory'],
    ['a service', '/srv/agent/memory'],
    ['below home', '~/memory'],
    ['Reverie’s own', '~/.reverie/memory'],
    ['Reverie’s own among settings', '~/.config/reverie'],
    ['the memory of a coding agent', '~/.claude/projects/-home-u-x/memory'],
    ['a name that only begins like keys', '~/.sshnotes'],
    ['a climb that stays', '~/a/../memory'],
    ['the state of a service', '/var/lib/agent/memory'],
  ])('%s: %s', (_, path) => {
    expect(checkMemoryRoot(path, linux)).toMatchObject({ verdict: 'allow' });
  });

  it('a home below the system’s folders', () => {
    expect(checkMemoryRoot('~/memory', { ...linux, home: '/usr/home/u' }).verdict).toBe('allow');
    expect(checkMemoryRoot('/usr/share/memory', { ...linux, home: '/usr/home/u' }).verdict).toBe('deny');
  });

  it('not everything, when home is the root', () => {
    expect(checkMemoryRoot('/etc/reverie/memory', { ...linux, home: '/' }).verdict).toBe('deny');
    expect(checkMemoryRoot('~/.reverie/memory', { ...linux, home: '/' }).verdict).toBe('allow');
  });
});

describe('Windows', () => {
  it.each([
    ['a drive', 'C:'],
    ['a drive’s root', 'C:\\'],
    ['a drive’s root with a slash', 'C:/'],
    ['one level below it', 'D:\\mem'],
    ['another machine', '\\\\server\\share'],
    ['another machine’s folder', '\\\\server\\share\\mem\\x'],
    ['a long-path prefix', '\\\\?\\C:\\mem'],
    ['the system', 'C:\\Windows\\x'],
    ['the system in other letters', 'c:\\WINDOWS\\x'],
    ['programs', 'C:\\Program Files\\x'],
    ['home', 'C:\\Users\\u'],
    ['home in other letters', 'c:\\users\\U\\'],
    ['another home', 'C:\\Users\\other\\mem'],
    ['what is shared', 'C:\\Users\\Public'],
    ['temporary files', 'C:\\Users\\u\\AppData\\Local\\Temp'],
    ['settings of all programs', '~\\AppData\\Roaming'],
    ['keys', '~\\.ssh'],
    ['relative to a drive', 'C:mem\\agent'],
    ['relative to the drive’s root', '\\mem\\agent'],
    ['a stream', 'C:\\Users\\u\\mem:x'],
    ['a device', 'C:\\Users\\u\\nul'],
    ['a name that loses its dot', 'C:\\Users\\u\\.ssh.'],
  ])('refuses %s: %s', (_, path) => {
    expect(checkMemoryRoot(path, windows).verdict).toBe('deny');
  });

  it.each(['C:\\Users\\u\\mem', 'C:/Users/u/mem', '~\\mem', '~/mem', 'D:\\data\\memory\\'])('takes %s', (path) => {
    expect(checkMemoryRoot(path, windows).verdict).toBe('allow');
  });
});

describe.runIf(isUnix)('macOS', () => {
  it.each([
    '/private/tmp',
    '/users/U',
    '/Users/u/Library/Keychains',
    '/Users/u/Library',
    '/System/x',
    '/Users/Shared',
    '/Users/other/mem',
  ])('refuses %s', (path) => {
    expect(checkMemoryRoot(path, mac).verdict).toBe('deny');
  });

  it.each(['/Users/u/mem', '~/Library/Application Support/reverie', '/Volumes/disk/mem'])('takes %s', (path) => {
    expect(checkMemoryRoot(path, mac).verdict).toBe('allow');
  });
});

describe.runIf(isUnix)('what is on disk', () => {
  const home = join(base, 'home');
  const facts = { home };
  mkdirSync(join(home, '.ssh'), { recursive: true });
  mkdirSync(join(home, 'memory'));
  writeFileSync(join(home, 'file'), '');
  symlinkSync(join(home, '.ssh'), join(home, 'innocent'));
  symlinkSync(home, join(home, 'around'));
  symlinkSync('/etc', join(home, 'system'));
  symlinkSync(join(home, 'memory'), join(home, 'linked'));
  symlinkSync(join(home, 'gone'), join(home, 'broken'));
  symlinkSync('/proc/self/cwd', join(home, 'magic'));

  it.each([
    ['a link to keys', 'innocent', /keys/],
    ['below a link to keys', 'innocent/memory', /keys/],
    ['a link to home', 'around', /your home/],
    ['below a link to the system', 'system/reverie/memory', /system/],
    ['a climb out of a link', 'system/../memory', /root of the disk/],
    ['a link to nothing', 'broken', /in the way/],
    ['a file', 'file', /not a folder/],
    ['below a file', 'file/memory', /in the way/],
  ])('refuses %s', (_, path, reason) => {
    expect(checkMemoryRoot(`${home}/${path}`, facts)).toEqual({
      verdict: 'deny',
      reason: expect.stringMatching(reason),
    });
  });

  it.each(['memory', 'linked', 'linked/', 'new/memory', 'around/memory'])('takes %s', (path) => {
    expect(checkMemoryRoot(`${home}/${path}`, facts).verdict).toBe('allow');
  });

  it('refuses what belongs to another user', () => {
    const stranger = (process.getuid?.() ?? 0) + 1;
    expect(checkMemoryRoot(join(home, 'memory'), { home, uid: stranger })).toEqual({
      verdict: 'deny',
      reason: 'it belongs to another user',
    });
  });

  it.runIf(process.getuid?.() === 0)('refuses what someone else made on a shared disk', () => {
    const shared = join(base, 'shared');
    mkdirSync(join(shared, 'agent-mem'), { recursive: true });
    mkdirSync(join(shared, 'mine'));
    chownSync(join(shared, 'agent-mem'), 12345, 12345);
    symlinkSync(join(shared, 'mine'), join(shared, 'theirs'));
    lchownSync(join(shared, 'theirs'), 12345, 12345);
    expect(checkMemoryRoot(join(shared, 'agent-mem')).reason).toBe('it belongs to another user');
    expect(checkMemoryRoot(join(shared, 'agent-mem', 'new')).reason).toBe('it belongs to another user');
    expect(checkMemoryRoot(join(shared, 'theirs')).reason).toBe('a link of another user is on the way');
    expect(checkMemoryRoot(join(shared, 'theirs', 'new')).reason).toBe('a link of another user is on the way');
    expect(checkMemoryRoot(join(shared, 'mine')).verdict).toBe('allow');
  });
});

it('nothing is thrown for any text', () => {
  const anyText = unicodeText({ maxLength: 60 });
  const nearPaths = fc
    .array(fc.constantFrom('/', '//', '\\', 'C:', '~', '..', '.', ' ', 'home', 'u', '.ssh', 'tmp', 'proc', '\0', '$'), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(anyText, nearPaths), fc.constantFrom(linux, mac, windows, {}), (path, facts) => {
      const answer = checkMemoryRoot(path, facts);
      expect(['allow', 'deny']).toContain(answer.verdict);
      expect(answer.reason).not.toBe('');
    }),
    { numRuns: runs(2_000) },
  );
});

it.runIf(isUnix)('what is allowed is absolute, deep enough and not the home', () => {
  const path = fc
    .array(fc.constantFrom('home', 'u', 'x', '..', '.', '.ssh', 'tmp', 'var', 'other', ''), { maxLength: 6 })
    .map((parts) => `/${parts.join('/')}`);
  fc.assert(
    fc.property(path, (text) => {
      if (checkMemoryRoot(text, linux).verdict === 'deny') return;
      const plain = resolve(text)
        .split('/')
        .filter((part) => part !== '');
      expect(plain.length).toBeGreaterThan(1);
      expect(plain).not.toContain('.ssh');
      expect(plain).not.toEqual(['home', 'u']);
    }),
    { numRuns: runs(1_000) },
  );
});

describe('expandHome', () => {
  it.each([
    ['~', '/home/u', '/home/u'],
    ['~/a/b', '/home/u', '/home/u/a/b'],
    ['~/a', '/home/u/', '/home/u/a'],
    ['~/a', '/', '/a'],
    ['~other/a', '/home/u', '~other/a'],
    ['/a/~/b', '/home/u', '/a/~/b'],
    ['~\\a', 'C:\\Users\\u', 'C:\\Users\\u\\a'],
    ['~\\a', '/home/u', '~\\a'],
  ])('%s with %s is %s', (path, home, expanded) => {
    expect(expandHome(path, home)).toBe(expanded);
  });
});
