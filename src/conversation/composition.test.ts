import { describe, expect, it } from 'vitest';
import { COMPOSITION_BYTES, readParts, scaledParts, writeParts } from './composition.ts';

describe('the parts of a request in the ledger', () => {
  it('are read as they were written', () => {
    const parts = [
      { name: 'system prompt', tokens: 1_200 },
      { name: 'your messages', tokens: 90 },
      { name: 'results of Bash', tokens: 800 },
      { name: 'results of mcp__files__read', tokens: 40 },
    ];
    expect(writeParts(parts)).toBe('s1200 y90 Bash=800 mcp__files__read=40');
    expect(readParts(writeParts(parts))).toEqual(parts);
  });

  it('stay short however many tools there are and whatever they are called', () => {
    const tools = Array.from({ length: 80 }, (_, at) => ({
      name: `results of mcp__a server = of * many words__${at}`,
      tokens: 1_000_000 - at,
    }));
    const text = writeParts([{ name: 'system prompt', tokens: 9_999_999 }, ...tools]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(COMPOSITION_BYTES);
    const sum = readParts(text).reduce((total, { tokens }) => total + tokens, 0);
    expect(sum).toBe(9_999_999 + tools.reduce((total, { tokens }) => total + tokens, 0));
  });

  it('add up to what the provider counted', () => {
    const parts = scaledParts(
      new Map([
        ['system prompt', 50],
        ['your messages', 50],
        ['hooks', 0],
      ]),
      300,
    );
    expect(parts).toEqual([
      { name: 'system prompt', tokens: 150 },
      { name: 'your messages', tokens: 150 },
    ]);
  });

  it('leave out what they do not understand', () => {
    expect(readParts('s12 ?9 z y3x =4 ')).toEqual([{ name: 'system prompt', tokens: 12 }]);
  });
});
