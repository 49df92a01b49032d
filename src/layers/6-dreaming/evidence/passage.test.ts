import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalise } from '../../../memory/gate/normalise.ts';
import { passageOf } from './passage.ts';

const LONG = 'word '.repeat(20).trim();
const within = { passageCharacters: 60 };

describe('the passage behind a quote', () => {
  it.each([
    ['the paragraph', 'One.\n\nTwo is here.\nAnd here.\n\nThree.', 'is here', 'Two is here.\nAnd here.'],
    ['between blank lines that are not empty', 'One.\n \t\nTwo is here.\r\n\r\nThree.', 'is here', 'Two is here.'],
    ['the line of a long paragraph', `${LONG}\nTwo is here.\n${LONG}`, 'is here', 'Two is here.'],
    ['the quote of a long line', `${LONG} is here ${LONG}`, 'is here', 'is here'],
    ['both paragraphs of a quote across them', 'a\n\none\n\ntwo\n\nb', 'one\n\ntwo', 'one\n\ntwo'],
    ['in whatever case and spacing', 'One.\n\nTwo  “is”\nHere.\n\nThree.', "two 'is' here", 'Two  “is”\nHere.'],
    ['the whole of a short text', 'Two is here.', 'here', 'Two is here.'],
    ['null for what is not there', 'Two is here.', 'there', null],
    ['null for nothing', 'Two is here.', ' … ', null],
  ])('is %s', (_, text, quote, passage) => {
    expect(passageOf(text, quote, within)).toBe(passage);
  });

  it('holds the quote, is never long, and is part of the text', () => {
    const texts = fc.array(fc.constantFrom('a', 'Bc', ' ', '\n', '\n\n', 'word', '.'), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.nat(), fc.integer({ min: 1, max: 12 }), (parts, start, length) => {
        const text = parts.join('');
        const quote = text.slice(start % text.length, (start % text.length) + length).trim();
        const passage = passageOf(text, quote, within);
        if (normalise(quote) === '') {
          expect(passage).toBeNull();
          return;
        }
        expect(text).toContain(passage);
        expect(passage).toContain(quote);
        expect(passage!.length).toBeLessThanOrEqual(60);
      }),
    );
  });
});
