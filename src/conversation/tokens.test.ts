import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from './entry.ts';
import { type ContentBlock, type Message, NO_USAGE, type ResultBlock, type Usage } from './message.ts';
import { countWindow, estimateTokens } from './tokens.ts';

const text = (length: number): ContentBlock => ({ type: 'text', text: 'x'.repeat(length) });

function result(content: ResultBlock[]): ContentBlock {
  return { type: 'tool_result', tool_use_id: 'a', content };
}

describe('an estimate', () => {
  const image: ResultBlock = { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } };
  const json = `[${'"abcd",'.repeat(10)}"ends"]`;
  it.each<[string, ContentBlock, number]>([
    ['four bytes a token', text(400), 100],
    ['a part of a token is one', text(1), 1],
    ['bytes, not characters', { type: 'text', text: '語'.repeat(4) }, 3],
    ['an image', image, 2_000],
    ['a document', { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'A' } }, 2_000],
    [
      'a long text document by its length',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x'.repeat(40_000) } },
      10_000,
    ],
    ['two bytes a token of input', { type: 'tool_use', id: '1', name: 'Bash', input: { a: 'xxxx' } }, 1 + 6],
    ['a plain result', result([{ type: 'text', text: 'x'.repeat(40) }]), 10],
    ['a result that is JSON', result([{ type: 'text', text: json }]), json.length / 2],
    ['a result that only begins like JSON', result([{ type: 'text', text: '[info] ok {x]' }]), 4],
    ['a result with an image', result([{ type: 'text', text: 'abcd' }, image]), 2_001],
  ])('takes %s', (_, block, tokens) => {
    expect(estimateTokens(block)).toBe(tokens);
    expect(estimateTokens(block)).toBe(tokens);
    expect(estimateTokens({ role: 'user', content: [block, block] })).toBe(2 * tokens);
  });

  it('looks at an object once', () => {
    let looks = 0;
    const block = {
      type: 'text' as const,
      get text() {
        looks++;
        return 'four';
      },
    };
    const message: Message = { role: 'user', content: [block] };
    expect([estimateTokens(message), estimateTokens(message), estimateTokens(block), looks]).toEqual([1, 1, 1, 1]);
  });
});

function entry(role: Message['role'], length: number, response?: { id: string | null; usage: Usage }): Entry {
  return {
    uuid: 'u',
    parentUuid: null,
    at: '2026-01-01T00:00:00.000Z',
    message: { role, content: [text(length)] },
    ...(response && { response: { model: 'm', stopReason: 'tools', ...response } }),
  };
}

const usage: Usage = { ...NO_USAGE, inputTokens: 5, cacheReadTokens: 700, cacheWriteTokens: 80, outputTokens: 15 };

describe('the count of a window', () => {
  it('is the estimate of everything before the first response', () => {
    expect(countWindow([])).toBe(0);
    expect(countWindow([entry('user', 40), entry('user', 4)])).toBe(11);
  });

  it('is the last usage and what came after', () => {
    const early = entry('assistant', 4, { id: 'r1', usage: { ...usage, inputTokens: 1 } });
    const late = entry('assistant', 4_000, { id: 'r2', usage });
    expect(countWindow([entry('user', 400), early, entry('user', 400), late])).toBe(800);
    expect(countWindow([entry('user', 400), early, late, entry('user', 400), entry('user', 40)])).toBe(910);
  });

  it('skips a response that was not counted', () => {
    const counted = entry('assistant', 4, { id: 'r1', usage });
    const uncounted = entry('assistant', 40, { id: 'r2', usage: NO_USAGE });
    expect(countWindow([counted, entry('user', 4), uncounted, entry('user', 4)])).toBe(800 + 1 + 10 + 1);
  });

  it('counts results between the parts of one response once', () => {
    const part = () => entry('assistant', 400, { id: 'r2', usage });
    const entries = [
      entry('assistant', 4, { id: 'r1', usage }),
      entry('user', 4_000),
      part(),
      entry('user', 40),
      part(),
      entry('user', 80),
      part(),
      entry('user', 120),
    ];
    expect(countWindow(entries)).toBe(800 + 10 + 20 + 30);
  });

  it('counts two responses without an id as two', () => {
    const nameless = () => entry('assistant', 4, { id: null, usage });
    expect(countWindow([nameless(), entry('user', 400), nameless(), entry('user', 4)])).toBe(801);
  });

  it('never looks further back than the second-to-last response', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { minLength: 1, maxLength: 20 }), (lengths) => {
        const old = { ...entry('assistant', 4, { id: 'r1', usage }) };
        const before = new Proxy(entry('user', 4), {
          get: () => {
            throw new Error('looked at');
          },
        });
        const last = entry('assistant', 4, { id: 'r2', usage });
        const after = lengths.map((length) => entry('user', length));
        const expected = lengths.reduce((sum, length) => sum + Math.ceil(length / 4), 800);
        expect(countWindow([before, old, entry('user', 9), last, ...after])).toBe(expected);
      }),
    );
  });
});
