/** Ranking as a list to choose from: the order of recall, without what is no fact, and without a look into the files. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openMemory } from '../session/open-memory.ts';
import type { Memory } from './memory.ts';

let root: string;
let memory: Memory;

beforeEach(async () => {
  root = temporaryFolder('rank');
  memory = await openMemory({ cwd: root, home: join(root, 'home'), env: { HOME: root } });
});

afterEach(async () => {
  await memory.close();
});

async function save(name: string, description: string, type: 'project' | 'reference' = 'project'): Promise<string> {
  return (await memory.save({ type, name, description, body: `${description}.` })).file;
}

it('has the order of recall', async () => {
  await save('Deploys', 'Deploys to production happen on Tuesdays');
  await save('Staging', 'The staging cluster is rebuilt before deploys');
  await save('Lunch', 'The team eats at noon');
  const query = 'when do we deploy to production?';
  const recalled = (await memory.recall(query, { limit: 3 })).map(({ file }) => file);
  expect(recalled.length).toBeGreaterThan(1);
  expect((await memory.rank(query, { limit: 3 })).map(({ file }) => file)).toEqual(recalled);
  expect(await memory.rank(query, { limit: 1 })).toMatchObject([{ file: recalled[0], name: 'Deploys' }]);
});

it('leaves out what was seen, what is no fact, and what documents a tool in use', async () => {
  const seen = await save('Deploys', 'Deploys to production happen on Tuesdays');
  const old = await save('Old deploys', 'Deploys to production happen on Mondays');
  await memory.update(old, { refuted: '2026-01-01' });
  await save('shipit', 'The tool shipit deploys to production', 'reference');
  const left = await save('Deploy owner', 'Mara owns deploys to production');
  const ranked = await memory.rank('deploys to production', { exclude: [seen], recentTools: ['shipit'] });
  expect(ranked.map(({ file }) => file)).toEqual([left]);
});

it('tells of a file as it was listed; a file that turned unreadable since is no matter', async () => {
  const file = await save('Deploys', 'Deploys to production happen on Tuesdays');
  await memory.ready();
  writeFileSync(join(memory.folders.project!, file), 'no front matter any more');
  expect(await memory.rank('deploys to production')).toMatchObject([{ file, name: 'Deploys' }]);
});

it('finds what was written on a day that the question names', async () => {
  mkdirSync(memory.folders.project!, { recursive: true });
  const of = (created: string) =>
    `---\nname: Talk\ndescription: "What the customers said"\ntype: project\ncreated: ${created}\n---\n\nThey want exports.\n`;
  for (const [file, created] of [
    ['project_a.md', '2026-03-02'],
    ['project_b.md', '2026-03-17'],
    ['project_c.md', '2026-05-17'],
  ])
    writeFileSync(join(memory.folders.project!, file!), of(created!));
  const first = async (query: string) => (await memory.rank(query, { limit: 1 })).map(({ file }) => file);
  expect(await first('what did the customers say on March 17th?')).toEqual(['project_b.md']);
  expect(await first('what did the customers say on 2 March 2026?')).toEqual(['project_a.md']);
  expect(await first('what did the customers say in May 2026?')).toEqual(['project_c.md']);
});
