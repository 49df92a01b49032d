import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createComparison, findCandidates, MOST_PAIRS, pairKey, rankPairs, type Statement } from './contradictions.ts';

interface Case {
  readonly said: string;
  readonly contradicts: string;
  /** About the same thing, and true beside it. */
  readonly beside: readonly string[];
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL('../../test/cases/team-contradictions.json', import.meta.url), 'utf8'),
);
const statement = (text: string): Statement => ({ key: text.replaceAll(' ', '_'), text });

describe('candidates for a contradiction', () => {
  it('are ranked so that 100 contradictions stand before most of 400 harmless pairs', () => {
    const compare = createComparison();
    const pairs = cases.flatMap(({ said, contradicts, beside }, at) => {
      const [next, far] = [cases[(at + 13) % cases.length]!, cases[(at + 37) % cases.length]!];
      return [
        { isPlanted: true, texts: [said, contradicts] },
        ...beside.map((text) => ({ isPlanted: false, texts: [said, text] })),
        { isPlanted: false, texts: [said, next.said] },
        { isPlanted: false, texts: [contradicts, far.beside[0]!] },
      ];
    });
    expect(pairs.filter(({ isPlanted }) => !isPlanted)).toHaveLength(400);
    const scored = pairs.map(({ isPlanted, texts: [one, other] }) => {
      return { isPlanted, one: one!, other: other!, score: compare(statement(one!), statement(other!)) };
    });
    const ranked = rankPairs(scored).slice(0, MOST_PAIRS);
    expect(ranked.filter(({ isPlanted }) => isPlanted).length).toBeGreaterThanOrEqual(95);
  });

  it('are found among all memories, each asked about once', () => {
    const newcomers = cases.map(({ said }) => statement(said));
    const others = cases.map(({ contradicts }) => statement(contradicts));
    const pairs = newcomers.flatMap((one) => [...newcomers, ...others].map((other) => [one, other] as const));
    const found = findCandidates({ pairs, asked: new Set() });
    const keys = found.map(({ one, other }) => pairKey(one, other));
    const planted = cases.filter(({ said, contradicts }) =>
      keys.includes(pairKey(statement(said).key, statement(contradicts).key)),
    );
    expect(found.length).toBeLessThanOrEqual(MOST_PAIRS);
    expect(planted.length).toBeGreaterThanOrEqual(90);
    const again = findCandidates({ pairs, asked: new Set(keys) });
    expect(again.filter(({ one, other }) => keys.includes(pairKey(one, other)))).toEqual([]);
  });
});
