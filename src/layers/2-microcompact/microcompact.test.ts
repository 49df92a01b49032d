import { describe, expect, it } from 'vitest';
import type { ContentBlock, Message, ToolResultBlock } from '../../conversation/message.ts';
import { NO_USAGE } from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import { windowOf } from '../../conversation/window.ts';
import { LIMITS } from '../../limits.ts';
import {
  CLEARED_TEXT,
  createMicrocompact,
  type MicrocompactPorts,
  type MicrocompactState,
  type RequestFacts,
} from './index.ts';

const MINUTE = 60_000;
const LOCAL = { contextEdits: false, promptCache: 'none', thinking: 'none' } as const;
const ANTHROPIC = { contextEdits: true, promptCache: 'breakpoints', thinking: 'adaptive' } as const;

interface Told {
  readonly ports: MicrocompactPorts;
  readonly breaks: string[];
  readonly cleared: { toolUseIds: readonly string[]; by: string }[];
  readonly states: MicrocompactState[];
  readonly applied: unknown[];
  readonly problems: string[];
}

function told(more: Partial<MicrocompactPorts> = {}): Told {
  const [breaks, cleared, states, applied, problems] = [[], [], [], [], []] as [
    string[],
    Told['cleared'],
    MicrocompactState[],
    unknown[],
    string[],
  ];
  const ports: MicrocompactPorts = {
    announceBreak: (reason) => breaks.push(reason),
    onCleared: (record) => cleared.push(record),
    onApplied: (edits) => applied.push(edits),
    onState: (state) => states.push(state),
    onProblem: (problem) => problems.push(problem),
    price: () => null,
    toolNames: () => ['Bash', 'Read', 'mcp__a__b'],
    limits: LIMITS,
    ...more,
  };
  return { ports, breaks, cleared, states, applied, problems };
}

function asked(messages: readonly Message[], more: Partial<RequestFacts> = {}): RequestFacts {
  return {
    messages,
    idleMs: 1_000,
    windowTokens: messages.reduce((sum, message) => sum + estimateTokens(message), 0),
    window: windowOf({ modelWindowTokens: 20_000, maxOutputTokens: 4_000, limits: LIMITS.window }),
    capabilities: LOCAL,
    thinking: { kind: 'off' },
    cacheTtl: '5m',
    expectedRequests: 20,
    ...more,
  };
}

interface DrawnCall {
  readonly tool: string;
  readonly words: number;
  readonly isError?: boolean;
  readonly input?: Record<string, unknown>;
}

/** One round: an answer with calls, and their results with what the user said meanwhile. */
function round(at: number, calls: readonly DrawnCall[], said = ''): Message[] {
  const id = (call: number) => `t${at}_${call}`;
  const uses = calls.map(({ tool, input }, call): ContentBlock => {
    return { type: 'tool_use', id: id(call), name: tool, input: input ?? { file_path: `/file-${at}-${call}.ts` } };
  });
  const results = calls.map(({ words, isError }, call): ToolResultBlock => {
    const text = `result ${at}.${call} `.padEnd(words * 4, 'word');
    const result = { type: 'tool_result', tool_use_id: id(call), content: [{ type: 'text', text }] } as const;
    return isError ? { ...result, is_error: true } : result;
  });
  const text = (words: string): ContentBlock[] => (words === '' ? [] : [{ type: 'text', text: words }]);
  const thought: ContentBlock = { type: 'thinking', thinking: `thought ${at}`, signature: `signed ${at}` };
  return [
    { role: 'assistant', content: [thought, ...text(`answer ${at}`), ...uses] },
    { role: 'user', content: [...results, ...text(said)] },
  ];
}

const QUESTION: Message = { role: 'user', content: [{ type: 'text', text: 'Find the bug.' }] };
const reads = (count: number, words: number) =>
  Array.from({ length: count }, (_, at) => round(at, [{ tool: 'Read', words }])).flat();

function resultsIn(messages: readonly Message[]): ToolResultBlock[] {
  return messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_result'));
}

function clearedIn(messages: readonly Message[]): string[] {
  return resultsIn(messages).flatMap(({ tool_use_id, content }) => {
    const [first] = content;
    return first?.type === 'text' && first.text === CLEARED_TEXT ? [tool_use_id] : [];
  });
}

describe('when the cache is lost', () => {
  const conversation = [QUESTION, ...reads(8, 100), ...round(8, [{ tool: 'mcp__a__b', words: 100 }])];

  it('old results are cleared, the last five and the calls stay, and the break is announced', () => {
    const { ports, breaks, cleared, states } = told();
    const layer = createMicrocompact(ports);
    const prepared = layer.prepare(asked(conversation, { idleMs: 6 * MINUTE }));
    expect(clearedIn(prepared.messages)).toEqual(['t0_0', 't1_0', 't2_0']);
    expect(breaks).toEqual(['microcompaction by time']);
    expect(cleared).toEqual([expect.objectContaining({ toolUseIds: ['t0_0', 't1_0', 't2_0'], by: 'time' })]);
    expect(states.at(-1)).toEqual(layer.state());
    expect(prepared.event).toMatchObject({ by: 'time', firstChanged: 2 });
    expect(prepared.messages[1]).toBe(conversation[1]);
  });

  it('keeps at least one', () => {
    const limits = { ...LIMITS, microcompact: { ...LIMITS.microcompact, keptResults: 0.1 } };
    const prepared = createMicrocompact(told({ limits }).ports).prepare(asked(conversation, { idleMs: 6 * MINUTE }));
    expect(clearedIn(prepared.messages)).toHaveLength(7);
  });

  it('happens once: a second call changes nothing and returns the same objects', () => {
    const { ports, breaks, cleared } = told();
    const layer = createMicrocompact(ports);
    const first = layer.prepare(asked(conversation, { idleMs: 6 * MINUTE }));
    const second = layer.prepare(asked(conversation, { idleMs: 7 * MINUTE }));
    expect(second.messages.every((message, at) => message === first.messages[at])).toBe(true);
    expect(second.event).toBeUndefined();
    expect([breaks.length, cleared.length]).toEqual([1, 1]);
  });

  it('reports the window as it will be until a response has counted it', () => {
    const layer = createMicrocompact(told().ports);
    const facts = asked(conversation, { idleMs: 6 * MINUTE, windowTokens: 10_000 });
    const { windowTokens, event } = layer.prepare(facts);
    expect(event!.freedTokens).toBeGreaterThan(200);
    expect(windowTokens).toBe(10_000 - event!.freedTokens);
    layer.answered({ usage: NO_USAGE });
    expect(layer.prepare(facts).windowTokens).toBe(windowTokens);
    layer.answered({ usage: { ...NO_USAGE, inputTokens: 9_000 } });
    expect(layer.prepare(asked(conversation, { windowTokens: 9_000 })).windowTokens).toBe(9_000);
  });
});

describe('when the window needs room', () => {
  /** 20,000 tokens of window: 16,000 effective, 14,667 until compaction. */
  const full = [QUESTION, ...reads(15, 1_000)];

  it('clears the oldest until there is room', () => {
    const { ports, breaks } = told();
    const prepared = createMicrocompact(ports).prepare(asked(full));
    const cleared = clearedIn(prepared.messages);
    expect(cleared).toEqual(Array.from({ length: cleared.length }, (_, at) => `t${at}_0`));
    expect(prepared.windowTokens).toBeLessThanOrEqual(14_667 * 0.8);
    expect(prepared.windowTokens).toBeGreaterThan(14_667 * 0.8 - 1_100);
    expect(breaks).toEqual(['microcompaction by need']);
    expect(prepared.decision).toMatchObject({ kind: 'clear', reason: 'pays' });
  });

  it('leaves a cache alone if breaking it would not pay', () => {
    const { ports, breaks } = told();
    const capabilities = { ...LOCAL, promptCache: 'breakpoints' } as const;
    const { messages, decision } = createMicrocompact(ports).prepare(
      asked(full, { capabilities, expectedRequests: 2 }),
    );
    expect(messages).toBe(full);
    expect(decision).toMatchObject({ kind: 'wait', reason: 'does-not-pay' });
    expect(breaks).toEqual([]);
  });

  it('takes repeated searches, and reads of files read or written again, before what is merely old', () => {
    const again = { file_path: '/a.ts' };
    const conversation = [
      QUESTION,
      ...reads(2, 500),
      ...round(2, [{ tool: 'Read', words: 2_000, input: again }]),
      ...round(3, [{ tool: 'Grep', words: 1_500, input: { pattern: 'x' } }]),
      ...round(4, [{ tool: 'Read', words: 2_000, input: { file_path: '/b.ts' } }]),
      ...round(5, [{ tool: 'Read', words: 2_000, input: again }]),
      ...round(6, [{ tool: 'Grep', words: 1_500, input: { pattern: 'x' } }]),
      ...round(7, [{ tool: 'Write', words: 10, input: { file_path: '/b.ts' } }]),
      ...round(8, [{ tool: 'Read', words: 2_000, input: { ...again, offset: 10 } }]),
      ...round(9, [{ tool: 'Bash', words: 3_000 }]),
      ...round(10, [{ tool: 'Bash', words: 1 }]),
    ];
    const prepared = createMicrocompact(told().ports).prepare(asked(conversation, { windowTokens: 16_000 }));
    expect(clearedIn(prepared.messages)).toEqual(['t2_0', 't3_0', 't4_0']);
  });

  it('does not take a note that nothing changed for another reading', () => {
    const input = { file_path: '/a.ts' };
    const repeated = (words: number, isError = false) => [
      QUESTION,
      ...reads(1, 5_000),
      ...round(1, [{ tool: 'Read', words: 4_000, input }]),
      ...round(2, [{ tool: 'Read', words, input, isError }]),
      ...Array.from({ length: 5 }, (_, at) => round(3 + at, [{ tool: 'Bash', words: 10 }])).flat(),
    ];
    const clear = (messages: readonly Message[]) =>
      clearedIn(createMicrocompact(told().ports).prepare(asked(messages, { windowTokens: 14_700 })).messages);
    expect(clear(repeated(4_000))).toEqual(['t1_0']);
    expect(clear(repeated(20))).toEqual(['t0_0']);
    expect(clear(repeated(4_000, true))).toEqual(['t0_0']);
  });

  it('forgets that something was repeated when the repetition was undone', () => {
    const input = { file_path: '/a.ts' };
    const before = [QUESTION, ...reads(1, 5_000), ...round(1, [{ tool: 'Read', words: 4_000, input }])];
    const bash = Array.from({ length: 5 }, (_, at) => round(3 + at, [{ tool: 'Bash', words: 10 }])).flat();
    const layer = createMicrocompact(told().ports);
    layer.prepare(asked([...before, ...round(2, [{ tool: 'Read', words: 4_000, input }])], { windowTokens: 0 }));
    const prepared = layer.prepare(asked([...before, ...bash], { windowTokens: 14_700 }));
    expect(clearedIn(prepared.messages)).toEqual(['t0_0']);
  });

  it('leaves it to the server if that can clear, unless this is switched off', () => {
    const anthropic = { capabilities: ANTHROPIC, expectedRequests: 100 };
    const byServer = createMicrocompact(told().ports).prepare(asked(full, anthropic));
    expect([byServer.decision.reason, byServer.contextEdits?.length]).toEqual(['server-clears', 1]);
    const isOn = (mechanism: string) => mechanism !== 'api-clearing';
    const here = createMicrocompact(told({ isOn }).ports).prepare(asked(full, anthropic));
    expect([here.decision.kind, here.contextEdits]).toEqual(['clear', undefined]);
  });
});

describe('clearing by the API', () => {
  const facts = asked([QUESTION], { capabilities: ANTHROPIC, thinking: { kind: 'adaptive' } });

  it('sends the same object with every request, whatever changes meanwhile', () => {
    let economy: 'max' | 'balanced' = 'balanced';
    const { ports, states } = told({ economy: () => economy });
    const layer = createMicrocompact(ports);
    const first = layer.prepare(facts).contextEdits;
    economy = 'max';
    expect(layer.prepare(facts).contextEdits).toBe(first);
    expect(states).toHaveLength(1);
    const resumed = createMicrocompact(told({ economy: () => 'max' }).ports, JSON.parse(JSON.stringify(states[0])));
    expect(resumed.prepare(facts).contextEdits).toEqual(first);
    layer.compacted([QUESTION]);
    expect(layer.prepare(facts).contextEdits).not.toEqual(first);
  });

  it('drops old thinking when the cache is lost, announced once with the results', () => {
    const { ports, breaks } = told();
    const layer = createMicrocompact(ports);
    layer.prepare(facts);
    const idle = {
      ...asked([QUESTION, ...reads(8, 100)], facts),
      messages: [QUESTION, ...reads(8, 100)],
      idleMs: 6 * MINUTE,
    };
    const [thinking] = layer.prepare(idle).contextEdits!;
    expect(thinking).toEqual({ type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } });
    expect(breaks).toEqual(['microcompaction by time']);
    expect(layer.prepare({ ...idle, idleMs: 1 }).contextEdits![0]).toEqual(thinking);
  });

  it('is recorded as the server reports it, once for each change', () => {
    const { ports, applied } = told();
    const layer = createMicrocompact(ports);
    const edits = (tokens: number) => [
      { type: 'clear_tool_uses_20250919', cleared_tool_uses: 3, cleared_input_tokens: tokens },
    ];
    for (const tokens of [0, 50_000, 50_000, 90_000]) layer.answered({ usage: NO_USAGE, appliedEdits: edits(tokens) });
    expect(applied).toEqual([edits(50_000), edits(90_000)]);
  });
});

describe('clearing by cache edit', () => {
  const capabilities = { ...ANTHROPIC, cacheEdits: true };
  const isOn = () => true;

  it('pins an edit over twelve results; the messages stay, and every later request repeats it in its place', () => {
    const { ports, breaks, cleared } = told({ isOn });
    const layer = createMicrocompact(ports);
    const twelve = [QUESTION, ...reads(12, 50)];
    expect(layer.prepare(asked(twelve, { capabilities })).cacheEdits).toBeUndefined();
    const more = [...twelve, ...round(12, [{ tool: 'Read', words: 50 }])];
    const prepared = layer.prepare(asked(more, { capabilities }));
    const edit = { message: 26, toolUseIds: Array.from({ length: 8 }, (_, at) => `t${at}_0`) };
    expect(prepared.cacheEdits).toEqual([edit]);
    expect(prepared.messages).toBe(more);
    expect([breaks, cleared[0]?.by]).toEqual([['microcompaction by cache edit'], 'cache-edit']);
    const later = [...more, ...round(13, [{ tool: 'Read', words: 50 }])];
    expect(layer.prepare(asked(later, { capabilities })).cacheEdits).toEqual([edit]);
    const resumed = createMicrocompact(told({ isOn }).ports, JSON.parse(JSON.stringify(layer.state())));
    expect(resumed.prepare(asked(later, { capabilities })).cacheEdits).toEqual([edit]);
  });

  it('gives way to clearing by time, which takes over what was deleted', () => {
    const { ports } = told({ isOn });
    const layer = createMicrocompact(ports);
    const conversation = [QUESTION, ...reads(13, 50)];
    layer.prepare(asked(conversation, { capabilities }));
    const prepared = layer.prepare(asked(conversation, { capabilities, idleMs: 6 * MINUTE }));
    expect(prepared.cacheEdits).toBeUndefined();
    expect(clearedIn(prepared.messages)).toHaveLength(8);
  });
});

describe('a layer that fails', () => {
  it('sends the messages as they last were, and after three failures clears nothing more and says so once', () => {
    const trips: unknown[] = [];
    const { ports, problems, cleared } = told({
      onPaused: (trip) => trips.push(trip),
      price() {
        throw new Error('no price list');
      },
    });
    const layer = createMicrocompact(ports);
    const messages = [QUESTION, ...reads(15, 1_000)];
    for (let time = 0; time < 5; time++) expect(layer.prepare(asked(messages)).messages).toEqual(messages);
    expect(problems).toHaveLength(3);
    expect(trips).toEqual([{ failures: 3, problem: 'Error: no price list' }]);
    expect(cleared).toEqual([]);
  });
});
