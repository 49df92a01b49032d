import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolPlace, type ToolPlace } from '../../../test/support/tool-place.ts';
import { hashOf } from '../../disk/contents.ts';
import { LIMITS } from '../../limits.ts';

let place: ToolPlace;
beforeEach(() => {
  place = createToolPlace();
});
afterEach(() => place.close());

const numberedLine = (number: number, text: string) => `${String(number).padStart(6)}\t${text}`;

describe('text', () => {
  it.each([
    ['plain', 'one\ntwo\n', ['one', 'two']],
    ['without a final line end', 'one\ntwo', ['one', 'two']],
    ['with Windows line ends and a mark', '\uFEFFone\r\ntwo\r\n', ['one', 'two']],
    ['with blank lines', '\n\none\n\n', ['', '', 'one', '']],
  ])('is shown with numbers: %s', async (_what, content, lines) => {
    place.put('a.txt', content);
    const result = await place.call('Read', { file_path: 'a.txt' });
    expect(result.content).toBe(lines.map((line, index) => numberedLine(index + 1, line)).join('\n'));
    expect(place.ports.read.get(place.at('a.txt'))).toMatchObject({
      hash: hashOf(Buffer.from(content)),
      isPartial: false,
    });
  });

  it.each(['a.txt', './a.txt', '~/a.txt', 'sub/../a.txt'])('is found as %s', async (path) => {
    place.put('a.txt', 'here');
    expect((await place.call('Read', { file_path: path })).text).toContain('here');
  });

  it('is shown in part, and known to be partial', async () => {
    place.put('long.txt', Array.from({ length: 3_000 }, (_, index) => `line ${index + 1}`).join('\n'));
    const start = await place.call('Read', { file_path: 'long.txt' });
    expect(start.text).toContain(numberedLine(2_000, 'line 2000'));
    expect(start.text).not.toContain('line 2001');
    expect(start.text).toContain('[lines 1 to 2000 of 3000]');
    expect(place.ports.read.get(place.at('long.txt'))?.isPartial).toBe(true);
    const part = await place.call('Read', { file_path: 'long.txt', offset: 2_500, limit: 2 });
    expect(part.text).toBe(
      [numberedLine(2_500, 'line 2500'), numberedLine(2_501, 'line 2501'), '[lines 2500 to 2501 of 3000]'].join('\n'),
    );
    const beyond = await place.call('Read', { file_path: 'long.txt', offset: 3_001 });
    expect(beyond).toMatchObject({ isError: true, text: expect.stringContaining('3,000 lines') });
  });

  it('has its long lines cut, with a note, and is partial then', async () => {
    place.put('wide.txt', `${'x'.repeat(5_000)}\nshort`);
    const result = await place.call('Read', { file_path: 'wide.txt' });
    expect(result.text.length).toBeLessThan(2_200);
    expect(result.text).toContain('the line has 5000 characters');
    expect(place.ports.read.get(place.at('wide.txt'))?.isPartial).toBe(true);
  });

  it('of too many tokens is refused with what to do', async () => {
    place.put('huge.txt', `${'word '.repeat(100)}\n`.repeat(1_000));
    const result = await place.call('Read', { file_path: 'huge.txt' });
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(/1,000 lines of 1000 .* tokens.* offset and limit, or .*Grep/s);
    expect(place.ports.read.get(place.at('huge.txt'))).toBeUndefined();
    expect((await place.call('Read', { file_path: 'huge.txt', limit: 3 })).isError).toBeUndefined();
  });

  it('that is empty says so', async () => {
    place.put('empty.txt', '');
    expect((await place.call('Read', { file_path: 'empty.txt' })).text).toBe('empty.txt is there, but empty.');
  });

  it('that is not UTF-8 is shown with a note', async () => {
    place.put('latin.txt', Buffer.from([0x61, 0xe9, 0x62]));
    expect((await place.call('Read', { file_path: 'latin.txt' })).text).toMatch(/a\uFFFDb\n\[not valid UTF-8/);
  });
});

describe('a file that was read before', () => {
  it('is said to be unchanged once, then shown again', async () => {
    place.put('a.txt', 'one');
    const read = () => place.call('Read', { file_path: 'a.txt' });
    expect((await read()).text).toContain('one');
    expect((await read()).text).toContain('unchanged since you read it');
    expect((await read()).text).toContain(numberedLine(1, 'one'));
  });

  it('is shown when it changed, when a part is asked for, and when it was only written', async () => {
    place.put('a.txt', 'one\ntwo');
    await place.call('Read', { file_path: 'a.txt' });
    expect((await place.call('Read', { file_path: 'a.txt', limit: 1 })).text).toContain('one');
    place.put('a.txt', 'three');
    expect((await place.call('Read', { file_path: 'a.txt' })).text).toContain('three');
    await place.call('Write', { file_path: 'a.txt', content: 'four' });
    expect((await place.call('Read', { file_path: 'a.txt' })).text).toContain('four');
  });
});

describe('what is no text', () => {
  it.each([
    ['png', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image/png'],
    ['jpeg', Buffer.from('ffd8ffe000104a46', 'hex'), 'image/jpeg'],
    ['gif', Buffer.from('GIF89a....'), 'image/gif'],
    ['webp', Buffer.from('RIFF0000WEBPVP8 '), 'image/webp'],
  ])('is an image by its bytes: %s', async (_kind, bytes, type) => {
    place.put('picture.txt', bytes);
    const result = await place.call('Read', { file_path: 'picture.txt' });
    const source = { type: 'base64', media_type: type, data: bytes.toString('base64') };
    expect(result.content).toEqual([{ type: 'image', source }]);
  });

  it('is a PDF by its bytes', async () => {
    place.put('paper.pdf', '%PDF-1.7\n');
    const result = await place.call('Read', { file_path: 'paper.pdf' });
    expect(result.content).toMatchObject([{ type: 'document', source: { media_type: 'application/pdf' } }]);
  });

  it('is refused with its size when it is binary', async () => {
    place.put('a.bin', Buffer.alloc(3_000));
    const result = await place.call('Read', { file_path: 'a.bin' });
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('3,000 bytes') });
  });

  it('is refused when it is too large', async () => {
    const tools = { ...LIMITS.tools, imageBytes: 5, fileBytes: 20 };
    const small = createToolPlace({ limits: { ...LIMITS, tools } });
    small.put('a.gif', 'GIF89a');
    small.put('large.txt', 'x'.repeat(21));
    expect(await small.call('Read', { file_path: 'a.gif' })).toMatchObject({ isError: true });
    expect((await small.call('Read', { file_path: 'large.txt' })).text).toContain('too many to read');
    await small.close();
  });
});

describe('what cannot be read', () => {
  it('names files that are near', async () => {
    place.put('src/session.ts', '');
    place.put('src/other.ts', '');
    const result = await place.call('Read', { file_path: 'src/sesion.ts' });
    expect(result).toMatchObject({ isError: true, text: 'src/sesion.ts does not exist. Did you mean src/session.ts?' });
    const nowhere = await place.call('Read', { file_path: 'no/such.ts' });
    expect(nowhere.text).toBe('no/such.ts does not exist. There is no folder no either. Find it with Glob.');
  });

  it('says what it is instead', async () => {
    fs.mkdirSync(place.at('folder'));
    execFileSync('mkfifo', [place.at('pipe')]);
    expect((await place.call('Read', { file_path: 'folder' })).text).toMatch(/is a folder.*Glob/);
    expect((await place.call('Read', { file_path: 'pipe' })).text).toContain('not a file');
    await expect(place.call('Read', { file_path: 'a\0b' })).rejects.toMatchObject({ code: 'usage' });
    await expect(place.call('Read', { file_path: ' ' })).rejects.toMatchObject({ code: 'usage' });
  });
});
