import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256, shortSha256 } from './sha256.ts';

const byNode = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

it('is what Node computes, for bytes of any length', () => {
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 1_000]) {
    const bytes = new Uint8Array(length).fill(length % 251);
    expect(shortSha256(bytes)).toBe(byNode(bytes));
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => shortSha256(bytes) === byNode(bytes)));
});

it('is what Node computes, for texts short and long', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => sha256(text) === byNode(text)));
  const long = 'ä'.repeat(5_000);
  expect(sha256(long)).toBe(byNode(long));
});
