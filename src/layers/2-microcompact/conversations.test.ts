import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createConversation } from '../../agent/conversation.ts';
import type { ContentBlock, Message, ToolResultBlock } from '../../conversation/message.ts';
import { NO_USAGE } from '../../conversation/message.ts';
import { createPrefixWatch } from '../../conversation/prefix.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import { windowOf } from '../../conversation/window.ts';
import { LIMITS } from '../../limits.ts';
import type { ModelRequest } from '../../model/model.ts';
import { createPromptCache } from '../../model/prompt-cache.ts';
import {
  CLEARED_TEXT,
  createMicrocompact,
  isClearable,
  type Microcompact,
  type MicrocompactPorts,
  type MicrocompactState,
  type RequestFacts,
  readMicrocompactState,
} from './index.ts';

const window = windowOf({ modelWindowTokens: 8_000, maxOutputTokens: 1_000, limits: LIMITS.window });

function quiet(more: Partial<MicrocompactPorts> = {}): MicrocompactPorts {
  const nothing = () => {};
  return {
    announceBreak: nothing,
    onCleared: nothing,
    onApplied: nothing,
    onState: nothing,
    price: () => null,
    toolNames: () => [],
    limits: LIMITS,
    ...more,
  };
}

function asked(messages: readonly Message[], more: Partial<RequestFacts> = {}): RequestFacts {
  return {
    messages,
    idleMs: 1_000,
    windowTokens: tokensOf(messages),
    window,
    capabilities: { contextEdits: false, promptCache: 'none', thinking: 'none' },
    thinking: { kind: 'off' },
    cacheTtl: '5m',
    expectedRequests: 20,
    ...more,
  };
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}

function isMarker(block: ToolResultBlock): boolean {
  return JSON.stringify(block.content) === JSON.stringify([{ type: 'text', text: CLEARED_TEXT }]);
}

const tool = fc.constantFrom('Read', 'Bash', 'Grep', 'Glob', 'WebFetch', 'Edit', 'Write', 'mcp__a__b', 'TodoWrite');
interface DrawnRound {
  readonly calls: readonly { tool: string; words: number; subject: number; isError: boolean }[];
  readonly said: string;
  readonly idleMs: number;
}
const drawnRound: fc.Arbitrary<DrawnRound> = fc.record({
  calls: fc.array(
    fc.record({ tool, words: fc.integer({ min: 1, max: 1_500 }), subject: fc.nat(3), isError: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  said: fc.constantFrom('', 'go on', CLEARED_TEXT),
  idleMs: fc.constantFrom(1_000, 1_000, 1_000, 400_000),
});
const drawnRounds = fc.array(drawnRound, { minLength: 1, maxLength: 14 });

function messagesOf({ calls, said }: DrawnRound, at: number): Message[] {
  const uses = calls.map(
    (call, number): ContentBlock => ({
      type: 'tool_use',
      id: `t${at}_${number}`,
      name: call.tool,
      input: { file_path: `/${call.subject}` },
    }),
  );
  const results = calls.map(
    ({ words, isError }, number): ToolResultBlock => ({
      type: 'tool_result',
      tool_use_id: `t${at}_${number}`,
      content: [{ type: 'text', text: `${at}.${number} `.padEnd(words * 4, 'word ') }],
      ...(isError ? { is_error: true as const } : {}),
    }),
  );
  const thought: ContentBlock = { type: 'thinking', thinking: `thought ${at}`, signature: `signed ${at}` };
  return [
    { role: 'assistant', content: [thought, { type: 'text', text: `answer ${at}` }, ...uses] },
    { role: 'user', content: [...results, ...(said === '' ? [] : [{ type: 'text', text: said } as const])] },
  ];
}

/** Plays the rounds as a session would, and checks each request. */
function play(
  rounds: readonly DrawnRound[],
  parts: { layer: Microcompact; onRequest: (sent: readonly Message[], kept: readonly Message[]) => void },
): Message[] {
  const kept: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Begin.' }] }];
  for (const [at, drawn] of rounds.entries()) {
    kept.push(...messagesOf(drawn, at));
    const snapshot = kept.slice();
    const prepared = parts.layer.prepare(asked(snapshot, { idleMs: drawn.idleMs }));
    parts.onRequest(prepared.messages, snapshot);
    // A second look right after must see the same: the request may be repeated.
    const again = parts.layer.prepare(asked(snapshot, { idleMs: drawn.idleMs }));
    expect(again.event).toBeUndefined();
    expect(again.messages.every((message, place) => message === prepared.messages[place])).toBe(true);
  }
  return kept;
}

describe('any conversation', () => {
  it('keeps every call, every word from user and model, MCP results and the newest ones', () => {
    let clearings = 0;
    fc.assert(
      fc.property(drawnRounds, (rounds) => {
        const layer = createMicrocompact(quiet({ onCleared: () => clearings++ }));
        const onRequest = (sent: readonly Message[], kept: readonly Message[]) => {
          expect(sent.length).toBe(kept.length);
          const names = new Map<string, string>();
          const clearable: { block: ToolResultBlock; isCleared: boolean }[] = [];
          for (const [at, message] of kept.entries()) {
            const shown = sent[at]!;
            expect(shown.content.length).toBe(message.content.length);
            for (const [place, block] of message.content.entries()) {
              if (block.type === 'tool_use') names.set(block.id, block.name);
              if (block.type !== 'tool_result') {
                expect(shown.content[place]).toBe(block);
                continue;
              }
              const view = shown.content[place] as ToolResultBlock;
              const { content: _, ...facts } = view;
              const { content: __, ...before } = block;
              expect(facts).toEqual(before);
              const isCleared = isMarker(view);
              if (!isCleared) expect(view).toBe(block);
              if (isClearable(names.get(block.tool_use_id)!)) clearable.push({ block, isCleared });
              else expect(isCleared).toBe(false);
            }
          }
          expect(clearable.slice(-5).some(({ isCleared }) => isCleared)).toBe(false);
        };
        play(rounds, { layer, onRequest });
      }),
      { numRuns: 60 },
    );
    expect(clearings).toBeGreaterThan(10);
  });

  it('never restores or changes what was cleared: later, after a resume, in a fork, from the transcript alone', () => {
    fc.assert(
      fc.property(drawnRounds, (rounds) => {
        const gone = new Set<string>();
        const records: { toolUseIds: readonly string[]; by: string }[] = [];
        let stored: MicrocompactState | null = null;
        const ports = quiet({ onCleared: (record) => records.push(record), onState: (state) => (stored = state) });
        const layer = createMicrocompact(ports);
        const clearedIn = (messages: readonly Message[]) =>
          messages.flatMap(({ content }) =>
            content.flatMap((block) => (block.type === 'tool_result' && isMarker(block) ? [block.tool_use_id] : [])),
          );
        let sent: readonly Message[] = [];
        const kept = play(rounds, {
          layer,
          onRequest(messages) {
            sent = messages;
            const now = new Set(clearedIn(messages));
            for (const id of gone) expect(now.has(id)).toBe(true);
            for (const id of now) gone.add(id);
          },
        });
        expect(new Set(records.flatMap(({ toolUseIds }) => toolUseIds))).toEqual(gone);
        const settled = (other: Microcompact) => other.prepare(asked(kept, { windowTokens: 0 })).messages;
        const copies = [
          createMicrocompact(quiet(), JSON.parse(JSON.stringify(layer.state()))),
          createMicrocompact(
            quiet(),
            readMicrocompactState({ state: JSON.parse(JSON.stringify(stored)), cleared: [] }),
          ),
          createMicrocompact(quiet(), readMicrocompactState({ state: 'damaged', cleared: records })),
          layer.clone(),
        ];
        for (const copy of copies) expect(JSON.stringify(settled(copy))).toBe(JSON.stringify(sent));
      }),
      { numRuns: 60 },
    );
  });

  it('may be cut, joined or replaced on the way: the view matches that of a layer that sees it for the first time', () => {
    const rounds = fc.array(drawnRound, { minLength: 3, maxLength: 10 });
    fc.assert(
      fc.property(rounds, fc.nat(), fc.boolean(), (drawn, cut, isJoined) => {
        const layer = createMicrocompact(quiet());
        const kept = play(drawn, { layer, onRequest: () => {} });
        const shorter = kept.slice(0, 1 + (cut % kept.length));
        const last = shorter.at(-1)!;
        const more: ContentBlock = { type: 'text', text: 'wait' };
        const changed = isJoined ? [...shorter.slice(0, -1), { ...last, content: [...last.content, more] }] : shorter;
        const still = asked(changed, { windowTokens: 0 });
        const fresh = createMicrocompact(quiet(), layer.state()).prepare(still).messages;
        expect(layer.prepare(still).messages).toEqual(fresh);
        const back = asked(kept, { windowTokens: 0 });
        expect(layer.prepare(back).messages).toEqual(createMicrocompact(quiet(), layer.state()).prepare(back).messages);
      }),
      { numRuns: 60 },
    );
  });

  it('does not count as cleared in its messages when only the provider cleared it', () => {
    const cleared = ['time', 'need', 'cache-edit', 'api'].map((by) => ({ toolUseIds: [`t_${by}`], by }));
    expect(readMicrocompactState({ state: null, cleared }).cleared).toEqual(['t_time', 't_need']);
  });

  it('has the same objects in a fork: their hashes still hold', () => {
    const kept = play(
      [{ calls: Array(9).fill({ tool: 'Bash', words: 90, subject: 0, isError: false }), said: '', idleMs: 400_000 }],
      {
        layer: createMicrocompact(quiet()),
        onRequest: () => {},
      },
    );
    const layer = createMicrocompact(quiet());
    const sent = layer.prepare(asked(kept, { idleMs: 400_000 })).messages;
    expect(sent).not.toEqual(kept);
    const forked = layer.clone().prepare(asked(kept)).messages;
    expect(forked.every((message, at) => message === sent[at])).toBe(true);
  });

  it('is remembered after a compaction only as far as it is still there', () => {
    const rounds = Array.from({ length: 8 }, (_, at) =>
      messagesOf({ calls: [{ tool: 'Read', words: 100, subject: at, isError: false }], said: '', idleMs: 0 }, at),
    );
    const layer = createMicrocompact(quiet());
    const before = layer.prepare(asked(rounds.flat(), { idleMs: 400_000 })).messages;
    const preserved = rounds.slice(2).flat();
    layer.compacted(preserved);
    expect(layer.state().cleared).toEqual(['t2_0']);
    const after = layer.prepare(asked(preserved));
    expect(JSON.stringify(after.messages)).toBe(JSON.stringify(before.slice(4)));
    expect(after.windowTokens).toBe(tokensOf(after.messages));
  });
});

describe('trouble elsewhere', () => {
  const fail = () => {
    throw new Error('disk full');
  };
  const conversation = Array.from({ length: 8 }, (_, at) =>
    messagesOf({ calls: [{ tool: 'Read', words: 100, subject: at, isError: false }], said: '', idleMs: 0 }, at),
  ).flat();
  const idle = asked(conversation, { idleMs: 400_000 });

  it('never reaches the conversation, and after three times in a row the layer stops', () => {
    const problems: string[] = [];
    let tries = 0;
    const announceBreak = () => {
      tries++;
      fail();
    };
    const layer = createMicrocompact(quiet({ announceBreak, onProblem: (problem) => problems.push(problem) }));
    for (let at = 0; at < 5; at++) expect(layer.prepare(idle).messages).toBe(conversation);
    expect(tries).toBe(3);
    expect(problems).toEqual(Array.from({ length: 3 }, () => 'microcompaction: Error: disk full'));
    expect(layer.prepare(idle).decision.reason).toBe('off');
  });

  it('is forgiven after a success', () => {
    const answers = [fail, fail, () => {}, fail, fail, () => {}];
    let tries = 0;
    const layer = createMicrocompact(quiet({ announceBreak: () => answers[tries++]?.() }));
    let kept = conversation;
    for (let at = 0; at < 6; at++) {
      const more = { calls: [{ tool: 'Read', words: 100, subject: at, isError: false }], said: '', idleMs: 0 };
      kept = [...kept, ...messagesOf(more, 10 + at)];
      layer.prepare(asked(kept, { idleMs: 400_000 }));
    }
    expect(tries).toBe(6);
    expect(layer.state().cleared).toHaveLength(8 + 6 - 5);
  });

  it('leaves the view as it is when it could not be recorded', () => {
    const layer = createMicrocompact(quiet({ onCleared: fail }));
    const first = layer.prepare(idle).messages;
    expect(JSON.stringify(first)).toContain(CLEARED_TEXT);
    expect(layer.prepare(idle).messages).toEqual(first);
  });

  it.each(['microcompact', 'time-clearing'] as const)(
    '%s can be switched off; what was cleared stays cleared',
    (mechanism) => {
      let isSwitchedOff = false;
      const layer = createMicrocompact(quiet({ isOn: (asked) => !(isSwitchedOff && asked === mechanism) }));
      const first = layer.prepare(idle).messages;
      isSwitchedOff = true;
      const more = [
        ...conversation,
        ...messagesOf({ calls: [{ tool: 'Read', words: 9, subject: 9, isError: false }], said: '', idleMs: 0 }, 9),
      ];
      const { messages } = layer.prepare(asked(more, { idleMs: 400_000 }));
      expect(messages.slice(0, first.length)).toEqual(first);
      expect(messages.slice(first.length)).toEqual(more.slice(first.length));
    },
  );
});

describe('with a prompt cache that bills', () => {
  it('costs less over the expected requests than leaving it all there, and names its break', () => {
    const cache = createPromptCache({ now: () => 0 });
    const uncleared = createPromptCache({ now: () => 0 });
    const watch = createPrefixWatch();
    const layer = createMicrocompact(quiet({ announceBreak: watch.announceBreak, price: () => null }));
    const conversation = createConversation({ context: [], now: () => new Date(0) });
    const requestOf = (messages: readonly Message[]): ModelRequest => ({
      system: [{ text: 'You are an agent. '.repeat(500), endsStaticPart: true }],
      tools: [],
      messages,
      thinking: { kind: 'off' },
      toolChoice: 'auto',
      maxOutputTokens: 1_000,
      cache: { ttl: '5m', breakpoints: [messages.length - 1] },
    });
    const cost = (price: { inputTokens: number; cacheReadTokens: number; cacheWriteTokens: number }) =>
      price.inputTokens + price.cacheReadTokens * 0.1 + price.cacheWriteTokens * 1.25;
    const expectedRequests = 30;
    const capabilities = { contextEdits: false, promptCache: 'breakpoints', thinking: 'none' } as const;
    let windowTokens = 0;
    let clearedAt: number | null = null;
    let [paid, wouldHavePaid] = [0, 0];
    const causes: string[] = [];
    conversation.append({ message: { role: 'user', content: [{ type: 'text', text: 'Begin.' }] } });
    for (let at = 0; clearedAt === null || at < clearedAt + expectedRequests; at++) {
      // Small rounds after the first clearing: what it saves is measured.
      const words = clearedAt === null ? 600 : 1;
      const drawn = { calls: [{ tool: 'Bash', words, subject: at, isError: false }], said: '', idleMs: 0 };
      for (const message of messagesOf(drawn, at)) conversation.append({ message });
      const messages = conversation.messages();
      const facts = asked(messages, { windowTokens, capabilities, expectedRequests });
      const prepared = layer.prepare(facts);
      if (prepared.event !== undefined) clearedAt ??= at;
      const snapshot = watch.before({ model: 'm', ...requestOf(prepared.messages) });
      const price = cache.price(requestOf(prepared.messages));
      const full = cost(uncleared.price(requestOf(messages)));
      const usage = { ...NO_USAGE, ...price };
      const verdict = watch.after({ snapshot, usage, atMs: 0, ttlMs: 300_000 });
      if (verdict.kind === 'broken') causes.push(`${verdict.cause}: ${verdict.reason}`);
      layer.answered({ usage });
      windowTokens = price.inputTokens + price.cacheReadTokens + price.cacheWriteTokens;
      if (clearedAt !== null) [paid, wouldHavePaid] = [paid + cost(price), wouldHavePaid + full];
      expect(at).toBeLessThan(100);
    }
    expect(new Set(causes)).toEqual(new Set(['announced: microcompaction by need']));
    expect(paid).toBeLessThan(wouldHavePaid);
  });
});
