/** What recall goes on without is said: an index that cannot be kept, an embedding model that fails, a part that is paused. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAIN = resolve(import.meta.dirname, '..', '..', 'dist', 'main.js');
let root: string;
let agent: SteerableAgent | null = null;

beforeEach(() => {
  root = temporaryFolder('recall-trouble');
  mkdirSync(join(root, 'project'));
  mkdirSync(join(root, 'home'));
});

afterEach(async () => {
  await agent?.close();
  agent = null;
});

/** Talks until it is told these words, or for many turns: what goes wrong beside a turn is told with a later one. */
async function notesUntil(words: string, options: AgentOptions, subject = 'deployment to production'): Promise<string> {
  agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH },
    model: scriptedModel({ answer: () => ({ text: 'Done.' }) }),
    ...options,
    settings: {
      'recall.selector': 'local',
      'limits.prefetch.holdMs': 10_000,
      'layers.extraction': false,
      'layers.notes': false,
      ...options.settings,
    },
  });
  const body = 'Deployments to production go out on Tuesdays only.';
  await agent.memory.save({ type: 'project', name: 'Deploys on Tuesdays', description: body, body });
  const notes: string[] = [];
  for (let turn = 0; turn < 40 && !notes.join('\n').includes(words); turn++) {
    await pause(20);
    for await (const event of agent.send(`Plan the ${subject}, step ${turn}, please.`)) {
      if (event.kind === 'note') notes.push(event.text);
    }
  }
  return notes.join('\n');
}

function status(): string {
  const args = [MAIN, 'status', '--home', join(root, 'home'), '--cwd', join(root, 'project')];
  return execFileSync(process.execPath, args, { encoding: 'utf8', env: { HOME: root, PATH: process.env.PATH } });
}

it('an index that cannot be kept', async () => {
  mkdirSync(join(root, 'home', 'cache'));
  writeFileSync(join(root, 'home', 'cache', 'index'), 'in the way');
  const words = 'The index of memories cannot be kept';
  expect(await notesUntil(words, {})).toContain(words);
  expect(status()).toMatch(/Problems:[\s\S]*The index of memories cannot be kept/);
});

it('an embedding model that fails', async () => {
  const embed = {
    id: 'mine',
    async embed(): Promise<never> {
      throw new Error('out of quota');
    },
  };
  const notes = await notesUntil('out of quota', { embed });
  expect(notes.match(/Your embedding model failed[^\n]*out of quota/g)).toHaveLength(1);
  expect(agent!.memory.problems().join('\n')).toContain('out of quota');
});

it('a selector that is paused is a problem of reverie status', async () => {
  expect(status()).toContain('no problems');
  const model = scriptedModel({
    answer: ({ answerSchema }) => ({ text: answerSchema === undefined ? 'Done.' : 'I cannot say.' }),
  });
  const settings = { 'recall.selector': 'model', 'limits.prefetch.failures': 1 };
  // Of which no memory tells: nothing takes the selector's place.
  await notesUntil('pauses for this session', { model, settings }, 'birthday party');
  await agent!.close();
  agent = null;
  expect(status()).toMatch(/Problems:[\s\S]*recall: paused by/);
});
