import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryUsefulness } from '../memory/history/usefulness.ts';
import { judgeUsefulness, listUsefulness, type UsefulnessVerdict } from './usefulness-rows.ts';

const count = (fields: Partial<MemoryUsefulness>): MemoryUsefulness => ({
  ...{ recalled: 3, watched: 3, used: 0, contradicted: 0 },
  ...{ firstRecalledAt: '2026-01-01', lastRecalledAt: '2026-01-02' },
  ...fields,
});

describe('a memory', () => {
  it.each<[UsefulnessVerdict, Partial<MemoryUsefulness>]>([
    ['never-used', {}],
    ['not-yet-used', { watched: 2 }],
    ['not-seen', { watched: 0, recalled: 9 }],
    ['used', { used: 1 }],
    ['contradicted', { contradicted: 1, used: 1 }],
  ])('is %s by %j', (verdict, fields) => {
    expect(judgeUsefulness(count(fields))).toBe(verdict);
  });
});

describe('the list', () => {
  it('has what never helped first, and counts the rest', () => {
    const counts = new Map([
      ['project:often-used.md', count({ used: 3 })],
      ['project:seldom-used.md', count({ used: 1 })],
      ['global:useless.md', count({})],
      ['project:very-useless.md', count({ recalled: 9, watched: 9 })],
      ['project:wrong.md', count({ contradicted: 1 })],
      ['project:removed.md', count({})],
    ]);
    const memories = [
      ...['often-used.md', 'seldom-used.md', 'very-useless.md', 'wrong.md', 'useless.md', 'alone.md'].map((file) => ({
        scope: 'project' as const,
        file,
      })),
      { scope: 'global' as const, file: 'useless.md' },
    ];
    const { rows, neverRecalled, gone } = listUsefulness(counts, { memories });
    const names = ['very-useless.md', 'useless.md', 'wrong.md', 'seldom-used.md', 'often-used.md'];
    expect(rows.map(({ file }) => file)).toEqual(names);
    expect(rows[1]).toMatchObject({ scope: 'global', verdict: 'never-used' });
    expect({ neverRecalled, gone }).toEqual({ neverRecalled: 2, gone: 1 });
  });

  it('loses no memory and puts none that never helped after one that did', () => {
    const fields = fc.record({ recalled: fc.nat(9), watched: fc.nat(9), used: fc.nat(3), contradicted: fc.nat(1) });
    fc.assert(
      fc.property(fc.array(fields), fc.nat(5), (all, others) => {
        const counts = new Map(all.map((each, at) => [`project:${at}.md`, count(each)]));
        const memories = Array.from({ length: all.length + others }, (_, at) => ({
          scope: 'project' as const,
          file: `${at}.md`,
        }));
        const list = listUsefulness(counts, { memories });
        expect(list).toMatchObject({ neverRecalled: others, gone: 0 });
        const verdicts = list.rows.map(({ verdict }) => verdict);
        expect(verdicts).toHaveLength(all.length);
        expect(verdicts.lastIndexOf('never-used')).toBeLessThan(verdicts.indexOf('used') >>> 0);
      }),
    );
  });
});
