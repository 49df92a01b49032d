/** The snapshot: what a later process knows of the files without reading them. */

import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { factsOf } from './header.ts';
import { openKnownFiles } from './known-files.ts';
import { parseMemoryFile } from './memory-file.ts';

const CONTENT =
  '---\nname: role\ndescription: d\ntype: user\nquote: [{text: "never", at: 2026-11-16}, {text: "ok"}]\n---\n';

async function savedSnapshot(): Promise<{ directory: string; file: string }> {
  const directory = temporaryFolder('known-files');
  const known = openKnownFiles(directory);
  const files = [{ file: 'a.md', before: null, after: 'hash' }];
  known.record({ id: '1', at: '2026-11-16T10:00:00Z', kind: 'save', who: 'user', why: '', files }, 10);
  const stamp = { inode: 1, size: 2, mtimeMs: 3, ctimeMs: 4 };
  const facts = factsOf('a.md', parseMemoryFile(Buffer.from(CONTENT)));
  known.markSeen('a.md', { stamp, atMs: 5, facts });
  await known.saveSnapshot({ always: true });
  return { directory, file: join(directory, 'headers.json') };
}

it('holds the facts of a file, the quotes among them', async () => {
  const { directory } = await savedSnapshot();
  const facts = openKnownFiles(directory).get('a.md')?.seen?.facts;
  expect(facts?.quote).toEqual([
    { text: 'never', at: '2026-11-16' },
    { text: 'ok', at: null },
  ]);
});

it('counts as not there when another version wrote it', async () => {
  const { directory, file } = await savedSnapshot();
  const [head, ...files] = readFileSync(file, 'utf8').split('\n');
  const { version, ...facts } = JSON.parse(head!);
  writeFileSync(file, [JSON.stringify({ ...facts, version: version - 1 }), ...files].join('\n'));
  expect(openKnownFiles(directory).size()).toBe(0);
});

it('counts as not there when its end is gone', async () => {
  const { directory, file } = await savedSnapshot();
  const [head] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, `${head}\n`);
  expect(openKnownFiles(directory).size()).toBe(0);
});

it.each([
  ['a pipe', (file: string) => rmSync(file) ?? execFileSync('mkfifo', [file])],
  ['a link', (file: string) => renameSync(file, `${file}.moved`) ?? symlinkSync(`${file}.moved`, file)],
])('counts as not there when %s is in its place, also when it is read in turns', async (_what, put) => {
  const { directory, file } = await savedSnapshot();
  put(file);
  const known = openKnownFiles(directory);
  await known.load();
  expect(known.size()).toBe(0);
});

it('is the same when it is read in turns, or asked meanwhile', async () => {
  const directory = temporaryFolder('known-files');
  const first = openKnownFiles(directory);
  const files = Array.from({ length: 1_000 }, (_, at) => ({ file: `${at}.md`, before: null, after: `hash ${at}` }));
  first.record({ id: '1', at: '2026-11-16T10:00:00Z', kind: 'save', who: 'user', why: '', files }, 10);
  await first.saveSnapshot({ always: true });
  const inTurns = openKnownFiles(directory);
  await inTurns.load();
  expect([...inTurns.files()]).toEqual([...first.files()]);
  const asked = openKnownFiles(directory);
  const loading = asked.load();
  expect(asked.get('999.md')).toEqual({ hash: 'hash 999', seen: null });
  await loading;
  expect([...asked.files()]).toEqual([...first.files()]);
});
