/** Settings keep every byte that is not ours, whatever their layout. */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { appendItem, type Edited, editJson, removeChildren, setValue, valueAt } from './json-edit.ts';
import { jsonValue, readJson } from './json-text.ts';

function text(edited: Edited): string {
  if (edited.kind === 'refused') throw new Error(edited.problem);
  return edited.text;
}

/** JSON as people keep it. */
const LAYOUTS: readonly [string, string][] = [
  ['plain', '{\n  "a": 1\n}\n'],
  ['on one line', '{"a": 1, "list": [1, 2]}'],
  ['with tabs', '{\n\t"a": {\n\t\t"b": []\n\t}\n}\n'],
  [
    'with comments and trailing commas',
    '// top\n{\n  "a": 1, // one\n  /* two */ "b": [1, 2,], // list\n  // end\n}\n// after\n',
  ],
  ['with CRLF', '{\r\n  "a": 1\r\n}\r\n'],
  ['with a mark of byte order', '\uFEFF{\n    "a": 1\n}'],
  ['empty', '{}'],
  ['empty with a comment', '{\n  // nothing yet\n}\n'],
  ['odd indentation', '{\n "a":1,\n      "b":2 }\n'],
];

describe.each(LAYOUTS)('a file %s', (_name, original) => {
  it('takes a value, and every other byte stays', () => {
    const edited = text(setValue(['mcpServers', 'reverie'], { command: 'x' })(original));
    expect(valueAt(edited, ['mcpServers', 'reverie'])).toEqual({ command: 'x' });
    expect(isSubsequence(original, edited)).toBe(true);
  });

  it('takes the same value twice as once', () => {
    const once = text(setValue(['mcpServers', 'reverie'], { command: 'x' })(original));
    expect(text(setValue(['mcpServers', 'reverie'], { command: 'x' })(once))).toBe(once);
  });

  it('gives it back: the same values, the same comments', () => {
    const edited = text(appendItem(['hooks', 'Stop'], { ours: true })(original));
    const back = text(removeChildren(['hooks', 'Stop'], () => true)(edited));
    expect(valueAt(back, [])).toEqual(valueAt(original, []));
    expect(comments(back)).toEqual(comments(original));
  });

  it('keeps its line breaks', () => {
    const edited = text(appendItem(['hooks', 'Stop'], { ours: [1, 2] })(original));
    expect(edited.replaceAll('\r\n', '').includes('\n')).toBe(!original.includes('\r\n'));
  });
});

it('indents what is added as its neighbours are', () => {
  expect(text(setValue(['a', 'c'], { d: 1 })('{\n\t"a": {\n\t\t"b": 1\n\t}\n}'))).toBe(
    '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": {\n\t\t\t"d": 1\n\t\t}\n\t}\n}',
  );
});

it('keeps a comment at the line it belongs to', () => {
  expect(text(setValue(['b'], 2)('{\n  "a": 1 // one\n}'))).toBe('{\n  "a": 1, // one\n  "b": 2\n}');
});

describe('what is refused', () => {
  it.each([
    ['{ "a": }', 'line 1'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3: a comma'],
    ['{ "a": 1', 'line 1'],
    ['{} {}', 'something follows'],
    ['{\n/* open', 'line 2: a comment'],
    ['["a"]', 'not an object'],
    ['{ "hooks": [] }', '`hooks` is not an object'],
    ['{ "hooks": { "Stop": {} } }', '`hooks.Stop` is not a list'],
    ['{ "a": \'x\' }', 'line 1'],
    ['{"a":'.repeat(5_000), 'deeply'],
  ])('%j', (broken, problem) => {
    const edited = appendItem(['hooks', 'Stop'], 1)(broken);
    expect(edited).toMatchObject({ kind: 'refused', problem: expect.stringContaining(problem) });
  });
});

describe('any JSON', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const spaces = fc.constantFrom(undefined, 1, 2, 4, '\t');

  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(value, spaces, (each, space) => {
        const written = JSON.stringify(each, null, space);
        const reading = readJson(written);
        expect(reading.kind).toBe('read');
        if (reading.kind === 'read') expect(jsonValue(reading.root)).toEqual(JSON.parse(written));
      }),
    );
  });

  it('is told apart from what JSON.parse refuses, comments and trailing commas excepted', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"a"', ':', '1', ' ', 'x'), maxLength: 12 }),
        (each) => {
          const isJson = tryParse(each);
          expect([each, readJson(each).kind === 'read']).toEqual([each, isJson]);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });

  it('takes an item and gives it back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), spaces, (each, space) => {
        delete each.ours;
        const original = JSON.stringify(each, null, space);
        const edited = text(editJson(original, [setValue(['ours', 'x'], 1), appendItem(['ours', 'list'], { y: [] })]));
        const written = JSON.parse(edited) as Record<string, unknown>;
        expect(written).toEqual({ ...(JSON.parse(original) as object), ours: { x: 1, list: [{ y: [] }] } });
        expect(isSubsequence(original, edited)).toBe(true);
        const back = text(removeChildren([], (_value, key) => key === 'ours')(edited));
        expect(JSON.parse(back)).toEqual(JSON.parse(original));
      }),
    );
  });
});

function tryParse(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at >= part.length;
}

function comments(json: string): readonly string[] {
  return json.match(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g) ?? [];
}
