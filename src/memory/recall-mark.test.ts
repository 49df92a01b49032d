/** Recall of a process that asks once: it looks at the files only when something may have changed. */

import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { lookAtAll } from '../hooks/run/look.ts';
import { openMemory } from '../session/open-memory.ts';
import { findPlace, type Place } from '../settings/place.ts';
import { recallDirectory } from './derived-files.ts';
import type { Memory, RecallOptions } from './memory.ts';
import { openReadScopes } from './read-scopes.ts';
import { memoryRecall } from './recall.ts';
import { readRecallMark } from './recall-mark.ts';
import type { Scopes } from './scopes.ts';

const BOARD = {
  type: 'reference',
  name: 'Board',
  description: 'The deployment dashboard is in Grafana',
  body: 'See grafana.internal/d/deploys for every deployment.',
} as const;
const DRINK = {
  type: 'user',
  name: 'Drink',
  description: 'The user drinks tea at breakfast',
  body: 'No coffee.',
} as const;
const QUESTION = 'where is the deployment dashboard?';

let root: string;
let place: Place;

beforeEach(async () => {
  root = temporaryFolder('recall-mark');
  place = findPlace({ home: join(root, 'home'), cwd: root, env: { HOME: root } });
  await withMemory(async (memory) => {
    await memory.save(BOARD);
    await memory.save(DRINK);
  });
});

async function withMemory(use: (memory: Memory) => Promise<unknown>): Promise<void> {
  const memory = await openMemory({ home: join(root, 'home'), cwd: root, env: { HOME: root } });
  await use(memory);
  await memory.close();
}

async function withScopes<T>(use: (scopes: Scopes) => Promise<T> | T, now = new Date()): Promise<[T, number]> {
  const scopes = await openReadScopes(place);
  let looks = 0;
  const folders = scopes.folders.map((folder) => ({
    ...folder,
    look() {
      looks += 1;
      return folder.look();
    },
  }));
  const used = await use({ ...scopes, folders, now: () => now });
  await Promise.all(scopes.folders.map((folder) => folder.close()));
  return [used, looks];
}

/** As a process of its own: what it found, and how many folders it walked through. */
async function ask(query = QUESTION, options: { now?: Date; only?: 'certain' } & RecallOptions = {}) {
  const { now, ...rest } = options;
  const [hits, looks] = await withScopes(
    (scopes) => memoryRecall(scopes, { look: 'by-marks' }).recall(query, rest),
    now,
  );
  return { hits, looks, files: hits.map(({ file }) => file) };
}

const boardFile = () => join(place.folders[0]!.path, 'reference_board.md');

/** As an editor does that keeps the file: no folder's stamp changes. */
function editInPlace(text: string): void {
  const folder = place.folders[0]!.path;
  const before = statSync(folder).mtimeMs;
  writeFileSync(boardFile(), text);
  expect(statSync(folder).mtimeMs).toBe(before);
  utimesSync(boardFile(), new Date(), new Date(Date.now() + 5_000));
}

it('looks the first time, and not again while nothing changes', async () => {
  const first = await ask();
  expect(first).toMatchObject({ looks: 2, files: expect.arrayContaining(['reference_board.md']) });
  const second = await ask();
  expect(second.looks).toBe(0);
  expect(second.hits).toEqual(first.hits);
});

it('looks again after a save, a deletion, a purge, and a file put there by hand', async () => {
  await ask();
  await withMemory((memory) =>
    memory.save({ ...BOARD, name: 'Old board', description: 'Deployment dashboard, in Kibana' }),
  );
  expect(await ask()).toMatchObject({ looks: 2, files: expect.arrayContaining(['reference_old-board.md']) });
  rmSync(join(place.folders[0]!.path, 'reference_old-board.md'));
  expect((await ask()).files).not.toContain('reference_old-board.md');
  await withMemory((memory) => memory.purge('reference_board.md'));
  expect((await ask()).files).not.toContain('reference_board.md');
  writeFileSync(
    boardFile(),
    '---\nname: Board\ndescription: The deployment dashboard\ntype: reference\n---\n\nThere.\n',
  );
  expect((await ask()).files).toContain('reference_board.md');
});

it('looks again after a while, and when the clock went back', async () => {
  await ask();
  const { lookAgainMs } = place.limits.hooks;
  expect((await ask(QUESTION, { now: new Date(Date.now() - 60_000) })).looks).toBe(2);
  expect((await ask(QUESTION, { now: new Date(Date.now() + lookAgainMs - 120_000) })).looks).toBe(0);
  expect((await ask(QUESTION, { now: new Date(Date.now() + lookAgainMs + 60_000) })).looks).toBe(2);
});

it('looks again when the index or the note is damaged or gone', async () => {
  const { files } = await ask();
  const directory = recallDirectory(place);
  for (const name of readdirSync(directory)) {
    for (const text of ['', '{}', 'null', null]) {
      if (text === null) rmSync(join(directory, name));
      else writeFileSync(join(directory, name), text);
      expect(await ask(), `${name}: ${text}`).toMatchObject({ looks: 2, files });
      if (!existsSync(join(directory, name))) break;
    }
  }
  expect((await ask()).looks).toBe(0);
});

it('shows a memory as it is in its file, and none that the file itself says is no fact', async () => {
  await ask();
  const head = '---\nname: Board\ndescription: The deployment dashboard\ntype: reference';
  editInPlace(`${head}\n---\n\nIt moved to Kibana.\n`);
  const edited = await ask();
  expect(edited.looks).toBe(0);
  expect(edited.hits.find(({ file }) => file === 'reference_board.md')?.text).toContain('It moved to Kibana.');
  await withMemory((memory) => memory.update('reference_board.md', { refuted: 'There is none any more' }));
  expect((await ask()).files).not.toContain('reference_board.md');
  const marked = await ask();
  expect(marked.looks).toBe(0);
  expect(marked.files).not.toContain('reference_board.md');
});

it('finds the new words of a file edited in place after the next full look', async () => {
  await ask();
  editInPlace(
    '---\nname: Board\ndescription: Whom to call about the elevator\ntype: reference\n---\n\nAsk the janitor.\n',
  );
  const elevator = 'whom do I call about the elevator?';
  const before = await ask(elevator, { only: 'certain' });
  expect(before).toMatchObject({ looks: 0, files: [] });
  await withScopes(lookAtAll);
  expect(readRecallMark(recallDirectory(place))).toBeNull();
  expect(await ask(elevator, { only: 'certain' })).toMatchObject({ looks: 2, files: ['reference_board.md'] });
});

it('goes on by the marks after a full look that found nothing new', async () => {
  await ask();
  const later = new Date(Date.now() + place.limits.hooks.lookAgainMs - 1_000);
  await withScopes(lookAtAll, later);
  expect((await ask(QUESTION, { now: new Date(later.getTime() + 60_000) })).looks).toBe(0);
});

it('leaves out what was seen, named with its scope or without, whether it looked or not', async () => {
  for (const exclude of [['reference_board.md'], ['project:reference_board.md']]) {
    rmSync(recallDirectory(place), { recursive: true, force: true });
    for (const looks of [2, 0]) {
      const asked = await ask(QUESTION, { exclude });
      expect(asked.looks).toBe(looks);
      expect(asked.files).not.toContain('reference_board.md');
    }
  }
});

it('gives certain hits alone when asked to', async () => {
  const all = await ask();
  const certain = await ask(QUESTION, { only: 'certain' });
  expect(certain.hits).toEqual(all.hits.filter((hit) => hit.certain));
  expect(certain.files).toContain('reference_board.md');
  expect((await ask('how tall is the harbour tower?', { only: 'certain' })).hits).toEqual([]);
});

it('is no more certain about the rest once the best was seen', async () => {
  await withMemory(async (memory) => {
    const about = (name: string, description: string) => ({ type: 'project', name, description, body: '' }) as const;
    await memory.save(about('Tests', 'Run the unit tests before every commit'));
    await memory.save(about('Slow', 'The unit tests of the parser are slow'));
  });
  const question = 'When should I run the unit tests?';
  expect((await ask(question, { only: 'certain' })).files).toEqual(['project_tests.md']);
  expect((await ask(question, { only: 'certain', exclude: ['project_tests.md'] })).files).toEqual([]);
});
