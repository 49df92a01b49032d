import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { madeRecording } from '../../../test/support/recordings.ts';
import type { Message } from '../../conversation/message.ts';
import { windowOf } from '../../conversation/window.ts';
import { CLEARED_TEXT } from '../../layers/2-microcompact/index.ts';
import { LIMITS } from '../../limits.ts';
import { priceOf } from '../../model/prices.ts';
import type { PolicyPorts } from './policy.ts';
import { readRecording } from './read-recording.ts';
import { POLICIES } from './replay.ts';
import { sessionOf } from './session.ts';

const PREFIX_TOKENS = 20_000;
const WINDOW = windowOf({ modelWindowTokens: 200_000, maxOutputTokens: 64_000, limits: LIMITS.window });

interface Watched {
  readonly requests: readonly (readonly Message[])[];
  readonly windows: readonly number[];
  readonly calls: readonly string[];
}

async function watch(name: string, made: Parameters<typeof madeRecording>[0]): Promise<Watched> {
  const session = sessionOf([readRecording(JSON.stringify(madeRecording(made)), 'made up')!]);
  const kind = POLICIES.find((each) => `${each.name} ${each.economy ?? ''}`.trim() === name)!;
  const calls: string[] = [];
  const ports: PolicyPorts = {
    ...{ sizes: session.sizes, prefixTokens: PREFIX_TOKENS, window: WINDOW, ttl: '5m', limits: LIMITS },
    price: priceOf('claude-sonnet-4-6')!,
    call: ({ purpose }) => calls.push(purpose),
    freed: () => {},
    compacted: () => {},
  };
  const policy = kind.create(ports);
  const requests: (readonly Message[])[] = [];
  let answeredAtMs: number | null = null;
  for (const [at, { before, answer, atMs }] of session.steps.entries()) {
    const idleMs = answeredAtMs === null ? null : atMs - answeredAtMs;
    requests.push(await policy.request({ entries: before, atMs, idleMs, requests: at }));
    answeredAtMs = Date.parse(answer.at);
    await policy.answered(answer, { atMs: answeredAtMs });
  }
  const sizeOf = (messages: readonly Message[]) =>
    messages.reduce((sum, message) => sum + session.sizes.of(message), PREFIX_TOKENS);
  return { requests, windows: requests.map(sizeOf), calls };
}

const names = POLICIES.map(({ name, economy }) => `${name} ${economy ?? ''}`.trim());

function results(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result'
        ? [block.content.map((part) => (part.type === 'text' ? part.text : '')).join('')]
        : [],
    ),
  );
}

describe('every policy', () => {
  it.each(names)('%s sends each call with its result, and each result with its call', async (name) => {
    const made = fc.record({
      rounds: fc.integer({ min: 1, max: 60 }),
      resultCharacters: fc.integer({ min: 100, max: 28_000 }),
      roundsInTurn: fc.integer({ min: 1, max: 9 }),
      idleBefore: fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(made, async (facts) => {
        for (const messages of (await watch(name, facts)).requests) {
          const blocks = messages.flatMap(({ content }) => content);
          const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
          const answers = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
          expect([...answers].sort()).toEqual([...calls].sort());
        }
      }),
      { numRuns: 4 },
    );
  });

  const LONG = { rounds: 160, resultCharacters: 8_000 };

  it.each(names.filter((name) => !/^(?:none|clear|keep)/.test(name)))('%s stays within the window', async (name) => {
    const { windows } = await watch(name, LONG);
    expect(Math.max(...windows)).toBeLessThanOrEqual(WINDOW.window);
    expect(windows.some((tokens, at) => at > 0 && tokens < windows[at - 1]!)).toBe(true);
  });

  it('none only grows, past the window', async () => {
    const { windows, calls } = await watch('none', LONG);
    expect(windows.every((tokens, at) => at === 0 || tokens > windows[at - 1]!)).toBe(true);
    expect(windows.at(-1)).toBeGreaterThan(200_000);
    expect(calls).toEqual([]);
  });

  it('clear-100k-keep-3 leaves the last three results once the window is over 100,000', async () => {
    const { requests, windows } = await watch('clear-100k-keep-3', LONG);
    const cleared = requests.map((messages) => results(messages).filter((text) => text === CLEARED_TEXT).length);
    const first = cleared.findIndex((count) => count > 0);
    expect(windows[first - 1]).toBeLessThanOrEqual(100_000);
    expect(results(requests[first]!).length - cleared[first]!).toBe(3);
  });

  it('keep-40k-tool-output keeps the newest 40,000 tokens of results, and clears 20,000 at a time', async () => {
    const { requests, windows } = await watch('keep-40k-tool-output', LONG);
    const live = results(requests.at(-1)!).filter((text) => text !== CLEARED_TEXT);
    const tokens = live.reduce((sum, text) => sum + text.length / 4, 0);
    expect(tokens).toBeGreaterThan(35_000);
    expect(tokens).toBeLessThan(65_000);
    const drops = windows.filter((window, at) => at > 0 && window < windows[at - 1]!);
    expect(drops.length).toBeLessThan(20);
  });

  it('summarise asks once for each time the window was full; ours asks for notes instead', async () => {
    const summarised = await watch('summarise', LONG);
    const drops = summarised.windows.filter((tokens, at) => at > 0 && tokens < summarised.windows[at - 1]!).length;
    expect(summarised.calls).toEqual(Array.from({ length: drops }, () => 'compaction'));
    expect(new Set((await watch('reverie off', LONG)).calls)).toEqual(new Set(['notes']));
  });

  it('ours asks a model when notes are too far behind', async () => {
    const { windows, calls } = await watch('reverie off', { rounds: 12, resultCharacters: 180_000 });
    expect(calls).toContain('compaction');
    expect(Math.max(...windows)).toBeLessThanOrEqual(WINDOW.window);
  });

  it('the more economical, the smaller the window', async () => {
    const average = async (name: string) => {
      const { windows } = await watch(name, LONG);
      return windows.reduce((sum, tokens) => sum + tokens, 0) / windows.length;
    };
    const [off, balanced, max] = [
      await average('reverie off'),
      await average('reverie balanced'),
      await average('reverie max'),
    ];
    expect(balanced).toBeLessThan(off);
    expect(max).toBeLessThan(balanced);
  });
});
