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
    tokens: [8, 5152, 5984, 9962, 5501, 3647, 4022, 5554],
    first: [-0.34178, -0.06329, 0.05926, 0.21223, 0.20618, -0.33899, 0.23464, 0.20126],
  },
  {
    text: 'Which drink does the user like at breakfast?',
    tokens: [5131, 5849, 5154, 4022, 5125, 5126, 3703, 6569],
    first: [-0.38568, -0.138, 0.07136, 0.2125, 0.19267, -0.41802, 0.10385, 0.03432],
  },
  {
    text: 'Always run the unit tests before committing.',
    tokens: [5153, 5054, 4022, 5477, 5940, 5186, 11761],
    first: [-0.37132, 0.49435, 0.03528, 0.17862, 0.06038, 0.02209, -0.05732, -0.02533],
  },
  {
    text: 'How do I deploy to Kubernetes?',
    tokens: [4411, 3855, 8, 6867, 3870, 5792],
    first: [-0.36564, 0.38565, 0.09945, -0.17405, 0.14625, -0.02504, 0.01397, -0.14468],
  },
  {
    text: 'Fix null pointer crash in getUserName()',
    tokens: [4875, 4980, 10211, 7838, 3647, 4542, 5125, 5136],
    first: [-0.47926, 0.49395, -0.03221, 0.06665, 0.18892, 0.09551, -0.00091, -0.12422],
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
    [0, 1, 0.71962],
    [0, 2, 0.26648],
    [2, 4, 0.5124],
    [3, 4, 0.33269],
    [1, 3, 0.13998],
  ])('finds the cosine of sentences %i and %i', (left, right, cosine) => {
    const [a, b] = [encoder.embed(SENTENCES[left]!.text), encoder.embed(SENTENCES[right]!.text)];
    expect(a.reduce((sum, value, at) => sum + value * b[at]!, 0)).toBeCloseTo(cosine, 4);
  });

  it('compares tokens by the cosine of their rows', () => {
    const [coffee, drink] = [5501, 5849];
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
