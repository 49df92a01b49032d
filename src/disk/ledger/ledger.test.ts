/** The ledger: every call a line, damage costs itself, and background work stops at its caps. */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { NO_USAGE } from '../../conversation/message.ts';
import type { ReverieError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { thisProcess } from '../process-identity.ts';
import { appendToLedger } from './append.ts';
import { type Ledger, type LedgerOptions, openLedger, readLedger } from './ledger.ts';
import { type CallFacts, type LedgerLine, serializeLine } from './line.ts';
import { createTally, decideReservation } from './tally.ts';

const NOW = new Date('2026-03-05T10:00:00.000Z');
const limits = { ...LIMITS, caps: { ...LIMITS.caps, dayTokens: 1_000, floorTokens: 1, extractionShare: 0.25 } };

async function inHome(
  work: (facts: {
    readonly home: string;
    readonly problems: ReverieError[];
    open(options?: Partial<LedgerOptions>): Ledger;
  }) => Promise<void>,
): Promise<void> {
  const home = temporaryFolder('ledger');
  const problems: ReverieError[] = [];
  const opened: Ledger[] = [];
  const open = (options: Partial<LedgerOptions> = {}) => {
    const onProblem = (problem: ReverieError) => problems.push(problem);
    const facts = { home, session: 's1', project: 'slug', now: () => NOW, onProblem, limits };
    const ledger = openLedger({ ...facts, ...options });
    opened.push(ledger);
    return ledger;
  };
  try {
    await work({ home, problems, open });
  } finally {
    for (const ledger of opened) ledger.close();
  }
}

function call(id: string, facts: Partial<CallFacts> = {}): CallFacts {
  return {
    ...{ id, at: NOW.toISOString(), purpose: 'main', background: false, model: 'm', usage: NO_USAGE },
    ...{ equivalentTokens: 100, money: 1, milliseconds: 5, outcome: 'done' },
    ...facts,
  };
}

function background(id: string, facts: Partial<CallFacts> = {}): CallFacts {
  return call(id, { purpose: 'extraction', background: true, ...facts });
}

function want(id: string, equivalentTokens: number, at: string = NOW.toISOString()) {
  return { id, at, purpose: 'extraction', model: 'm', equivalentTokens };
}

function likely(id: string, money: number | null, tokens = 10) {
  return { ...want(id, 500), likely: { tokens, money } };
}

async function linesOf(home: string, options: { days?: number; session?: string } = {}): Promise<LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for await (const line of readLedger({ home, now: NOW, ...options })) lines.push(line);
  return lines;
}

describe('the ledger', () => {
  it('has a line for every call and event, for the user alone', async () => {
    await inHome(async ({ home, open }) => {
      const ledger = open();
      ledger.record(call('c1', { saved: { tokens: 7 }, broke: { tokens: 3, cause: 'TTL' } }));
      ledger.event({ name: 'compaction', numbers: { before: 900, after: 100 } });
      const origin = { at: NOW.toISOString(), session: 's1', project: 'slug' };
      expect(await linesOf(home)).toEqual([
        { type: 'call', ...origin, ...call('c1', { saved: { tokens: 7 }, broke: { tokens: 3, cause: 'TTL' } }) },
        { type: 'event', ...origin, name: 'compaction', numbers: { before: 900, after: 100 } },
      ]);
      const file = join(home, 'ledger', '2026-03-05.jsonl');
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      expect(fs.statSync(join(home, 'ledger')).mode & 0o777).toBe(0o700);
    });
  });

  it('has a line for what became of a memory, whoever writes it, also after a line that was torn', async () => {
    await inHome(async ({ home, open }) => {
      const facts = { what: 'recalled', scope: 'project', file: 'a.md', watched: true, score: 0.5 } as const;
      const line = { type: 'memory', at: NOW.toISOString(), session: 's1', project: 'slug', ...facts } as const;
      open().memory(facts);
      fs.appendFileSync(join(home, 'ledger', '2026-03-05.jsonl'), '{"type":"memory","at":"2026');
      appendToLedger(home, [line, { ...line, what: 'used' }]);
      appendToLedger(home, []);
      fs.appendFileSync(join(home, 'ledger', '2026-03-05.jsonl'), `${JSON.stringify({ ...line, what: 'eaten' })}\n`);
      expect(await linesOf(home)).toEqual([line, line, { ...line, what: 'used' }]);
    });
  });

  it('is read by days and by session, and damage costs its line', async () => {
    await inHome(async ({ home, open }) => {
      open().record(call('old', { at: '2026-02-01T00:00:00.000Z' }));
      open().record(call('yesterday', { at: '2026-03-04T23:59:59.999Z' }));
      fs.appendFileSync(join(home, 'ledger', '2026-03-04.jsonl'), '{"type":"call","at":"2026');
      open({ session: 's2' }).record(call('late', { at: '2026-03-04T12:00:00.000Z' }));
      open().record(call('today'));
      fs.appendFileSync(join(home, 'ledger', '2026-03-05.jsonl'), '{"type":"call","at":5}\nnull\n{"type":"later"}\n');
      fs.writeFileSync(join(home, 'ledger', 'notes.txt'), 'not ours');
      const ids = async (options: { days?: number; session?: string }) =>
        (await linesOf(home, options)).map((line) => (line.type === 'call' ? line.id : line.type));
      expect(await ids({})).toEqual(['old', 'yesterday', 'late', 'today']);
      expect(await ids({ days: 1 })).toEqual(['today']);
      expect(await ids({ days: 2 })).toEqual(['yesterday', 'late', 'today']);
      // More days than any calendar has, and more than the years of four digits have, are all days.
      for (const days of [1_000_000, 999_999_999, Number.MAX_VALUE]) expect(await ids({ days })).toHaveLength(4);
      expect(await ids({ session: 's2' })).toEqual(['late']);
      const damaged: number[] = [];
      for await (const _ of readLedger({ home, now: NOW, onDamaged: ({ byte }) => damaged.push(byte) }));
      expect(damaged).toHaveLength(4);
    });
  });

  it('of a home without one is empty', async () => {
    expect(await linesOf('/nowhere')).toEqual([]);
  });

  it('tells once when it cannot be written, and never throws', async () => {
    await inHome(async ({ home, problems, open }) => {
      fs.writeFileSync(join(home, 'ledger'), 'in the way');
      const ledger = open();
      ledger.record(call('one'));
      ledger.event({ name: 'breaker', numbers: {} });
      expect(problems).toHaveLength(1);
      expect(await ledger.reserve(want('r', 1))).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    });
  });
});

describe('a reservation', () => {
  it('counts until its call is recorded, then with what that cost', async () => {
    await inHome(async ({ open }) => {
      const [one, other] = [open(), open({ session: 's2' })];
      expect(await one.reserve(want('a', 600))).toEqual({ kind: 'reserved' });
      expect(await other.reserve(want('b', 600))).toEqual({
        ...{ kind: 'refused', reason: 'day', spent: 600, cap: 1_000, unit: 'tokens' },
        setting: 'limits.caps.dayTokens',
      });
      one.record(background('a', { equivalentTokens: 300 }));
      expect(await other.reserve(want('c', 600))).toEqual({ kind: 'reserved' });
      expect(await one.reserve(want('d', 101))).toMatchObject({ reason: 'day', spent: 900 });
      expect(await one.reserve({ ...want('e', 100), purpose: 'dream' })).toEqual({ kind: 'reserved' });
    });
  });

  it('that is refused is an event in the ledger', async () => {
    await inHome(async ({ home, open }) => {
      await open().reserve(want('a', 1_001));
      expect(await linesOf(home)).toMatchObject([
        {
          type: 'event',
          name: 'cap',
          cause: 'day: extraction: limits.caps.dayTokens',
          numbers: { spent: 0, cap: 1_000, wanted: 1_001 },
        },
      ]);
    });
  });

  it('lapses with its process, and counts as long as that cannot be known', async () => {
    const gone = spawnSync('true').pid;
    await inHome(async ({ home, open }) => {
      fs.mkdirSync(join(home, 'ledger'));
      const leave = (id: string, tokens: number, holder: object, at = NOW) => {
        const origin = { at: at.toISOString(), session: 'other', project: 'slug' };
        const facts = { id, purpose: 'dream', model: 'm', equivalentTokens: tokens };
        const line = { type: 'reserved', ...origin, ...facts, process: { ...thisProcess(), ...holder } } as const;
        fs.appendFileSync(join(home, 'ledger', '2026-03-05.jsonl'), serializeLine(line));
      };
      leave('dead', 900, { pid: gone });
      leave('elsewhere, long ago', 900, { host: 'elsewhere' }, new Date(NOW.getTime() - 3 * 3_600_000));
      leave('elsewhere', 300, { host: 'elsewhere' });
      expect(await open().reserve(want('a', 701))).toMatchObject({ kind: 'refused', spent: 300 });
      expect(await open().reserve(want('b', 700))).toEqual({ kind: 'reserved' });
    });
  });

  it('is of its day, also when the call ends on the next', async () => {
    await inHome(async ({ home, open }) => {
      const ledger = open();
      const night = '2026-03-04T23:59:59.000Z';
      await ledger.reserve(want('a', 900, night));
      ledger.event({ name: 'breaker', numbers: {} });
      expect(await ledger.reserve(want('b', 900))).toEqual({ kind: 'reserved' });
      ledger.record(background('a', { at: night }));
      const text = fs.readFileSync(join(home, 'ledger', '2026-03-04.jsonl'), 'utf8');
      expect(text.match(/"type":"(?:reserved|call)"/g)).toEqual(['"type":"reserved"', '"type":"call"']);
    });
  });

  it('is not forgotten when the file was removed and begun again', async () => {
    await inHome(async ({ home, open }) => {
      const ledger = open();
      for (const id of ['a', 'b', 'c']) ledger.record(background(id, { equivalentTokens: 300 }));
      expect(await ledger.reserve(want('d', 200))).toMatchObject({ spent: 900 });
      fs.rmSync(join(home, 'ledger', '2026-03-05.jsonl'));
      await open().reserve(want('e', 800));
      expect(await ledger.reserve(want('f', 300))).toMatchObject({ kind: 'refused', spent: 800 });
    });
  });
});

describe('a session’s share', () => {
  it.each<[string, readonly CallFacts[], 'reserved' | 'refused', 'dollars' | 'tokens' | null]>([
    ['nothing said yet', [], 'reserved', null],
    ['no conversation to be a share of', [background('b', { money: 9 })], 'refused', 'tokens'],
    ['another purpose used its own', [call('a'), background('b', { money: 9, purpose: 'recall' })], 'reserved', null],
    ['below it', [call('a', { money: 1 }), background('b', { money: 0.24 })], 'reserved', null],
    ['reached', [call('a', { money: 1 }), background('b', { money: 0.25 })], 'refused', 'dollars'],
    [
      'reached in tokens, where there is no price',
      [call('a', { money: null }), background('b', { money: null, equivalentTokens: 25 })],
      'refused',
      'tokens',
    ],
    [
      'below it in tokens, where only one has a price',
      [call('a', { money: 1 }), background('b', { money: null, equivalentTokens: 24 })],
      'reserved',
      null,
    ],
    [
      'free models go by tokens',
      [call('a', { money: 0 }), background('b', { money: 0, equivalentTokens: 25 })],
      'refused',
      'tokens',
    ],
  ])('%s', async (_, calls, expected, unit) => {
    await inHome(async ({ open }) => {
      const ledger = open();
      for (const each of calls) ledger.record(each);
      open({ session: 'another' }).record(background('x', { money: 50, equivalentTokens: 1 }));
      const answer = await ledger.reserve(want('r', 1));
      expect(answer).toMatchObject(unit === null ? { kind: expected } : { kind: expected, reason: 'session', unit });
    });
  });

  it.each<[string, number, Partial<CallFacts>, object]>([
    ['leaves a short session room up to the floor', 100, { equivalentTokens: 499, money: 9 }, { kind: 'reserved' }],
    [
      'of a short session ends at the floor, in tokens',
      100,
      { equivalentTokens: 500, money: 9 },
      { spent: 500, cap: 500, unit: 'tokens', setting: 'limits.caps.floorTokens' },
    ],
    ['of a long one goes on beyond the floor', 10_000, { equivalentTokens: 600, money: 0.2 }, { kind: 'reserved' }],
    [
      'of a long one ends at the share',
      10_000,
      { equivalentTokens: 600, money: 0.3 },
      { spent: 0.3, cap: 0.25, unit: 'dollars', setting: 'limits.caps.extractionShare' },
    ],
  ])('%s', async (_, mainTokens, spent, expected) => {
    await inHome(async ({ open }) => {
      const caps = { ...limits.caps, dayTokens: 1_000_000, floorTokens: 500 };
      const ledger = open({ limits: { ...limits, caps } });
      ledger.record(call('main', { equivalentTokens: mainTokens }));
      ledger.record(background('b', spent));
      expect(await ledger.reserve(want('r', 1))).toMatchObject(expected);
      expect(await ledger.reserve({ ...want('d', 1), purpose: 'dream' })).toEqual({ kind: 'reserved' });
    });
  });

  it('counts what is running and what is wanted with what they should cost, and lets the last call pass it', async () => {
    await inHome(async ({ open }) => {
      const roomy = { ...limits, caps: { ...limits.caps, dayTokens: 1_000_000 } };
      const [ledger, other] = [open({ limits: roomy }), open({ limits: roomy, session: 's2' })];
      ledger.record(call('main', { money: 1 }));
      await other.reserve(likely('of another session', 9));
      expect(await ledger.reserve(likely('a', 0.2))).toEqual({ kind: 'reserved' });
      expect(await ledger.reserve(likely('too dear', 0.9))).toMatchObject({ reason: 'session', spent: 0.2, cap: 0.25 });
      // It passes the share, and it alone: while both are running nothing else starts.
      expect(await ledger.reserve({ ...likely('b', 0.9), isLast: true })).toEqual({ kind: 'reserved' });
      expect(await ledger.reserve({ ...likely('another last', 0.01), isLast: true })).toMatchObject({
        kind: 'refused',
      });
      expect(await ledger.reserve(likely('c', 0.01))).toMatchObject({
        ...{ kind: 'refused', reason: 'session', unit: 'dollars', spent: expect.closeTo(1.1), cap: 0.25 },
      });
      ledger.record(background('b', { money: 0.01 }));
      ledger.record(background('a', { money: 0.02 }));
      expect(await ledger.reserve(likely('d', 0.01))).toEqual({ kind: 'reserved' });
    });
  });

  it('is of tokens while something running has no price', async () => {
    await inHome(async ({ open }) => {
      const ledger = open();
      ledger.record(call('main', { money: 1, equivalentTokens: 100 }));
      await ledger.reserve(likely('a', null, 25));
      expect(await ledger.reserve(want('b', 1))).toMatchObject({
        reason: 'session',
        unit: 'tokens',
        spent: 25,
        cap: 25,
      });
    });
  });

  it('of a session that goes on another day has what it cost before, each call once', async () => {
    await inHome(async ({ home, open }) => {
      const at = '2026-03-03T22:00:00.000Z';
      const before = open({ now: () => new Date(at) });
      before.record(call('a', { at, money: 1 }));
      await before.reserve({ ...likely('lapsed', 9), at });
      before.record(background('b', { at: '2026-03-04T01:00:00.000Z', money: 0.2 }));
      open().record(background('c', { money: 0.03 }));
      // A day that cannot be read hides no other.
      fs.mkdirSync(join(home, 'ledger', '2026-03-02.jsonl'));
      const resumed = open({ isResumed: true });
      expect(await resumed.reserve(want('before', 1))).toEqual({ kind: 'reserved' });
      resumed.record(background('d', { money: 0.04 }));
      expect(await resumed.reserve(want('e', 1))).toMatchObject({ reason: 'session', spent: expect.closeTo(0.27) });
      const bounded = { ...limits, caps: { ...limits.caps, resumedDays: 1 } };
      const late = await open({ isResumed: true, limits: bounded }).reserve(want('late', 1));
      expect(late).toMatchObject({ reason: 'session', unit: 'tokens', setting: 'limits.caps.floorTokens' });
    });
  });

  it('is the same however often the clock is set back and forth', async () => {
    await inHome(async ({ open }) => {
      const [night, morning] = ['2026-03-05T23:59:00.000Z', '2026-03-06T00:01:00.000Z'];
      let now = night;
      const ledger = open({ now: () => new Date(now) });
      ledger.record(call('a', { at: night, money: null, equivalentTokens: 1_000 }));
      ledger.record(background('b', { at: night, money: null, equivalentTokens: 100 }));
      expect(await ledger.dayTokensLeft()).toBe(900);
      now = morning;
      ledger.record(background('c', { at: morning, money: null, equivalentTokens: 50 }));
      expect(await ledger.dayTokensLeft()).toBe(950);
      now = night;
      expect(await ledger.dayTokensLeft()).toBe(900);
      now = morning;
      expect(await ledger.dayTokensLeft()).toBe(950);
      ledger.record(background('d', { at: morning, money: null, equivalentTokens: 100 }));
      expect(await ledger.reserve(want('e', 1, morning))).toMatchObject({ reason: 'session', spent: 250, cap: 250 });
    });
  });

  it('has what a call cost that ends after midnight', async () => {
    await inHome(async ({ open }) => {
      const [night, morning] = ['2026-03-05T23:59:00.000Z', '2026-03-06T00:01:00.000Z'];
      let now = night;
      const ledger = open({ now: () => new Date(now) });
      ledger.record(call('a', { at: night, money: 1 }));
      await ledger.reserve(want('b', 1, night));
      now = morning;
      await ledger.dayTokensLeft();
      ledger.record(background('b', { at: night, money: 0.25 }));
      expect(await ledger.dayTokensLeft()).toBe(1_000);
      expect(await ledger.reserve(want('c', 1, morning))).toMatchObject({ reason: 'session', spent: 0.25, cap: 0.25 });
    });
  });

  it('goes on over midnight', async () => {
    await inHome(async ({ open }) => {
      let now = new Date('2026-03-05T23:00:00.000Z');
      const ledger = open({ now: () => now });
      await ledger.reserve(want('first', 1, now.toISOString()));
      const at = now.toISOString();
      ledger.record(call('a', { at, money: 1 }));
      ledger.record(background('first', { at, money: 0.3 }));
      now = new Date('2026-03-06T01:00:00.000Z');
      const answer = await ledger.reserve(want('second', 1, now.toISOString()));
      expect(answer).toMatchObject({ kind: 'refused', reason: 'session', spent: 0.3, cap: 0.25 });
    });
  });
});

describe('the decision', () => {
  it('never lets the day’s sum pass the cap, whatever the order', () => {
    const step = fc.record({ id: fc.nat(20).map(String), tokens: fc.nat(400), settle: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const tally = createTally('s1');
        tally.startDay('2026-03-05');
        const sessionOpen = { tokens: 0, money: 0 };
        const open = new Map<string, number>();
        const origin = { at: NOW.toISOString(), session: 's2', project: 'slug' };
        let spent = 0;
        for (const { id, tokens, settle } of steps) {
          const reserved = open.get(id);
          if (reserved !== undefined) {
            if (!settle) continue;
            const cost = Math.min(tokens, reserved);
            tally.add({ type: 'call', ...origin, ...background(id, { equivalentTokens: cost }) });
            open.delete(id);
            spent += cost;
            continue;
          }
          const sums = tally.sums();
          const openTokens = sums.open.reduce((sum, line) => sum + line.equivalentTokens, 0);
          const room = decideReservation({
            ...{ sums, openTokens, sessionOpen, purpose: 'dream', wantedTokens: tokens, caps: limits.caps },
          });
          const total = spent + [...open.values()].reduce((sum, each) => sum + each, 0) + tokens;
          expect(room.kind).toBe(total > 1_000 ? 'refused' : 'room');
          if (room.kind === 'refused') continue;
          const facts = { id, purpose: 'dream', model: 'm', equivalentTokens: tokens, process: thisProcess() };
          tally.add({ type: 'reserved', ...origin, ...facts });
          open.set(id, tokens);
        }
      }),
    );
  });
});
