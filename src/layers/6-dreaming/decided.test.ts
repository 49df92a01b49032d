import { describe, expect, test } from 'vitest';
import {
  create,
  dreamt,
  duplicate,
  judge,
  known,
  NOW,
  quote,
  remove,
  update,
  verdicts,
} from '../../../test/support/dream-cases.ts';
import type { Proposal } from './proposal.ts';
import type { DreamChange } from './records/record.ts';

const CRANE = known('project_crane.md', 'Okonkwo repairs the harbour crane Bertha before the regatta.');
const HARBOUR = known('project_harbour.md', 'The harbour crane Bertha is repaired by Okonkwo before the regatta.');
const OTHER = known('project_other.md', 'Before the regatta, Okonkwo repairs the harbour crane Bertha.');
const BASE = [CRANE, HARBOUR, OTHER, known('user_role.md', 'The user tunes violins.')];
const QUOTES = [quote(HARBOUR.file, 'is repaired by Okonkwo')];

const REMOVAL = remove(CRANE.file, [HARBOUR.file], QUOTES, [duplicate(CRANE.body, HARBOUR.file, HARBOUR.body)]);
const UPDATE = update(CRANE.file, dreamt(CRANE.file, `${CRANE.body.slice(0, -1)}, as Okonkwo does.`), QUOTES);
const MADE = create(
  'project_bertha.md',
  dreamt('project_bertha.md', 'Before the regatta Okonkwo repairs Bertha, the harbour crane.'),
  QUOTES,
);

/** An earlier dream's change for that proposal, with the texts as they are. */
function before(proposal: Proposal, fields: Partial<DreamChange>): DreamChange {
  const { action, file, reason, evidence, into } = proposal;
  const hashOf = (name: string) => BASE.find((memory) => memory.file === name)?.hash ?? null;
  return {
    ...{ number: 2, action, file, reason, evidence, into, state: 'rejected', why: '', text: null },
    ...{ base: hashOf(file), intoBase: into.map(hashOf), decidedAt: NOW.toISOString(), ...fields },
  };
}

function judged(proposals: readonly Proposal[], ...changes: readonly DreamChange[]): readonly string[] {
  const earlier = changes.map((change) => ({ dream: 'mf3k-01', change }));
  return verdicts(judge({ base: BASE, proposals }, { earlier }));
}

describe('what the user rejected', () => {
  test.each([
    ['a removal', REMOVAL],
    ['an update', UPDATE],
    ['a new memory', MADE],
  ])('%s is refused with the day, and lands if nobody was asked', (_title, proposal) => {
    expect(judged([proposal])).toEqual(['land']);
    expect(judged([proposal], before(proposal, {}))[0]).toMatch(/^refuse: You rejected this on 2026-06-01/);
  });

  test.each<readonly [string, Partial<DreamChange>]>([
    ['the memory was another', { base: 'f'.repeat(64) }],
    ['it was another kind of change', { action: 'unlist' }],
    ['it was approved', { state: 'approved' }],
  ])('is judged again when %s', (_title, fields) => {
    expect(judged([REMOVAL], before(REMOVAL, fields))).toEqual(['land']);
  });

  test.each<readonly [string, Partial<DreamChange>]>([
    ['is another memory now', { into: [OTHER.file], intoBase: [OTHER.hash] }],
    ['was changed since', { intoBase: ['f'.repeat(64)] }],
  ])('waits when its replacement %s', (_title, fields) => {
    expect(judged([REMOVAL], before(REMOVAL, fields))[0]).toMatch(/^wait: You rejected this on 2026-06-01/);
  });

  test('waits under another name too', () => {
    const other = create(
      'project_boats.md',
      dreamt('project_boats.md', CRANE.body.replace('before', 'ahead of'), { name: 'harbour crane' }),
      QUOTES,
    );
    expect(judged([other], before(MADE, {}))[0]).toMatch(/^wait: You rejected a memory made from the same passages/);
  });

  test('holds back what was written to replace it', () => {
    const made = { ...MADE, evidence: [quote(CRANE.file, 'Okonkwo repairs')] };
    const removal = remove(CRANE.file, [made.file], QUOTES);
    expect(judged([made, removal], before(REMOVAL, {})).map((each) => each.split(':')[0])).toEqual(['wait', 'wait']);
  });
});

describe('what is still waiting', () => {
  test('is not proposed twice, and nothing lands around it', () => {
    const waits = before(REMOVAL, { state: 'waiting' });
    expect(judged([REMOVAL], waits)).toEqual(['refuse: It waits for you already: change 2 of dream mf3k-01.']);
    expect(judged([UPDATE], waits)[0]).toMatch(/^wait: About the same memory, change 2 of dream mf3k-01 waits/);
    expect(judged([REMOVAL], { ...waits, base: 'f'.repeat(64) })).toEqual(['land']);
  });
});
