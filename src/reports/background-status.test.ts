/** What settings and ledger say about each part that works alongside a conversation. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { NO_USAGE } from '../conversation/message.ts';
import { type Ledger, openLedger } from '../disk/ledger/ledger.ts';
import { resolveSettings } from '../settings/settings.ts';
import { type BackgroundPart, readBackgroundStatus } from './background-status.ts';

let home: string;
const now = new Date('2026-01-07T10:00:00.000Z');
const at = now.toISOString();

beforeEach(() => {
  home = temporaryFolder('status');
});

async function status(env: Readonly<Record<string, string>> = {}): Promise<ReadonlyMap<string, BackgroundPart>> {
  const { origins } = resolveSettings({ home, userHome: home, projectRoot: home, env, trusted: false });
  const parts = await readBackgroundStatus({ home, project: 'p', now, days: 30, origins });
  return new Map(parts.map((part) => [part.part, part]));
}

function write(work: (ledger: Ledger) => void, project = 'p'): void {
  const ledger = openLedger({ home, session: 's', project, now: () => now, onProblem: () => {} });
  work(ledger);
  ledger.close();
}

let calls = 0;
function call(purpose: string, money: number | null, outcome = 'done') {
  const spent = { usage: NO_USAGE, equivalentTokens: 1, milliseconds: 1 };
  return { id: String(calls++), at, purpose, background: true, model: 'm', money, outcome, ...spent };
}

it('names every part, even when nothing ran or only damage is found', async () => {
  mkdirSync(join(home, 'ledger'));
  writeFileSync(join(home, 'ledger', '2026-01-07.jsonl'), 'no json\n');
  const parts = await status();
  expect([...parts.keys()]).toEqual(['recall', 'extraction', 'notes', 'compaction']);
  const resting = { offBy: null, last: null, calls: 0, money: 0, paused: null, capped: null };
  expect(parts.get('notes')).toEqual({ part: 'notes', ...resting });
});

it('counts what a hook of a coding agent recalled as a run of recall', async () => {
  const recalled = { what: 'recalled', scope: 'project', file: 'feedback_a.md', trigger: 'message' } as const;
  write((ledger) => ledger.memory({ ...recalled, watched: false }), 'another');
  expect((await status()).get('recall')).toMatchObject({ last: null });
  write((ledger) => ledger.memory({ ...recalled, watched: false }));
  expect((await status()).get('recall')).toMatchObject({ last: { at, result: 'recalled feedback_a.md' }, calls: 0 });
});

it('shows the last result of each, and what all of it cost', async () => {
  write((ledger) => {
    ledger.record(call('extraction', 0.25));
    ledger.record(call('extraction', 0.5));
    ledger.event({ name: 'extraction', numbers: { saved: 2, updated: 0, denied: 1 } });
    ledger.record(call('recall', null, 'overloaded'));
    ledger.record(call('main', 9));
    ledger.event({ name: 'notes', numbers: { failed: 1 } });
    ledger.event({ name: 'compaction', numbers: { tokensBefore: 150_000, tokensAfter: 9_000, kept: 3 } });
  });
  const parts = await status();
  expect(parts.get('extraction')).toMatchObject({
    last: { at, result: 'done, 2 saved, 1 denied' },
    calls: 2,
    money: 0.75,
  });
  expect(parts.get('recall')).toMatchObject({ last: { result: 'overloaded' }, calls: 1, money: null });
  expect(parts.get('notes')).toMatchObject({ last: { result: 'failed' }, calls: 0 });
  expect(parts.get('compaction')).toMatchObject({ last: { result: 'done, 150000 tokens to 9000' } });
});

it('says nothing about other projects', async () => {
  write((ledger) => {
    ledger.record(call('recall', 1));
    ledger.event({ name: 'extraction', numbers: { saved: 2 } });
    ledger.event({ name: 'cap', numbers: {}, cause: 'session: notes' });
    ledger.event({ name: 'dream', numbers: {} });
  }, 'another');
  const parts = await status();
  expect([...parts.keys()]).toEqual(['recall', 'extraction', 'notes', 'compaction']);
  for (const part of parts.values()) expect(part).toMatchObject({ last: null, calls: 0, money: 0, capped: null });
});

it('does not judge a part by a call that the end of a session cut off, and counts its cost', async () => {
  write((ledger) => {
    ledger.event({ name: 'recall', numbers: { memories: 1 } });
    ledger.record(call('recall', 0.5, 'aborted'));
    ledger.record(call('recall', 0.25, 'abandoned'));
  });
  expect((await status()).get('recall')).toMatchObject({ last: { result: 'done, 1 memory' }, calls: 2, money: 0.75 });
});

it('has a row for dreams once there was one', async () => {
  write((ledger) => {
    ledger.record(call('dream', 1));
    ledger.event({ name: 'dream-failed', numbers: {} });
  });
  const parts = await status();
  expect(parts.get('dream')).toMatchObject({ last: { result: 'failed' }, calls: 1, money: 1 });
});

it('says what paused or capped a part, until it has done its work again', async () => {
  write((ledger) => {
    ledger.event({ name: 'extraction-paused', numbers: { failures: 3 }, cause: 'no such model' });
    ledger.event({ name: 'extraction-failed', numbers: {} });
    ledger.event({ name: 'cap', numbers: { spent: 1, cap: 1, wanted: 1 }, cause: 'day: recall' });
    ledger.event({ name: 'cap', numbers: { spent: 1, cap: 1, wanted: 1 }, cause: 'session: notes' });
  });
  const troubled = await status();
  expect(troubled.get('extraction')).toMatchObject({
    paused: { at, failures: 3, reason: 'no such model' },
    last: { result: 'failed' },
  });
  expect(troubled.get('recall')).toMatchObject({ capped: { at, by: 'day' }, last: null });
  expect(troubled.get('notes')).toMatchObject({ capped: { at, by: 'session' } });
  write((ledger) => {
    ledger.event({ name: 'extraction', numbers: {} });
    ledger.event({ name: 'notes', numbers: { updated: 1 } });
  });
  const again = await status();
  expect(again.get('extraction')).toMatchObject({ paused: null, last: { result: 'done' } });
  expect(again.get('notes')).toMatchObject({ capped: null });
  expect(again.get('recall')).toMatchObject({ capped: { by: 'day' } });
});

it.each([
  ['recall', 'recall'],
  ['extraction', 'extraction'],
  ['notes', 'notes'],
  ['compaction', 'compaction'],
  ['notes-compaction', 'notes-compaction'],
  ['tool-results', 'tool-results'],
  ['microcompact', 'microcompact'],
  ['collapse', 'collapse'],
  ['daily-log', 'daily-log'],
  ['dream', 'dream'],
])('shows that %s is paused, and why, until it works again', async (part, done) => {
  write((ledger) => {
    ledger.event({ name: 'breaker', numbers: { failures: 3 }, cause: part });
    ledger.event({ name: `${part}-paused`, numbers: { failures: 3 }, cause: 'the disk is full' });
  });
  const paused = { at, failures: 3, reason: 'the disk is full' };
  const parts = await status();
  expect([...parts.values()].filter((each) => each.paused !== null)).toMatchObject([{ part, paused }]);
  write((ledger) => ledger.event({ name: done, numbers: {} }));
  expect((await status()).get(part)).toMatchObject({ paused: null, last: { result: 'done' } });
});

it('distinguishes parts whose names begin alike, and how each ended', async () => {
  write((ledger) => {
    ledger.event({ name: 'notes', numbers: { updated: 1 } });
    ledger.event({ name: 'notes-compaction', numbers: { tokensBefore: 90, tokensAfter: 10 } });
    ledger.event({ name: 'daily-log-failed', numbers: {} });
    ledger.event({ name: 'dream-no-room', numbers: {} });
    ledger.event({ name: 'tool-results', numbers: { results: 1, characters: 70_000 } });
    ledger.event({ name: 'compactionist', numbers: {} });
  });
  const parts = await status();
  expect(Object.fromEntries([...parts].map(([part, { last }]) => [part, last?.result]))).toEqual({
    recall: undefined,
    extraction: undefined,
    notes: 'done, 1 updated',
    compaction: undefined,
    'notes-compaction': 'done, 90 tokens to 10',
    'daily-log': 'failed',
    dream: 'no-room',
    'tool-results': 'done, 1 result',
  });
});

it('has a row for what a host switched off, once it did', async () => {
  write((ledger) => ledger.event({ name: 'flags-off', numbers: {}, cause: 'layers.recall' }));
  expect((await status()).get('flags')).toMatchObject({ offBy: null, last: { result: 'off, layers.recall' } });
  write((ledger) => ledger.event({ name: 'flags-failed', numbers: {}, cause: 'layers.recall: no network' }));
  expect((await status()).get('flags')).toMatchObject({ last: { result: 'failed, layers.recall: no network' } });
});

it('names the setting that switched a part off, and where that is', async () => {
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ 'recall.selector': 'off', 'layers.compaction': false }));
  const parts = await status({ REVERIE_DISABLE_EXTRACTION: '1' });
  const file = join(home, 'settings.json');
  expect(parts.get('recall')?.offBy).toEqual({ setting: 'recall.selector', origin: 'user', where: file });
  expect(parts.get('extraction')?.offBy).toMatchObject({
    setting: 'layers.extraction',
    where: 'REVERIE_DISABLE_EXTRACTION',
  });
  // Notes exist only for compaction.
  expect(parts.get('notes')?.offBy).toMatchObject({ setting: 'layers.compaction' });
  expect((await status()).get('extraction')?.offBy).toBeNull();
});
