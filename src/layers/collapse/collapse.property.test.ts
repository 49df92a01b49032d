/** Folded views over generated conversations: valid for a provider, always the same, and none while it is off. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentBlock, Message } from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import { COLLAPSE_LIMITS, LIMITS } from '../../limits.ts';
import { type CollapsePorts, type CollapseState, createCollapse, readCollapseState } from './index.ts';

type Step = { readonly kind: 'words' } | { readonly kind: 'round'; readonly sizes: readonly number[] };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: 'words' } as const),
  fc.record({ kind: fc.constant('round' as const), sizes: fc.array(fc.nat(4_000), { minLength: 1, maxLength: 4 }) }),
);
const steps = fc.array(step, { minLength: 1, maxLength: 30 });

const words = (text: string): ContentBlock => ({ type: 'text', text });

/** A prompt, rounds, an answer, and so on; the last turn may still be running. */
function conversationOf(made: readonly Step[]): Message[] {
  const messages: Message[] = [{ role: 'user', content: [words('the first request')] }];
  for (const [at, each] of made.entries()) {
    if (each.kind === 'words') {
      messages.push({ role: 'assistant', content: [words(`answer ${at}`)] });
      messages.push({ role: 'user', content: [words(`request ${at}`)] });
      continue;
    }
    const ids = each.sizes.map((_, call) => `toolu_${at}_${call}`);
    const calls = ids.map((id) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: `${id}.ts` } }) as const);
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'signed' } as const;
    messages.push({ role: 'assistant', content: [thinking, words(`looking ${at}`), ...calls] });
    const results = each.sizes.map(
      (size, call) =>
        ({
          type: 'tool_result',
          tool_use_id: ids[call]!,
          content: [{ type: 'text', text: 'x'.repeat(size) }],
        }) as const,
    );
    messages.push({ role: 'user', content: [...results, words(`reminder ${at}`)] });
  }
  return messages;
}

const sizeOf = (messages: readonly Message[]) => messages.reduce((sum, each) => sum + estimateTokens(each), 0);

function ports(over: Partial<CollapsePorts> = {}) {
  const states: CollapseState[] = [];
  const breaks: string[] = [];
  const given: CollapsePorts = {
    limits: LIMITS.collapse,
    isOn: () => true,
    announceBreak: (reason) => breaks.push(reason),
    onState: (state) => states.push(state),
    ...over,
  };
  return { given, states, breaks };
}

function expectValid(messages: readonly Message[]): void {
  for (const [at, { role, content }] of messages.entries()) {
    expect(role).toBe(at % 2 === 0 ? 'user' : 'assistant');
    expect(content.length).toBeGreaterThan(0);
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const next = messages[at + 1]?.content ?? [];
    const answered = next.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    if (role === 'assistant') expect(answered).toEqual(calls);
  }
}

const textsOf = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));

describe('collapse', () => {
  it('leaves roles, pairs, all words and the newest work as they are', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 50, max: 20_000 }), (made, effectiveTokens) => {
        const messages = conversationOf(made);
        const { given, breaks } = ports();
        const folded = createCollapse(given).prepare({ messages, windowTokens: sizeOf(messages), effectiveTokens });
        expectValid(folded.messages);
        expect(textsOf(folded.messages)).toEqual(expect.arrayContaining(textsOf(messages)));
        const newestWords = messages.findLastIndex(
          ({ role, content }) => role === 'user' && content.every(({ type }) => type === 'text'),
        );
        expect(folded.messages.slice(newestWords)).toEqual(messages.slice(newestWords));
        expect(breaks).toEqual(folded.decision.kind === 'fold' ? ['collapse'] : []);
        expect(folded.windowTokens).toBe(sizeOf(folded.messages));
        const isFull = sizeOf(messages) >= effectiveTokens * COLLAPSE_LIMITS.foldAtShare;
        if (!isFull) expect(folded.messages).toBe(messages);
      }),
    );
  });

  it('always shows what it folded in the same bytes: as it grows, resumed, in a fork, with results cleared meanwhile', () => {
    fc.assert(
      fc.property(steps, steps, fc.integer({ min: 50, max: 5_000 }), (made, more, effectiveTokens) => {
        const messages = conversationOf(made);
        const { given, states } = ports();
        const collapse = createCollapse(given);
        const first = collapse.prepare({ messages, windowTokens: sizeOf(messages), effectiveTokens });
        const kept = readCollapseState(JSON.parse(JSON.stringify(states.at(-1) ?? null)));
        const off = { isOn: () => false };
        const grown = conversationOf([...made, ...more]);
        const cleared = grown.map(withoutResults(new Set(kept.folds.flatMap(({ toolUseIds }) => toolUseIds))));
        const views = [
          collapse.clone(off).prepare({ messages: grown, windowTokens: 0, effectiveTokens }),
          collapse.prepare({ messages: grown, windowTokens: 0, effectiveTokens }),
          createCollapse(ports().given, kept).prepare({ messages: grown, windowTokens: 0, effectiveTokens }),
          createCollapse(ports(off).given, kept).prepare({ messages: cleared, windowTokens: 0, effectiveTokens }),
        ];
        for (const view of views) {
          expect(JSON.stringify(view.messages.slice(0, messages.length))).toBe(JSON.stringify(first.messages));
        }
      }),
    );
  });

  it('does nothing while it is off', () => {
    fc.assert(
      fc.property(steps, (made) => {
        const messages = conversationOf(made);
        const { given, states, breaks } = ports({ isOn: () => false });
        const collapse = createCollapse(given);
        const seen = collapse.prepare({ messages, windowTokens: sizeOf(messages), effectiveTokens: 1 });
        expect(seen).toEqual({ messages, windowTokens: sizeOf(messages), decision: { kind: 'wait', reason: 'off' } });
        expect(seen.messages).toBe(messages);
        collapse.counted();
        collapse.compacted(messages);
        expect([states, breaks]).toEqual([[], []]);
      }),
    );
  });

  it('unfolds for good, and says so', () => {
    const messages = conversationOf([
      ...Array.from({ length: 8 }, () => ({ kind: 'round', sizes: [4_000] }) as const),
      { kind: 'words' },
    ]);
    const { given, breaks, states } = ports();
    const collapse = createCollapse(given);
    const facts = { messages, windowTokens: sizeOf(messages), effectiveTokens: 100 };
    collapse.prepare(facts);
    // Eight rounds; the three newest stay.
    expect(collapse.state().folds.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4].map((at) => `toolu_${at}_0`));
    expect(collapse.unfold('no such id')).toBe(0);
    expect(collapse.unfold('toolu_1_0')).toBe(1);
    expect(collapse.prepare(facts).messages.slice(3, 5)).toEqual(messages.slice(3, 5));
    expect(collapse.unfold('all')).toBe(4);
    expect(collapse.prepare(facts)).toMatchObject({ messages, windowTokens: sizeOf(messages) });
    expect(breaks).toEqual(['collapse', 'unfolding', 'unfolding']);
    const resumed = createCollapse(ports().given, readCollapseState(states.at(-1)));
    expect(resumed.prepare(facts).decision).toEqual({ kind: 'wait', reason: 'nothing-finished' });
  });

  it('stops once there is room, and names calls and sizes in its lines', () => {
    const messages = conversationOf([
      { kind: 'round', sizes: [4_000, 10] },
      ...Array.from({ length: 9 }, () => ({ kind: 'round', sizes: [4_000] }) as const),
      { kind: 'words' },
    ]);
    const windowTokens = sizeOf(messages);
    const collapse = createCollapse(ports().given);
    const folded = collapse.prepare({ messages, windowTokens, effectiveTokens: windowTokens });
    // A tenth each: three have to go to get below three quarters.
    expect(collapse.state().folds).toHaveLength(3);
    expect(folded.messages[1]?.content).toEqual([
      words('looking 0'),
      words('[Finished work, folded: Read toolu_0_0.ts; Read toolu_0_1.ts]'),
    ]);
    expect(folded.messages[2]?.content).toEqual([
      words('[Left out: 2 results, 4010 characters. Make the call again to see it.]'),
      words('reminder 0'),
    ]);
  });

  it('reads damaged state as far as possible', () => {
    for (const damaged of [null, 7, 'x', [], { folds: 3 }, { folds: [null, { id: 'a' }], unfolded: [1] }]) {
      expect(readCollapseState(damaged)).toEqual({ folds: [], unfolded: [], uncountedTokens: 0 });
    }
  });
});

function withoutResults(ids: ReadonlySet<string>) {
  return (message: Message): Message => ({
    ...message,
    content: message.content.map((block) =>
      block.type === 'tool_result' && ids.has(block.tool_use_id)
        ? { ...block, content: [{ type: 'text', text: 'cleared' }] }
        : block,
    ),
  });
}

describe('folding that fails', () => {
  const messages = conversationOf(Array.from({ length: 8 }, () => ({ kind: 'round', sizes: [2_000] })));
  const full = [...messages, ...conversationOf([{ kind: 'words' }]).slice(1)];
  const facts = { messages: full, windowTokens: sizeOf(full), effectiveTokens: 1_000 };

  it('leaves the messages as they are, and gives up after three failures in a row', () => {
    const trips: unknown[] = [];
    let isBroken = true;
    const { given } = ports({
      announceBreak() {
        if (isBroken) throw new Error('out of order');
      },
      onPaused: (trip) => trips.push(trip),
    });
    const collapse = createCollapse(given);
    for (let time = 0; time < 3; time++) {
      expect(collapse.isPaused()).toBe(false);
      expect(collapse.prepare(facts).messages).toBe(full);
    }
    isBroken = false;
    expect(collapse.prepare(facts).decision).toEqual({ kind: 'wait', reason: 'failed-too-often' });
    expect(collapse.isPaused()).toBe(true);
    expect(trips).toEqual([{ failures: 3, problem: 'Error: out of order' }]);
  });

  it('starts over after a success', () => {
    let calls = 0;
    const folded: unknown[] = [];
    const { given } = ports({
      announceBreak() {
        calls += 1;
        if (calls < 3) throw new Error('out of order');
      },
      onFolded: (what) => folded.push(what),
    });
    const collapse = createCollapse(given);
    const decisions = [1, 2, 3].map(() => collapse.prepare(facts).decision.kind);
    expect(decisions.at(-1)).toBe('fold');
    expect(folded).toEqual([{ folds: collapse.state().folds.length, freedTokens: expect.any(Number) }]);
    expect(collapse.isPaused()).toBe(false);
  });
});
