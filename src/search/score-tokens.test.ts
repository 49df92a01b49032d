import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFastScorer, createPlainScorer } from './score-tokens.ts';

const ROWS = 12;
const rowValues = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: ROWS, maxLength: ROWS });
const memories = fc.array(fc.uniqueArray(fc.nat(ROWS - 1)), { minLength: 1, maxLength: 8 });

function segmentOf(documents: readonly (readonly number[])[]) {
  const tokenStart = new Uint32Array(documents.length + 1);
  for (const [at, tokens] of documents.entries()) tokenStart[at + 1] = tokenStart[at]! + tokens.length;
  return { tokenStart, tokens: Uint32Array.from(documents.flat()) };
}

it('scores tokens with WebAssembly as without it, including memories without tokens', () => {
  fc.assert(
    fc.property(rowValues, rowValues, memories, (lengths, likeness, documents) => {
      const numbers = Uint32Array.from(documents.keys()).reverse();
      const [plain, fast] = [createPlainScorer, createFastScorer].map((create) => {
        const scorer = create(Float32Array.from(lengths))!;
        expect(scorer.take(segmentOf(documents), numbers)).toBe(documents.length);
        const { nearest, sums } = scorer.score(Float32Array.from(likeness));
        return { nearest: [...nearest], sums: [...sums] };
      });
      expect(fast!.nearest.map((value) => value + 0)).toEqual(plain!.nearest);
      for (const [at, sum] of plain!.sums.entries()) expect(fast!.sums[at]).toBeCloseTo(sum, 12);
    }),
  );
});

it('takes as many memories as there is room for', () => {
  const document = Array.from({ length: 1_000 }, (_, at) => at);
  const segment = segmentOf(Array.from({ length: 100 }, () => document));
  const scorer = createFastScorer(new Float32Array(1_000).fill(1))!;
  const numbers = Uint32Array.from({ length: 100 }, (_, at) => at);
  const taken = scorer.take(segment, numbers);
  expect(taken).toBe(65);
  expect(scorer.take(segment, numbers.subarray(taken))).toBe(35);
  expect(scorer.score(new Float32Array(1_000).fill(0.5)).sums[34]).toBeCloseTo(500, 6);
});
