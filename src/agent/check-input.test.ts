import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../model/model.ts';
import { checkInput } from './check-input.ts';

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    file_path: { type: 'string' },
    limit: { type: 'integer', minimum: 1 },
    ratio: { type: 'number', maximum: 10 },
    replace_all: { type: 'boolean' },
    output_mode: { type: 'string', enum: ['content', 'count'] },
    todos: {
      type: 'array',
      items: {
        type: 'object',
        properties: { content: { type: 'string' } },
        required: ['content'],
        additionalProperties: false,
      },
    },
    either: { type: ['string', 'null'] },
  },
  required: ['file_path'],
  additionalProperties: false,
};

describe('input that fits, or nearly', () => {
  it.each([
    ['as it should be', { file_path: 'a', limit: 3 }, { file_path: 'a', limit: 3 }],
    ['a number as text', { file_path: 'a', limit: '3' }, { file_path: 'a', limit: 3 }],
    ['a fraction as text', { file_path: 'a', ratio: '-0.5' }, { file_path: 'a', ratio: -0.5 }],
    ['yes as text', { file_path: 'a', replace_all: 'True' }, { file_path: 'a', replace_all: true }],
    ['no as text', { file_path: 'a', replace_all: 'false' }, { file_path: 'a', replace_all: false }],
    ['text that looks like a number', { file_path: '7' }, { file_path: '7' }],
    ['null for what is left out', { file_path: 'a', limit: null }, { file_path: 'a' }],
    ['null where it means something', { file_path: 'a', either: null }, { file_path: 'a', either: null }],
    ['a list as JSON', { file_path: 'a', todos: '[{"content":"x"}]' }, { file_path: 'a', todos: [{ content: 'x' }] }],
  ])('%s', (_what, given, expected) => {
    expect(checkInput(SCHEMA, given)).toEqual({ kind: 'ok', input: expected });
  });
});

describe('input that does not fit', () => {
  it.each([
    ['missing', {}, '`file_path` is missing'],
    ['null for what is needed', { file_path: null }, '`file_path` must be a string, not null'],
    ['of another type', { file_path: 5 }, '`file_path` must be a string, not 5'],
    ['not whole', { file_path: 'a', limit: 1.5 }, '`limit` must be an integer, not 1.5'],
    ['no number at all', { file_path: 'a', limit: 'many' }, '`limit` must be an integer, not "many"'],
    ['too small', { file_path: 'a', limit: 0 }, '`limit` must be at least 1'],
    ['too large', { file_path: 'a', ratio: 11 }, '`ratio` must be at most 10'],
    ['not among the known', { file_path: 'a', output_mode: 'all' }, 'one of "content", "count", not "all"'],
    ['misnamed', { file: 'a' }, 'did you mean `file_path`?'],
    ['unknown', { file_path: 'a', zzz: 1 }, '`zzz` is not known (known: file_path'],
    ['named like a part of every object', { file_path: 'a', toString: 1 }, '`toString` is not known'],
    ['wrong deep inside', { file_path: 'a', todos: [{ content: 'x' }, {}] }, '`todos[1].content` is missing'],
    ['a list that is broken JSON', { file_path: 'a', todos: '[{' }, '`todos` must be an array'],
    ['no object', ['a'], 'the input must be an object'],
  ])('%s', (_what, given, reason) => {
    const checked = checkInput(SCHEMA, given);
    expect(checked).toMatchObject({ kind: 'wrong', reason: expect.stringContaining(reason) });
  });

  it('names everything that is wrong at once', () => {
    const checked = checkInput(SCHEMA, { limit: 'x', replace_all: 3 });
    expect(checked).toMatchObject({ kind: 'wrong', reason: expect.stringMatching(/file_path.*limit.*replace_all/) });
  });
});

it('checks nothing it does not understand', () => {
  const schema: JsonSchema = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] }, b: true } };
  expect(checkInput(schema, { a: 1, b: 2, c: 3 })).toEqual({ kind: 'ok', input: { a: 1, b: 2, c: 3 } });
});

it('never throws, and never makes fitting input unfit', () => {
  fc.assert(
    fc.property(fc.anything(), (given) => {
      const checked = checkInput(SCHEMA, given);
      if (checked.kind === 'ok') expect(checkInput(SCHEMA, checked.input)).toEqual(checked);
    }),
  );
});
