/** In a project of several packages, a memory about another one does not speak up. */

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/memory.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let place: string;
const opened: Memory[] = [];

beforeEach(async () => {
  place = temporaryFolder('parts');
  for (const name of ['billing', 'web']) {
    const folder = join(place, 'project', 'packages', name);
    fs.mkdirSync(join(folder, 'src'), { recursive: true });
    fs.writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: `@acme/${name}` }));
    fs.writeFileSync(join(folder, 'src', 'retry.ts'), 'export {};\n');
  }
  execFileSync('git', ['init', '-q', join(place, 'project')]);
  const memory = await open('.');
  for (const [name, times, where] of [
    ['Billing retries', 'three times with a pause of a minute', 'packages/billing/src/retry.ts'],
    ['Web retries', 'once and then show the banner', 'packages/web/src/retry.ts'],
  ] as const) {
    const body = `A failed request is sent again ${times}; see ${where}.`;
    await memory.save({ type: 'project', name, description: `How failed requests are retried in ${where}`, body });
  }
  const others = ['The standup is at ten.', 'Invoices are numbered by country.', 'The logo is blue.'];
  for (const [at, body] of others.entries()) {
    await memory.save({ type: 'project', name: `Other ${at}`, description: body, body });
  }
});
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
});

async function open(folder: string): Promise<Memory> {
  const cwd = join(place, 'project', folder);
  const memory = await openMemory({ home: join(place, 'home'), cwd, env: { HOME: place } });
  opened.push(memory);
  return memory;
}

const QUESTION = 'how often is a failed request sent again?';
const certainOf = async (memory: Memory, question: string) =>
  (await memory.recall(question, { only: 'certain' })).map(({ file }) => file).sort();

it('in the folder of one package only what is about it, or about none', async () => {
  const both = ['project_billing-retries.md', 'project_web-retries.md'];
  expect(await certainOf(await open('.'), QUESTION)).toEqual(both);
  expect(await certainOf(await open('packages/web'), QUESTION)).toEqual([both[1]]);
  expect(await certainOf(await open('packages/billing/src'), QUESTION)).toEqual([both[0]]);
});

it('by a path in the message, wherever one is', async () => {
  const memory = await open('packages/web');
  const question = `${QUESTION} I am in packages/billing/src/retry.ts`;
  expect(await certainOf(memory, question)).toEqual(['project_billing-retries.md']);
});

it('and what is about another one, once that is called by its name', async () => {
  const question = 'how often is a failed request sent again in billing?';
  expect(await certainOf(await open('packages/web'), question)).toContain('project_billing-retries.md');
});

it('by the names of packages too', async () => {
  const memory = await open('packages/web');
  const body = 'Fixtures for snapshot tests are written by hand, in @acme/billing only.';
  await memory.save({ type: 'project', name: 'Fixtures', description: 'Who writes fixtures for snapshot tests', body });
  const question = 'who writes the fixtures for snapshot tests?';
  expect(await certainOf(memory, question)).toEqual([]);
  expect(await certainOf(await open('packages/billing'), question)).toEqual(['project_fixtures.md']);
});

it('says so, and still finds it for whoever asks', async () => {
  const hits = await (await open('packages/web')).recall(QUESTION);
  const billing = hits.find(({ file }) => file === 'project_billing-retries.md');
  expect(billing?.certain).toBe(false);
  expect(billing?.why.explain).toContain('about another part of the project: packages/billing');
});
