/** What the user decided about a dream counts for the next one: rejected, it does not come back; waiting, it goes on waiting. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { thisProcess } from '../../src/disk/process-identity.ts';
import { openDreamInbox } from '../../src/layers/6-dreaming/inbox/inbox.ts';
import { CUT_OFF } from '../../src/layers/6-dreaming/records/landing.ts';
import { readDreamRecord, writeDreamRecord } from '../../src/layers/6-dreaming/records/records.ts';
import type { RunDreamOptions } from '../../src/layers/6-dreaming/session/dream.ts';
import { LIMITS } from '../../src/limits.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { runDream } from '../../src/session/run-dream.ts';
import { findPlace } from '../../src/settings/place.ts';
import { dreamer, FREEZE, filesIn, MERGE_LIST, MERGED, putMemories, RELEASE } from '../support/dream-story.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let folder: string;
let server: MessagesServer;
const place = () => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server?.url ?? '' },
});

beforeEach(async () => {
  root = temporaryFolder('decided');
  mkdirSync(join(root, 'project'), { recursive: true });
  server = await startMessagesServer(dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST }));
  folder = findPlace(place()).folders[0]!.path;
  putMemories(folder, { 'project_release.md': RELEASE, 'project_freeze.md': FREEZE });
});
afterEach(async () => {
  await server.close();
});

async function dream(mode: RunDreamOptions['mode']) {
  const report = await runDream({ ...place(), by: 'hand', mode });
  if (report.kind !== 'ended') throw new Error(`${report.reason} ${report.fix}`);
  return report.record;
}

async function reject(id: string): Promise<void> {
  const memory = await openMemory(place());
  await openDreamInbox(memory, { patience: LIMITS.lock }).reject(id);
  await memory.close();
}

it('lands nothing of what waits, and nothing of what was rejected until a memory is another', async () => {
  const first = await dream('review');
  const before = filesIn(folder);
  expect(first.changes.map(({ state }) => state)).toEqual(['waiting', 'waiting']);

  const second = await dream('apply');
  expect(second.changes.map(({ state, why }) => `${state}: ${why}`)).toEqual([
    `refused: It waits for you already: change 1 of dream ${first.id}.`,
    `refused: It waits for you already: change 2 of dream ${first.id}.`,
  ]);

  await reject(first.id);
  const today = new Date().toISOString().slice(0, 10);
  const third = await dream('apply');
  for (const { state, why } of third.changes) {
    expect(state).toBe('refused');
    expect(why).toContain(`You rejected this on ${today}`);
  }
  expect(filesIn(folder)).toEqual(before);

  for (const [file, text] of Object.entries({ 'project_release.md': RELEASE, 'project_freeze.md': FREEZE })) {
    writeFileSync(join(folder, file), text.replace('type: project\n', 'type: project\nsource: said\n'));
  }
  const fourth = await dream('apply');
  expect(fourth.changes.map(({ state, why }) => `${state}${why}`)).toEqual(['landed', 'landed']);
});

it('does itself what an earlier one was killed over, which the user can approve until then', async () => {
  const first = await dream('review');
  const changes = first.changes.map((change) => ({ ...change, why: CUT_OFF }));
  const killed = { status: 'running', endedAt: null, process: { ...thisProcess(), started: '1' } } as const;
  await writeDreamRecord(folder, { ...first, ...killed, changes, landing: [1, 2] });
  const memory = await openMemory(place());
  const inbox = openDreamInbox(memory, { patience: LIMITS.lock });
  expect(inbox.waiting().map(({ record }) => [record.id, record.status])).toEqual([[first.id, 'killed']]);

  const second = await dream('apply');
  expect(second.changes.map(({ state, why }) => `${state}${why}`)).toEqual(['landed', 'landed']);
  expect(readDreamRecord(folder, first.id)).toMatchObject({
    status: 'killed',
    changes: [{ text: expect.any(String) }, {}],
  });
  await memory.close();
});
