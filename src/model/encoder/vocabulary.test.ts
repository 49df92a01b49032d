import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packagedEncoderFolder } from './encoder.ts';
import { createVocabulary, readWords, readWordsFast, type WordTables } from './vocabulary.ts';

const word = fc.string({ unit: fc.constantFrom(...'abcz9#'), minLength: 1, maxLength: 6 });
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 40 });
const linesOf = (list: readonly string[]) => ({ text: Buffer.from(list.join('\n'), 'latin1'), size: list.length });
const asBytes = (table: Uint32Array) => new Uint8Array(table.buffer, table.byteOffset, table.byteLength);

describe('a vocabulary', () => {
  it('finds each of its words and no other', () => {
    fc.assert(
      fc.property(words, fc.array(fc.oneof(word, fc.string())), (list, others) => {
        const vocabulary = createVocabulary(linesOf(list))!;
        for (const [token, one] of list.entries()) {
          expect(vocabulary.find(one)).toBe(token);
          expect(vocabulary.word(token)).toBe(one);
        }
        for (const other of others) expect(vocabulary.find(other)).toBe(list.indexOf(other));
        expect(vocabulary.word(list.length)).toBe('');
      }),
    );
  });

  it('names at least the longer words that begin with the same three letters', () => {
    fc.assert(
      fc.property(words, word, (list, asked) => {
        const alike = (one: string) => one.length > 3 && asked.length > 3 && one.slice(0, 3) === asked.slice(0, 3);
        const wanted = list.flatMap((one, token) => (alike(one) ? [token] : []));
        expect(createVocabulary(linesOf(list))!.beginningLike(asked)).toEqual(expect.arrayContaining(wanted));
      }),
    );
  });

  it('gives the same with WebAssembly as without it', () => {
    fc.assert(
      fc.property(words, (list) => {
        const [fast, plain] = [readWordsFast(linesOf(list))!, readWords(linesOf(list))];
        for (const [name, table] of Object.entries(plain)) {
          expect(`${name} ${Buffer.compare(asBytes(table), asBytes(fast[name as keyof WordTables]))}`).toBe(
            `${name} 0`,
          );
        }
      }),
    );
  });

  it('with fewer or more lines than it should have is refused', () => {
    for (const size of [1, 3]) expect(createVocabulary({ text: Buffer.from('one\ntwo'), size })).toBeNull();
  });

  it('of the package is the lines of its file', () => {
    const bytes = readFileSync(join(packagedEncoderFolder(), 'recall-en.vocab.bin'));
    const size = bytes.readUInt32LE(4);
    const text = bytes.subarray(16 + 4 * size);
    const vocabulary = createVocabulary({ text, size })!;
    const lines = text.toString('latin1').split('\n');
    expect(lines.filter((line, token) => vocabulary.find(line) !== token || vocabulary.word(token) !== line)).toEqual(
      [],
    );
  });
});
