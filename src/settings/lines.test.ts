/** Lines of mistakes and of keys in JSON, against what JSON.parse itself takes and refuses. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import { locateJson } from './lines.ts';

describe('the line of a mistake', () => {
  it.each([
    ['a comma too many', '{\n  "a": 1,\n}', 3, /no comma before/],
    ['a comma missing', '{\n  "a": 1\n  "b": 2\n}', 3, /`,`/],
    ['a key without quotes', '{\n\n  a: 1\n}', 3, /double quotes/],
    ['single quotes', "{\n  'a': 1\n}", 2, /double quotes/],
    ['a comment', '{\n  "a": 1, // why\n  "b": 2\n}', 2, /key/],
    ['a word that is none', '{\n  "a": yes\n}', 2, /value/],
    ['a colon missing', '{"a"\n 1}', 2, /`:`/],
    ['an end that is missing', '{\n  "a": [1,\n  2\n\n', 3, /closing bracket/],
    ['text after the end', '{}\n\n{}', 3, /nothing more/],
    ['an open text', '{\n  "a": "b\n}', 2, /value/],
    ['the wrong bracket', '{\n"a": [1}\n}', 2, /closing bracket/],
    ['a number with a leading zero', '[\n01]', 2, /value/],
    ['nothing', '', 1, /value/],
  ])('for %s', (_, text, line, expected) => {
    expect(locateJson(text).mistake).toEqual({ line, expected: expect.stringMatching(expected) });
  });
});

it('knows the line of every key, by its path', () => {
  const text = '{\n "a": 1,\n "b": { "c": [ { "d": 1 } ],\n  "e\\u0066": {}\n },\n "a": 2 }';
  expect(Object.fromEntries(locateJson(text).lineOfKey)).toEqual({ a: 6, b: 3, 'b.c': 3, 'b.c.d': 3, 'b.ef': 4 });
});

it('agrees with JSON.parse about what is JSON', () => {
  const mangled = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '}', ']', '"', ':', '\n', '0', '-', 'e', '\\', ' ', 'null', '\u0001'),
    )
    .map(
      ([text, at, insert]) =>
        text.slice(0, at % (text.length + 1)) + insert + text.slice((at % (text.length + 1)) + (at % 2)),
    );
  fc.assert(
    fc.property(
      fc.oneof(mangled, fc.json(), fc.string({ unit: fc.constantFrom(...'{}[]",:1-+.eE\\ntu \n') })),
      (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        const { mistake } = locateJson(text);
        expect(mistake === null).toBe(isJson);
        if (mistake !== null) {
          expect(mistake.line).toBeGreaterThan(0);
          expect(mistake.line).toBeLessThanOrEqual(text.split('\n').length);
        }
      },
    ),
    { numRuns: runs(3_000) },
  );
});

it('is not stopped by depth or size', () => {
  expect(locateJson('['.repeat(200_000)).mistake).not.toBeNull();
  expect(locateJson(`"${'a'.repeat(1_000_000)}"`).mistake).toBeNull();
  expect(locateJson(`"${'\\n'.repeat(500_000)}"`).mistake).toBeNull();
});
