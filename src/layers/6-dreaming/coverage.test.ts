import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { corpusOf, corpusWithout, coverageOf } from './coverage.ts';

const FOLDER = [
  'The project uses a database. Deploys happen on Tuesdays.',
  'The project keeps a changelog. Deploys need a ticket.',
  'The project has a mascot. Deploys are announced.',
  'The project is funded by the city. Deploys are logged.',
  'The database of the project is Postgres 16 at db7.internal, kept by Okonkwo.',
];
const CORPUS = corpusOf(FOLDER, LIMITS.dreaming);

describe('what remains of a text', () => {
  test.each<readonly [string, string, readonly string[], number, number]>([
    ['all of it, in other words', 'Postgres 16 is kept by Okonkwo.', ['Okonkwo keeps Postgres at version 16.'], 1, 1],
    ['spread over two memories', 'Postgres 16 is kept by Okonkwo.', ['Postgres 16', 'kept by Okonkwo'], 1, 1],
    [
      'nothing but what every memory says',
      'Deploys of the project go to db7.internal.',
      ['Deploys of the project are fun.'],
      0,
      0.2,
    ],
    ['the words without the number', 'Kept for 90 days by Okonkwo.', ['Kept for 30 days by Okonkwo.'], 0.4, 0.8],
    [
      'the words without the names',
      'Okonkwo asks Matsuda for violins.',
      ['Somebody asks somebody for violins.'],
      0.1,
      0.5,
    ],
    [
      'the names without the rest',
      'Okonkwo asks Matsuda weekly whether varnish and resin arrived.',
      ['Okonkwo, Matsuda'],
      0.2,
      0.5,
    ],
    ['the opposite', 'Never sail.', ['Sail.'], 0.3, 0.7],
    [
      'inflected',
      'Die Wartung der Leuchttürme übernimmt Ferrante.',
      ['Ferrante übernahm die Wartung des Leuchtturms.'],
      0.7,
      1,
    ],
    ['Chinese, cut anywhere', '代码注释保留英文', ['请用中文回答，代码注释保留英文。'], 1, 1],
    ['Japanese, another matter', '本番データベースは夜間に停止する', ['テストは毎朝実行される'], 0, 0.3],
    ['dates written otherwise', 'The audit is in March 2027.', ['Audit: 2027-03.'], 1, 1],
    ['numbers written otherwise', 'A cap of 10,000 crowns.', ['The cap is 10000 crowns.'], 1, 1],
    ['a name that only begins alike', 'Ask Internationale.', ['Ask Internal.'], 0, 0.5],
  ])('%s', (_title, gone, remaining, least, most) => {
    const share = coverageOf(gone, remaining, CORPUS);
    expect(share).toBeGreaterThanOrEqual(least);
    expect(share).toBeLessThanOrEqual(most);
  });

  test('a name counts for more than a word, as long as nobody writes it small', () => {
    const gone = 'Ask Mint about jam.';
    const named = coverageOf(gone, ['about jam'], CORPUS);
    const plain = coverageOf(gone, ['about jam'], corpusOf([...FOLDER, 'We drink mint.'], LIMITS.dreaming));
    expect(named).toBeLessThan(plain);
  });

  test('copies are no reason to call their subject common', () => {
    const copies = Array.from({ length: 9 }, (_, index) => `The crane Bertha stands at berth ${'!'.repeat(index)}`);
    const gone = 'The crane Bertha stands at berth in Quillon.';
    const corpus = corpusOf([...FOLDER, ...copies, gone], LIMITS.dreaming);
    expect(coverageOf(gone, [copies[0]!], corpus)).toBe(0);
    expect(coverageOf(gone, [copies[0]!], corpusWithout([...copies, gone], corpus))).toBeGreaterThan(0.6);
  });

  test('nothing is lost with nothing, and signs only where they stand', () => {
    expect(coverageOf('  \n', [], CORPUS)).toBe(1);
    expect(coverageOf('???', ['!!!'], CORPUS)).toBe(0);
    expect(coverageOf('???', ['so ???'], CORPUS)).toBe(1);
  });
});

describe('whatever the texts are', () => {
  const anything = fc.string({ unit: 'grapheme', maxLength: 60 });
  const words = fc.array(
    fc.constantFrom('crane', 'Bertha', '16', 'never', 'deploys', 'db7', '代码注释', 'the', 'März'),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  const text = fc.oneof(
    anything,
    words.map((each) => each.join(' ')),
  );

  test('a text holds itself, and the share is one', () => {
    fc.assert(
      fc.property(text, fc.array(text), (gone, others) => {
        expect(coverageOf(gone, [...others, gone], CORPUS)).toBe(1);
        const share = coverageOf(gone, others, CORPUS);
        expect(share >= 0 && share <= 1).toBe(true);
      }),
    );
  });

  test('what is empty holds nothing', () => {
    fc.assert(
      fc.property(text, (gone) => {
        fc.pre(gone.trim() !== '');
        expect(coverageOf(gone, [], CORPUS)).toBe(0);
        expect(coverageOf(gone, ['', ' '], CORPUS)).toBe(0);
      }),
    );
  });

  test('more text never holds less', () => {
    fc.assert(
      fc.property(text, fc.array(text), text, (gone, remaining, more) => {
        const before = coverageOf(gone, remaining, CORPUS);
        expect(coverageOf(gone, [...remaining, more], CORPUS)).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  test('the order of words does not matter', () => {
    fc.assert(
      fc.property(words, words, (gone, remaining) => {
        const share = coverageOf(gone.join(' '), [remaining.join(' ')], CORPUS);
        expect(coverageOf([...gone].reverse().join(' '), [remaining.join(' ')], CORPUS)).toBeCloseTo(share);
        expect(coverageOf(gone.join(' '), [[...remaining].sort().join(' ')], CORPUS)).toBeCloseTo(share);
      }),
    );
  });
});
