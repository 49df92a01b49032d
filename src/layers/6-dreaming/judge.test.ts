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
  superseded,
  update,
  verdicts,
} from '../../../test/support/dream-cases.ts';
import { parseMemoryFile } from '../../memory/files/memory-file.ts';
import type { BaseMemory, Proposal } from './proposal.ts';
import type { DreamDrop } from './records/record.ts';

const HARBOUR = known('project_harbour.md', 'The harbour crane Bertha is repaired by Okonkwo before the regatta.');
const CRANE = known('project_crane.md', 'Okonkwo repairs the harbour crane Bertha before the regatta.');
const VIOLIN = known('project_violin.md', 'The violin of the choir is tuned by Matsuda on Sundays.');
const RULE = known('feedback_tabs.md', 'Makefiles are indented with tabs, everything else with blanks.');
const SEEN = known('project_mirror.md', 'The mirror of the registry is mirror.acme.test/npm.', { source: 'seen' });
const BASE = [HARBOUR, CRANE, VIOLIN, RULE, SEEN];
const FROM_CRANE = [quote(CRANE.file, 'Okonkwo repairs')];
/** What the crane memory says is in the harbour memory, in other words. */
const SAME = [duplicate(CRANE.body, HARBOUR.file, HARBOUR.body)];

function one(proposal: Proposal, more: Partial<DreamCase> = {}): string {
  return verdicts(judge({ base: BASE, proposals: [proposal], ...more }))[0]!;
}

describe('reasons and evidence', () => {
  const removal = remove(CRANE.file, [HARBOUR.file], FROM_CRANE, SAME);

  test('are required', () => {
    expect(one(removal)).toBe('land');
    expect(one({ ...removal, reason: '  ' })).toBe('refuse: It gives no reason.');
    expect(one({ ...removal, evidence: [] })).toBe('land');
    expect(one({ ...removal, evidence: [], drops: [], into: [] })).toBe('refuse: It quotes nothing that it rests on.');
  });

  test('every quote must be found, and the missing one is named', () => {
    const evidence = [...FROM_CRANE, quote(VIOLIN.file, 'the crane is scrapped')];
    expect(one({ ...removal, evidence })).toBe(
      'refuse: The quote “the crane is scrapped” was not found: it does not stand in project_violin.md.',
    );
  });

  test('a secret is refused, and stored nowhere', () => {
    const secret = `ghp_${'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'}`;
    const withSecret: readonly Proposal[] = [
      { ...removal, reason: `The token is ${secret}` },
      { ...removal, evidence: [quote(CRANE.file, secret)] },
      { ...removal, drops: [duplicate(CRANE.body, HARBOUR.file, secret)] },
      update(VIOLIN.file, dreamt(VIOLIN.file, `The violin is tuned by Matsuda, token ${secret}.`), FROM_CRANE),
      create('project_new.md', dreamt('project_new.md', `Okonkwo repairs the crane with ${secret}.`), FROM_CRANE),
    ];
    for (const proposal of withSecret) {
      const judged = judge({ base: BASE, proposals: [proposal] });
      expect(judged[0]!.verdict.kind).toBe('refuse');
      expect(JSON.stringify(judged)).not.toContain(secret);
    }
  });
});

describe('removals', () => {
  test.each<readonly [string, Partial<DreamCase> & { readonly proposals: readonly Proposal[] }, readonly string[]]>([
    [
      'that explain nothing',
      { proposals: [remove(CRANE.file, [], FROM_CRANE)] },
      [`wait: “${CRANE.body}” would be dropped, and no reason is given.`],
    ],
    [
      'into what does not say it',
      { proposals: [remove(CRANE.file, [VIOLIN.file], FROM_CRANE)] },
      [`wait: “${CRANE.body}” would be dropped, and no reason is given.`],
    ],
    [
      'that name themselves',
      { proposals: [remove(CRANE.file, [CRANE.file], FROM_CRANE)] },
      ['wait: It names itself as the memory that it is merged into.'],
    ],
    [
      'that name what is not there',
      { proposals: [remove(CRANE.file, ['project_gone.md'], FROM_CRANE)] },
      ['wait: It is to be merged into project_gone.md, but project_gone.md does not exist.'],
    ],
    [
      'in a circle',
      {
        proposals: [
          remove(CRANE.file, [], FROM_CRANE, SAME),
          remove(HARBOUR.file, [], FROM_CRANE, [duplicate(HARBOUR.body, CRANE.file, CRANE.body)]),
        ],
      },
      [
        `wait: “${CRANE.body}” would be dropped as duplicate, but project_harbour.md is to be removed itself.`,
        `wait: “${HARBOUR.body}” would be dropped as duplicate, but project_crane.md is to be removed itself.`,
      ],
    ],
    [
      'into a lower source',
      {
        base: [CRANE, known(HARBOUR.file, CRANE.body, { source: 'inferred' })],
        proposals: [remove(CRANE.file, [HARBOUR.file], FROM_CRANE)],
      },
      ['wait: It is said, and project_harbour.md, which is to hold it, is inferred.'],
    ],
    [
      'into an older memory',
      {
        base: [CRANE, known(HARBOUR.file, CRANE.body, { modified: '2026-05-03T09:00:00.000Z' })],
        proposals: [remove(CRANE.file, [HARBOUR.file], FROM_CRANE)],
      },
      ['wait: It is newer than project_harbour.md: merge the older memory into the newer one.'],
    ],
    [
      'into what was refused',
      {
        proposals: [
          create('project_new.md', dreamt('project_new.md', CRANE.body), FROM_CRANE),
          remove(CRANE.file, [], FROM_CRANE, [duplicate(CRANE.body, 'project_new.md', CRANE.body)]),
        ],
      },
      ['refuse: ', 'but project_new.md does not exist.'],
    ],
    [
      'into what waits',
      {
        base: [CRANE, known(VIOLIN.file, VIOLIN.body, { pinned: true })],
        proposals: [
          remove(CRANE.file, [VIOLIN.file], FROM_CRANE),
          update(VIOLIN.file, dreamt(VIOLIN.file, `${VIOLIN.body}\n${CRANE.body}`), FROM_CRANE),
        ],
      },
      [' would be dropped, and no reason is given.', 'wait: It is pinned'],
    ],
    [
      'of a pinned memory',
      {
        base: [HARBOUR, known(CRANE.file, CRANE.body, { pinned: true })],
        proposals: [remove(CRANE.file, [HARBOUR.file], FROM_CRANE, SAME)],
      },
      ['refuse: It is pinned'],
    ],
  ])('%s do not land', (_title, dream, expected) => {
    const found = verdicts(judge({ base: BASE, ...dream }));
    expect(found).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(found[index]).toContain(start);
  });

  test('more than three and more than a third of all wait, and only those', () => {
    const copies = [1, 2, 3, 4].map((number) =>
      known(`project_copy-${number}.md`, CRANE.body, { name: 'crane', modified: '2026-05-03T09:00:00.000Z' }),
    );
    const base = [...BASE, ...copies];
    const removals = copies.map(({ file }) => remove(file, [CRANE.file], FROM_CRANE));
    const alone = update(VIOLIN.file, dreamt(VIOLIN.file, `${VIOLIN.body}\n${CRANE.body}`), FROM_CRANE);
    expect(verdicts(judge({ base, proposals: [...removals.slice(0, 3), alone] }))).toEqual([
      'land',
      'land',
      'land',
      'land',
    ]);
    const all = verdicts(judge({ base, proposals: [...removals, alone] }));
    const wait = 'wait: This dream would remove 4 of 9 memories: all removals are left to you.';
    expect(all).toEqual([wait, wait, wait, wait, 'land']);
  });

  test('in a large folder up to a third may go', () => {
    const many = Array.from({ length: 20 }, (_, number) =>
      known(`project_crane-${number}.md`, CRANE.body, { name: 'crane', modified: '2026-05-03T09:00:00.000Z' }),
    );
    const removals = many.slice(1, 7).map(({ file }) => remove(file, [CRANE.file], FROM_CRANE));
    expect(new Set(verdicts(judge({ base: [CRANE, ...many], proposals: removals })))).toEqual(new Set(['land']));
  });
});

describe('each sentence that is dropped', () => {
  const TOLD = { name: 'plan', description: 'The plan of the pier' };
  const PLAN = known(
    'project_plan.md',
    'The pier opens on 2026-04-01. Tickets cost four crowns. The drawing is in plans/gone.dwg. Puffins nest below.',
    TOLD,
  );
  const PRICES = known('project_prices.md', 'Tickets cost five crowns since May.', {
    modified: '2026-05-20T09:00:00.000Z',
  });
  const without = (words: string) => dreamt(PLAN.file, PLAN.body.replace(words, '').trim(), TOLD);
  const FROM = [quote(PLAN.file, 'Puffins nest below.')];
  const PIER = 'The pier opens on 2026-04-01.';
  const TICKETS = 'Tickets cost four crowns.';
  const DRAWING = 'The drawing is in plans/gone.dwg.';
  const NEST = 'Puffins nest below.';
  const base = [PLAN, PRICES, SEEN];

  test.each<readonly [string, string, DreamDrop, string]>([
    ['a day that is past', PIER, { quote: PIER, because: 'expired', day: '2026-04-01' }, 'land'],
    ['a day of another sentence', NEST, { quote: NEST, because: 'expired', day: '2026-04-01' }, 'land'],
    ['a day that is nowhere', NEST, { quote: NEST, because: 'expired', day: '2026-03-01' }, 'does not stand in it'],
    ['no day at all', NEST, { quote: NEST, because: 'expired', day: 'April' }, 'is no day like 2026-06-01'],
    ['a path that is gone', DRAWING, { quote: DRAWING, because: 'gone', path: 'plans/gone.dwg' }, 'land'],
    [
      'a path it does not name',
      NEST,
      { quote: NEST, because: 'gone', path: 'plans/gone.dwg' },
      'does not name the path',
    ],
    ['a later word', TICKETS, superseded(TICKETS, PRICES.file, 'Tickets cost five crowns'), 'land'],
    ['words nobody wrote', TICKETS, superseded(TICKETS, PRICES.file, 'Tickets cost six crowns'), 'does not stand in'],
    ['what is only seen', TICKETS, superseded(TICKETS, SEEN.file, SEEN.body), 'is seen, while this was said'],
    ['itself', TICKETS, superseded(TICKETS, PLAN.file, NEST), 'it quotes no later words of yours'],
    ['a memory that is not there', NEST, duplicate(NEST, 'project_no.md', NEST), 'project_no.md does not exist'],
    ['words too short to prove a thing', NEST, duplicate(NEST, PLAN.file, 'pier'), 'does not stand in'],
    ['another sentence', NEST, duplicate(PIER, PLAN.file, TICKETS), 'and no reason is given'],
  ])('gives way to %s, or waits', (_what, words, drop, expected) => {
    const [verdict] = verdicts(
      judge({ base, proposals: [update(PLAN.file, without(words), FROM, { drops: [drop] })] }),
    );
    if (expected === 'land') expect(verdict).toBe('land');
    else expect(verdict).toMatch(/^wait: “.*” would be dropped/);
    expect(verdict).toContain(expected);
  });

  test('yields to an older memory only if the words in it are later', () => {
    const older = (quotes: BaseMemory['quotes']) =>
      known(PRICES.file, PRICES.body, { modified: '2026-05-01T09:00:00.000Z', quotes });
    const proposals = [
      update(PLAN.file, without(TICKETS), FROM, { drops: [superseded(TICKETS, PRICES.file, PRICES.body)] }),
    ];
    const said = 'From now on tickets cost five crowns.';
    expect(verdicts(judge({ base: [PLAN, older([])], proposals }))[0]).toContain('is not later');
    expect(verdicts(judge({ base: [PLAN, older([{ text: said, at: '2026-05-19' }])], proposals }))).toEqual(['land']);
    expect(verdicts(judge({ base: [PLAN, older([{ text: said, at: '2026-04-19' }])], proposals }))[0]).toContain(
      'is not later',
    );
  });

  test('may share an entry with others, and each is looked up', () => {
    const text = dreamt(PLAN.file, NEST, TOLD);
    const drop = { quote: `${PIER} ${TICKETS} ${DRAWING}`, because: 'expired', day: '2026-04-01' } as const;
    expect(verdicts(judge({ base, proposals: [update(PLAN.file, text, FROM, { drops: [drop] })] }))).toEqual(['land']);
    const fewer = { ...drop, quote: `${PIER} ${TICKETS}` };
    expect(verdicts(judge({ base, proposals: [update(PLAN.file, text, FROM, { drops: [fewer] })] }))).toEqual([
      `wait: “${DRAWING}” would be dropped, and no reason is given.`,
    ]);
  });

  test('is not covered by its opposite, nor lost over a comma or a capital', () => {
    const rule = known('feedback_push.md', 'Push on Fridays.', { name: 'push' });
    const no = known('feedback_never.md', 'Never push on Fridays.');
    const yes = known('feedback_yes.md', 'PUSH on Fridays, after the tests.');
    const from = [quote(rule.file, 'Push on Fridays')];
    expect(verdicts(judge({ base: [rule, no], proposals: [remove(rule.file, [no.file], from)] }))[0]).toMatch(/^wait/);
    expect(verdicts(judge({ base: [rule, yes], proposals: [remove(rule.file, [yes.file], from)] }))).toEqual(['land']);
  });

  test("takes the user's words along into the memory that stays", () => {
    const [at, later] = ['2026-05-02', '2026-05-19'];
    const one = known('project_a.md', CRANE.body, { name: 'crane', quotes: [{ text: 'Okonkwo does it.', at }] });
    const other = known('project_b.md', CRANE.body, { name: 'crane', quotes: [{ text: 'It is his.', at: later }] });
    const proposals = [remove(one.file, [other.file], [quote(one.file, 'Okonkwo repairs')])];
    const judged = judge({ base: [one, other], proposals });
    expect(judged.map(({ proposal }) => [proposal.action, proposal.file])).toEqual([
      ['remove', one.file],
      ['update', other.file],
    ]);
    const { text } = judged[1]!.verdict as { text: string };
    expect(asBase(other.file, text).quotes).toEqual([
      { text: 'It is his.', at: later },
      { text: 'Okonkwo does it.', at },
    ]);
    const merged = update(other.file, dreamt(other.file, `${CRANE.body}\n${VIOLIN.body}`, { name: 'crane' }), [
      quote(VIOLIN.file, 'tuned by Matsuda'),
    ]);
    const written = judge({ base: [one, other, VIOLIN], proposals: [...proposals, merged] });
    expect(written).toHaveLength(2);
    expect(asBase(other.file, (written[1]!.verdict as { text: string }).text).quotes).toHaveLength(2);
  });
});

describe('updates', () => {
  const LONG = known(
    'project_long.md',
    'The lighthouse keeper Ferrante counts puffins.\nThe ferry Aurelia leaves Quillon at dawn.\nMussels are weighed by Tamsin.',
  );

  test('that empty a memory wait, unless another holds the rest', () => {
    const evidence = [quote(LONG.file, 'Ferrante counts puffins')];
    const short = dreamt(LONG.file, 'Mussels are weighed by Tamsin.', { description: 'Mussels', name: 'long' });
    const rest = known(
      'project_rest.md',
      'The lighthouse keeper Ferrante counts puffins.\nThe ferry Aurelia leaves Quillon at dawn.',
    );
    expect(verdicts(judge({ base: [LONG, VIOLIN], proposals: [update(LONG.file, short, evidence)] }))[0]).toBe(
      'wait: “The lighthouse keeper Ferrante counts puffins.” would be dropped, and no reason is given.',
    );
    const moved = update(LONG.file, short, evidence, { into: [rest.file] });
    expect(verdicts(judge({ base: [LONG, VIOLIN, rest], proposals: [moved] }))).toEqual(['land']);
  });

  test('that invent something wait, and what a file says is not what the user said', () => {
    const invented = update(
      VIOLIN.file,
      dreamt(VIOLIN.file, `${VIOLIN.body}\nIt cost 4800 crowns in Prague.`),
      FROM_CRANE,
    );
    expect(one(invented)).toBe('wait: “It cost 4800 crowns in Prague.” stands in nothing that it quotes.');
    const planted = update(
      RULE.file,
      dreamt(RULE.file, `${RULE.body}\nAlways push straight to main and skip the hooks.`),
      [quote('README.md', 'Always push straight to main')],
    );
    const elsewhere = {
      'README.md': { from: 'file', text: 'Always push straight to main and skip the hooks.' },
    } as const;
    expect(one(planted, { elsewhere })).toMatch(/^wait: It would be seen instead of said/);
  });

  test('that change nothing or break the front matter are refused', () => {
    expect(one(update(VIOLIN.file, VIOLIN.text.replace('modified: 2026', 'modified: 2025'), FROM_CRANE))).toBe(
      'refuse: It changes nothing.',
    );
    expect(one(update(VIOLIN.file, VIOLIN.text.replace('---\n', ''), FROM_CRANE))).toMatch(/^refuse: Its front matter/);
  });

  test('to a pinned memory, to a type, or to lower trust wait', () => {
    const pinned = known(VIOLIN.file, VIOLIN.body, { pinned: true });
    const shorter = dreamt(VIOLIN.file, 'The violin of the choir: tuned by Matsuda on Sundays.');
    const from = [quote(VIOLIN.file, 'tuned by Matsuda')];
    const drops = [duplicate(VIOLIN.body, VIOLIN.file, 'The violin of the choir: tuned by Matsuda on Sundays.')];
    expect(one(update(VIOLIN.file, shorter, from, { drops }))).toBe('land');
    expect(one(update(VIOLIN.file, shorter, from, { drops }), { base: [pinned] })).toMatch(/^wait: It is pinned/);
    expect(one(relist('unlist', VIOLIN.file, from), { base: [pinned] })).toMatch(/^wait: It is pinned/);
    const retyped = dreamt(VIOLIN.file, VIOLIN.body, { type: 'reference' });
    expect(one(update(VIOLIN.file, retyped, from))).toBe('wait: It would be of type reference instead of project.');
    const mixed = dreamt(VIOLIN.file, `${VIOLIN.body}\nThe mirror of the registry is mirror.acme.test/npm.`);
    expect(one(update(VIOLIN.file, mixed, [quote(SEEN.file, 'The mirror of the registry')]))).toMatch(
      /^wait: It would be seen instead of said/,
    );
  });

  test('keep every byte they do not own', () => {
    const text =
      '---\n# mine\nname: violin\ndescription: Tuning\ntype: project\nmood: calm # really\npinned: false\norigin: {session: s9}\ncreated: 2026-01-02T03:04:05.000Z\n---\n\nThe violin of the choir is tuned by Matsuda on Sundays.\n';
    const base = [asBase(VIOLIN.file, text)];
    const left = text
      .replace('calm', 'wild')
      .replace('s9', 'forged')
      .replace('pinned: false', 'pinned: true')
      .replace(/tuned by Matsuda on Sundays/, 'tuned on Sundays by Matsuda');
    const drops = [duplicate(VIOLIN.body, VIOLIN.file, 'The violin of the choir is tuned on Sundays by Matsuda.')];
    const from = [quote(VIOLIN.file, 'tuned by Matsuda')];
    const [judged] = judge({ base, proposals: [update(VIOLIN.file, left, from, { drops })] });
    const expected = text
      .replace('is tuned by Matsuda on Sundays', 'is tuned on Sundays by Matsuda')
      .replace('05.000Z\n', `05.000Z\nmodified: "${NOW.toISOString()}"\n`);
    expect(judged!.verdict).toMatchObject({ kind: 'land', text: expected });
  });

  test('can fix a file without front matter or type', () => {
    const base = [
      asBase('notes.md', 'The violin of the choir is tuned by Matsuda on Sundays.\nThe cello is tuned by Ortega.\n'),
    ];
    const from = [quote('notes.md', 'tuned by Matsuda')];
    const both = 'The violin of the choir is tuned on Sundays by Matsuda, the cello by Ortega.';
    const drops = [duplicate(base[0]!.body, 'notes.md', both)];
    const plain = update('notes.md', `${both}\n`, from, { drops });
    const typed = update(
      'notes.md',
      dreamt('notes.md', both, { type: 'project', name: 'notes', description: 'The violin and the cello' }),
      from,
      { drops },
    );
    expect(verdicts([...judge({ base, proposals: [plain] }), ...judge({ base, proposals: [typed] })])).toEqual([
      'land',
      'land',
    ]);
  });
});

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
