import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { AgentEvent } from '../../agent/event.ts';
import type { PermissionAnswer } from '../../agent/permissions/permissions.ts';
import { NO_RULES } from '../../agent/permissions/rule.ts';
import type { DreamProgress } from '../../layers/6-dreaming/progress.ts';
import type { AgentOptions } from '../../session/agent.ts';
import type { SteerableAgent } from '../../session/steering.ts';
import type { Action } from './action.ts';
import { createChatSession } from './chat-session.ts';

const USAGE = {
  inputTokens: 100,
  outputTokens: 50,
  cacheReadTokens: 300,
  cacheWriteTokens: 0,
  cacheWriteHourTokens: 0,
};

let root: string;
beforeEach(() => {
  root = temporaryFolder('chat-session');
});

type Turn = (facts: { readonly options: AgentOptions; readonly signal: AbortSignal }) => AsyncIterable<AgentEvent>;

type Closing = (facts: {
  readonly options: AgentOptions;
  readonly dream: (progress: DreamProgress) => void;
  readonly signal: AbortSignal | undefined;
  readonly id: string;
}) => unknown;

function open(turn: Turn, closing?: Closing) {
  const actions: Action[] = [];
  const opened: AgentOptions[] = [];
  const listening = new Set<(progress: DreamProgress) => void>();
  const spending = new Set<() => void>();
  const tell = (progress: DreamProgress) => {
    for (const listen of listening) listen(progress);
  };
  const session = createChatSession({
    options: { cwd: root, model: 'first' },
    nowMs: () => 0,
    dispatch: (action) => void actions.push(action),
    async openAgent(options) {
      if (options.resume === 'broken') throw new Error('cannot be opened');
      opened.push(options);
      const id = options.resume ?? `session-${opened.length}`;
      const agent: Partial<SteerableAgent> = {
        sessionId: id,
        model: String(options.model),
        cwd: root,
        permissionMode: 'plan',
        window: () => ({ parts: [], usedTokens: 0, isCounted: false, window: WINDOW }),
        totals: () => ({ usage: USAGE, money: 0.5, calls: 1, byPurpose: {} }),
        background: () => [],
        agents: () => [],
        onSpent: (listen) => {
          spending.add(listen);
          return () => spending.delete(listen);
        },
        rules: { rules: () => NO_RULES, addRule: () => null, removeRule: () => false, isTrusted: false },
        dream: {
          start: async () => ({ begun: true, line: '' }),
          stop: async () => false,
          progress: () => null,
          onProgress: (listen) => {
            listening.add(listen);
            return () => listening.delete(listen);
          },
        },
        send: (_, sending) => turn({ options, signal: sending!.signal! }),
        async close(how) {
          await closing?.({ options, dream: tell, signal: how?.signal, id });
        },
      };
      return agent as SteerableAgent;
    },
  });
  return { session, actions, opened, listening, spending };
}

const WINDOW = { window: 1_000, effective: 900, compactAt: 800, warnAt: 700, hardStopAt: 850 };
const ENDED: AgentEvent = { kind: 'turn-ended', outcome: { kind: 'answered' } };
const kindsOf = (actions: readonly Action[]) => actions.map(({ kind }) => kind);

describe('a chat session', () => {
  it("hears its own agent's dream, and no other", async () => {
    const { session, actions, listening } = open(async function* () {});
    await session.open();
    await session.open({ resume: 'other' });
    await expect.poll(() => listening.size).toBe(1);
    const progress = { id: 'd1', status: 'running', rounds: 1, files: [] } as unknown as DreamProgress;
    for (const listen of listening) listen(progress);
    expect(actions.at(-1)).toEqual({ kind: 'dream', progress });
    await session.close();
    expect(listening.size).toBe(0);
  });

  it('shows costs outside of turns as they arise', async () => {
    const { session, actions, spending } = open(async function* () {});
    await session.open();
    for (const listen of spending) listen();
    expect(actions.at(-1)).toEqual({ kind: 'facts', facts: { costUsd: 0.5 } });
    await session.close();
    expect(spending.size).toBe(0);
  });

  it('reports a dream that leaving stopped, and none that was already reported', async () => {
    const words = (id: string, status: string, closing: string | null) =>
      ({ id, status, closing, rounds: 1, files: [] }) as unknown as DreamProgress;
    const { session, actions, listening } = open(
      async function* () {},
      ({ options, dream }) => {
        dream(words('d2', 'killed', 'The dream was stopped.'));
        dream(words('d2', 'killed', 'The dream was stopped.'));
        // What no turn has reported by then.
        for (const line of ['Dreamt: 1 merged.', 'Saved a memory.']) options.onClosingLine?.(line);
      },
    );
    await session.open();
    for (const listen of listening) listen(words('d1', 'completed', 'Dreamt: 1 merged.'));
    for (const listen of listening) listen(words('d2', 'running', null));
    const before = actions.length;
    expect(await session.close()).toEqual(['The dream was stopped.', 'Saved a memory.']);
    expect(actions).toHaveLength(before);
  });

  it('lets one session end alongside the next, and reports it then', async () => {
    const ends: (() => void)[] = [];
    const { session, actions, opened } = open(
      async function* () {},
      async ({ options, id }) => {
        await new Promise<void>((resolve) => ends.push(resolve));
        options.onClosingLine?.(`${id} has ended.`);
      },
    );
    await session.open();
    await session.open({});
    expect(opened).toHaveLength(2);
    expect(session.agent()?.sessionId).toBe('session-2');
    ends.shift()!();
    await expect.poll(() => JSON.stringify(actions)).toContain('session-1 has ended.');
    await session.open({});
    const closed = session.close();
    expect(ends).toHaveLength(2);
    for (const end of ends) end();
    expect(await closed).toEqual(['session-2 has ended.', 'session-3 has ended.']);
  });

  it('hurries all that have not ended when left in a hurry, and one that is resumed', async () => {
    const hurried: string[] = [];
    const { session } = open(
      async function* () {},
      ({ signal, id }) =>
        new Promise<void>((resolve) => {
          const hurry = () => resolve(void hurried.push(id));
          if (signal?.aborted) hurry();
          else signal?.addEventListener('abort', hurry);
        }),
    );
    await session.open();
    await session.open({});
    await session.open({});
    await session.open({ resume: 'session-1' });
    expect(hurried).toEqual(['session-1']);
    expect(session.agent()?.sessionId).toBe('session-1');
    await session.close(AbortSignal.abort());
    expect(hurried.toSorted()).toEqual(['session-1', 'session-1', 'session-2', 'session-3']);
  });

  it('stays in its session when another cannot be opened', async () => {
    const closed: string[] = [];
    const { session } = open(
      async function* () {},
      ({ id }) => closed.push(id),
    );
    await session.open();
    await expect(session.open({ resume: 'broken' })).rejects.toThrow('cannot be opened');
    expect(session.agent()?.sessionId).toBe('session-1');
    expect(closed).toEqual([]);
  });

  it('gathers streamed text, and loses none of it', async () => {
    const { session, actions } = open(async function* () {
      for (let at = 0; at < 1_000; at++) yield { kind: 'text', text: `${at} ` } as const;
      yield ENDED;
    });
    await session.open();
    await session.send([]);
    const texts = actions.flatMap((action) => (action.kind === 'text' ? [action.text] : []));
    expect(texts.join('')).toBe(Array.from({ length: 1_000 }, (_, at) => `${at} `).join(''));
    expect(texts.length).toBeLessThan(100);
    expect(kindsOf(actions).at(-1)).toBe('agent');
  });

  it('says how full the window is from the count, without walking all of it', async () => {
    const { session, actions } = open(async function* () {
      const response = { model: 'm', usage: USAGE, stopReason: 'end', id: null } as const;
      const message = { role: 'assistant', content: [] } as const;
      yield { kind: 'entry', entry: { uuid: 'u', parentUuid: null, at: '', message, response } } as const;
      yield ENDED;
    });
    await session.open();
    session.ready();
    await session.send([]);
    const facts = actions.findLast((action) => action.kind === 'facts');
    expect(facts).toMatchObject({
      facts: { windowLeftShare: 0.5, windowRoom: 'enough', cacheHitShare: 0.75, costUsd: 0.5 },
    });
  });

  it('asks with the full change, and passes the answer on', async () => {
    writeFileSync(join(root, 'a.txt'), 'one\n');
    const call = { type: 'tool_use', id: 't', name: 'Write', input: { file_path: 'a.txt', content: 'two\n' } } as const;
    const answers: PermissionAnswer[] = [];
    const { session, actions } = open(async function* ({ options, signal }) {
      answers.push(await options.ask!({ call, reason: 'why', suggestedRules: [], signal }));
      yield ENDED;
    });
    await session.open();
    const turn = session.send([]);
    await expect.poll(() => kindsOf(actions)).toContain('asked');
    expect(actions.at(-1)).toMatchObject({ question: { subject: { kind: 'diff', diff: { added: 1, removed: 1 } } } });
    session.answer({ kind: 'no', feedback: 'three' });
    await turn;
    expect(answers).toEqual([{ kind: 'no', feedback: 'three' }]);
  });

  it('withdraws a question when the turn is interrupted', async () => {
    const call = { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } } as const;
    const { session, actions } = open(async function* ({ options, signal }) {
      void options.ask!({ call, reason: 'why', suggestedRules: [], signal });
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield ENDED;
    });
    await session.open();
    const turn = session.send([]);
    await expect.poll(() => kindsOf(actions)).toContain('asked');
    session.interrupt();
    await turn;
    expect(kindsOf(actions)).toContain('ask-withdrawn');
  });

  it('asks after the words that explain it, and not at all once the turn is interrupted', async () => {
    const call = { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } } as const;
    const { session, actions } = open(async function* ({ options, signal }) {
      yield { kind: 'text', text: 'I look first.' };
      await options.ask!({ call, reason: 'why', suggestedRules: [], signal });
      yield ENDED;
    });
    await session.open();
    const turn = session.send([]);
    await expect.poll(() => kindsOf(actions)).toContain('asked');
    expect(kindsOf(actions).slice(-2)).toEqual(['text', 'asked']);
    session.answer({ kind: 'no' });
    await turn;
    const again = session.send([]);
    session.interrupt();
    await again;
    expect(kindsOf(actions).filter((kind) => kind === 'asked')).toHaveLength(1);
  });

  it('reports a turn that throws as failed', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it has anything to tell.
    const { session, actions } = open(async function* () {
      throw new Error('broken');
    });
    await session.open();
    await session.send([]);
    expect(actions.at(-1)).toMatchObject({ event: { outcome: { kind: 'failed', error: { message: 'broken' } } } });
  });

  it('keeps mode and model when another session is resumed', async () => {
    const { session, opened } = open(async function* () {
      yield ENDED;
    });
    await session.open({ continueNewest: true });
    await session.open({ resume: 'other' });
    expect(opened[0]).toMatchObject({ continueNewest: true, model: 'first' });
    expect(opened[1]).toMatchObject({ resume: 'other', model: 'first', permissionMode: 'plan' });
    expect(opened[1]?.continueNewest).toBeUndefined();
  });
});
