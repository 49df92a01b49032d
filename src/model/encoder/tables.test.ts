import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { keepEncoderTables, openEncoder } from './encoder.ts';
import { readEncoderTables } from './tables.ts';

/** Quicker than comparing thousands of numbers one by one. */
const bytesOf = (numbers: Float32Array) => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
const TEXTS = ['Integration tests never mock the database', 'reverie recalls', 'zxqv 12 über'];

it('tables that the build wrote give the same encoder as computing them', () => {
  const path = join(temporaryFolder('encoder-tables'), 'tables.bin');
  keepEncoderTables(path);
  const computed = openEncoder(undefined, () => null);
  const read = openEncoder(undefined, (shape) => readEncoderTables(shape, path));
  expect(readEncoderTables({ rows: computed.rows, dimensions: computed.dimensions, bytes: 1 }, path)).toBeNull();
  expect(read.id).toBe(computed.id);
  expect(bytesOf(read.weights).equals(bytesOf(computed.weights))).toBe(true);
  for (const text of TEXTS) {
    expect(read.tokens(text)).toEqual(computed.tokens(text));
    expect(read.embed(text)).toEqual(computed.embed(text));
  }
  expect(read.beginningLike('database')).toEqual(computed.beginningLike('database'));
  const tokens = read.tokens(TEXTS[0]!);
  const others = Uint32Array.from(read.tokens(TEXTS[1]!));
  const expected = computed.similarities(tokens, others);
  for (const [at, found] of read.similarities(tokens, others).entries()) {
    expect(bytesOf(found).equals(bytesOf(expected[at]!))).toBe(true);
  }
});

it('tables that are cut short, of another form or not there are computed', () => {
  const folder = temporaryFolder('encoder-tables');
  const path = join(folder, 'tables.bin');
  keepEncoderTables(path);
  const { rows, dimensions } = openEncoder(undefined, () => null);
  const whole = readFileSync(path);
  const shape = { rows, dimensions, bytes: whole.readUInt32LE(12) };
  expect(readEncoderTables(shape, path)).not.toBeNull();
  for (const damaged of [whole.subarray(0, 8), whole.subarray(0, -4), Buffer.alloc(whole.length)]) {
    writeFileSync(path, damaged);
    expect(readEncoderTables(shape, path)).toBeNull();
  }
  expect(readEncoderTables(shape, join(folder, 'none.bin'))).toBeNull();
});
