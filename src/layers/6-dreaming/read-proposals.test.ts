import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseOf, known } from '../../../test/support/dream-cases.ts';
import { DREAMING_LIMITS, LIMITS, type Limits } from '../../limits.ts';
import { readProposals } from './read-proposals.ts';
import { DREAM_ACTIONS } from './records/record.ts';

const A = known('project_a.md', 'The crane is repaired.');
const B = known('project_b.md', 'The violin is tuned.');
const BASE = baseOf([A, B]);
const LIMITED = LIMITS.dreaming;

interface Left {
  readonly list: unknown;
  readonly copy?: Readonly<Record<string, string | null>>;
  readonly limits?: Partial<Limits['dreaming']>;
}

function read({ list, copy = {}, limits }: Left) {
  const files: Readonly<Record<string, string | null>> = { [A.file]: A.text, [B.file]: B.text, ...copy };
  return readProposals(
    {
      listText: typeof list === 'string' || list === null ? list : JSON.stringify(list),
      copy: (file) => (Object.hasOwn(files, file) ? files[file]! : null),
      base: BASE,
      copyFiles: Object.keys(files),
    },
    { ...LIMITED, ...limits },
  );
}

const EVIDENCE = [{ from: B.file, quote: 'tuned' }];
const REMOVAL = { action: 'remove', file: A.file, reason: 'Old.', evidence: EVIDENCE, into: [B.file], drops: [] };
const UPDATE = { action: 'update', file: A.file, reason: 'Shorter.', evidence: EVIDENCE };

describe('the list', () => {
  const json = JSON.stringify({ changes: [REMOVAL] });
  test.each([
    ['as it should be', json],
    ['with a byte-order mark', `\ufeff${json}`],
    ['in a fence', `\`\`\`json\n${json}\n\`\`\`\n`],
    ['with trailing commas', json.replace(']}]}', '],},],}')],
    ['without its frame', JSON.stringify([REMOVAL])],
    ['with more than is asked for', JSON.stringify({ note: 'x', changes: [{ ...REMOVAL, mood: 'calm', text: 'no' }] })],
  ])('is read %s', (_title, list) => {
    expect(read({ list })).toEqual({
      proposals: [{ ...REMOVAL, text: null }],
      problems: [],
      unlistedFiles: [],
    });
  });

  test.each([
    ['missing', null, /no changes\.json/],
    ['empty', '  ', /empty/],
    ['cut off', json.slice(0, -10), /not JSON/],
    ['no list', '{"changes": {}}', /no list/],
    ['a number', '7', /no list/],
    ['too long', `${json}${' '.repeat(DREAMING_LIMITS.listBytes)}`, /bytes/],
  ])('is not guessed at when it is %s', (_title, list, problem) => {
    const { proposals, problems } = read({ list });
    expect(proposals).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  test('a comma in a quote stays when trailing ones are removed', () => {
    const quote = 'a, ] and b, }';
    const list = JSON.stringify({ changes: [{ ...REMOVAL, evidence: [{ from: B.file, quote }] }] }).replace(
      /\}$/,
      ',}',
    );
    expect(read({ list }).proposals[0]!.evidence).toEqual([{ from: B.file, quote }]);
  });
});

describe('entries', () => {
  test.each<readonly [string, unknown, RegExp]>([
    ['no object', 'remove a', /not an object/],
    ['no file', { ...REMOVAL, file: '' }, /names no file/],
    ['a file that is no text', { ...REMOVAL, file: 7 }, /names no file/],
    ['no action', { ...REMOVAL, action: undefined }, /no action of create/],
    ['an action that there is not', { ...REMOVAL, action: 'delete' }, /no action of create/],
  ])('with %s are named and left out', (_title, entry, problem) => {
    const { proposals, problems } = read({ list: { changes: [entry, { ...REMOVAL, file: B.file }] } });
    expect(proposals.map(({ file }) => file)).toEqual([B.file]);
    expect(problems[0]).toMatch(/^Entry 1 /);
    expect(problems[0]).toMatch(problem);
  });

  test('oddities are repaired or left out, and reported', () => {
    const entry = {
      ...REMOVAL,
      file: `./${A.file}`,
      reason: 'Two\nlines\u202e.',
      evidence: [...EVIDENCE, { from: '', quote: 'x' }, { quote: 'x' }, 'x'],
      into: [B.file, B.file, 7, ' '],
    };
    const { proposals, problems } = read({ list: { changes: [entry] } });
    expect(proposals).toEqual([{ ...REMOVAL, reason: 'Two lines.', text: null }]);
    expect(problems).toEqual(
      [expect.stringContaining('"into" that names no file'), expect.stringContaining('evidence without')].map(
        (each) => each,
      ),
    );
  });

  test('dropped sentences are read with their reason, and unreadable ones are reported', () => {
    const quote = 'The crane is repaired.';
    const of = { file: B.file, quote: 'tuned' };
    const drops = [
      { quote: ` ${quote}`, because: 'duplicate', of: { ...of, file: `./${B.file}`, more: 1 } },
      { quote, because: 'superseded', by: of },
      { quote, because: 'expired', day: '2026-05-01' },
      { quote, because: 'gone', path: 'src/a.ts' },
      { quote, because: 'duplicate' },
      { quote, because: 'boring' },
      { because: 'gone', path: 'x' },
      7,
    ];
    const { proposals, problems } = read({ list: { changes: [{ ...REMOVAL, drops }] } });
    expect(proposals[0]!.drops).toEqual([{ quote, because: 'duplicate', of }, ...drops.slice(1, 4)]);
    expect(problems).toEqual([
      'Entry 1 (project_a.md) has a drop as duplicate without of: {file, quote}: not counted.',
      'Entry 1 (project_a.md) has a drop without a reason of duplicate, superseded, expired, gone: not counted.',
      'Entry 1 (project_a.md) has a drop without a quote: not counted.',
    ]);
  });

  test('a single word or object counts as a list of one', () => {
    const entry = { ...REMOVAL, evidence: EVIDENCE[0], into: B.file };
    expect(read({ list: { changes: [entry] } }).proposals).toEqual([{ ...REMOVAL, text: null }]);
  });

  test('are limited', () => {
    const limits = { changes: 2, quotes: 1, superseding: 1, reasonCharacters: 10, quoteCharacters: 4 };
    const entry = { ...REMOVAL, reason: 'x'.repeat(50), evidence: [...EVIDENCE, ...EVIDENCE], into: ['x.md', 'y.md'] };
    const { proposals, problems } = read({ list: { changes: [entry, { ...entry, file: B.file }, entry] }, limits });
    expect(proposals).toHaveLength(2);
    expect(proposals[0]).toMatchObject({
      reason: `${'x'.repeat(9)}…`,
      evidence: [{ from: B.file, quote: 'tune' }],
      into: ['x.md'],
    });
    expect(problems[0]).toContain('3 entries');
  });

  test('problems are limited, too', () => {
    const { problems } = read({ list: { changes: Array(400).fill(7) } });
    expect(problems).toHaveLength(LIMITED.problems);
    expect(problems.at(-1)).toBe('351 more of the kind.');
  });

  test('two of the same kind for a file become one; of two kinds the gentler stays', () => {
    const copy = { [A.file]: 'new' };
    const twice = read({ list: { changes: [UPDATE, { ...UPDATE, reason: 'Dated.' }] }, copy });
    expect(twice.proposals).toMatchObject([
      { action: 'update', reason: 'Shorter. Dated.', evidence: [...EVIDENCE, ...EVIDENCE] },
    ]);
    expect(twice.problems).toEqual(['project_a.md is listed twice: taken as one update.']);
    for (const changes of [
      [UPDATE, REMOVAL],
      [REMOVAL, UPDATE],
    ]) {
      const mixed = read({ list: { changes }, copy });
      expect(mixed.proposals).toMatchObject([{ action: 'update', text: 'new' }]);
      expect(mixed.problems).toEqual(['project_a.md is listed twice: update is kept, remove left aside.']);
    }
  });
});

describe('the copy', () => {
  test('gives created and updated memories their text', () => {
    const created = { ...UPDATE, action: 'create', file: 'project_c.md' };
    const { proposals, problems } = read({
      list: { changes: [UPDATE, created] },
      copy: { [A.file]: 'one', 'project_c.md': 'two' },
    });
    expect(proposals.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(problems).toEqual([]);
  });

  test('a new file is created, even if the list says updated', () => {
    const { proposals } = read({
      list: { changes: [{ ...UPDATE, file: 'project_c.md' }] },
      copy: { 'project_c.md': 'two' },
    });
    expect(proposals).toMatchObject([{ action: 'create', text: 'two' }]);
  });

  test('a listed change that was not made is named', () => {
    const { proposals, problems } = read({
      list: { changes: [UPDATE, { ...UPDATE, action: 'create', file: 'project_c.md' }] },
    });
    expect(proposals).toEqual([]);
    expect(problems).toEqual([
      'project_a.md is listed as update, but is as it was.',
      'project_c.md is listed as create, but is not in the copy.',
    ]);
  });

  test('a change that is not listed does not happen, and is named', () => {
    const unlist = { ...REMOVAL, action: 'unlist', file: B.file };
    const copy = { [A.file]: null, [B.file]: 'other', 'project_c.md': 'new', 'MEMORY.md': 'edited' };
    const { proposals, unlistedFiles, problems } = read({ list: { changes: [unlist] }, copy });
    expect(proposals).toMatchObject([{ action: 'unlist', text: null, into: [] }]);
    expect(unlistedFiles).toEqual([A.file, B.file, 'project_c.md']);
    expect(problems).toContain('project_c.md was changed without a reason: not applied.');
  });
});

test('whatever the list holds, the result is what the types promise', () => {
  const odd = fc.constantFrom<unknown>(
    null,
    true,
    7,
    [],
    {},
    [[]],
    { from: 1 },
    '',
    ' ',
    '__proto__',
    '\u0000',
    '\ud800',
  );
  const word = fc.constantFrom(A.file, B.file, './project_c.md', '../x.md', 'a\nb', 'remove');
  const value = fc.oneof(odd, word, fc.string({ unit: 'binary-ascii', maxLength: 8 }));
  const quote = fc.oneof(value, fc.record({ from: value, quote: value }, { requiredKeys: [] }));
  const action = fc.constantFrom(...DREAM_ACTIONS, 'x', 7);
  const evidence = fc.oneof(value, fc.array(quote, { maxLength: 3 }));
  const into = fc.oneof(value, fc.array(value, { maxLength: 3 }));
  const record = fc.record({ action, file: value, reason: value, evidence, into }, { requiredKeys: [] });
  const changes = fc.array(fc.oneof(odd, record), { maxLength: 6 });
  const list = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 20 }),
    changes.map((each) => JSON.stringify({ changes: each })),
  );
  fc.assert(
    fc.property(list, (text) => {
      const { proposals, problems } = read({ list: text, copy: { [B.file]: 'other' } });
      for (const proposal of proposals) {
        expect(DREAM_ACTIONS).toContain(proposal.action);
        expect([proposal.file, proposal.reason, ...proposal.into].every((each) => typeof each === 'string')).toBe(true);
        expect(proposal.evidence.every(({ from, quote }) => from !== '' && quote !== '')).toBe(true);
        expect(proposal.text !== null).toBe(proposal.action === 'create' || proposal.action === 'update');
      }
      expect(new Set(proposals.map(({ file }) => file)).size).toBe(proposals.length);
      expect(problems.every((problem) => !/\n/.test(problem))).toBe(true);
    }),
  );
});

test('a secret in a name is shown nowhere', () => {
  const secret = `ghp_${'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'}`;
  const file = `project_${secret}.md`;
  const { problems } = read({
    list: [
      { ...UPDATE, file },
      { ...UPDATE, file, action: 'burn' },
      { ...UPDATE, file: `x-${secret}`, evidence: [1] },
    ],
    copy: { [`reference_${secret}.md`]: 'new' },
  });
  expect(problems).toHaveLength(5);
  expect(problems.join()).not.toContain('aB3dE5');
});
