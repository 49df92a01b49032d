import { expect, test } from 'vitest';
import { baseOf, known, NOW, type Told } from '../../../test/support/dream-cases.ts';
import { LIMITS } from '../../limits.ts';
import { type RecallUse, retirements } from './retire.ts';

const IN_VAIN: RecallUse = {
  watched: 7,
  used: 0,
  firstRecalledAt: '2026-04-01T08:00:00.000Z',
  lastRecalledAt: '2026-05-20T08:00:00.000Z',
};

function retired(
  use: Partial<RecallUse> = {},
  more: { readonly told?: Told; readonly already?: readonly string[]; readonly now?: Date } = {},
) {
  const memory = known('project_a.md', 'The crane is repaired.', {
    modified: '2026-03-01T00:00:00.000Z',
    ...more.told,
  });
  return retirements({
    base: baseOf([memory, known('project_b.md', 'Never recalled.')]),
    usefulness: new Map([
      ['project_a.md', { ...IN_VAIN, ...use }],
      ['project_gone.md', IN_VAIN],
    ]),
    limits: LIMITS.dreaming,
    now: more.now ?? NOW,
    already: new Set(more.already),
  });
}

test('a memory recalled again and again but never used is proposed, and waits', () => {
  expect(retired()).toEqual([
    {
      proposal: {
        action: 'remove',
        file: 'project_a.md',
        reason: 'Recalled 7 times over 49 days and never used.',
        evidence: [{ from: 'project_a.md', quote: 'The crane is repaired.' }],
        into: [],
        drops: [],
        text: null,
      },
      verdict: { kind: 'wait', reason: expect.stringContaining('yours to decide'), text: null },
    },
  ]);
});

test.each<readonly [string, Parameters<typeof retired>, number]>([
  ['used once', [{ used: 1 }], 0],
  ['recalled too seldom', [{ watched: 4 }], 0],
  ['recalled just often enough', [{ watched: 5 }], 1],
  ['recalled for too short a time', [{ firstRecalledAt: '2026-04-21T08:00:00.000Z' }], 0],
  ['recalled just long enough', [{ firstRecalledAt: '2026-04-20T08:00:00.000Z' }], 1],
  ['pinned', [{}, { told: { pinned: true } }], 0],
  ['waiting or rejected already', [{}, { already: ['project_a.md'] }], 0],
  ['counted from before it was changed', [{}, { told: { modified: '2026-04-10T00:00:00.000Z' } }], 0],
  ['changed just before it was first recalled', [{}, { told: { modified: '2026-03-31T00:00:00.000Z' } }], 1],
  ['changed lately', [{}, { told: { modified: '2026-05-10T00:00:00.000Z' } }], 0],
  ['of a clock that ran ahead', [{ lastRecalledAt: '2027-01-01T00:00:00.000Z' }], 0],
  ['without a readable time', [{ firstRecalledAt: 'long ago' }], 0],
])('%s', (_title, facts, count) => {
  expect(retired(...facts)).toHaveLength(count);
});

test('the most often recalled comes first', () => {
  const files = ['project_a.md', 'project_b.md', 'project_c.md'];
  const base = baseOf(files.map((file) => known(file, `About ${file}.`, { modified: '2026-03-01T00:00:00.000Z' })));
  const usefulness = new Map(files.map((file, index) => [file, { ...IN_VAIN, watched: [6, 9, 9][index]! }]));
  const found = retirements({ base, usefulness, limits: LIMITS.dreaming, now: NOW, already: new Set() });
  expect(found.map(({ proposal }) => proposal.file)).toEqual(['project_b.md', 'project_c.md', 'project_a.md']);
});
