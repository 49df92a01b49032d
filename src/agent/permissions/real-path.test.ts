import { describe, expect, it } from 'vitest';
import { wildcardMatches } from './path-pattern.ts';
import { realPathOf } from './real-path.ts';

describe('input that is too long to mean anything', () => {
  it('a path that no system opens is given back as it is', () => {
    const path = '/nowhere'.repeat(50_000);
    expect(realPathOf(path)).toBe(path);
  });

  it('a row of brackets in a pattern is read once', () => {
    expect(wildcardMatches('['.repeat(200_000), 'a')).toBe(false);
    expect(wildcardMatches('[a-c]x', 'bx')).toBe(true);
  });
});
