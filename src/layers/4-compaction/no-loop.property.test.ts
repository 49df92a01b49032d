/** No conversation is compacted in circles and none overflows: whole sessions with windows from 8K to 1M, and the last resort alone. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compactionHarness,
  faultsOf,
  messagesOf,
  storyOf,
  talk,
  windowFor,
} from '../../../test/support/compaction-harness.ts';
import { runs } from '../../../test/support/property-runs.ts';
import type { Entry } from '../../conversation/entry.ts';
import { type Message, textOf } from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import { LIMITS } from '../../limits.ts';
import { type Expanded, expand, fitHardStop } from './index.ts';

const limits = LIMITS.compaction;
const OVERHEAD = 500;
const sizeOf = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + estimateTokens(message), 0);
const filler = (tokens: number) => 'word '.repeat(Math.ceil((tokens * 4) / 5));

describe('a whole session', () => {
  const rounds = fc.array(
    fc.record({
      /** Share of the window: occasionally more than all of it. */
      percent: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 30, max: 150 })),
      prompt: fc.option(fc.integer({ min: 1, max: 3_000 }), { nil: null }),
    }),
    { minLength: 10, maxLength: 30 },
  );

  it('sends no request past the hard stop, and compacts only to continue', async () => {
    let compactions = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(8_000, 12_000, 16_000, 32_000, 64_000, 200_000, 1_000_000),
        rounds,
        async (tokens, steps) => {
          const window = windowFor(tokens);
          const { compaction, request, context } = compactionHarness();
          let entries: readonly Entry[] = talk().user('Begin.').entries;
          for (const [at, { percent, prompt }] of steps.entries()) {
            let messages = messagesOf(context, entries);
            const windowTokens = OVERHEAD + sizeOf(messages);
            const decision = compaction.look({
              windowTokens,
              window,
              trigger: 'auto',
              isFork: false,
              enabled: true,
              notes: 'none',
            });
            expect(decision.kind).toBe(
              windowTokens < window.compactAt || compaction.state().refills >= limits.refills ? 'wait' : 'compact',
            );
            if (decision.kind === 'compact') {
              const outcome = await compaction.compact(
                request(entries, { window, windowTokens, overheadTokens: OVERHEAD }),
              );
              if (outcome.kind === 'failed') throw new Error(outcome.reason);
              compactions += 1;
              entries = outcome.entries;
              messages = messagesOf(outcome.context, entries);
              expect(OVERHEAD + sizeOf(messages)).toBeLessThan(window.compactAt);
            }
            const fit = fitHardStop(messages, { window, overheadTokens: OVERHEAD, limits });
            expect(fit.fits).toBe(true);
            expect(OVERHEAD + sizeOf(fit.messages)).toBeLessThanOrEqual(window.hardStopAt);
            expect(faultsOf(fit.messages)).toEqual([]);
            const told = talk(entries);
            told.round([{ name: 'Read', result: filler((percent / 100) * window.window) }]);
            if (prompt !== null) told.answer('ok').user(`Prompt ${at} ${'p'.repeat(prompt)}`);
            entries = told.entries.map((entry, index) =>
              index < entries.length ? entry : { ...entry, uuid: `${at}-${index}` },
            );
          }
        },
      ),
      { numRuns: runs(25) },
    );
    expect(compactions).toBeGreaterThan(25);
  });

  it('stops with a clear line when each compaction is full again at once, and continues when there is room', async () => {
    const window = windowFor(16_000);
    const { compaction, request, context } = compactionHarness();
    const facts = { window, trigger: 'auto', isFork: false, enabled: true, notes: 'none' } as const;
    let entries: readonly Entry[] = talk().user('Read the giant.').entries;
    const seen: string[] = [];
    for (let round = 0; round < 6; round++) {
      entries = talk(entries).round([{ name: 'Read', result: filler(window.compactAt) }]).entries;
      const decision = compaction.look({ ...facts, windowTokens: OVERHEAD + sizeOf(messagesOf(context, entries)) });
      seen.push(decision.reason);
      if (decision.kind === 'wait') continue;
      const outcome = await compaction.compact(request(entries, { window }));
      if (outcome.kind === 'compacted') entries = outcome.entries;
    }
    expect(seen).toEqual([
      'window-full',
      'window-full',
      'window-full',
      'fills-at-once',
      'fills-at-once',
      'fills-at-once',
    ]);
    expect(compaction.look({ ...facts, windowTokens: 100 })).toMatchObject({ reason: 'room-left' });
    expect(compaction.look({ ...facts, windowTokens: 16_000 })).toMatchObject({ kind: 'compact' });
  });
});

describe('the last resort', () => {
  const window = windowFor(8_000);
  const facts = { window, overheadTokens: OVERHEAD, limits };

  it('fits whatever the sizes, splits no call from its result, and leaves alone what fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 60_000 }).chain(storyOf), (story) => {
        const messages = messagesOf([], story.entries);
        const fit = fitHardStop(messages, facts);
        expect(fit.fits).toBe(true);
        expect(OVERHEAD + sizeOf(fit.messages)).toBeLessThanOrEqual(window.hardStopAt);
        expect(faultsOf(fit.messages)).toEqual([]);
        if (OVERHEAD + sizeOf(messages) <= window.hardStopAt) expect(fit.messages).toBe(messages);
      }),
      { numRuns: runs(60) },
    );
  });

  it('takes from the newest results first, the largest of them, and keeps their head and tail', () => {
    const entries = talk()
      .user('Go.')
      .round([{ name: 'Read', result: filler(1_000) }])
      .round([
        { name: 'Read', result: 'small' },
        { name: 'Read', result: `HEAD ${filler(20_000)} TAIL` },
      ]).entries;
    const messages = messagesOf([], entries);
    const fit = fitHardStop(messages, facts);
    expect(fit).toMatchObject({ shortened: 1, hasDropped: false, fits: true });
    for (const at of [0, 1, 2, 3]) expect(fit.messages[at]).toBe(messages[at]);
    const [small, large] = fit.messages[4]!.content;
    expect(small).toBe(messages[4]!.content[0]);
    expect(large).toMatchObject({ content: [{ text: expect.stringMatching(/^HEAD word .*left out.* word +TAIL$/s) }] });
    expect(OVERHEAD + sizeOf(fit.messages)).toBeGreaterThan(window.hardStopAt - 50);
  });

  it('cuts a giant prompt, leaves images out, and drops the oldest rounds when there is nothing else', () => {
    const giant = fitHardStop(messagesOf([], talk().user(`A${'x'.repeat(200_000)}Z`).entries), facts);
    expect(textOf(giant.messages[0]!.content)).toMatch(/^Ax+\n\[… .*\]\nx+Z$/s);
    expect(giant).toMatchObject({ shortened: 1, hasDropped: false, fits: true });
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } } as const;
    const pictures = fitHardStop([{ role: 'user', content: Array(9).fill(image) }], facts);
    expect(pictures.fits).toBe(true);
    const told = talk().user('Begin.');
    for (let turn = 0; turn < 30; turn++) told.answer(filler(500)).user(`Go on ${turn}`);
    const dropped = fitHardStop(messagesOf([], told.entries), facts);
    expect(dropped).toMatchObject({ hasDropped: true, fits: true });
    expect(textOf(dropped.messages.at(-1)!.content)).toBe('Go on 29');
    expect(faultsOf(dropped.messages)).toEqual([]);
  });

  it('trusts the provider if it counts more than we do, and says when nothing helps', () => {
    const messages = messagesOf(
      [],
      talk()
        .user('Go.')
        .round([{ name: 'Read', result: filler(5_000) }]).entries,
    );
    expect(fitHardStop(messages, facts).shortened).toBe(0);
    expect(fitHardStop(messages, { ...facts, windowTokens: 8_000 }).shortened).toBe(1);
    expect(fitHardStop(messages, { ...facts, overheadTokens: 7_000 }).fits).toBe(false);
  });
});

describe('expanding a summarised range', () => {
  const { entries } = talk()
    .user('Find the leak.', ['injected'])
    .round([{ name: 'Grep', input: { pattern: 'alloc' }, result: 'a.c:1 alloc' }], 'secret thought')
    .answer('Found it in a.c.');

  it('shows who said and did what, without injected text', () => {
    const shown = expand(entries, { range: { from: 'e1', to: 'e4' } })!;
    expect(shown).toMatchObject({ shown: 4, nextUuid: null });
    expect(shown.text).toContain('[user, 2026-05-01T10:00:00.000Z, e1]\nFind the leak.');
    expect(shown.text).toContain('call of Grep: {"pattern":"alloc"}');
    expect(shown.text).toContain('result: a.c:1 alloc');
    expect(shown.text).toContain('Found it in a.c.');
    expect(shown.text).not.toMatch(/injected|secret thought/);
  });

  it('stays within its tokens, says where to continue, and gets through a range piece by piece', () => {
    const told = talk();
    for (let turn = 0; turn < 40; turn++) told.user(`Turn ${turn} ${'x'.repeat(3_000)}`).answer('ok');
    const seen: string[] = [];
    let from: string | null = 'e1';
    for (let piece = 0; from !== null && piece < 100; piece++) {
      const shown: Expanded = expand(told.entries, { range: { from, to: 'e80' }, mostTokens: 2_000 })!;
      expect(sizeOf([{ role: 'user', content: [{ type: 'text', text: shown.text }] }])).toBeLessThanOrEqual(2_000);
      seen.push(...[...shown.text.matchAll(/Turn (\d+) /g)].map((match) => match[1]!));
      from = shown.nextUuid;
    }
    expect(seen).toEqual(Array.from({ length: 40 }, (_, turn) => String(turn)));
  });

  it('gets past a message longer than everything that may be shown', () => {
    const results = Array.from({ length: 30 }, (_, at) => ({ name: 'Read', result: `${at} ${'x'.repeat(3_000)}` }));
    const told = talk().user('Read them all.').round(results, 'thought').answer('Read.').entries;
    const seen: string[] = [];
    let from: string | null = 'e1';
    for (let piece = 0; from !== null && piece < 10; piece++) {
      const shown: Expanded = expand(told, { range: { from, to: 'e4' }, mostTokens: 1_000 })!;
      expect(sizeOf([{ role: 'user', content: [{ type: 'text', text: shown.text }] }])).toBeLessThanOrEqual(1_000);
      seen.push(shown.text);
      from = shown.nextUuid;
    }
    expect(from).toBeNull();
    expect(seen.join('\n')).toMatch(/Read them all\.[\s\S]*result: 0 x+[\s\S]*\[… cut\][\s\S]*Read\.$/);
  });

  it('returns nothing for messages that are not there', () => {
    expect(expand(entries, { range: { from: 'e1', to: 'gone' } })).toBeNull();
    expect(expand(entries, { range: { from: 'e4', to: 'e1' } })).toBeNull();
  });
});
