import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { hashOf } from '../disk/contents.ts';
import { LIMITS } from '../limits.ts';
import { diskFiles } from './disk-files.ts';

let place: string;
const files = diskFiles();

beforeEach(() => {
  place = temporaryFolder('disk');
});

const at = (name: string) => join(place, name);
const hash = (text: string) => hashOf(Buffer.from(text));
const write = (name: string, text: string, before: string | null) =>
  files.write(at(name), Buffer.from(text), { ifUnchanged: before === null ? null : hash(before) });
const modeOf = (name: string) => fs.statSync(at(name)).mode & 0o7777;

describe('writing', () => {
  it('makes a file with its folders under the user’s umask', async () => {
    expect(await write('a/b/c.txt', 'text', null)).toEqual({ kind: 'written', notes: [] });
    fs.writeFileSync(at('other.txt'), '');
    fs.mkdirSync(at('other'));
    expect(fs.readFileSync(at('a/b/c.txt'), 'utf8')).toBe('text');
    expect(modeOf('a/b/c.txt')).toBe(modeOf('other.txt'));
    expect(modeOf('a/b')).toBe(modeOf('other'));
  });

  it.each([0o644, 0o755, 0o600, 0o664])('keeps the mode %o of a file it replaces', async (mode) => {
    fs.writeFileSync(at('a.sh'), 'one');
    fs.chmodSync(at('a.sh'), mode);
    expect(await write('a.sh', 'two', 'one')).toMatchObject({ kind: 'written' });
    expect(modeOf('a.sh')).toBe(mode);
    expect(fs.readdirSync(place)).toEqual(['a.sh']);
  });

  it('follows a link to its target and leaves the link', async () => {
    fs.mkdirSync(at('real'));
    fs.writeFileSync(at('real/a.txt'), 'one');
    fs.symlinkSync('real/a.txt', at('link.txt'));
    expect(await write('link.txt', 'two', 'one')).toMatchObject({ kind: 'written' });
    expect(fs.lstatSync(at('link.txt')).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(at('real/a.txt'), 'utf8')).toBe('two');
  });

  it.each([
    ['a file that changed', 'other', 'one'],
    ['a file that went', null, 'one'],
    ['a file that came', 'other', null],
  ])('leaves alone %s', async (_what, present, asRead) => {
    if (present !== null) fs.writeFileSync(at('a.txt'), present);
    expect(await write('a.txt', 'two', asRead)).toEqual({ kind: 'changed-meanwhile' });
    expect(fs.readdirSync(place)).toEqual(present === null ? [] : ['a.txt']);
    if (present !== null) expect(fs.readFileSync(at('a.txt'), 'utf8')).toBe(present);
  });

  it('lets one of many that read the same win', async () => {
    fs.writeFileSync(at('a.txt'), 'one');
    const texts = Array.from({ length: 8 }, (_, number) => `text ${number}`);
    const outcomes = await Promise.all(texts.map((text) => write('a.txt', text, 'one')));
    const written = outcomes.flatMap(({ kind }, index) => (kind === 'written' ? [texts[index]!] : []));
    expect(written.length).toBe(1);
    expect(fs.readFileSync(at('a.txt'), 'utf8')).toBe(written[0]);
    expect(fs.readdirSync(place)).toEqual(['a.txt']);
  });

  it('lets one of many that create the same win', async () => {
    const outcomes = await Promise.all(['a', 'b', 'c'].map((text) => write('new.txt', text, null)));
    expect(outcomes.filter(({ kind }) => kind === 'written').length).toBe(1);
    expect(fs.readdirSync(place)).toEqual(['new.txt']);
  });

  it('refuses folders, pipes and links that lead nowhere', async () => {
    fs.mkdirSync(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    fs.symlinkSync('nowhere', at('link'));
    for (const name of ['folder', 'pipe', 'link']) {
      expect(await write(name, 'text', null)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(name) });
    }
  });

  it('says that a part of the way is a file', async () => {
    fs.writeFileSync(at('a'), '');
    await expect(write('a/b.txt', 'text', null)).rejects.toMatchObject({ code: 'refused' });
    await expect(write('a/b/c.txt', 'text', null)).rejects.toMatchObject({ code: 'refused' });
  });

  it.skipIf(process.getuid?.() === 0)('does not replace a file that its owner made read-only', async () => {
    fs.writeFileSync(at('a.txt'), 'one', { mode: 0o444 });
    await expect(write('a.txt', 'two', 'one')).rejects.toMatchObject({ code: 'storage', fix: expect.any(String) });
    expect(fs.readFileSync(at('a.txt'), 'utf8')).toBe('one');
  });

  it.skipIf(process.platform !== 'linux')('says in words what the system did not let it do', async () => {
    const written = files.write('/proc/reverie.txt', Buffer.from('x'), { ifUnchanged: null });
    await expect(written).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('/proc/') });
  });
});

describe('reading', () => {
  it('gives the bytes as they are', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0x00, 0xff]);
    fs.writeFileSync(at('a.bin'), bytes);
    expect(await files.read(at('a.bin'))).toEqual(bytes);
    expect(await files.stat(at('a.bin'))).toMatchObject({ kind: 'file', bytes: 7 });
  });

  it('knows folders, other things and nothing', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    expect(await files.stat(place)).toMatchObject({ kind: 'folder' });
    expect(await files.stat(at('pipe'))).toMatchObject({ kind: 'other' });
    expect(await files.stat(at('gone'))).toBeNull();
    expect(await files.stat(at('pipe/below'))).toBeNull();
  });

  it('refuses what is no file, is not there, or is too large', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    fs.writeFileSync(at('large'), '0123456789');
    const small = diskFiles({ tools: { ...LIMITS.tools, fileBytes: 9 } });
    await expect(files.read(place)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('folder'),
    });
    await expect(files.read(at('pipe'))).rejects.toMatchObject({ code: 'refused' });
    await expect(files.read(at('gone'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(small.read(at('large'))).rejects.toMatchObject({ code: 'refused' });
  });
});
