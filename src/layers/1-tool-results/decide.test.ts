import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { decideBatch, decideResult, limitOf, type ResultSize, type SizeLimits } from './decide.ts';

const EFFECTIVE_OF_200K = 180_000;
/** What windowOf leaves of 16,384 tokens. */
const EFFECTIVE_OF_16K = 13_108;

function facts(more: Partial<SizeLimits> = {}): SizeLimits {
  return { effectiveTokens: EFFECTIVE_OF_200K, limits: LIMITS, settingOf: () => undefined, ...more };
}

function size(tool: string, characters: number, more: Partial<ResultSize> = {}): ResultSize {
  return { tool, characters, isError: false, tokens: Math.ceil(characters / 4), ...more };
}

describe('the limit of a tool', () => {
  it.each([
    ['WebFetch', 50_000, 'whole'],
    ['WebFetch', 50_001, 'store'],
    ['Bash', 30_000, 'whole'],
    ['Bash', 30_001, 'store'],
    ['Grep', 20_000, 'whole'],
    ['Grep', 20_001, 'store'],
    ['Agent', 32_000, 'whole'],
    ['Agent', 32_001, 'store'],
    ['mcp__files__list', 100_000, 'whole'],
    ['mcp__files__list', 100_001, 'store'],
    ['Read', 400_000, 'whole'],
    ['Read', 400_001, 'store'],
  ])('%s with %d characters: %s', (tool, characters, kind) => {
    expect(decideResult(size(tool, characters), facts()).kind).toBe(kind);
  });

  it('is in tokens for an MCP server: JSON reaches it in half the characters', () => {
    const json = size('mcp__issues__search', 60_000, { tokens: 30_000 });
    expect(decideResult(json, facts())).toMatchObject({ kind: 'store', reason: 'over-limit' });
  });

  it('is what the setting says, up to the ceiling', () => {
    const settingOf = (tool: string) => ({ Bash: 90_000, Read: 1_000, WebFetch: 9_000_000 })[tool];
    expect(decideResult(size('Bash', 80_000), facts({ settingOf })).kind).toBe('whole');
    expect(decideResult(size('Read', 3_000), facts({ settingOf })).kind).toBe('store');
    expect(decideResult(size('WebFetch', 400_001), facts({ settingOf })).kind).toBe('store');
  });

  it('keeps its share of a small window, and does not grow with a large one', () => {
    const small = facts({ effectiveTokens: EFFECTIVE_OF_16K });
    const share = EFFECTIVE_OF_16K / EFFECTIVE_OF_200K;
    expect(limitOf('Bash', small).characters).toBe(Math.floor(30_000 * share));
    expect(limitOf('Read', small).tokens).toBe(Math.floor(100_000 * share));
    expect(limitOf('mcp__a__b', small).tokens).toBe(Math.floor(25_000 * share));
    expect(limitOf('Bash', facts({ effectiveTokens: 980_000 }))).toEqual(limitOf('Bash', facts()));
    const plan = decideResult(size('Grep', 20_000), small);
    expect(plan.kind === 'store' && plan.previewBytes).toBe(Math.floor(limitOf('Grep', small).characters / 2));
  });

  it('applies a number the user chose unchanged in a small window', () => {
    const chosen = facts({ effectiveTokens: EFFECTIVE_OF_16K, settingOf: () => 5_000 });
    expect(decideResult(size('Bash', 5_000), chosen).kind).toBe('whole');
  });

  it("does not store a result that the preview's frame would make longer", () => {
    const plan = decideResult(size('Bash', 300), facts({ settingOf: () => 100 }));
    expect(plan).toEqual({ kind: 'whole', reason: 'too-small-to-pay' });
  });
});

describe('a failing command', () => {
  it.each([
    ['Bash', true, 10_500, 'whole'],
    ['Bash', true, 10_501, 'ends'],
    ['Bash', false, 20_000, 'whole'],
    ['WebFetch', true, 20_000, 'whole'],
  ] as const)('%s, failed %s, %d characters: %s', (tool, isError, characters, kind) => {
    expect(decideResult(size(tool, characters, { isError }), facts()).kind).toBe(kind);
  });
});

describe('the results of one round', () => {
  const batch = (...sizes: ResultSize[]) => sizes.map((each) => ({ size: each, frozen: null }));

  it('spills the largest until they fit together', () => {
    const plans = decideBatch(
      batch(
        size('WebFetch', 40_000),
        size('WebFetch', 50_000),
        ...Array.from({ length: 4 }, () => size('Bash', 29_000)),
      ),
      facts(),
    );
    expect(plans.map((plan) => plan?.kind)).toEqual(['whole', 'store', 'whole', 'whole', 'whole', 'whole']);
    expect(plans[1]).toMatchObject({ reason: 'batch-over-limit' });
  });

  it('spills what limits itself only when nothing else is left', () => {
    const reads = [size('Read', 90_000), size('Read', 80_000)];
    const enough = decideBatch(batch(...reads, size('WebFetch', 45_000)), facts());
    expect(enough.map((plan) => plan?.kind)).toEqual(['whole', 'whole', 'store']);
    const tooMuch = decideBatch(batch(...reads, size('Read', 70_000)), facts());
    expect(tooMuch.map((plan) => plan?.kind)).toEqual(['store', 'whole', 'whole']);
  });

  it('counts earlier decisions, and leaves them', () => {
    const frozen = { size: size('Bash', 150_000), frozen: 150_000 };
    const plans = decideBatch([frozen, ...batch(size('WebFetch', 49_000), size('WebFetch', 47_000))], facts());
    expect(plans.map((plan) => plan?.kind ?? null)).toEqual([null, 'store', 'whole']);
  });

  it('fits whatever comes', () => {
    const tools = fc.constantFrom('Bash', 'Grep', 'Read', 'WebFetch', 'mcp__a__b', 'Agent');
    const sizes = fc.array(
      fc.record({ tool: tools, characters: fc.integer({ min: 0, max: 300_000 }), isError: fc.boolean() }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(sizes, fc.constantFrom(EFFECTIVE_OF_16K, 60_000, EFFECTIVE_OF_200K), (drawn, effectiveTokens) => {
        const given = drawn.map(({ tool, ...more }) => size(tool, more.characters, more));
        const plans = decideBatch(batch(...given), facts({ effectiveTokens }));
        const share = effectiveTokens / EFFECTIVE_OF_200K;
        const whole = given.filter((_, at) => plans[at]?.kind === 'whole');
        const together = whole.reduce((sum, { characters }) => sum + characters, 0);
        // Results no longer than a preview with its frame are never worth a file.
        const tiny = whole.every(({ characters }) => characters <= 2_500);
        expect(together <= 200_000 * share || tiny).toBe(true);
      }),
    );
  });
});
