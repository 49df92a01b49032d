import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createPlainTable, createVectorTable } from './dot-rows.ts';
import { openEncoder } from './encoder.ts';

/** The test vectors of models/recall-en/FORMAT.md. */
const SENTENCES = [
  {
    text: 'I prefer dark roast coffee in the morning.',
    tokens: [8, 6014, 6146, 11434, 5807, 3647, 4006, 6072],
    first: [0.02732, -0.09885, 0.04666, -0.02585, 0.04652, 0.08257, 0.02401, -0.03293],
  },
  {
    text: 'Which drink does the user like at breakfast?',
    tokens: [5127, 6219, 5157, 4006, 5124, 5131, 3701, 8411],
    first: [0.08381, -0.042, 0.06187, -0.01654, -0.00586, 0.08928, 0.04203, -0.08267],
  },
  {
    text: 'Always run the unit tests before committing.',
    tokens: [5342, 4390, 4006, 5464, 5470, 5176, 15594],
    first: [0.01723, -0.02382, 0.02051, -0.01793, -0.0373, -0.06323, 0.05415, 0.02249],
  },
  {
    text: 'How do I deploy to Kubernetes?',
    tokens: [4681, 3855, 8, 7562, 3928, 6170],
    first: [-0.03187, -0.01678, -0.01121, 0.07271, -0.06261, -0.09718, 0.05134, 0.02328],
  },
  {
    text: 'Fix null pointer crash in getUserName()',
    tokens: [4842, 4969, 6996, 7339, 3647, 3942, 5124, 5133],
    first: [0.07744, -0.00089, -0.03756, 0.04381, 0.02918, 0.05292, 0.02024, -0.06794],
  },
];

describe('the packaged encoder', () => {
  const encoder = openEncoder();

  it.each(SENTENCES)('reads "$text" as its format says', ({ text, tokens, first }) => {
    expect(encoder.tokens(text)).toEqual(tokens);
    const vector = encoder.embed(text);
    for (const [at, value] of first.entries()) expect(vector[at]).toBeCloseTo(value, 4);
  });

  it.each([
    [0, 1, 0.52045],
    [0, 2, 0.02563],
    [2, 4, 0.39258],
    [3, 4, 0.17476],
    [1, 3, 0.06947],
  ])('finds the cosine of sentences %i and %i', (left, right, cosine) => {
    const [a, b] = [encoder.embed(SENTENCES[left]!.text), encoder.embed(SENTENCES[right]!.text)];
    expect(a.reduce((sum, value, at) => sum + value * b[at]!, 0)).toBeCloseTo(cosine, 4);
  });

  it('compares tokens by the cosine of their rows', () => {
    const [coffee, drink] = [5807, 6219];
    const [left, right] = [encoder.sum([coffee]), encoder.sum([drink])];
    const product = left.reduce((sum, value, at) => sum + value * right[at]!, 0);
    const [similarity] = encoder.similarities([coffee], Uint32Array.of(drink, coffee));
    expect(similarity![drink]).toBeCloseTo(product / (encoder.weights[coffee]! * encoder.weights[drink]!), 4);
    expect(similarity![coffee]).toBeCloseTo(1, 5);
  });

  it('has nothing to say about a text without Latin letters', () => {
    expect(encoder.tokens('データベースの設定')).toEqual([]);
    expect(Math.max(...encoder.embed('データベース'))).toBe(0);
  });

  it('splits an unknown word into its pieces', () => {
    expect(encoder.knows('kubernetes')).toBe(true);
    expect(encoder.knows('workmates')).toBe(false);
    expect(encoder.tokens('workmates').map(encoder.word)).toEqual(['work', '##mate', '##s']);
  });

  it('refuses truncated files, and says what fixes it', () => {
    const folder = temporaryFolder('encoder');
    writeFileSync(join(folder, 'recall-en.vocab.bin'), 'RCV1');
    expect(() => openEncoder(folder)).toThrowError(/damaged/);
  });
});

describe('dot products of rows', () => {
  it('are the same with vector instructions and without', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }).chain((blocks) =>
          fc.tuple(
            fc.constant(blocks * 16),
            fc.array(
              fc.array(fc.integer({ min: -128, max: 127 }), { minLength: blocks * 16, maxLength: blocks * 16 }),
              {
                minLength: 1,
                maxLength: 6,
              },
            ),
          ),
        ),
        ([dimensions, rows]) => {
          const shape = { rows: rows.length, dimensions };
          const tables = [createPlainTable(shape), createVectorTable(shape)!];
          const wanted = Uint32Array.from(rows.keys()).reverse();
          const [plain, vector] = tables.map((table) => {
            table.bytes.set(rows.flat());
            const asked = [[0], [...wanted.subarray(0, 4)]].flatMap((some) =>
              table.products(some, wanted).map((products) => [...products]),
            );
            table.normalize();
            const cosines = table.products([0], wanted)[0]!;
            return { exact: [...asked, [...table.factors]], cosines: [...cosines] };
          });
          expect(vector!.exact).toEqual(plain!.exact);
          for (const [row, cosine] of plain!.cosines.entries()) expect(vector!.cosines[row]).toBeCloseTo(cosine, 6);
          expect(Math.max(...plain!.cosines)).toBeLessThan(1 + 1e-6);
        },
      ),
    );
  });

  it('fall back to plain loops for rows that the instructions do not fit', () => {
    expect(createVectorTable({ rows: 2, dimensions: 10 })).toBeNull();
  });
});
