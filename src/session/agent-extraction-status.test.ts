/** What the ledger says of work in the background. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_USAGE } from '../conversation/message.ts';
import { openLedger } from '../store/ledger.ts';
import { readBackgroundWork } from './agent-extraction-status.ts';

let home: string;
const now = new Date('2026-01-07T10:00:00.000Z');

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'reverie-status-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('tells the last result of each, and what all of it cost', async () => {
  const ledger = openLedger({ home, session: 's', project: 'p', now: () => now, onProblem: () => {} });
  const call = {
    at: now.toISOString(),
    background: true,
    model: 'm',
    usage: NO_USAGE,
    equivalentTokens: 1,
    milliseconds: 1,
  };
  ledger.record({ ...call, id: '1', purpose: 'extraction', money: 0.25, outcome: 'done' });
  ledger.record({ ...call, id: '2', purpose: 'extraction', money: 0.5, outcome: 'done' });
  ledger.event({ name: 'extraction', numbers: { saved: 2, updated: 0, denied: 1 } });
  ledger.record({ ...call, id: '3', purpose: 'recall', money: null, outcome: 'overloaded' });
  ledger.record({ ...call, id: '4', purpose: 'main', money: 9, outcome: 'done' });
  ledger.event({ name: 'compaction', numbers: {} });
  ledger.close();
  expect(await readBackgroundWork({ home, now, days: 30 })).toEqual([
    { purpose: 'extraction', at: now.toISOString(), result: 'done, 2 saved, 1 denied', calls: 2, money: 0.75 },
    { purpose: 'recall', at: now.toISOString(), result: 'overloaded', calls: 1, money: null },
  ]);
});

it('is silent where nothing ran, or only damage is found', async () => {
  expect(await readBackgroundWork({ home, now, days: 30 })).toEqual([]);
  mkdirSync(join(home, 'ledger'));
  writeFileSync(join(home, 'ledger', '2026-01-07.jsonl'), 'no json\n');
  expect(await readBackgroundWork({ home, now, days: 30 })).toEqual([]);
});
