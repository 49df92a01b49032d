import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { databaseFile, logFile, ROW_NUMBERS, rowMade } from '../../../../test/support/claude-mem-database.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { parseMemoryFile } from '../../files/memory-file.ts';
import { readClaudeMem } from './claude-mem.ts';

function folder(files: Readonly<Record<string, Uint8Array>>): string {
  const root = temporaryFolder('claude-mem');
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(root, name), bytes);
  return root;
}

it('reads the observations of this project, the newest from the log, and tells of the others', () => {
  const root = folder({ 'claude-mem.db': databaseFile(), 'claude-mem.db-wal': logFile() });
  const { candidates, problems } = readClaudeMem(root, { projectRoot: '/code/shop' });
  const own = ROW_NUMBERS.filter((number) => rowMade(number).project === 'shop');
  expect(candidates.map(({ file }) => file)).toEqual(own.map((number) => `title-${number}.md`));
  expect(problems).toMatchObject([
    { problem: `not imported: ${ROW_NUMBERS.length - own.length} observations of blog` },
  ]);
  expect(candidates[0]?.from).toBe(join(root, 'claude-mem.db#observations/1'));
  expect(parseMemoryFile(candidates[0]!.bytes)).toMatchObject({
    type: null,
    meta: { name: 'Title 1', description: 'Subtitle 1', created: '2025-02-19T21:20:01.000Z' },
    body: 'n\n\n- fact 1\n- é 1\n\nKind: bugfix.',
  });
  expect(readdirSync(root).sort()).toEqual(['claude-mem.db', 'claude-mem.db-wal']);
});

it.runIf(process.platform !== 'win32')('does not wait for who writes into a named pipe', () => {
  const pipe = join(folder({}), 'a.db');
  execFileSync('mkfifo', [pipe]);
  const { problems } = readClaudeMem(pipe, { projectRoot: '/code/shop' });
  expect(problems).toMatchObject([{ problem: 'not imported: it is not a file' }]);
});

it('keeps what it could read of a damaged database and says so', () => {
  const cut = databaseFile().subarray(0, databaseFile().length - 1024);
  const reading = readClaudeMem(join(folder({ 'a.db': cut }), 'a.db'), { projectRoot: '/code/shop' });
  expect(
    reading.problems.some(({ problem }) => /^not (all was )?imported: the database is damaged/.test(problem)),
  ).toBe(true);
});

it.each([
  ['is none', Buffer.from('hello'), 'not imported: it is not a SQLite database'],
  ['is empty', Buffer.alloc(0), 'not imported: it is not a SQLite database'],
])('says that a database %s', (_what, bytes, problem) => {
  const { candidates, problems } = readClaudeMem(folder({ 'claude-mem.db': bytes }), { projectRoot: '/code/shop' });
  expect(candidates).toEqual([]);
  expect(problems).toMatchObject([{ problem }]);
});
