/** Text of any Unicode characters for property tests. */

import fc from 'fast-check';

const SURROGATES = { first: 0xd800, last: 0xdfff };

/** Our own, because fast-check's `unit: 'binary'` maps a million characters in every worker before it draws the first. */
const anyCharacter = fc
  .oneof(
    fc.integer({ min: 0, max: SURROGATES.first - 1 }),
    fc.integer({ min: SURROGATES.last + 1, max: 0x10ffff }),
    fc.integer({ min: 0, max: 0x7f }),
  )
  .map((code) => String.fromCodePoint(code));

export function unicodeText(options: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...options });
}
