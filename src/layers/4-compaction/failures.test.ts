/** A summariser that does anything but its work: the conversation stays as it was, with one clear line. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BARE_SUMMARY,
  compactionHarness,
  faultsOf,
  storyOf,
  talk,
  windowFor,
} from '../../../test/support/compaction-harness.ts';
import { textOf } from '../../conversation/message.ts';
import { LIMITS } from '../../limits.ts';
import { ModelFailure } from '../../model/failure.ts';
import type { ScriptStep } from '../../model/scripted.ts';

const long = talk()
  .user('Build the importer.')
  .round([{ name: 'Read', result: 'word '.repeat(4_000) }])
  .round([{ name: 'Read', result: 'word '.repeat(4_000) }])
  .round([{ name: 'Read', result: 'word '.repeat(4_000) }])
  .answer('Read it all.').entries;

const tooLong = (tokensOver: number | null = null): ScriptStep => ({
  fail: new ModelFailure({ failure: 'too-long', message: 'prompt is too long', tokensOver }),
});

describe('a summariser that', () => {
  it.each<[string, ScriptStep, string, string]>([
    ['fails', { fail: 'server' }, 'server', 'failed as its script says'],
    ['has no credit left', { fail: 'billing' }, 'billing', 'failed as its script says'],
    ['calls a tool', { text: BARE_SUMMARY, tools: [{ name: 'Read', input: {} }] }, 'called-a-tool', 'called a tool'],
    ['answers nothing', {}, 'no-answer', 'answered nothing'],
    ['answers white space', { text: ' \n ' }, 'no-answer', 'answered nothing'],
    ['answers nonsense', { text: 'Sure! Happy to help.' }, 'no-summary-tags', 'no <summary>'],
    ['writes signs alone in tags', { text: '<summary>… --- 1. 2. 3.</summary>' }, 'no-words', 'no words'],
    ['says nothing in tags', { text: '<analysis>a</analysis><summary> \n</summary>' }, 'empty', 'was empty'],
    ['opens no tag', { text: '## What was asked\nall</summary>' }, 'no-summary-tags', 'no <summary>'],
    ['closes no tag', { text: '<summary>## What was asked\nall' }, 'no-summary-tags', 'no <summary>'],
    ['is cut off', { text: '<summary>## What was asked\nall', stopReason: 'length' }, 'cut-off', 'output limit'],
    [
      'writes more than it read',
      { text: `<summary>## What was asked\n${'more words '.repeat(9_000)}</summary>` },
      'longer-than-before',
      'longer than what it would replace',
    ],
    ['has a request too long itself', tooLong(), 'too-long', 'too long even to be summarised'],
  ])('%s', async (_, step, failure, words) => {
    const { compaction, request, boundaries, announced } = compactionHarness({ answer: () => step });
    const asked = request(long);
    const before = structuredClone(asked.entries);
    const objects = [...asked.entries];
    const outcome = await compaction.compact(asked);
    expect(outcome).toMatchObject({ kind: 'failed', failure });
    const reason = outcome.kind === 'failed' ? outcome.reason : '';
    expect(reason).toMatch(new RegExp(words));
    expect(reason).toMatch(/^Not compacted: [^\n]+\.$/);
    expect(asked.entries).toEqual(before);
    for (const [at, entry] of asked.entries.entries()) expect(entry).toBe(objects[at]);
    expect([boundaries, announced]).toEqual([[], []]);
  });

  it('throws something that is not a model failure', async () => {
    const { compaction, request } = compactionHarness({
      ports: {
        summarise() {
          throw new TypeError('cannot read\nproperties of undefined');
        },
      },
    });
    expect(await compaction.compact(request(long))).toEqual({
      kind: 'failed',
      failure: 'model-error',
      reason: 'Not compacted: TypeError: cannot read properties of undefined.',
    });
  });

  it('fails ten times: after three it is no longer asked automatically, by hand it still is, and a success resets', async () => {
    let works = false;
    const { compaction, request, model } = compactionHarness({
      answer: () => (works ? { text: BARE_SUMMARY } : { fail: 'server' }),
    });
    const window = windowFor(16_000);
    const look = () =>
      compaction.look({ windowTokens: 16_000, window, trigger: 'auto', isFork: false, enabled: true, notes: 'none' });
    const before = structuredClone(long);
    let problem: string | null = null;
    for (let time = 0; time < 10; time++) {
      const decision = look();
      if (decision.kind === 'compact') await compaction.compact(request(long, { window }));
      else problem = decision.problem;
    }
    expect(model.requests).toHaveLength(3);
    expect(problem).toMatch(/failed 3 times in a row/);
    expect(long).toEqual(before);
    works = true;
    expect(await compaction.compact(request(long, { window, trigger: 'manual' }))).toMatchObject({ kind: 'compacted' });
    look();
    expect(look().kind).toBe('compact');
  });

  it('is interrupted or forbidden does not count as failing', async () => {
    const stop = new AbortController();
    stop.abort();
    const { compaction, request } = compactionHarness({
      ports: { beforeCompaction: async () => ({ forbidden: 'not during a release' }) },
    });
    expect(await compaction.compact(request(long))).toMatchObject({
      failure: 'forbidden',
      reason: 'Not compacted: a hook forbids it: not during a release.',
    });
    const interrupted = compactionHarness();
    expect(await interrupted.compaction.compact(interrupted.request(long, { signal: stop.signal }))).toMatchObject({
      failure: 'aborted',
    });
    expect([compaction.state().failures, interrupted.compaction.state().failures]).toEqual([0, 0]);
  });

  it('is asked while it is at work', async () => {
    const { compaction, request } = compactionHarness();
    const [first, second] = await Promise.all([compaction.compact(request(long)), compaction.compact(request(long))]);
    expect(first.kind).toBe('compacted');
    expect(second).toMatchObject({ failure: 'already-running' });
  });
});

describe('a conversation that gains nothing', () => {
  it.each([
    ['has not begun', talk().entries, 'nothing-to-summarise'],
    ['is short', talk().user('Hello').answer('Hello! What shall we do?').entries, 'longer-than-before'],
    ['is all request', talk().user('do '.repeat(3_000)).answer('Done.').entries, 'no-gain'],
  ])('%s', async (_, entries, failure) => {
    const { compaction, request } = compactionHarness({
      answer: () => ({ text: `<summary>## What was asked\n${'all of it '.repeat(10)}</summary>` }),
    });
    expect(await compaction.compact(request(entries, { trigger: 'manual' }))).toMatchObject({ failure });
  });

  it('has no room for anything but its system prompt', async () => {
    const { compaction, request, model } = compactionHarness();
    const outcome = await compaction.compact(request(long, { window: windowFor(8_000), overheadTokens: 5_500 }));
    expect(outcome).toMatchObject({ failure: 'no-room' });
    expect(outcome.kind === 'failed' && outcome.reason).toMatch(/take about 5505 tokens, of 5867/);
    expect(model.requests).toEqual([]);
  });
});

describe('a summary that is itself too long to ask for', () => {
  it('is requested again without the oldest rounds, as many as cover the gap', async () => {
    const { compaction, request, model } = compactionHarness({
      answer: (index) => (index === 0 ? tooLong(6_000) : { text: BARE_SUMMARY }),
    });
    const asked = request(long);
    expect(await compaction.compact(asked)).toMatchObject({ kind: 'compacted', report: { shortenings: 1 } });
    const [first, second] = model.requests.map(({ messages }) => messages);
    expect(first!.slice(0, -1)).toEqual(asked.messages);
    // The prompt and the first round hold 5,000 tokens, two rounds 10,000.
    expect(second!.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(textOf(second![0]!.content)).toMatch(/^\[The oldest messages are left out/);
    expect(faultsOf(second!)).toEqual([]);
  });

  it('never splits a call from its result, keeps the last round, and gives up after three more tries', async () => {
    await fc.assert(
      fc.asyncProperty(
        storyOf(50_000),
        fc.option(fc.integer({ min: 1, max: 60_000 }), { nil: null }),
        async (story, gap) => {
          const { compaction, request, model } = compactionHarness({ answer: () => tooLong(gap) });
          const asked = request(story.entries);
          const outcome = await compaction.compact(asked);
          expect(outcome).toMatchObject({ kind: 'failed', failure: 'too-long' });
          expect(model.requests.length).toBeLessThanOrEqual(1 + LIMITS.compaction.shorterTries);
          const last = story.entries.at(-1)!.message.content[0];
          for (const [at, { messages }] of model.requests.entries()) {
            expect(faultsOf(messages)).toEqual([]);
            expect(messages.some(({ content }) => content.includes(last!))).toBe(true);
            if (at > 0) expect(messages.length).toBeLessThanOrEqual(model.requests[at - 1]!.messages.length);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
