import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Steps } from '../../base/async/in-turns.ts';
import { LIMITS } from '../../limits.ts';
import type { DreamRoom, SessionDreamPorts } from './index.ts';
import { createDreaming } from './index.ts';
import type { DreamerWork, DreamWorkshop } from './ports.ts';
import type { DreamProgress } from './progress.ts';
import type { BaseMemory } from './proposal.ts';
import type { DreamRecord } from './records/record.ts';
import { runDream } from './run.ts';

const NOW = new Date('2031-05-08T12:00:00.000Z');

const memory = (file: string, body: string): BaseMemory => ({
  ...{ file, text: `---\nname: ${file}\ndescription: d\ntype: project\n---\n\n${body}\n`, hash: `hash of ${file}` },
  ...{ type: 'project', name: file, description: 'd', body, source: 'said', pinned: false },
  ...{ created: null, modified: '2031-05-01T00:00:00.000Z', isListed: true, quotes: [] },
});

const STEPS = [
  'take',
  'keepRecord',
  'openWorkshop',
  'dream',
  'readList',
  'findEvidence',
  'findGone',
  'retirements',
  'land',
  'close',
  'succeed',
  'giveBack',
  'clearProgress',
  'showProgress',
  'isStopAsked',
] as const;
type Step = (typeof STEPS)[number];

function* counting(sessions: number): Steps<number> {
  yield;
  return sessions;
}

/** Ports that record their calls, and fail where they are told to. */
function fakePorts(
  facts: { failing?: readonly Step[]; list?: string | null; dream?: (work: DreamerWork) => unknown } = {},
) {
  const asked: string[] = [];
  const records: DreamRecord[] = [];
  const shown: DreamProgress[] = [];
  const step = (name: Step) => {
    asked.push(name);
    if (facts.failing?.includes(name)) throw new Error(`${name} failed`);
  };
  const base = new Map([['a.md', memory('a.md', 'Releases leave on Tuesdays.')]]);
  const workshop: DreamWorkshop = {
    ...{ base, index: '', isIndexFull: false, copy: '/copy', copiedFiles: () => ['a.md'] },
    readCopy: (file) => base.get(file)?.text ?? null,
    readList() {
      step('readList');
      return facts.list === undefined ? '{"changes":[]}' : facts.list;
    },
    close: async () => step('close'),
  };
  const ports: SessionDreamPorts = {
    ...{ scope: 'project', model: () => 'm', newId: () => 'dream-1', now: () => NOW, limits: LIMITS.dreaming },
    whyNothing: async () => null,
    async take() {
      step('take');
      return {
        ...{ kind: 'held', generation: 1, token: 't', startedAtMs: 0, lastAtMs: null, stillHeld: () => true },
        async succeed() {
          step('succeed');
          return true;
        },
        async giveBack() {
          step('giveBack');
          return true;
        },
        async cancel() {
          asked.push('cancel');
          return true;
        },
      };
    },
    async openWorkshop() {
      step('openWorkshop');
      return workshop;
    },
    async dream(work) {
      step('dream');
      await facts.dream?.(work);
      return work.signal.aborted ? { kind: 'stopped' } : { kind: 'done' };
    },
    async findEvidence() {
      step('findEvidence');
      return () => ({ kind: 'found', passage: { from: 'user', text: 'Releases leave on Tuesdays.' }, memory: 'a.md' });
    },
    async findGone() {
      step('findGone');
      return new Set();
    },
    checkFit: () => ({ reason: 'empty', advice: 'no' }),
    earlier: () => [],
    async retirements() {
      step('retirements');
      return [];
    },
    async land({ announce }) {
      await announce(new Map());
      step('land');
      return { change: 'c1', skipped: new Map() };
    },
    describeSecretsIn: async () => null,
    async keepRecord(record) {
      step('keepRecord');
      records.push(record);
    },
    showProgress(progress) {
      shown.push(progress);
      if (facts.failing?.includes('showProgress')) throw new Error('showProgress failed');
    },
    async clearProgress() {
      step('clearProgress');
    },
    isStopAsked() {
      if (facts.failing?.includes('isStopAsked')) throw new Error('isStopAsked failed');
      return false;
    },
    record: ({ name }) => void asked.push(`event ${name}`),
    facts: () => {
      const look = {
        lastAtMs: null,
        heldBy: null,
        failures: 0,
        failedAtMs: null,
        problem: '',
        hasDied: false,
        unseenSinceMs: null,
      };
      return {
        ...{ by: 'itself', isOn: true, isDailyLog: false, nowMs: NOW.getTime(), scannedAtMs: null },
        ...{ lastDream: () => ({ atMs: null, isOpen: false }), look: () => look, countSessions: () => counting(5) },
        *countMemories() {
          yield;
          return 2;
        },
      };
    },
    mode: () => 'apply',
    isFree: () => true,
    rooms: async () => [{ cap: 'day', unit: 'tokens', needed: 1, left: 1 }],
    tell: (line) => void asked.push(`told ${line}`),
    unbegun: (error) => void asked.push(`unbegun ${error}`),
  };
  return { ports, asked, records, shown };
}

const UNLIST = JSON.stringify({
  changes: [{ action: 'unlist', file: 'a.md', reason: 'rare', evidence: [{ from: 'a.md', quote: 'Releases leave' }] }],
});
const request = (signal = new AbortController().signal) => ({ by: 'hand', mode: 'apply', signal }) as const;

describe('a dream', () => {
  it('takes its steps in order and stamps the time last', async () => {
    const { ports, asked, records } = fakePorts({ list: UNLIST });
    const outcome = await runDream(request(), ports);
    expect(outcome).toMatchObject({ kind: 'ended', record: { status: 'completed', change: 'c1' } });
    expect(asked.filter((each) => each !== 'readList')).toEqual([
      ...[
        'take',
        'keepRecord',
        'openWorkshop',
        'dream',
        'findGone',
        'findEvidence',
        'retirements',
        'keepRecord',
        'land',
        'close',
      ],
      ...['keepRecord', 'succeed', 'clearProgress', 'event dream'],
    ]);
    expect(records.map(({ status }) => status)).toEqual(['running', 'running', 'completed']);
    const change = { number: 1, action: 'unlist', file: 'a.md', reason: 'rare' };
    expect(records[1]).toMatchObject({ change: null, landing: [1], changes: [{ ...change, state: 'waiting' }] });
    expect(records[2]!.changes).toMatchObject([{ ...change, state: 'landed' }]);
    expect(records[2]).not.toHaveProperty('landing');
  });

  it('that cannot land leaves all of it to the user; the journal says whether it landed', async () => {
    const { ports, asked, records } = fakePorts({ list: UNLIST, failing: ['land'] });
    const outcome = await runDream(request(), ports);
    const left = { status: 'failed', problem: 'land failed', landing: [1], changes: [{ number: 1, state: 'waiting' }] };
    expect(records.at(-1)).toMatchObject(left);
    expect(outcome).toMatchObject({ closing: expect.stringContaining('1 waits for you: reverie dream show dream-1') });
    expect(asked).toContain('giveBack');
  });

  it('stores no text in which the full scan finds a secret', async () => {
    const text = memory('a.md', 'Releases leave on Tuesdays, and quietly.').text;
    const list = JSON.stringify({
      changes: [
        {
          ...{ action: 'update', file: 'a.md', reason: 'r', evidence: [{ from: 'a.md', quote: 'Releases leave' }] },
          drops: [
            {
              quote: 'Releases leave on Tuesdays.',
              because: 'duplicate',
              of: { file: 'a.md', quote: 'Releases leave on Tuesdays, and quietly.' },
            },
          ],
        },
      ],
    });
    const { ports, records } = fakePorts({ list });
    const told: unknown[] = [];
    await runDream(request(), {
      ...ports,
      openWorkshop: async (id) => ({ ...(await ports.openWorkshop(id)), readCopy: () => text }),
      checkFit: () => null,
      describeSecretsIn: async (given) => (given.includes('quietly') ? 'line 7: a key' : null),
      async land(facts) {
        told.push(...facts.withheld.values());
        return { change: null, skipped: facts.withheld };
      },
    });
    const why = 'Its text holds a secret and is kept nowhere: line 7: a key';
    expect(told).toEqual([why]);
    expect(records.at(-1)!.changes).toMatchObject([{ state: 'refused', why, text: null }]);
    expect(JSON.stringify(records)).not.toContain('quietly');
  });

  it('releases copy and lock whatever fails, and never stamps a time it did not earn', async () => {
    const after = STEPS.filter((step) => step !== 'take');
    await fc.assert(
      fc.asyncProperty(fc.subarray([...after]), fc.boolean(), async (failing, isAborted) => {
        const stop = new AbortController();
        const { ports, asked } = fakePorts({ failing, list: UNLIST, dream: () => isAborted && stop.abort() });
        const outcome = await runDream(request(stop.signal), ports);
        if (outcome.kind !== 'ended') throw new Error(outcome.reason);
        const { status, change } = outcome.record;
        expect(asked.filter((each) => ['succeed', 'giveBack', 'cancel'].includes(each))).toHaveLength(1);
        expect(asked.includes('close')).toBe(!failing.includes('openWorkshop'));
        expect(asked.includes('succeed')).toBe(status === 'completed');
        const harmless: readonly Step[] = [
          'retirements',
          'close',
          'succeed',
          'giveBack',
          'clearProgress',
          'showProgress',
          'isStopAsked',
        ];
        const isHarmed = failing.some((step) => !harmless.includes(step));
        if (!isHarmed) expect(status).toBe(isAborted ? 'killed' : 'completed');
        else expect(status).not.toBe('completed');
        if (isAborted) expect([asked.includes('land'), change]).toEqual([false, null]);
      }),
    );
  });

  it('ends when its minutes are over, and judges what was listed by then', async () => {
    const hangs = (work: DreamerWork) =>
      new Promise<void>((resolve) => work.signal.addEventListener('abort', () => resolve(), { once: true }));
    const listed = fakePorts({ list: UNLIST, dream: hangs });
    const limits = { ...LIMITS.dreaming, runMinutes: 0.0005 } as unknown as typeof LIMITS.dreaming;
    const outcome = await runDream(request(), { ...listed.ports, limits });
    expect(outcome).toMatchObject({
      record: { status: 'completed', change: 'c1' },
      closing: expect.stringContaining('minutes'),
    });
    const unlisted = fakePorts({ list: null, dream: hangs });
    expect(await runDream(request(), { ...unlisted.ports, limits })).toMatchObject({ record: { status: 'failed' } });
    expect(unlisted.asked).not.toContain('land');
  });

  it('records what was wrong with the list, without any secret', async () => {
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const list = JSON.stringify({ changes: ['what?', { action: 'erase', file: `${key}.md` }] });
    const { ports, records } = fakePorts({ list });
    await runDream(request(), ports);
    const { remarks } = records.at(-1)!;
    expect(remarks?.[0]).toBe('Entry 1 is left aside: it is not an object.');
    expect(remarks).toHaveLength(2);
    expect(JSON.stringify(records)).not.toContain(key);
  });

  it('completes without a list if the dreamer had nothing to change', async () => {
    const looks = ({ onToolCall }: DreamerWork) => onToolCall();
    const { ports, asked } = fakePorts({ list: null, dream: looks });
    const outcome = await runDream(request(), ports);
    expect(outcome).toMatchObject({
      record: { status: 'completed', changes: [] },
      closing: 'Dreamt: nothing was changed',
    });
    expect(asked).not.toContain('land');
  });

  it('fails if the dreamer called no tool and listed nothing: that is no dream, and the next waits less than a day', async () => {
    const { ports, asked } = fakePorts({ list: null });
    const outcome = await runDream(request(), ports);
    expect(outcome).toMatchObject({ record: { status: 'failed', problem: expect.stringContaining('did nothing') } });
    expect(asked).toContain('giveBack');
    expect(asked).not.toContain('succeed');
  });

  it('shows its last rounds, and that it writes', async () => {
    const many = LIMITS.dreaming.shownRounds + 5;
    const { ports, shown } = fakePorts({
      dream(work) {
        for (let at = 0; at < many; at++)
          work.onRound({ at: NOW.toISOString(), text: `round\n${at} ${'x'.repeat(500)}`, tools: ['Read'] });
        work.onWrite('a.md');
        work.onWrite('a.md');
      },
    });
    await runDream(request(), ports);
    const last = shown.at(-1)!;
    expect(last).toMatchObject({ rounds: many, state: 'updating', status: 'completed' });
    expect(last.lastRounds).toHaveLength(LIMITS.dreaming.shownRounds);
    expect(last.lastRounds.at(-1)!.text).toMatch(new RegExp(`^round ${many - 1} x+…$`));
    expect([...last.lastRounds.at(-1)!.text].length).toBe(LIMITS.dreaming.roundCharacters);
    expect(shown.find(({ state }) => state === 'updating')!.files).toEqual(['a.md']);
    expect(last.files).toEqual([]);
  });
});

describe('in a session', () => {
  it('runs one dream at a time, and reports when it has ended', async () => {
    const { ports, asked } = fakePorts({ list: UNLIST });
    const dreaming = createDreaming(ports);
    const begun = dreaming.answered();
    // While the gates are asked, and while it is running.
    expect(await dreaming.answered()).toBeNull();
    expect(await begun).toMatchObject({ kind: 'dream' });
    expect([await dreaming.answered(), dreaming.isUnderWay()]).toEqual([null, true]);
    expect((await dreaming.start('apply')).begun).toBe(false);
    await dreaming.stop();
    expect(asked.filter((each) => each === 'take')).toHaveLength(1);
    expect(dreaming.progress()?.status).toBe('killed');
    expect(await dreaming.stop()).toBe(false);
  });

  it('does not begin once stopped, or while another is running, even if the gates were asked before', async () => {
    const { ports, asked } = fakePorts({ list: UNLIST });
    const stopped = createDreaming(ports);
    const begun = stopped.answered();
    expect(await stopped.stop()).toBe(false);
    expect(await begun).toBeNull();
    expect(await createDreaming({ ...ports, isFree: () => false }).answered()).toBeNull();
    expect(asked).toEqual([]);
  });

  it('counts sessions once and remembers when', async () => {
    const { ports } = fakePorts();
    const scanned: (number | null)[] = [];
    const dreaming = createDreaming({
      ...ports,
      facts(by, state) {
        scanned.push(state.scannedAtMs);
        return { ...ports.facts(by, state), countSessions: () => counting(0), scannedAtMs: state.scannedAtMs };
      },
    });
    expect(await dreaming.answered()).toMatchObject({ reason: 'too-few-sessions' });
    expect(await dreaming.answered()).toMatchObject({ reason: 'scanned-lately' });
    expect(scanned).toEqual([null, NOW.getTime()]);
  });

  it('never throws into the conversation, and says why it did not begin', async () => {
    const { ports, asked } = fakePorts({ failing: ['take'] });
    const unbegun = () => asked.filter((step) => step.startsWith('unbegun'));
    const blind = createDreaming({
      ...ports,
      facts: () => {
        throw new Error('no disk');
      },
    });
    expect(await blind.answered()).toBeNull();
    expect(unbegun()).toEqual(['unbegun Error: no disk']);
    const dreaming = createDreaming(ports);
    expect(await dreaming.answered()).toMatchObject({ kind: 'dream' });
    await dreaming.stop();
    expect(unbegun()).toEqual(['unbegun Error: no disk', 'unbegun Error: take failed']);
    expect(await dreaming.start('review')).toMatchObject({
      begun: false,
      line: expect.stringContaining('take failed'),
    });
    expect(unbegun()).toHaveLength(2);
  });
});

describe('room for a dream', () => {
  const short: DreamRoom = { cap: 'day', needed: 60_000, left: 10_000 };

  it('is checked before an automatic dream: without it there is no lock, no failure, and a line in the ledger', async () => {
    const { ports, asked } = fakePorts({ list: UNLIST });
    const dreaming = createDreaming({ ...ports, rooms: async () => [short] });
    await dreaming.answered();
    await vi.waitFor(() => expect(asked).toContain('event dream-no-room'), { interval: 1 });
    expect(asked).not.toContain('take');
    expect(dreaming.progress()).toBeNull();
  });

  it('is checked again after each answer, reported once, and once there is some a dream begins', async () => {
    const { ports, asked } = fakePorts({ list: UNLIST });
    const told: string[] = [];
    const rooms = [[short], [short], []];
    let scans = 0;
    const dreaming = createDreaming({
      ...ports,
      rooms: async () => rooms.shift() ?? [],
      tell: (line) => void told.push(line),
      facts: (by, state) => ({
        ...ports.facts(by, state),
        scannedAtMs: state.scannedAtMs,
        countSessions(sinceMs) {
          scans += 1;
          return ports.facts(by, state).countSessions(sinceMs);
        },
      }),
    });
    for (const count of [1, 2]) {
      expect(await dreaming.answered()).toMatchObject({ kind: 'dream' });
      const events = () => asked.filter((each) => each === 'event dream-no-room');
      await vi.waitFor(() => expect(events()).toHaveLength(count));
      await vi.waitFor(() => expect(dreaming.isUnderWay()).toBe(false));
    }
    expect(told).toEqual([expect.stringMatching(/^A dream is due and did not begin: background work has used up/)]);
    await dreaming.answered();
    await vi.waitFor(() => expect(asked).toContain('event dream'));
    expect(scans).toBe(1);
  });

  it('is not checked for a dream by hand', async () => {
    const { ports, asked } = fakePorts({ list: UNLIST });
    expect(await createDreaming({ ...ports, rooms: async () => [short] }).start('apply')).toMatchObject({
      begun: true,
    });
    await vi.waitFor(() => expect(asked).toContain('succeed'), { interval: 1 });
  });

  it('counts as none if it cannot be determined', async () => {
    const { ports, asked } = fakePorts({ list: UNLIST });
    const rooms = async () => {
      throw new Error('the ledger is locked');
    };
    const dreaming = createDreaming({ ...ports, rooms });
    await dreaming.answered();
    await vi.waitFor(async () => expect(await dreaming.stop()).toBe(false), { interval: 1 });
    expect(asked).toEqual(['unbegun Error: the ledger is locked']);
  });
});
