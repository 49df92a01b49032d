import { describe, expect, it } from 'vitest';
import { termsIn } from './terms.ts';

describe('termsIn', () => {
  it('finds terms in the order of the text, each once, on every line', () => {
    const text = 'Change src/a.ts and `build`,\nthen port 8080 in src/a.ts.\nAsk Ada of ACME.';
    expect(termsIn(text, 80)).toEqual(['src/a.ts', 'build', '8080', 'Ada', 'ACME']);
  });

  it('finds terms anywhere in a line of any length, cut between words', () => {
    const text = `${'plain words and nothing else '.repeat(2_000)}src/last.ts`;
    expect(termsIn(text, 80)).toEqual(['src/last.ts']);
    const words = Array.from({ length: 2_000 }, (_, at) => `src/file-${at}.ts`);
    expect(termsIn(words.join(' '), 80)).toEqual(words);
  });

  it.each(['.', '1.', '“', 'a-', 'a@', '/a'])('comes to an end with a line of %j alone', (unit) => {
    const terms = termsIn(unit.repeat(Math.ceil(100_000 / unit.length)), 80);
    expect(terms.every(({ length }) => length <= 80)).toBe(true);
  });
});
