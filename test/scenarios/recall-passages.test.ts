/** A long memory is found by the part that answers, and shown from there. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/memory.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let place: string;
let memory: Memory;
const open = () => openMemory({ home: join(place, 'home'), cwd: join(place, 'project'), env: { HOME: place } });

beforeEach(async () => {
  place = temporaryFolder('passages');
  fs.mkdirSync(join(place, 'project'));
  memory = await open();
});
afterEach(async () => {
  await memory.close();
});

const TOPICS = [
  ['Invoices', 'Invoices are numbered by country and written to the ledger at midnight by the billing job.'],
  ['Search', 'The catalogue is indexed with Lucene, and synonyms come from the marketing spreadsheet.'],
  ['Login', 'People sign in through the company directory, and sessions end after eight hours.'],
  ['Images', 'Pictures of products are resized by a lambda and served from the edge.'],
  ['Night shift', 'When the warehouse scanner loses its connection, restart the gateway in hall B and call Marta.'],
  ['Reports', 'Sales reports are sent on Mondays as spreadsheets to the regional managers.'],
] as const;

const handbook = TOPICS.map(([title, fact]) => {
  const more = Array.from(
    { length: 14 },
    (_, at) => `Note ${at} on ${title.toLowerCase()}: nothing has changed in this quarter either.`,
  );
  return [`## ${title}`, '', fact, '', ...more].join('\n');
}).join('\n\n');

const QUESTION = 'what do I do when the warehouse scanner loses its connection?';

async function fill(): Promise<void> {
  await memory.save({ type: 'project', name: 'Shop handbook', description: 'How the shop is run', body: handbook });
  const others = [
    'The office plants are watered on Fridays.',
    'Lunch is at noon.',
    'The printer on the second floor jams.',
  ];
  for (const [at, body] of others.entries()) {
    await memory.save({ type: 'project', name: `Office ${at}`, description: body, body });
  }
}

it('finds and shows the part that answers, and says which it is', async () => {
  expect(handbook.length).toBeGreaterThan(4_096);
  await fill();
  const hits = await memory.recall(QUESTION);
  const [hit] = hits;
  expect(hit).toMatchObject({ file: 'project_shop-handbook.md', certain: true });
  expect(hits.filter(({ file }) => file === hit!.file)).toHaveLength(1);
  expect(hit!.text).toContain('restart the gateway in hall B');
  expect(hit!.text).toMatch(
    /The part that matters: "Night shift", from line \d+ of its text on\. The lines before it are left out\./,
  );
  expect(hit!.text).not.toContain('Invoices are numbered');
  expect(hit!.why.explain).toContain('The part that matters: "Night shift"');
  const lines = (await memory.get(hit!.file)).body.split('\n');
  expect(lines[Number(/from line (\d+)/.exec(hit!.text)![1]) - 1]).toBe('## Night shift');
});

it('is in step after a change, and after the next start', async () => {
  await fill();
  await memory.recall(QUESTION);
  const { path, body } = await memory.get('project_shop-handbook.md');
  fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace(body.trim(), 'The handbook moved to the wiki.'));
  await memory.close();
  memory = await open();
  const [hit] = await memory.recall(QUESTION, { only: 'certain' });
  expect(hit?.file).not.toBe('project_shop-handbook.md');
  const [moved] = await memory.recall('where is the shop handbook?');
  expect(moved).toMatchObject({ file: 'project_shop-handbook.md' });
  expect(moved!.text).toContain('moved to the wiki');
  expect(moved!.text).not.toContain('The part that matters');
});

async function fillWarehouses(): Promise<void> {
  for (const [site, { alias, day }] of Object.entries({
    north: { alias: 'Zephyr', day: '2024-03-02' },
    south: { alias: 'Mistral', day: '2024-05-14' },
    west: { alias: 'Sirocco', day: '2024-09-21' },
  })) {
    const { file } = await memory.save({
      ...{ type: 'project', name: `Handbook ${site}`, description: 'How a warehouse is run', body: handbook },
      aliases: [alias],
    });
    const { path } = await memory.get(file);
    fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace(/^created: .*$/m, `created: ${day}T08:00:00.000Z`));
  }
}

it.each([
  ['another name of its memory', 'what does the scanner at Mistral need when it loses its connection?'],
  ['the day it was written', 'the warehouse scanner lost its connection on 14 May 2024, what did we do?'],
])('finds a part by %s', async (_, question) => {
  await fillWarehouses();
  const [hit] = await memory.recall(question);
  expect(hit).toMatchObject({ file: 'project_handbook-south.md' });
  expect(hit!.text).toContain('The part that matters: "Night shift"');
});

it.each(['what is Mistral?', 'tell me about the handbook south'])(
  'shows a memory from its start to who asks for all of it: %s',
  async (question) => {
    await fillWarehouses();
    const [hit] = await memory.recall(question);
    expect(hit).toMatchObject({ file: 'project_handbook-south.md', certain: true });
    expect(hit!.text).not.toContain('The part that matters');
    expect(hit!.text).toContain('Invoices are numbered');
  },
);
