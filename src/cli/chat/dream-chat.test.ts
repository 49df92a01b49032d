import { describe, expect, it } from 'vitest';
import type { DreamProgress } from '../../layers/6-dreaming/progress.ts';
import type { SteerableAgent } from '../../session/steering.ts';
import { NO_PAINT } from '../terminal/paint.ts';
import type { Action, Output } from './action.ts';
import { reduce } from './reduce.ts';
import type { SlashPorts } from './slash/ports.ts';
import { runSlash } from './slash/run.ts';
import { type ChatState, initialState } from './state.ts';
import { chatView } from './view.ts';

const PROGRESS: DreamProgress = {
  ...{ id: 'mf3k-01', scope: 'project', startedAt: '2031-05-08T00:00:00.000Z', status: 'running', state: 'updating' },
  ...{ rounds: 4, toolCalls: 7, files: ['a.md', 'b.md'], equivalentTokens: 10, money: 0.02, closing: null },
  lastRounds: [{ at: '', text: 'Two of these\u001b[2J say the same.', tools: ['Read', 'Edit'] }],
};
const ENDED: DreamProgress = { ...PROGRESS, status: 'completed', closing: 'Dreamt: 1 merged (a.md).' };

function play(...actions: readonly Action[]) {
  let state: ChatState = initialState({ mode: 'ask', isLineMode: false, size: { columns: 90, rows: 24 } });
  const output: Output[] = [];
  for (const action of [{ kind: 'opened', facts: { model: 'm' }, nowMs: 0 } as const, ...actions]) {
    const next = reduce(state, action);
    state = next.state;
    output.push(...next.output);
  }
  const view = chatView(state, { paint: NO_PAINT, cwd: '/', open: [] });
  return { state, output, footer: view.lines.at(-1) };
}
const dream = (progress: DreamProgress): Action => ({ kind: 'dream', progress });

describe('a dream alongside the conversation', () => {
  it('is in the footer while it runs', () => {
    expect(play(dream(PROGRESS)).footer).toContain('dreaming · 4 rounds · 2 files');
    expect(play(dream({ ...PROGRESS, rounds: 1, files: [] })).footer).toMatch(/dreaming · 1 round ·/);
    expect(play().footer).not.toContain('dreaming');
  });

  it('reports its end once, and leaves the footer', () => {
    const { output, footer } = play(dream(PROGRESS), dream(ENDED), dream(ENDED));
    expect(output).toEqual([{ kind: 'notice', tone: 'success', text: 'Dreamt: 1 merged (a.md).' }]);
    expect(footer).not.toContain('dreaming');
    const note = (text: string): Action => ({ kind: 'agent', event: { kind: 'note', text }, nowMs: 0 });
    const again = play(dream(ENDED), note(ENDED.closing!), note('Saved a memory.'));
    expect(again.output.flatMap((each) => (each.kind === 'notice' ? [each.text] : []))).toEqual([
      ENDED.closing,
      'Saved a memory.',
    ]);
  });

  it.each(['failed', 'killed'] as const)('warns when it was %s, and the next one is reported too', (status) => {
    const next = { ...ENDED, id: 'mf3k-02' };
    const { output } = play(dream({ ...ENDED, status, closing: 'It ended.' }), dream(next));
    expect(output).toMatchObject([{ tone: 'warning', text: 'It ended.' }, { tone: 'success' }]);
  });

  it('does not disturb what is typed, asked or running', () => {
    const before = play().state;
    const { state } = play(dream(PROGRESS));
    expect({ ...state, facts: before.facts }).toEqual(before);
  });

  it.each(['/dream', '/dream review', '/tasks'])('is requested by %s, in the middle of a turn too', (text) => {
    const turn: Action = { kind: 'submit', text: 'hello', nowMs: 0 };
    let state = play(turn).state;
    expect(state.phase).toBe('working');
    const { effects, state: after } = reduce(state, { kind: 'submit', text, nowMs: 0 });
    const [, name, argument = ''] = /^\/(\w+) ?(.*)$/.exec(text) ?? [];
    expect(effects).toContainEqual({ kind: 'command', name, argument });
    state = after;
    expect(state.phase).toBe('working');
  });
});

function portsOver(wish: {
  readonly progress?: DreamProgress;
  readonly isRunning?: boolean;
  readonly begun?: boolean;
}) {
  const actions: Action[] = [];
  const calls: unknown[] = [];
  const agent: Partial<SteerableAgent> = {
    dream: {
      async start(mode) {
        calls.push(['start', mode]);
        return { begun: wish.begun ?? true, line: 'A dream has begun.' };
      },
      progress: () => wish.progress ?? null,
      async stop() {
        calls.push(['stop']);
        return wish.isRunning ?? false;
      },
      onProgress: () => () => {},
    },
    background: () => [],
    agents: () => [],
    stopAgent: () => false,
    async stopBackground(id) {
      calls.push(['stopBackground', id]);
      return id === 'b1';
    },
    memory: { enabled: true, folders: {}, problems: () => [] } as unknown as SteerableAgent['memory'],
  };
  const ports = {
    ...{ agent, paint: NO_PAINT, now: () => new Date(0), width: 60, environment: {}, place: { bare: false } },
    terminal: { paint: NO_PAINT, interrupted: new AbortController().signal },
    dispatch: (action: Action) => actions.push(action),
  };
  return { ports: ports as unknown as SlashPorts, actions, calls };
}
const printed = (actions: readonly Action[]) =>
  actions
    .flatMap((action) => {
      if (action.kind !== 'print') return [];
      const { output } = action;
      return output.kind === 'lines' ? output.lines : output.kind === 'notice' ? [output.text] : [];
    })
    .join('\n');

describe('/dream', () => {
  it.each([
    ['', undefined],
    ['review', 'review'],
  ])('%j starts one', async (argument, mode) => {
    const { ports, actions, calls } = portsOver({ progress: PROGRESS });
    await runSlash({ name: 'dream', argument }, ports);
    expect(calls).toEqual([['start', mode]]);
    expect(printed(actions)).toMatch(/A dream has begun\.\n\/dream stop/);
  });

  it.each(['show', 'approve', 'reject'])(
    "%s without an id says where to find ids, in the chat's wording",
    async (verb) => {
      const { ports, actions } = portsOver({});
      await runSlash({ name: 'dream', argument: verb }, ports);
      expect(printed(actions)).toContain(`/dream inbox names those with something that waits; then: /dream ${verb} ID`);
      expect(printed(actions)).not.toContain('reverie ');
    },
  );

  it('says nothing when the dream is over at once', async () => {
    const { ports, actions } = portsOver({ progress: ENDED });
    await runSlash({ name: 'dream', argument: '' }, ports);
    expect(actions).toEqual([]);
  });

  it('says why none has begun', async () => {
    const { ports, actions } = portsOver({ begun: false });
    await runSlash({ name: 'dream', argument: '' }, ports);
    expect(actions).toMatchObject([{ output: { tone: 'warning', text: 'A dream has begun.' } }]);
  });

  it.each([
    ['inbox', 'Nothing is waiting for you.'],
    ['show zz', 'There is no dream "zz"'],
    ['approve zz 1', 'There is no dream "zz"'],
    ['reject zz', 'There is no dream "zz"'],
    ['stop', 'No dream is running'],
    ['inbx', 'did you mean inbox?'],
  ])('%s runs the command of that name', async (argument, text) => {
    const { ports, actions } = portsOver({});
    await runSlash({ name: 'dream', argument }, ports);
    expect(printed(actions)).toContain(text);
  });

  it("stop ends this session's dream without a message of its own", async () => {
    const { ports, actions, calls } = portsOver({ isRunning: true });
    await runSlash({ name: 'dream', argument: 'stop' }, ports);
    expect([calls, actions]).toEqual([[['stop']], []]);
  });
});

describe('/tasks', () => {
  it('shows the dream with its last rounds, fitted and sanitised, and how to end it', async () => {
    const { ports, actions } = portsOver({ progress: PROGRESS, isRunning: true });
    await runSlash({ name: 'tasks', argument: '' }, ports);
    const text = printed(actions);
    for (const part of [
      'dream mf3k-01',
      'updating',
      '[Read, Edit] Two of these say the same.',
      'a.md, b.md',
      '/tasks stop mf3k-01',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('\u001b');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });

  it('names commands as they are typed here, as the end of a dream does', async () => {
    const progress = { ...ENDED, closing: 'Dreamt: nothing was changed; 1 waits for you: reverie dream show mf3k-01' };
    const { ports, actions } = portsOver({ progress });
    await runSlash({ name: 'tasks', argument: '' }, ports);
    const told = play({ kind: 'dream', progress }).output.map((each) => ('text' in each ? each.text : ''));
    for (const text of [printed(actions).replace(/\s+/g, ' '), told.join('\n')]) {
      expect(text).toContain('1 waits for you: /dream show mf3k-01');
    }
  });

  it('shows one that has ended with its closing line, and nothing to end', async () => {
    const { ports, actions } = portsOver({ progress: ENDED });
    await runSlash({ name: 'tasks', argument: '' }, ports);
    expect(printed(actions)).toContain('Dreamt: 1 merged (a.md).');
    expect(printed(actions)).not.toContain('/tasks stop');
  });

  it('says so when nothing is running', async () => {
    const { ports, actions } = portsOver({});
    await runSlash({ name: 'tasks', argument: '' }, ports);
    expect(printed(actions)).toBe('Nothing runs in the background.');
  });

  it.each([
    ['stop mf3k-01', [['stop']], ''],
    ['stop dream', [['stop']], ''],
    ['stop b1', [['stopBackground', 'b1']], 'b1 is stopped.'],
    ['stop b2', [['stopBackground', 'b2']], 'There is no task b2.'],
  ])('%s', async (argument, calls, text) => {
    const ran = portsOver({ progress: PROGRESS, isRunning: true });
    await runSlash({ name: 'tasks', argument }, ran.ports);
    expect([ran.calls, printed(ran.actions)]).toEqual([calls, text]);
  });
});
