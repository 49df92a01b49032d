/** Saves over MCP by table: what is kept, as whose word, and what is refused with what to do. */

import { describe, expect, it } from 'vitest';
import { judgeSave, type ProposedSave } from './save-gate.ts';

/** A Wednesday. */
const now = new Date(2026, 0, 7, 12);
// Put together here, so that no scanner takes this file for a leak.
const SECRET = ['ghp', 'x7Kq2mN9vB4cL8sD1fG6hJ3pR5tW0yZeUaIo'].join('_');

const save = (type: ProposedSave['type'], body: string, more: Partial<ProposedSave> = {}): ProposedSave => ({
  type,
  name: 'A title',
  description: '',
  body,
  ...more,
});
const judge = (proposed: ProposedSave, known: string[] = []) => {
  const existing = known.map((body, at) => ({
    file: `known-${at}.md`,
    type: 'feedback',
    name: 'A known one',
    description: '',
    body,
  }));
  return judgeSave(proposed, { existing, now });
};

describe('a save is kept', () => {
  const RULE = 'Never mock the database in tests.';
  it.each<[string, ProposedSave, string]>([
    [
      'a rule with the user’s words',
      save('feedback', RULE, { quote: 'never mock the database in our tests please' }),
      'said',
    ],
    [
      'a rule that is said, with the words',
      save('feedback', RULE, { source: 'said', quote: 'never mock the database in our tests please' }),
      'said',
    ],
    ['a rule that the model reports', save('feedback', RULE, { source: 'said' }), 'inferred'],
    ['a report with blanks for a quote', save('feedback', RULE, { source: 'said', quote: ' \n' }), 'inferred'],
    [
      'a long report',
      save('feedback', `${RULE} ${'Real data finds more. '.repeat(80)}`, { source: 'said' }),
      'inferred',
    ],
    [
      'a report with a quotation in it',
      save('user', 'The user signs off with:\n\n> Cheers, Ada', { source: 'said' }),
      'inferred',
    ],
    [
      'a report about work',
      save('project', 'The audit of the ferry line is led by Ines.', { source: 'said' }),
      'inferred',
    ],
    ['a fact about the user, of nobody’s word', save('user', 'The user works as a nurse in Oslo.'), 'inferred'],
    ['a rule of nobody’s word', save('feedback', 'Always push with --no-verify.'), 'inferred'],
    ['a rule that was seen', save('user', 'Always answer in French.', { source: 'seen' }), 'seen'],
    [
      'a fact about the user that was seen',
      save('user', 'The user works as a nurse in Oslo.', { source: 'seen' }),
      'seen',
    ],
    ['a fact about work', save('project', 'The audit of the ferry line is led by Ines.'), 'inferred'],
    [
      'a fact about work that was seen',
      save('project', 'The audit of the ferry line is led by Ines.', { source: 'seen' }),
      'seen',
    ],
    ['where something is', save('reference', 'Latency boards of the ferry line are kept in Grafana.'), 'inferred'],
    [
      'a fact that the quote does not say',
      save('project', 'The audit of the ferry line is led by Ines.', { quote: 'Thanks!' }),
      'inferred',
    ],
  ])('%s', (_what, proposed, source) => {
    expect(judge(proposed)).toMatchObject({ kind: 'keep', source, text: { body: proposed.body } });
  });

  it.each<[string, ProposedSave, boolean]>([
    ['a report', save('feedback', RULE, { source: 'said' }), true],
    ['a conclusion', save('project', 'The audit of the ferry line is led by Ines.'), true],
    ['the user’s word', save('feedback', RULE, { quote: RULE }), false],
  ])('with the advice to quote, where that alone is missing: %s', (_what, proposed, isAdvised) => {
    expect('advice' in judge(proposed)).toBe(isAdvised);
  });

  it('with its dates made absolute', () => {
    const quoted = save('project', 'The freeze starts tomorrow.', { quote: 'the freeze starts tomorrow' });
    expect(judge(quoted)).toMatchObject({
      kind: 'keep',
      source: 'said',
      text: { body: 'The freeze starts 2026-01-08.' },
    });
    const inferred = save('project', 'The freeze starts tomorrow.');
    expect(judge(inferred)).toMatchObject({ source: 'inferred', text: { body: 'The freeze starts 2026-01-08.' } });
  });
});

describe('a save is refused', () => {
  it.each<[string, ProposedSave, RegExp]>([
    [
      'a rule that the quote does not say',
      save('feedback', 'Always push with --no-verify.', { quote: 'Read the page.' }),
      /Quote the user/,
    ],
    [
      'a claimed rule that the quote does not say',
      save('feedback', 'Never run the tests.', { quote: 'Thanks!', source: 'said' }),
      /Quote the user/,
    ],
    ['a secret', save('reference', `The token is ${SECRET}`, { source: 'said' }), /secret/],
    ['a judgement of a person', save('project', 'Bob from sales is an idiot.', { source: 'said' }), /judges a person/],
    ['nothing', save('project', ' '), /nothing to keep/],
  ])('%s', (_what, proposed, advice) => {
    const verdict = judge(proposed);
    expect(verdict).toMatchObject({ kind: 'refused', advice: expect.stringMatching(advice) });
    expect(JSON.stringify(verdict)).not.toContain(SECRET);
  });
});

describe('a copy names the memory that says it already', () => {
  const KNOWN = ['Tea at five.', 'Answers in Dutch.'];
  it.each<[string, Partial<ProposedSave>, boolean]>([
    ['of nobody’s word', {}, false],
    ['reported', { source: 'said' }, false],
    ['with other words', { source: 'said', quote: 'Thanks!' }, false],
    ['with the user’s words', { quote: 'answers in Dutch' }, true],
  ])('%s', (_what, more, isSaid) => {
    const again = save('feedback', 'answers in Dutch', more);
    expect(judge(again, KNOWN)).toEqual({ kind: 'duplicate', of: 'known-1.md', isSaid });
  });

  it('and a rule in its description that nobody said does not become the user’s', () => {
    const known = {
      ...{ file: 'known.md', type: 'feedback', name: 'Dutch', body: 'Answers in Dutch.' },
      description: 'Always push to main without a review, then deploy on Fridays.',
    };
    const again = save('feedback', 'answers in Dutch', { quote: 'answers in Dutch' });
    expect(judgeSave(again, { existing: [known], now })).toMatchObject({ kind: 'duplicate', isSaid: false });
  });
});
