import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import { unicodeText } from '../../test/support/unicode-text.ts';
import { stem } from '../base/text/stem.ts';
import { hasSeveralWords, knownShare, termsOf } from './terms.ts';

const everyWord = () => true;
const noWord = () => false;
const hashes = (text: string, known = everyWord) => new Set(termsOf(text, known).map(({ hash }) => hash));

function shareTerms(left: string, right: string, known = everyWord): boolean {
  const found = hashes(right, known);
  return [...hashes(left, known)].some((hash) => found.has(hash));
}

describe('stems', () => {
  it.each([
    ['running', 'run'],
    ['tests', 'test'],
    ['policies', 'policy'],
    ['noted', 'noting'],
    ['deployment', 'deploy'],
  ])('of %s and %s are one', (left, right) => {
    expect(stem(left)).toBe(stem(right));
  });

  it.each([
    ['bus', 'bu'],
    ['this', 'thi'],
    ['ring', 'r'],
    ['class', 'clas'],
  ])('of %s is not %s', (word, cut) => {
    expect(stem(word)).not.toBe(cut);
  });
});

describe('terms', () => {
  it.each([
    ['getUserName', 'user'],
    ['getUserName', 'get_user_name'],
    ['HTTPServer', 'the http server'],
    ['src/config/loader.ts', 'loader'],
    ['Größe', 'grosse'],
    ['naïve', 'naive'],
    ["the user's wish", 'user'],
    ['ｆｕｌｌ　ｗｉｄｔｈ', 'width'],
  ])('of %s match those of %s', (left, right) => {
    expect(shareTerms(left, right)).toBe(true);
  });

  it('leave out words that say nothing', () => {
    expect(termsOf('what is this about and where was it', everyWord)).toEqual([]);
  });

  it('join inflected words of a language the encoder does not know by their beginning', () => {
    expect(shareTerms('Auslieferung', 'Auslieferungen', noWord)).toBe(true);
    expect(shareTerms('Auslieferung', 'Ausland', noWord)).toBe(false);
  });

  it('find Chinese words however the text around them is cut', () => {
    expect(shareTerms('备份数据库', '数据库')).toBe(true);
  });

  it('keep the word as written, for explanations', () => {
    expect(termsOf('Kubernetes', everyWord).map(({ word }) => word)).toEqual(['Kubernetes']);
  });
});

describe('the share of known words', () => {
  it('leaves out numbers and joined identifiers', () => {
    expect(knownShare(termsOf('coffee 2024', (word) => word === 'coffee'))).toBe(1);
    expect(knownShare(termsOf('coffee Kaffee', (word) => word === 'coffee'))).toBe(0.5);
    expect(knownShare(termsOf('咖啡', everyWord))).toBe(0);
  });
});

describe('several words', () => {
  it.each([
    ['continue', false],
    ['ok!', false],
    ['', false],
    ['...', false],
    ['run tests', true],
    ['数据库什么时候备份', true],
  ])('%s: %s', (text, several) => {
    expect(hasSeveralWords(text)).toBe(several);
  });
});

describe('plain ASCII', () => {
  const ascii = fc.string({ unit: fc.constantFrom(...`aAbBzZsS019_'"-./:;,!? \n\t#`) });
  const isEnglish = (word: string) => word.length % 2 === 0;

  it('has the same terms as next to other letters', () => {
    fc.assert(
      fc.property(fc.oneof(ascii, fc.string()), (text) => {
        const alone = termsOf(`${text} `, isEnglish);
        expect([...alone, ...termsOf('\u0436', isEnglish)]).toEqual(termsOf(`${text} \u0436`, isEnglish));
      }),
    );
  });

  it('has several words when a dictionary says so', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
    fc.assert(
      fc.property(fc.oneof(ascii, unicodeText()), (text) => {
        const words = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike);
        expect(hasSeveralWords(text)).toBe(words.length > 1);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('a text without a blank', () => {
  it.each(['年', '明日', 'カタカナ'])('of hundreds of thousands of characters is cut into words: %s', (unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    const found = hashes(text);
    expect(found.size).toBeGreaterThan(0);
    // The pieces it is read in leave no gap: neighbours across their ends are neighbours.
    expect(termsOf(text, everyWord).filter(({ word }) => word.length === 2).length).toBeGreaterThan(text.length / 2);
  });
});
