import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { NO_USAGE } from '../../conversation/message.ts';
import { openLedger } from '../../disk/ledger/ledger.ts';
import { readAgentStats } from './read.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder('stats');
});

const usage = { ...NO_USAGE, inputTokens: 10, cacheReadTokens: 90 };

/** What a session on that day writes. */
function write(session: string, day: string): void {
  const at = `${day}T10:00:00.000Z`;
  const onProblem = (problem: Error) => {
    throw problem;
  };
  const ledger = openLedger({ home, session, project: 'p', now: () => new Date(at), onProblem });
  const call = { at, model: 'm', usage, equivalentTokens: 19, money: 0.3, milliseconds: 5, background: false };
  ledger.record({ ...call, id: `${session}-1`, purpose: 'main', outcome: 'done' });
  ledger.record({ ...call, id: `${session}-2`, purpose: 'main', outcome: 'overloaded' });
  ledger.record({ ...call, id: `${session}-3`, purpose: 'recall', background: true, outcome: 'done' });
  ledger.event({ name: 'cache-break', numbers: { tokens: 4_000 }, cause: 'TTL' });
  ledger.event({ name: 'cache-break', numbers: { expectedTokens: 9_000, readTokens: 1_000 } });
  ledger.event({ name: 'breaker', numbers: { failures: 3 }, cause: 'notes' });
  ledger.event({ name: 'notes-paused', numbers: { failures: 3 }, cause: 'no such model' });
  ledger.event({ name: 'compaction', numbers: { tokensBefore: 9, tokensAfter: 1, kept: 3, repaired: 0, lost: 1 } });
  ledger.event({ name: 'compaction', numbers: { tokensBefore: 9, tokensAfter: 1 } });
  ledger.event({ name: 'something-new', numbers: {} });
  ledger.close();
}

describe('readAgentStats', () => {
  it('counts what a session wrote', async () => {
    write('s1', '2026-03-05');
    const stats = await readAgentStats({ home, now: new Date('2026-03-05T12:00:00Z'), days: 1 });
    expect(stats).toMatchObject({ sessions: 1, rounds: 1, cacheHitShare: 0.9, breakerTrips: 1 });
    expect(stats.tripsByPart).toEqual([{ part: 'notes', trips: 1 }]);
    expect(stats.backgroundShare).toBeCloseTo(1 / 3);
    expect(stats).toMatchObject({
      compactionsPer100Rounds: 200,
      compactionFidelity: { kept: 3, lost: 1, share: 0.75 },
    });
    expect(stats.byPurpose).toMatchObject([
      { name: 'main', calls: 2, failed: 1 },
      { name: 'recall', calls: 1 },
    ]);
    expect(stats.cache.breaks).toEqual([
      { at: '2026-03-05T10:00:00.000Z', session: 's1', tokens: 4_000, cause: 'TTL' },
      { at: '2026-03-05T10:00:00.000Z', session: 's1', tokens: 8_000, cause: 'unknown' },
    ]);
  });

  it('looks at the requested days or session', async () => {
    write('s1', '2026-03-01');
    write('s2', '2026-03-05');
    const now = new Date('2026-03-05T12:00:00Z');
    expect((await readAgentStats({ home, now, days: 4 })).rounds).toBe(1);
    expect((await readAgentStats({ home, now, days: 5 })).rounds).toBe(2);
    expect((await readAgentStats({ home, now, session: 's1' })).cache.byDay).toEqual([
      { day: '2026-03-01', hitShare: 0.9 },
    ]);
  });

  it('loses no more than a damaged line, and needs no ledger', async () => {
    const now = new Date('2026-03-05T12:00:00Z');
    expect(await readAgentStats({ home, now })).toMatchObject({ sessions: 0, rounds: 0, byPurpose: [] });
    write('s1', '2026-03-05');
    appendFileSync(join(home, 'ledger', '2026-03-05.jsonl'), '{"type":"call","at":\n');
    write('s2', '2026-03-05');
    expect(await readAgentStats({ home, now })).toMatchObject({ sessions: 2, rounds: 2 });
  });
});
