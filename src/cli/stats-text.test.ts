import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../conversation/message.ts';
import type { AgentStats, CacheStats } from '../reports/stats/stats.ts';
import { cacheText, statsText } from './stats-text.ts';
import { NO_PAINT } from './terminal/paint.ts';

const NO_CACHE: CacheStats = { breaks: [], byCause: [], byDay: [] };
const PIPE = { paint: NO_PAINT, width: undefined, isTerminal: false };
const now = new Date('2026-03-06T12:00:00Z');

function stats(fields: Partial<AgentStats>): AgentStats {
  return {
    ...{ sessions: 2, rounds: 1_200, cacheHitShare: null, compactionsPer100Rounds: null, breakerTrips: null },
    ...{
      compactionFidelity: null,
      tripsByPart: [],
      backgroundShare: null,
      byPurpose: [],
      byModel: [],
      byAgent: [],
      cache: NO_CACHE,
    },
    ...fields,
  };
}

describe('stats', () => {
  it('start with what was measured, in order', () => {
    const measured = { cacheHitShare: 0.9123, compactionsPer100Rounds: 0.25, breakerTrips: 3, backgroundShare: 0 };
    expect(statsText(stats(measured), PIPE).split('\n').slice(0, 6)).toEqual([
      'cache-hit share             91.2%',
      'compactions per 100 rounds  0.3',
      'breaker trips               3',
      'background share of cost    0.0%',
      'answered rounds             1,200',
      'sessions                    2',
    ]);
  });

  it('say how much survived compactions, and that there was none of what was counted', () => {
    const compactionFidelity = { kept: 1_200, repaired: 40, lost: 10, share: 0.992 };
    const text = statsText(stats({ compactionsPer100Rounds: 0, compactionFidelity, breakerTrips: 0 }), PIPE);
    expect(text).toMatch(/^compactions per 100 rounds +0\.0$/m);
    expect(text).toMatch(/^compaction fidelity +99\.2% \(1,200 kept, 40 repaired, 10 lost\)$/m);
    expect(text).toMatch(/^breaker trips +0$/m);
  });

  it('name what breakers paused', () => {
    const tripsByPart = [
      { part: 'notes', trips: 2 },
      { part: 'recall', trips: 1 },
    ];
    expect(statsText(stats({ breakerTrips: 3, tripsByPart }), PIPE)).toMatch(
      /^breaker trips +3 \(2 notes, 1 recall\)$/m,
    );
  });

  it('leave out what was not', () => {
    expect(statsText(stats({}), PIPE)).not.toMatch(/cache-hit|compactions|breaker|background/);
  });

  it('show calls, tokens and money for each purpose, and unknown prices', () => {
    const usage = { ...NO_USAGE, inputTokens: 1_234, outputTokens: 56, cacheReadTokens: 7_000, cacheWriteTokens: 89 };
    const spent = { calls: 4, failed: 1, usage, milliseconds: 61_000, unpriced: 0 };
    const text = statsText(
      stats({
        byPurpose: [
          { ...spent, name: 'main', money: 12.346 },
          { ...spent, name: 'recall', money: 0.5, unpriced: 3 },
        ],
        byModel: [{ ...spent, name: 'evil\u001b[2J', money: 0, unpriced: 4 }],
      }),
      PIPE,
    );
    expect(text).toMatch(/by purpose\n.*calls.*\n {2}main +4 \(1 failed\) +1,234 +7,000 +89 +56 +\$12\.35 +61 s\n/);
    expect(text).toMatch(/ {2}recall +.*\$0\.5000 \(3 without a price\)/);
    expect(text).toMatch(/by model\n.*\n {2}evil +.*unknown/);
  });

  it('show what each agent cost, where there were agents', () => {
    const spent = { calls: 2, failed: 0, usage: NO_USAGE, milliseconds: 1_000, unpriced: 0 };
    const [main, reader] = [
      { ...spent, name: 'main', money: 2 },
      { ...spent, name: 'reader', money: 1 },
    ];
    expect(statsText(stats({ byAgent: [main, reader] }), PIPE)).toMatch(
      /by agent\n.*\n {2}main .*\n {2}reader +2 .*\$1\.00/,
    );
    expect(statsText(stats({ byAgent: [main] }), PIPE)).not.toContain('by agent');
  });

  it('are stacked when there is no room for a table', () => {
    const usage = { ...NO_USAGE, inputTokens: 1_234, outputTokens: 56, cacheReadTokens: 7_000, cacheWriteTokens: 89 };
    const main = { name: 'main', calls: 4, failed: 0, usage, milliseconds: 61_000, unpriced: 0, money: 12.346 };
    const text = statsText(stats({ byPurpose: [main] }), { ...PIPE, isTerminal: true, width: 40 });
    expect(text.split('\n').slice(-7, -1)).toEqual([
      'by purpose',
      '  main',
      '    calls 4, input 1,234, cache read',
      '    7,000, cache written 89, output 56,',
      '    cost $12.35, time 61 s',
      '',
    ]);
  });
});

describe('stats cache', () => {
  it('shows each break, totals by cause and the share of each day', () => {
    const breaks = [{ at: '2026-03-06T10:00:00Z', session: 's1', tokens: 5_000, cause: 'TTL' }];
    const cache = {
      breaks,
      byCause: [{ cause: 'TTL', breaks: 1, tokens: 5_000 }],
      byDay: [{ day: '2026-03-06', hitShare: 0.5 }],
    };
    expect(cacheText(cache, { ...PIPE, now })).toBe(
      [
        '2026-03-06T10:00:00Z  s1  5,000 tokens  TTL',
        '',
        'by cause',
        '  TTL  1 break  5,000 tokens',
        '',
        'hit share by day',
        '  2026-03-06  50.0%',
      ].join('\n'),
    );
    expect(cacheText(cache, { ...PIPE, isTerminal: true, width: 80, now })).toContain('2 hours ago');
  });

  it('says how many breaks it does not show', () => {
    const breaks = Array.from({ length: 25 }, () => ({ at: '', session: 's', tokens: 1, cause: 'server' }));
    expect(cacheText({ ...NO_CACHE, breaks }, { ...PIPE, now })).toContain('and 5 more');
  });

  it('says that there was none', () => {
    expect(cacheText(NO_CACHE, { ...PIPE, now })).toBe('The prompt cache was not broken.');
  });
});
