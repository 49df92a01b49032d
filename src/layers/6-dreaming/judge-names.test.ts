import { describe, expect, test } from 'vitest';
import {
  create,
  type DreamCase,
  dreamt,
  judge,
  known,
  quote,
  relist,
  remove,
  update,
  verdicts,
} from '../../../test/support/dream-cases.ts';
import type { Proposal } from './proposal.ts';

const HARBOUR = known('project_harbour.md', 'The harbour crane Bertha is repaired by Okonkwo before the regatta.');
const CRANE = known('project_crane.md', 'Okonkwo repairs the harbour crane Bertha before the regatta.');
const VIOLIN = known('project_violin.md', 'The violin of the choir is tuned by Matsuda on Sundays.');
const RULE = known('feedback_tabs.md', 'Makefiles are indented with tabs, everything else with blanks.');
const SEEN = known('project_mirror.md', 'The mirror of the registry is mirror.acme.test/npm.', { source: 'seen' });
const BASE = [HARBOUR, CRANE, VIOLIN, RULE, SEEN];
const FROM_CRANE = [quote(CRANE.file, 'Okonkwo repairs')];

function one(proposal: Proposal, more: Partial<DreamCase> = {}): string {
  return verdicts(judge({ base: BASE, proposals: [proposal], ...more }))[0]!;
}

describe('other names for a subject', () => {
  const crane = { ...CRANE, text: CRANE.text.replace('---\n', '---\naliases: big lift\n') };
  const harbour = { ...HARBOUR, text: HARBOUR.text.replace('---\n', '---\naliases: docks\n') };
  const merged = (aliases: string) =>
    dreamt(HARBOUR.file, `${HARBOUR.body}\n\n${CRANE.body}`).replace('---\n', `---\naliases: ${aliases}\n`);
  const landed = (text: string) => {
    const proposals = [update(HARBOUR.file, text, FROM_CRANE), remove(CRANE.file, [HARBOUR.file], FROM_CRANE)];
    return JSON.stringify(judge({ base: [harbour, crane], proposals })[0]?.verdict);
  };

  test('are kept by a merge, and new ones count where they are written somewhere', () => {
    const found = landed(merged('docks, Bertha, the boss'));
    expect(found).toContain('aliases: docks, big lift, Bertha');
    expect(found).not.toContain('the boss');
  });
});

describe('names', () => {
  const text = dreamt('project_x.md', 'Okonkwo repairs the crane.');
  test.each([
    ['../project_x.md', /climbs/],
    ['/etc/project_x.md', /not a name below/],
    ['a/../../project_x.md', /climbs/],
    ['.reverie/project_x.md', /dot/],
    ['MEMORY.md', /index/],
    ['memory.MD', /small letters/],
    ['notes/MEMORY.md', /index/],
    ['logs/2026/05/2026-05-08.md', /logs/],
    ['project_x.txt', /\.md/],
    ['project_x\u0000.md', /NUL/],
    ['x.md', /\{type\}_/],
    ['deep/project_x.md', /\{type\}_/],
    ['Project_x.md', /\{type\}_/],
    ['project_HARBOUR.md', /same file as project_harbour\.md/],
    ['project_harbour.md', /already/],
    ['feedback_x.md', /type project/],
  ])('a new memory cannot be called %j', (file, why) => {
    const verdict = one(create(file, text, FROM_CRANE));
    expect(verdict).toMatch(/^refuse: /);
    expect(verdict).toMatch(why);
  });

  test('a file that is not there cannot be changed in any way', () => {
    const gone = 'project_gone.md';
    const proposals = [
      update(gone, text, FROM_CRANE),
      remove(gone, [CRANE.file], FROM_CRANE),
      relist('list', gone, FROM_CRANE),
    ];
    for (const proposal of proposals) expect(one(proposal)).toBe('refuse: There is no such memory.');
  });

  test('one change per file, twins included', () => {
    const proposals = [
      create('project_new.md', text, FROM_CRANE),
      create('project_New.md', text, FROM_CRANE),
      relist('unlist', CRANE.file, FROM_CRANE),
      remove(CRANE.file, [HARBOUR.file], FROM_CRANE),
    ];
    const [, second, , fourth] = verdicts(judge({ base: BASE, proposals }));
    expect([second, fourth]).toEqual([
      'refuse: Another change of this dream is about the same file.',
      'refuse: Another change of this dream is about the same file.',
    ]);
  });
});
