import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineReader } from './stdio-transport.ts';

const LIMIT = 64;

function readInPieces(bytes: Buffer, cuts: readonly number[]) {
  const reader = createLineReader(LIMIT);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((one, other) => one - other);
  return [...ends, bytes.length].flatMap((end, at) => reader.read(bytes.subarray(at === 0 ? 0 : ends[at - 1], end)));
}

describe('reading messages, one a line', () => {
  it('gives the same messages however the bytes arrive', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat()), (values, cuts) => {
        const fitting = values.filter((value) => Buffer.byteLength(JSON.stringify(value)) <= LIMIT);
        const bytes = Buffer.from(fitting.map((value) => `${JSON.stringify(value)}\n`).join(''));
        const expected = fitting.map((value) => ({ kind: 'message', value: JSON.parse(JSON.stringify(value)) }));
        expect(readInPieces(bytes, cuts)).toEqual(expected);
      }),
    );
  });

  it('survives any bytes, and reads what comes after them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.array(fc.nat()), (noise, cuts) => {
        const bytes = Buffer.concat([noise, Buffer.from('\n{"after":1}\n')]);
        expect(readInPieces(bytes, cuts).at(-1)).toEqual({ kind: 'message', value: { after: 1 } });
      }),
    );
  });

  it('passes over a line that is too long, at the very byte', () => {
    const fits = `"${'x'.repeat(LIMIT - 2)}"`;
    const reader = createLineReader(LIMIT);
    expect(reader.read(Buffer.from(`${fits}\n"${fits}\n1\n`))).toEqual([
      { kind: 'message', value: JSON.parse(fits) },
      { kind: 'refused', reason: 'too-long' },
      { kind: 'message', value: 1 },
    ]);
  });

  it('takes a line without an end for nothing, and empty lines too', () => {
    expect(createLineReader(LIMIT).read(Buffer.from('\n\r\n  \n{"id":1'))).toEqual([]);
  });

  it('names what is no JSON', () => {
    expect(createLineReader(LIMIT).read(Buffer.from('{"id":1\n'))).toEqual([{ kind: 'refused', reason: 'not-json' }]);
  });
});
