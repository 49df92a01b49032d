import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokenAt } from '../../test/support/host-loop.ts';
import { objectionTo } from '../../test/support/messages-rules.ts';
import { runs } from '../../test/support/property-runs.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Memory, Recalled } from '../memory/memory.ts';
import { createSession } from './create-session.ts';
import type { HostMessage, HostRequest, Session, SessionOptions } from './session.ts';

let root: string;
const opened: Session[] = [];

beforeEach(() => {
  root = temporaryFolder('session');
});

afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

async function open(options: SessionOptions = {}): Promise<Session> {
  const session = await createSession({ cwd: root, home: join(root, 'home'), env: { HOME: root }, ...options });
  opened.push(session);
  return session;
}

const user = (content: HostMessage['content']): HostMessage => ({ role: 'user', content });
const assistant = (content: HostMessage['content']): HostMessage => ({ role: 'assistant', content });
const call = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { at: id } });
const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
const textOf = ({ messages }: HostRequest) => JSON.stringify(messages);
const summary = async () => '<analysis>x</analysis><summary>Work was done.</summary>';

/** What the host does next: a turn of so many rounds, whether it makes its objects again, and whether the process starts again. */
const turn = fc.record({
  words: fc.string({ minLength: 1, maxLength: 300 }).filter((text) => text.trim() !== ''),
  rounds: fc.array(fc.array(fc.nat({ max: 2_500 }), { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
  isCopied: fc.boolean(),
  isRestarted: fc.boolean(),
});

describe('what is prepared', () => {
  it('has valid roles and pairs, repeats what was sent unless it says so, and leaves the host’s messages alone', async () => {
    let compactions = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), fc.boolean(), async (turns, hasModel) => {
        const options = {
          capabilities: { windowTokens: 4_000, maxOutputTokens: 800 },
          settings: { 'limits.window.compactBeforeTokens': 200 },
          ...(hasModel ? { model: summary } : {}),
        };
        let session = await open(options);
        let host: HostMessage[] = [];
        let calls = 0;
        let sent: { body: HostRequest }[] = [];
        let requestsBefore = 0;

        async function ask(): Promise<void> {
          const before = JSON.stringify(host);
          const prepared = await session.prepare({ model: 'any', max_tokens: 100, messages: host });
          expect(JSON.stringify(host)).toBe(before);
          expect(objectionTo(prepared as never)).toBeNull();
          const roles = prepared.messages.map(({ role }) => role);
          expect(roles.every((role, at) => role === (at % 2 === 0 ? 'user' : 'assistant'))).toBe(true);
          sent.push({ body: prepared });
        }

        function check(): void {
          const numbers = new Set(session.stats().announced.map(({ request }) => request + requestsBefore));
          expect(brokenAt(sent).filter((at) => !numbers.has(at))).toEqual([]);
        }

        for (const { words, rounds, isCopied, isRestarted } of turns) {
          if (isRestarted) {
            check();
            // What was sent last must be repeated by the session that goes on.
            sent = sent.slice(-1);
            session = await open({ ...options, resumed: JSON.parse(JSON.stringify(session.state())) });
            requestsBefore = sent.length;
          }
          if (isCopied) host = structuredClone(host);
          host.push(user(words));
          await ask();
          for (const sizes of rounds) {
            const ids = sizes.map(() => `toolu_${++calls}`);
            await session.observe({ usage: { input_tokens: 1 + Math.ceil(textOf(sent.at(-1)!.body).length / 4) } });
            host.push(assistant([{ type: 'text', text: 'Let me see.' }, ...ids.map(call)]));
            host.push(user(ids.map((id, at) => result(id, 'word '.repeat(sizes[at]! / 5)))));
            await ask();
          }
          host.push(assistant('Done.'));
        }
        check();
        compactions += session.stats().compactions;
        expect(session.stats().rewrites).toBe(0);
      }),
      { numRuns: runs(25) },
    );
    // Or nothing of this was put to the test.
    expect(compactions).toBeGreaterThan(0);
  }, 120_000);

  it('is the same when it is asked for again', async () => {
    const session = await open();
    const messages = [user('Hello there.'), assistant('Hi.'), user([{ type: 'text', text: 'What now?' }])];
    const first = await session.prepare({ messages });
    expect(await session.prepare({ messages: structuredClone(messages) })).toEqual(first);
    expect(session.stats()).toMatchObject({ rewrites: 0, announced: [] });
  });

  it('goes through with what is not known, and without what no provider takes', async () => {
    const session = await open();
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} };
    const cited = { type: 'text', text: 'Yes.', citations: [{ type: 'char_location' }] };
    const messages = [
      user([
        { type: 'text', text: '' },
        { type: 'text', text: 'Look it up.' },
      ]),
      assistant([search, cited, { ...call('t1'), caller: { type: 'direct' } }]),
      user([
        { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'search_result', title: 'a' }], is_error: false },
      ]),
    ];
    const request = {
      messages,
      metadata: { user_id: 'me' },
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    };
    const prepared = await session.prepare(request);
    expect(prepared).toEqual({
      ...request,
      messages: [
        user([{ type: 'text', text: 'Look it up.' }]),
        messages[1],
        user([{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'search_result', title: 'a' }] }]),
      ],
    });
    // A host may write into what it sends.
    (prepared.messages[0]!.content as { text: string }[])[0]!.text = 'spoilt';
    expect(textOf(await session.prepare(request))).toContain('Look it up.');
  });

  it.each<[string, readonly unknown[]]>([
    ['a role that is none', [{ role: 'robot', content: 'x' }]],
    ['content that is none', [{ role: 'user', content: 7 }]],
    ['a block without a type', [{ role: 'user', content: [{}] }]],
  ])('is refused for %s, and the session goes on', async (_, messages) => {
    const session = await open();
    await expect(session.prepare({ messages: messages as HostMessage[] })).rejects.toMatchObject({ code: 'usage' });
    expect(textOf(await session.prepare({ messages: [user('Hello.')] }))).toContain('Hello.');
  });
});

describe('a host that changes its history', () => {
  it('is told once, and what stood before the change is sent as before', async () => {
    const notes: string[] = [];
    const session = await open({ onNote: (line) => notes.push(line) });
    const long = [user('Look.'), assistant([call('t1')]), user([result('t1', 'word '.repeat(20_000))])];
    const first = await session.prepare({ messages: [...long, assistant('One.'), user('Not that.')] });
    const second = await session.prepare({ messages: [...long, assistant('One.'), user('Rather this.')] });
    expect(textOf(second)).toContain('Rather this.');
    expect(textOf(second)).not.toContain('Not that.');
    expect(JSON.stringify(second.messages.slice(0, 4))).toBe(JSON.stringify(first.messages.slice(0, 4)));
    await session.prepare({ messages: [user('Something else.')] });
    expect(notes.filter((line) => line.includes('begins again'))).toHaveLength(1);
    expect(session.stats()).toMatchObject({
      rewrites: 2,
      announced: [{ request: 2 }, { request: 3, reason: 'the host changed its history' }],
    });
  });

  it('begins again where a summary has swallowed what changed', async () => {
    const session = await open({ capabilities: { windowTokens: 4_000 }, model: summary });
    const messages = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0 ? user(`Question ${at}. ${'word '.repeat(300)}`) : assistant('Fine.'),
    );
    messages.push(user('Go on.'));
    expect(textOf(await session.prepare({ messages }))).toContain('Work was done.');
    const changed = messages.slice(0, 3).with(2, user('Another question.'));
    const prepared = await session.prepare({ messages: changed });
    expect(textOf(prepared)).not.toContain('Work was done.');
    expect(prepared.messages).toHaveLength(3);
  });
});

describe('a request that does not fit', () => {
  const long = Array.from({ length: 41 }, (_, at) =>
    at % 2 === 0 ? user(`Question ${at}. ${'word '.repeat(1_600)}`) : assistant('Fine.'),
  );
  const settings = { 'layers.compaction': false };

  it('is cut, again and again, however little the provider counted of it', async () => {
    const session = await open({ settings });
    const messages = [...long];
    for (let round = 0; round < 4; round++) {
      const prepared = await session.prepare({ model: 'gpt-6', messages });
      expect(textOf(prepared).length / 4).toBeLessThan(32_000);
      await session.observe({ usage: { input_tokens: 1_000, output_tokens: 10 } });
      messages.push(assistant('Fine.'), user(`And ${round}?`));
    }
  });

  it('is announced, and so is the one that is whole again', async () => {
    const session = await open({ settings });
    const cut = await session.prepare({ model: 'gpt-6', messages: long });
    const whole = await session.prepare({ model: 'claude-haiku-4-5', messages: long });
    expect(textOf(whole).length).toBeGreaterThan(textOf(cut).length);
    expect(whole.messages).toHaveLength(41);
    expect(session.stats().announced).toMatchObject([{ request: 1 }, { request: 2 }]);
  });
});

describe('what was decided of a result', () => {
  it('holds for ever: after resuming, with the layer off, in a conversation that begins again', async () => {
    const messages = [user('Look.'), assistant([call('t1')]), user([result('t1', 'word '.repeat(20_000))])];
    const first = await open();
    const before = await first.prepare({ messages });
    expect(textOf(before)).toContain('persisted-output');
    const resumed = await open({ resumed: first.state(), settings: { 'layers.toolResults': false } });
    const after = await resumed.prepare({ messages: messages.with(0, user('Look again.')) });
    expect(resumed.stats().rewrites).toBe(1);
    expect(after.messages.at(-1)).toEqual(before.messages.at(-1));
  });
});

describe('a memory that is found late', () => {
  const hit = {
    file: 'a.md',
    scope: 'project',
    certain: true,
    text: 'Recalled: the key is under the mat.',
  } as Recalled;

  function slowMemory(): {
    readonly memory: Memory;
    readonly asked: string[];
    answer(hits: readonly Recalled[]): Promise<void>;
  } {
    const asked: string[] = [];
    let settle: (hits: readonly Recalled[]) => void = () => {};
    const memory = {
      enabled: true,
      folders: {},
      ready: async () => {},
      recall: (query: string) => {
        asked.push(query);
        return new Promise<readonly Recalled[]>((resolve) => {
          settle = resolve;
        });
      },
    } as unknown as Memory;
    return {
      memory,
      asked,
      async answer(hits) {
        settle(hits);
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  }

  it('holds nothing up, joins the next message, and never again', async () => {
    const { memory, asked, answer } = slowMemory();
    const session = await open({ memory, settings: { 'limits.host.recallHoldMs': 1 } });
    const messages = [user('Where is the key? <system-reminder>not the user</system-reminder>')];
    expect(textOf(await session.prepare({ messages }))).not.toContain('mat');
    expect(asked).toEqual([expect.stringContaining('Where is the key?')]);
    expect(asked[0]).not.toContain('not the user');
    await answer([hit, { ...hit, file: 'b.md', certain: false, text: 'unsure' }]);
    messages.push(assistant([call('t1')]), user([result('t1', 'nothing')]));
    const { messages: sent } = await session.prepare({ messages });
    expect(sent.at(-1)!.content).toMatchObject([{ type: 'tool_result' }, { type: 'text', text: hit.text }]);
    messages.push(assistant('Hm.'), user('And now where is it?'));
    const asking = session.prepare({ messages });
    await asking;
    await answer([hit]);
    messages.push(assistant('Hm.'), user('ok'));
    expect(textOf(await session.prepare({ messages })).split('under the mat')).toHaveLength(2);
  });

  it.each([{ 'recall.selector': 'off' }, { 'layers.recall': false }])('is not looked for with %j', async (settings) => {
    const { memory, asked } = slowMemory();
    const session = await open({ memory, settings });
    await session.prepare({ messages: [user('Where is the key to the cellar?')] });
    expect(asked).toEqual([]);
  });
});
