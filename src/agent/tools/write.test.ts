import * as fs from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createToolPlace, type ToolPlace } from '../../../test/support/tool-place.ts';

let place: ToolPlace;
beforeEach(() => {
  place = createToolPlace();
});
afterEach(() => place.close());

const write = (file_path: string, content: string) => place.call('Write', { file_path, content });
const read = (file_path: string) => place.call('Read', { file_path });

it('creates a file with its folders, which may then be replaced', async () => {
  const created = await write('a/b.txt', 'one\n');
  expect(created.text).toBe('Created a/b.txt (1 line).');
  expect(created.display).toEqual({ kind: 'diff', file: 'a/b.txt', before: null, after: 'one\n' });
  const replaced = await write('a/b.txt', 'two\nthree\n');
  expect(replaced.text).toBe('Replaced a/b.txt (2 lines).');
  expect(replaced.display).toEqual({ kind: 'diff', file: 'a/b.txt', before: 'one\n', after: 'two\nthree\n' });
  expect(place.text('a/b.txt')).toBe('two\nthree\n');
});

it('refuses what was not read, and what changed since', async () => {
  place.put('a.txt', 'one');
  expect(await write('a.txt', 'two')).toMatchObject({
    isError: true,
    text: expect.stringContaining('not read it yet'),
  });
  await read('a.txt');
  place.put('a.txt', 'the user’s');
  expect(await write('a.txt', 'two')).toMatchObject({ isError: true, text: expect.stringContaining('was changed') });
  expect(place.text('a.txt')).toBe('the user’s');
  await read('a.txt');
  expect(await write('a.txt', 'two')).not.toHaveProperty('isError');
});

it('goes by content, not by time', async () => {
  place.put('a.txt', 'one');
  await read('a.txt');
  fs.utimesSync(place.at('a.txt'), new Date(), new Date(Date.now() + 60_000));
  expect(await write('a.txt', 'two')).not.toHaveProperty('isError');
});

it('refuses to replace what was seen in part only', async () => {
  place.put('a.txt', 'one\ntwo\n');
  await place.call('Read', { file_path: 'a.txt', limit: 1 });
  expect(await write('a.txt', 'x')).toMatchObject({ isError: true, text: expect.stringContaining('only part') });
  expect(place.text('a.txt')).toBe('one\ntwo\n');
});

it('keeps Windows line ends and the mark of a file it replaces', async () => {
  place.put('a.txt', '\uFEFFone\r\ntwo\r\n');
  await read('a.txt');
  await write('a.txt', 'three\nfour\r\n');
  expect(place.text('a.txt')).toBe('\uFEFFthree\r\nfour\r\n');
});

it('refuses a folder', async () => {
  fs.mkdirSync(place.at('folder'));
  expect(await write('folder', 'x')).toMatchObject({ isError: true, text: 'folder is a folder.' });
});
