/** Clearing old results by price, and what a line of the ledger says beyond the cost: what the layers saved this request, and what it broke. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CLEARED_TEXT } from '../../src/layers/2-microcompact/index.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let agent: SteerableAgent | null = null;

beforeEach(() => {
  root = temporaryFolder('ledger-notes');
  mkdirSync(join(root, 'project'));
  for (let file = 0; file < 8; file++) {
    writeFileSync(join(root, 'project', `f${file}.txt`), `Line of file ${file}, with words.\n`.repeat(400));
  }
});

afterEach(async () => {
  await agent?.close();
  agent = null;
});

interface Call {
  readonly type: string;
  readonly saved?: { readonly tokens: number };
  readonly broke?: { readonly tokens: number; readonly cause: string };
}

function calls(): readonly Call[] {
  const folder = join(root, 'home', 'ledger');
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return lines.map((line): Call => JSON.parse(line)).filter(({ type }) => type === 'call');
}

async function say(prompt: string): Promise<void> {
  for await (const event of agent!.send(prompt)) {
    if (event.kind === 'turn-ended') expect(event.outcome).toEqual({ kind: 'answered' });
  }
}

it.each([
  ['balanced', true],
  ['off', false],
] as const)('clears old results far from the end of the window where that pays: %s', async (economy, isCleared) => {
  const model = scriptedModel({
    answer: ({ messages }) => {
      const reads = messages.filter(({ content }) => content.some(({ type }) => type === 'tool_result')).length;
      const input = { file_path: `f${reads % 8}.txt`, offset: 1 + Math.floor(reads / 8) };
      return reads >= 24 ? { text: 'Done.' } : { tools: [{ name: 'Read', input }] };
    },
  });
  agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH },
    model,
    permissionMode: 'bypass',
    settings: { economy, 'layers.notes': false, 'layers.extraction': false, 'layers.recall': false },
  });
  await say('Read them all, three times.');
  expect(agent.window().usedTokens).toBeLessThan(agent.window().window.compactAt / 1.5);
  expect(JSON.stringify(model.requests.at(-1)!.messages).includes(CLEARED_TEXT)).toBe(isCleared);
});

it('names what clearing saves with each request, and what it broke with the first', async () => {
  let now = Date.parse('2031-05-08T09:00:00Z');
  const model = scriptedModel({
    answer: ({ messages }) => {
      const reads = messages.filter(({ content }) => content.some(({ type }) => type === 'tool_result')).length;
      return reads >= 8 ? { text: 'Done.' } : { tools: [{ name: 'Read', input: { file_path: `f${reads}.txt` } }] };
    },
  });
  agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH },
    model,
    permissionMode: 'bypass',
    clock: { now: () => new Date(now) },
    settings: { 'layers.notes': false, 'layers.extraction': false, 'layers.recall': false },
  });
  await say('Read them all.');
  expect(calls().every(({ saved, broke }) => saved === undefined && broke === undefined)).toBe(true);
  now += 3_600_000;
  await say('Go on.');
  await say('And on.');
  const [first, second] = calls().slice(-2);
  expect(first!.saved!.tokens).toBeGreaterThan(5_000);
  expect(first!.broke).toMatchObject({ cause: expect.stringContaining('microcompaction by time') });
  expect(first!.broke!.tokens).toBeGreaterThan(2_000);
  expect(second!.saved).toEqual(first!.saved);
  expect(second!.broke).toBeUndefined();
});
