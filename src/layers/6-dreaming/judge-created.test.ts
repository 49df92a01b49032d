import { describe, expect, test } from 'vitest';
import {
  asBase,
  create,
  type DreamCase,
  dreamt,
  duplicate,
  judge,
  known,
  NOW,
  quote,
  relist,
  remove,
  update,
  verdicts,
} from '../../../test/support/dream-cases.ts';
import { parseMemoryFile } from '../../memory/files/memory-file.ts';
import type { BaseMemory, Proposal } from './proposal.ts';

const HARBOUR = known('project_harbour.md', 'The harbour crane Bertha is repaired by Okonkwo before the regatta.');
const CRANE = known('project_crane.md', 'Okonkwo repairs the harbour crane Bertha before the regatta.');
const VIOLIN = known('project_violin.md', 'The violin of the choir is tuned by Matsuda on Sundays.');
const RULE = known('feedback_tabs.md', 'Makefiles are indented with tabs, everything else with blanks.');
const SEEN = known('project_mirror.md', 'The mirror of the registry is mirror.acme.test/npm.', { source: 'seen' });
const BASE = [HARBOUR, CRANE, VIOLIN, RULE, SEEN];
const FROM_CRANE = [quote(CRANE.file, 'Okonkwo repairs')];
const SAME = [duplicate(CRANE.body, HARBOUR.file, HARBOUR.body)];

function one(proposal: Proposal, more: Partial<DreamCase> = {}): string {
  return verdicts(judge({ base: BASE, proposals: [proposal], ...more }))[0]!;
}

describe('a created memory', () => {
  test('says where it comes from, and is as old and as trusted as what it replaces', () => {
    const old = known('project_old.md', 'The bakery Lindqvist delivers rye at six.', {
      source: 'imported',
      modified: '2025-11-02T08:00:00.000Z',
    });
    const file = 'project_bakery.md';
    const [made] = judge(
      {
        base: [old, VIOLIN],
        proposals: [
          create(file, dreamt(file, 'The bakery Lindqvist delivers rye at six.', { source: 'said', pinned: true }), [
            quote(old.file, 'Lindqvist'),
          ]),
          remove(
            old.file,
            [file],
            [quote(old.file, 'rye')],
            [duplicate('old', file, 'The bakery Lindqvist delivers rye at six.')],
          ),
        ],
      },
      { origin: { dream: 'd1' } },
    );
    expect(made!.verdict.kind).toBe('land');
    const { meta, origin } = parseMemoryFile(Buffer.from((made!.verdict as { text: string }).text));
    expect({ ...meta }).toMatchObject({
      source: 'imported',
      created: '2025-11-02T08:00:00.000Z',
      modified: NOW.toISOString(),
    });
    expect(meta.pinned).toBeUndefined();
    expect({ ...origin }).toEqual({ dream: 'd1', from: old.file });
  });

  test('is not a copy of another, existing or new', () => {
    const text = (file: string) => dreamt(file, CRANE.body);
    expect(one(create('project_again.md', text('project_again.md'), FROM_CRANE))).toBe(
      'refuse: project_crane.md says the same already.',
    );
    const proposals = ['project_a.md', 'project_b.md'].map((file) =>
      create(file, dreamt(file, 'Bertha the crane is repaired.'), FROM_CRANE),
    );
    expect(verdicts(judge({ base: BASE, proposals }))).toEqual(['land', 'refuse: project_a.md says the same already.']);
  });

  test('does not become a rule by itself when only the world said so', () => {
    const seen = known('project_page.md', 'Deploys are done by hand on the page deploy.acme.test/run.', {
      source: 'seen',
    });
    const inferred = known('project_habit.md', 'Deploys are done by hand on Mondays.', { source: 'inferred' });
    for (const memory of [seen, inferred]) {
      const file = 'feedback_deploy.md';
      const rule = create(file, dreamt(file, memory.body.replace('are done', 'are always done')), [
        quote(memory.file, 'Deploys are done by hand'),
      ]);
      const [verdict] = verdicts(judge({ base: [memory, VIOLIN], proposals: [rule] }));
      expect(verdict).toMatch(/^wait: No words of yours carry it/);
    }
  });

  test('keeps the words the user said outside of memory', () => {
    const file = 'feedback_rye.md';
    const session = '33333333-3333-4333-8333-333333333333';
    const said = 'Please order rye bread from Lindqvist.';
    const elsewhere = { [session]: { from: 'user', text: said, at: '2026-05-30T08:00:00.000Z' } } as const;
    const proposal = create(file, dreamt(file, 'Order rye bread from Lindqvist.', { name: 'rye bread' }), [
      quote(session, said),
    ]);
    const [judged] = judge({ base: BASE, proposals: [proposal], elsewhere });
    expect(asBase(file, (judged!.verdict as { text: string }).text)).toMatchObject({
      source: 'said',
      quotes: [{ text: said, at: '2026-05-30' }],
    });
  });
});

test('existing lines are not added again, and missing ones not removed', () => {
  const unlisted = known(VIOLIN.file, VIOLIN.body, { isListed: false });
  expect(one(relist('list', VIOLIN.file, FROM_CRANE))).toMatch(/^refuse: .*already/);
  expect(one(relist('unlist', VIOLIN.file, FROM_CRANE), { base: [unlisted, CRANE] })).toMatch(/^refuse: .*no line/);
});

test('an index with room keeps most of its lines; a full one may lose them', () => {
  const base = Array.from({ length: 9 }, (_, at) => known(`project_${at}.md`, `Pier ${at} belongs to ferry ${at}.`));
  const from = (at: number) => [quote(`project_${at}.md`, `Pier ${at} belongs`)];
  const unlists = (count: number) => base.slice(0, count).map(({ file }, at) => relist('unlist', file, from(at)));
  const verdictsOf = (count: number, isIndexFull: boolean) =>
    new Set(
      verdicts(judge({ base, proposals: unlists(count) }, { isIndexFull })).map((verdict) => verdict.slice(0, 4)),
    );
  expect(verdictsOf(3, false)).toEqual(new Set(['land']));
  expect(verdictsOf(4, false)).toEqual(new Set(['wait']));
  expect(verdictsOf(8, true)).toEqual(new Set(['land']));
});

test('under review nothing lands, and what would have landed is ready for approval', () => {
  const text = dreamt(VIOLIN.file, `${VIOLIN.body} The violin of the choir: tuned by Matsuda.`);
  const proposals = [
    update(VIOLIN.file, text, [quote(VIOLIN.file, 'tuned by')]),
    remove(CRANE.file, [HARBOUR.file], FROM_CRANE, SAME),
  ];
  const [first, second] = judge({ base: BASE, proposals }, { mode: 'review' });
  expect(first!.verdict).toMatchObject({ kind: 'wait', text: expect.stringContaining('choir: tuned') });
  expect(second!.verdict).toMatchObject({ kind: 'wait', reason: expect.stringContaining('reviewed') });
});

test('what is about the user is never marked for the team; what the project goes by may be', () => {
  const mark = (text: string) => text.replace('\ntype:', '\nshare: team\ntype:');
  const marked = (memory: BaseMemory) => update(memory.file, mark(memory.text), [quote(memory.file, memory.body)]);
  const teas = Array.from({ length: 1_000 }, (_, at) =>
    known(`user_tea-${at}.md`, `The user prefers tea number ${at}.`),
  );
  const base = [VIOLIN, ...teas];
  const judged = judge({ base, proposals: base.map(marked) });
  expect(judged.filter(({ verdict }) => verdict.kind === 'land').map(({ proposal }) => proposal.file)).toEqual([
    VIOLIN.file,
  ]);
  const [first] = judged;
  const text = first?.verdict.kind === 'land' ? first.verdict.text! : '';
  expect(parseMemoryFile(Buffer.from(text)).meta.share).toBe('team');
});
