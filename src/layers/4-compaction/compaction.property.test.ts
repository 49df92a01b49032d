/** What holds for every compaction, over generated conversations and windows from 8K to 1M. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compactionHarness,
  faultsOf,
  messagesOf,
  type Story,
  storyOf,
  talk,
  windowFor,
} from '../../../test/support/compaction-harness.ts';
import { runs as runsOf } from '../../../test/support/property-runs.ts';
import type { Entry } from '../../conversation/entry.ts';
import { type Message, textOf } from '../../conversation/message.ts';
import { countWindow, estimateTextTokens, estimateTokens } from '../../conversation/tokens.ts';
import { COMPACTION_LIMITS, LIMITS } from '../../limits.ts';
import type { CompactionOutcome } from './index.ts';
import { within } from './room.ts';

const limits = LIMITS.compaction;
const WINDOWS = [8_000, 16_000, 32_000, 200_000, 1_000_000] as const;
const fullStory = fc
  .constantFrom(...WINDOWS)
  .chain((tokens) => storyOf(windowFor(tokens).compactAt).map((story) => ({ tokens, story })));

function compacted(outcome: CompactionOutcome): Extract<CompactionOutcome, { kind: 'compacted' }> {
  if (outcome.kind === 'failed') throw new Error(outcome.reason);
  return outcome;
}

function isFilled(story: Story): boolean {
  return story.entries.some(({ message }) => estimateTokens(message) > 1_000);
}

const textOfAll = (messages: readonly Message[]) => messages.map(({ content }) => textOf(content)).join('\n');

describe('after a compaction whose summariser dropped everything it could', () => {
  it('the last request, every rule and every open step are there word for word, and nine messages in ten', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fullStory, async ({ tokens, story }) => {
        fc.pre(isFilled(story));
        runs += 1;
        const { compaction, request, context } = compactionHarness();
        const window = windowFor(tokens);
        const asked = request(story.entries, { window });
        const outcome = compacted(await compaction.compact(asked));
        const messages = messagesOf(outcome.context, outcome.entries);
        const text = textOfAll(messages);

        expect(faultsOf(messages)).toEqual([]);
        expect(text).toContain(story.prompts.at(-1));
        for (const rule of story.rules) expect(text).toContain(rule);
        for (const todo of story.todos) expect(text).toContain(todo);
        expect(text).not.toContain('Step done');

        const carriable = withinBudget(story.prompts, within(limits.messagesTokens, { window, limits: LIMITS }));
        const carried = carriable.filter((prompt) => text.includes(prompt));
        expect(carried.length).toBeGreaterThanOrEqual(carriable.length * 0.9);

        const after = asked.overheadTokens + messages.reduce((sum, message) => sum + estimateTokens(message), 0);
        expect(after).toBeLessThan(window.compactAt);
        const before = asked.overheadTokens + asked.messages.reduce((sum, message) => sum + estimateTokens(message), 0);
        expect(outcome.report.tokensAfter).toBe(Math.round((after * asked.windowTokens) / before));
        expect(outcome.report.tokensAfter).toBeLessThan(outcome.report.tokensBefore);
        expect(countWindow(outcome.entries)).toBeLessThan(window.compactAt);
        expect(context).toBe(outcome.context);
      }),
      { numRuns: runsOf(80) },
    );
    expect(runs).toBeGreaterThan(runsOf(40));
  });

  it('injected text is never taken for the words of the user', async () => {
    await fc.assert(
      fc.asyncProperty(fullStory, async ({ tokens, story }) => {
        fc.pre(isFilled(story) && !story.isPending);
        const { compaction, request } = compactionHarness();
        const outcome = compacted(await compaction.compact(request(story.entries, { window: windowFor(tokens) })));
        expect(textOfAll(outcome.entries.map(({ message }) => message))).not.toContain('text that was injected');
        for (const entry of outcome.entries) {
          expect(entry.injected?.map(({ block }) => block)).toEqual([...entry.message.content.keys()]);
        }
      }),
      { numRuns: runsOf(40) },
    );
  });

  it('it is all still there five compactions later', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(16_000, 200_000),
        fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
        async (tokens, seeds) => {
          const { compaction, request, context } = compactionHarness();
          const window = windowFor(tokens);
          const filling = 'word '.repeat(Math.floor((window.compactAt * 4) / 5));
          let entries: readonly Entry[] = [];
          const rules: string[] = [];
          for (const [at, seed] of seeds.entries()) {
            const rule = `Never use port ${seed % 60_000} on day ${at}.`;
            rules.push(rule);
            const told = talk(entries);
            // In the last span the user says nothing: the request before it is still the last.
            if (at < 4) told.user(`Request ${at} of ${seed}. ${rule}`);
            if (at === 1) {
              const todos = [{ content: `Find leak ${seed}`, status: 'pending' }];
              told.round([{ name: 'TodoWrite', input: { todos }, result: 'ok' }]);
            }
            told.round([{ name: 'Read', result: filling }]);
            const outcome = compacted(await compaction.compact(request(told.entries, { window })));
            entries = outcome.entries.map((entry, index) => ({ ...entry, uuid: `g${at}-${index}` }));
          }
          const text = textOfAll(messagesOf(context, entries));
          for (const rule of rules.slice(0, 4)) expect(text).toContain(rule);
          expect(text).toContain(`Find leak ${seeds[1]}`);
          expect(text).toMatch(
            new RegExp(`last request, word for word\n<user-message id="[^"]+">\nRequest 3 of ${seeds[3]}`),
          );
          expect(compaction.state().compactions).toBe(5);
        },
      ),
      { numRuns: runsOf(25) },
    );
  });
});

describe('whatever the sizes', () => {
  const sizes = fc.record({
    tokens: fc.constantFrom(...WINDOWS.slice(0, 4)),
    request: fc.integer({ min: 1, max: 400_000 }),
    rules: fc.integer({ min: 0, max: 400 }),
    todos: fc.integer({ min: 0, max: 400 }),
    messages: fc.integer({ min: 0, max: 60 }),
    messageCharacters: fc.integer({ min: 1, max: 5_000 }),
    summary: fc.integer({ min: 0, max: 200_000 }),
    file: fc.integer({ min: 1, max: 100_000 }),
    skill: fc.integer({ min: 1, max: 100_000 }),
    plan: fc.integer({ min: 1, max: 50_000 }),
    hook: fc.integer({ min: 1, max: 20_000 }),
    isPending: fc.boolean(),
  });

  it('nothing exceeds its limit, and the window is below the threshold or the conversation unchanged', async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(sizes, async (size) => {
        const window = windowFor(size.tokens);
        const bound = (budget: number) => within(budget, { window, limits: LIMITS });
        const lines = (count: number) => 'a line of words\n'.repeat(Math.ceil(count / 16));
        const told = talk();
        for (let at = 0; at < size.messages; at++)
          told.user(`${at} ${'m'.repeat(size.messageCharacters)}`).answer('ok');
        for (let at = 0; at < size.rules; at++) told.user(`Always follow rule ${at} of the long list.`).answer('ok');
        const listed = Array.from({ length: size.rules }, (_, at) => `\n- Always follow rule ${at} of the long list.`);
        const todos = Array.from({ length: size.todos }, (_, at) => ({ content: `Do step ${at}`, status: 'pending' }));
        told.round([{ name: 'TodoWrite', input: { todos }, result: 'ok' }]);
        told.user(`R${'r'.repeat(size.request)}E`);
        if (!size.isPending) told.round([{ name: 'Read', result: 'word '.repeat(window.compactAt) }]);
        const paths = Array.from({ length: 8 }, (_, at) => `/file${at}.ts`);
        const { compaction, request } = compactionHarness({
          answer: () => ({
            text: `<summary>## Files and code\n${lines(size.summary)}<rules>${listed.join('')}</rules></summary>`,
          }),
          ports: { readFile: async () => lines(size.file), sessionStart: async () => [lines(size.hook)] },
        });
        const before = structuredClone(told.entries);
        const skills = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ name, text: lines(size.skill) }));
        const restorable = { readPaths: paths, skills, plan: lines(size.plan), notices: [], hookTexts: [] };
        const outcome = await compaction.compact(request(told.entries, { window, restorable }));
        expect(told.entries).toEqual(before);
        if (outcome.kind === 'failed') {
          expect(outcome.failure).toMatch(/^(?:longer-than-before|no-gain|no-room)$/);
          return;
        }
        applied += 1;
        const messages = messagesOf(outcome.context, outcome.entries);
        expect(500 + messages.reduce((sum, message) => sum + estimateTokens(message), 0)).toBeLessThan(
          window.compactAt,
        );
        const texts = outcome.entries.find(({ injected }) => injected?.some(({ source }) => source === 'summary'))!
          .message.content as readonly { text: string }[];
        const sizesOf = (opening: string) =>
          texts.filter(({ text }) => text.startsWith(opening)).map(({ text }) => estimateTextTokens(text));
        const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
        const files = sizesOf('<file-as-it-is-now');
        expect(files.length).toBeLessThanOrEqual(5);
        for (const each of files) expect(each).toBeLessThanOrEqual(bound(5_000));
        expect(sum(files)).toBeLessThanOrEqual(bound(50_000));
        for (const each of sizesOf('<skill')) expect(each).toBeLessThanOrEqual(bound(5_000));
        expect(sum(sizesOf('<skill'))).toBeLessThanOrEqual(bound(25_000));
        expect(sum(sizesOf('<plan'))).toBeLessThanOrEqual(bound(5_000));
        expect(sum(sizesOf('a line of words'))).toBeLessThanOrEqual(bound(2_500));
        const copied = texts.at(-1)!.text;
        expect(estimateTextTokens(sectionOf(copied, 'What the user said'))).toBeLessThanOrEqual(bound(8_000));
        expect(estimateTextTokens(sectionOf(copied, 'Rules the user gave'))).toBeLessThanOrEqual(4_000);
        expect(estimateTextTokens(sectionOf(copied, 'Open steps'))).toBeLessThanOrEqual(2_000);
        expect(estimateTextTokens(sectionOf(copied, 'Names, values'))).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: runsOf(30) },
    );
    expect(applied).toBeGreaterThan(runsOf(10));
  });
});

/** Which prompts before the last fit the budget when the newest are taken first. */
function withinBudget(prompts: readonly string[], budgetTokens: number): readonly string[] {
  let left = budgetTokens;
  const fits: string[] = [];
  for (const prompt of prompts.slice(0, -1).toReversed()) {
    // Including its frame: about as much as a heading and a tag take.
    const tokens = estimateTextTokens(prompt) + 20;
    if (tokens + COMPACTION_LIMITS.headingTokens > left) continue;
    left -= tokens;
    fits.push(prompt);
  }
  return fits;
}

function sectionOf(text: string, heading: string): string {
  const from = text.indexOf(`## ${heading}`);
  const to = text.indexOf('\n\n## ', from);
  return from < 0 ? '' : text.slice(from, to < 0 ? undefined : to);
}
