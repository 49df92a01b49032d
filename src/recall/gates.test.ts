import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideRecall } from './gates.ts';

const limits = { sessionBytes: 60_000 };
const facts = { query: 'fix the login page', bytesSurfaced: 0, hasMemories: true };

describe('decideRecall', () => {
  test.each([
    { query: 'fix the login page' },
    { query: 'deploy again' },
    { query: '部署失败了怎么办' },
    { query: 'テストが失敗しました' },
    { query: '  run   tests ' },
    { query: 'was läuft schief' },
    { query: `${' '.repeat(500)}fix the page` },
  ])('opens for "$query"', ({ query }) => {
    expect(decideRecall({ ...facts, query }, limits)).toEqual({ open: true });
  });

  test.each([
    { query: 'continue' },
    { query: 'yes!' },
    { query: '' },
    { query: '   \n' },
    { query: '…' },
    { query: '👍' },
    { query: '继续' },
    { query: "don't" },
  ])('stays shut for the single word "$query"', ({ query }) => {
    expect(decideRecall({ ...facts, query }, limits)).toEqual({ open: false, reason: 'one-word' });
  });

  test('stays shut without memories, whatever else is true', () => {
    expect(decideRecall({ query: 'yes', bytesSurfaced: 99_999, hasMemories: false }, limits)).toEqual({
      open: false,
      reason: 'no-memories',
    });
  });

  test.each([
    { bytesSurfaced: 59_999, gate: { open: true } },
    { bytesSurfaced: 60_000, gate: { open: false, reason: 'budget-spent' } },
    { bytesSurfaced: 60_001, gate: { open: false, reason: 'budget-spent' } },
  ])('after $bytesSurfaced bytes', ({ bytesSurfaced, gate }) => {
    expect(decideRecall({ ...facts, bytesSurfaced }, limits)).toEqual(gate);
  });

  test('is open only when every gate is', () => {
    const query = fc.constantFrom('ok', 'how does the build work', '');
    fc.assert(
      fc.property(query, fc.nat(120_000), fc.boolean(), (asked, bytesSurfaced, hasMemories) => {
        const gate = decideRecall({ query: asked, bytesSurfaced, hasMemories }, limits);
        expect(gate.open).toBe(asked.includes(' ') && bytesSurfaced < 60_000 && hasMemories);
      }),
    );
  });
});
