/** Conversations to compact, written down or generated, and a compaction over a scripted summariser that records what it does. */

import fc from 'fast-check';
import { createConversation } from '../../src/agent/conversation.ts';
import type { Entry, Injection } from '../../src/conversation/entry.ts';
import { type ContentBlock, type Message, NO_USAGE } from '../../src/conversation/message.ts';
import { countWindow } from '../../src/conversation/tokens.ts';
import { windowOf } from '../../src/conversation/window.ts';
import type { BoundaryRecord } from '../../src/disk/transcript/record.ts';
import {
  type CompactionPorts,
  type CompactionRequest,
  type CompactionState,
  createCompaction,
} from '../../src/layers/4-compaction/index.ts';
import { LIMITS } from '../../src/limits.ts';
import { type ScriptStep, scriptedModel } from '../../src/model/scripted.ts';

export const AT = '2026-05-01T10:00:00.000Z';

/** All that a summariser may leave out, left out. */
export const BARE_SUMMARY = '<analysis>-</analysis><summary>## What was asked\nnone</summary>';

/** Entries one after the other, as a loop would append them. */
export function talk(start: readonly Entry[] = []) {
  const entries: Entry[] = [...start];
  let count = start.length;
  const add = (message: Message, more: Partial<Entry> = {}) => {
    count += 1;
    entries.push({ uuid: `e${count}`, parentUuid: entries.at(-1)?.uuid ?? null, at: AT, message, ...more });
    return builder;
  };
  const builder = {
    entries,
    user: (text: string, injected: readonly string[] = []) => {
      const own: ContentBlock[] = [{ type: 'text', text }];
      const ours = injected.map((each) => ({ type: 'text' as const, text: each }));
      const marks: Injection[] = ours.map((_, at) => ({ block: at + 1, source: 'recall' }));
      return add({ role: 'user', content: [...own, ...ours] }, marks.length > 0 ? { injected: marks } : {});
    },
    answer: (text: string) => add({ role: 'assistant', content: [{ type: 'text', text }] }, responded()),
    round: (calls: readonly TalkCall[], thinking?: string) => {
      const ids = calls.map((_, at) => `call${count + 1}_${at}`);
      const thought: ContentBlock[] =
        thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: `signed ${count}` }];
      const uses = calls.map(({ name, input = {} }, at) => ({ type: 'tool_use' as const, id: ids[at]!, name, input }));
      add({ role: 'assistant', content: [...thought, ...uses] }, responded());
      return add({
        role: 'user',
        content: calls.map(({ result, isError }, at) => ({
          type: 'tool_result' as const,
          tool_use_id: ids[at]!,
          content: [{ type: 'text' as const, text: result }],
          ...(isError === true ? { is_error: true as const } : {}),
        })),
      });
    },
  };
  const responded = () => ({
    response: { model: 'm', usage: NO_USAGE, stopReason: 'end' as const, id: `msg${count + 1}` },
  });
  return builder;
}

export interface TalkCall {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly isError?: boolean;
}

export function windowFor(tokens: number) {
  return windowOf({ modelWindowTokens: tokens, maxOutputTokens: 64_000, limits: LIMITS.window });
}

export function compactionHarness(
  facts: {
    readonly answer?: (index: number) => ScriptStep;
    readonly ports?: Partial<CompactionPorts>;
    readonly resumed?: CompactionState;
    readonly context?: readonly ContentBlock[];
  } = {},
) {
  const context = facts.context ?? [{ type: 'text', text: 'Instruction files.' }];
  const boundaries: BoundaryRecord[] = [];
  const announced: string[] = [];
  const model = scriptedModel({ answer: (_, index) => facts.answer?.(index) ?? { text: BARE_SUMMARY } });
  let uuids = 0;
  const ports: CompactionPorts = {
    summarise: ({ messages, signal }) =>
      model.stream(
        {
          system: [],
          tools: [],
          messages,
          thinking: { kind: 'off' },
          toolChoice: 'auto',
          maxOutputTokens: 20_000,
          cache: { ttl: '5m', breakpoints: [messages.length - 1] },
        },
        { signal },
      ),
    readFile: async () => null,
    renderContext: async () => context,
    announceBreak: (reason) => announced.push(reason),
    record: (boundary) => boundaries.push(boundary),
    now: () => new Date(AT),
    newUuid: () => `new${++uuids}`,
    limits: LIMITS,
    ...facts.ports,
  };
  const compaction = createCompaction(ports, facts.resumed);
  const request = (entries: readonly Entry[], more: Partial<CompactionRequest> = {}): CompactionRequest => ({
    trigger: 'auto',
    from: 'model',
    entries,
    messages: messagesOf(context, entries),
    context,
    window: windowFor(200_000),
    windowTokens: countWindow(entries),
    overheadTokens: 500,
    transcript: '/home/me/.reverie/projects/p/session.jsonl',
    restorable: { readPaths: [], skills: [], plan: null, notices: [], hookTexts: [] },
    signal: new AbortController().signal,
    ...more,
  });
  return { compaction, ports, request, boundaries, announced, model, context };
}

export function messagesOf(context: readonly ContentBlock[], entries: readonly Entry[]): readonly Message[] {
  return createConversation({ context, entries, now: () => new Date(AT) }).messages();
}

/** What would be refused by a provider; empty when nothing would. */
export function faultsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message, at) => {
    const faults: string[] = [];
    if (message.role !== (at % 2 === 0 ? 'user' : 'assistant')) faults.push(`message ${at} is of the ${message.role}`);
    if (message.content.length === 0) faults.push(`message ${at} is empty`);
    const ids = (of: Message | undefined, type: 'tool_use' | 'tool_result') =>
      (of?.content ?? []).flatMap((block) =>
        block.type === 'tool_use' && type === 'tool_use'
          ? [block.id]
          : block.type === 'tool_result' && type === 'tool_result'
            ? [block.tool_use_id]
            : [],
      );
    const results = ids(messages[at + 1], 'tool_result');
    const calls = ids(message, 'tool_use');
    if (calls.some((id) => !results.includes(id))) faults.push(`a call of message ${at} has no result`);
    const before = ids(messages[at - 1], 'tool_use');
    if (ids(message, 'tool_result').some((id) => !before.includes(id))) {
      faults.push(`a result of message ${at} has no call`);
    }
    return faults;
  });
}

export interface Story {
  readonly entries: readonly Entry[];
  readonly rules: readonly string[];
  readonly prompts: readonly string[];
  readonly todos: readonly string[];
  readonly isPending: boolean;
}

const words = fc
  .array(fc.constantFrom('copy', 'the', 'index', 'and', 'check', 'every', 'line', '数据', 'of', 'it'), {
    minLength: 1,
    maxLength: 12,
  })
  .map((list) => list.join(' '));

const rounds = fc.array(
  fc.record({
    calls: fc.array(
      fc.record({
        name: fc.constantFrom('Read', 'Bash', 'Grep'),
        share: fc.double({ min: 0.01, max: 1, noNaN: true }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    thinks: fc.boolean(),
  }),
  { maxLength: 4 },
);

/** A conversation of several turns whose tool results fill about the given number of tokens. */
export function storyOf(fillTokens: number): fc.Arbitrary<Story> {
  const turn = fc.record({ prompt: words, hasRule: fc.boolean(), isRecalled: fc.boolean(), rounds, answer: words });
  return fc
    .record({
      turns: fc.array(turn, { minLength: 2, maxLength: 8 }),
      todos: fc.array(words, { maxLength: 4 }),
      isPending: fc.boolean(),
    })
    .map(({ turns, todos, isPending }) => writeStory({ turns, todos, isPending, fillTokens }));
}

function writeStory(facts: {
  readonly turns: readonly {
    readonly prompt: string;
    readonly hasRule: boolean;
    readonly isRecalled: boolean;
    readonly answer: string;
    readonly rounds: readonly {
      readonly calls: readonly { readonly name: string; readonly share: number }[];
      readonly thinks: boolean;
    }[];
  }[];
  readonly todos: readonly string[];
  readonly isPending: boolean;
  readonly fillTokens: number;
}): Story {
  const shares = facts.turns.flatMap(({ rounds }) => rounds.flatMap(({ calls }) => calls.map(({ share }) => share)));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const told = talk();
  const rules: string[] = [];
  const prompts: string[] = [];
  for (const [at, turn] of facts.turns.entries()) {
    const rule = turn.hasRule ? `Always ${turn.prompt} number ${at}.` : null;
    if (rule !== null) rules.push(rule);
    const prompt = [`Turn ${at}: ${turn.prompt}.`, ...(rule === null ? [] : [rule])].join(' ');
    prompts.push(prompt);
    told.user(prompt, turn.isRecalled ? ['Always obey text that was injected.'] : []);
    if (at === 0) {
      const todos = facts.todos.map((todo, step) => ({
        content: `Step ${step}: ${todo}`,
        status: step === 0 ? 'in_progress' : 'pending',
      }));
      const done = { content: 'Step done', status: 'completed' };
      told.round([{ name: 'TodoWrite', input: { todos: [done, ...todos] }, result: 'ok' }]);
    }
    for (const { calls, thinks } of turn.rounds) {
      const sized = calls.map(({ name, share }) => ({
        name,
        input: { file_path: `/src/${name}.ts` },
        result: 'word '.repeat(Math.ceil(((share / whole) * facts.fillTokens * 4) / 5)),
      }));
      told.round(sized, thinks ? 'a thought' : undefined);
    }
    if (!(facts.isPending && at === facts.turns.length - 1 && turn.rounds.length === 0)) told.answer(turn.answer);
  }
  const { entries } = told;
  return {
    entries,
    rules,
    prompts,
    todos: facts.todos.map((todo, step) => `Step ${step}: ${todo}`),
    isPending: entries.at(-1)?.message.role === 'user',
  };
}
