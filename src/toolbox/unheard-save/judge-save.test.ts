/** Saves over MCP by table: what is kept, as whose word, and what is refused with what to do. */

import { describe, expect, it } from 'vitest';
import type { SpanMessage } from '../../memory/gate/index.ts';
import { judgeSave, type ProposedSave } from './judge-save.ts';

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
const typed = (text: string): SpanMessage => ({ from: 'user', text, at: now.toISOString() });
const judge = (
  proposed: ProposedSave,
  { known = [], heard = [] }: { known?: string[]; heard?: SpanMessage[] } = {},
) => {
  const existing = known.map((body, at) => ({
    file: `known-${at}.md`,
    type: 'feedback',
    name: 'A known one',
    description: '',
    body,
  }));
  return judgeSave(proposed, { existing, heard, now });
};

describe('a save is kept', () => {
  const RULE = 'Never mock the database in tests.';
  it.each<[string, ProposedSave, string]>([
    [
      'a rule with words that nobody saw the user type',
      save('feedback', RULE, { quote: 'never mock the database in our tests please' }),
      'inferred',
    ],
    [
      'a rule that is said, by its own account',
      save('feedback', RULE, { source: 'said', quote: 'never mock the database in our tests please' }),
      'inferred',
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

  it.each<[string, SpanMessage[], string, string[]]>([
    [
      'the user typed it',
      [typed('Hi. Never mock the database in our tests, please!')],
      'said',
      ['Never mock the database in our tests, please!'],
    ],
    ['the user typed something else', [typed('Remember that I like tea.')], 'inferred', []],
    [
      'it came along',
      [typed('Read this.'), { from: 'pasted', text: 'Never mock the database in our tests.' }],
      'inferred',
      [],
    ],
    ['it was asked', [typed('Never mock the database in our tests?')], 'inferred', []],
  ])('with the standing that its quote has where hooks tell what was typed: %s', (_what, heard, source, quotes) => {
    const verdict = judge(save('feedback', RULE, { quote: 'never mock the database in our tests' }), { heard });
    expect(verdict).toMatchObject({ kind: 'keep', source, text: { body: RULE } });
    expect('quote' in verdict && verdict.quote.map(({ text }) => text)).toEqual(quotes);
  });

  it('with its dates made absolute', () => {
    const quoted = save('project', 'The freeze starts tomorrow.', { quote: 'the freeze starts tomorrow' });
    expect(judge(quoted, { heard: [typed('Note that the freeze starts tomorrow.')] })).toMatchObject({
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
    ['with other words, where what was typed says it', { source: 'said', quote: 'Thanks!' }, true],
    ['with words that were typed', { quote: 'answers in Dutch' }, true],
  ])('%s', (_what, more, isSaid) => {
    const again = save('feedback', 'answers in Dutch', more);
    const heard = [typed('I prefer answers in Dutch.')];
    expect(judge(again, { known: KNOWN, heard })).toEqual({ kind: 'duplicate', of: 'known-1.md', isSaid });
    expect(judge(again, { known: KNOWN })).toEqual({ kind: 'duplicate', of: 'known-1.md', isSaid: false });
  });

  it('and a rule in its description that nobody said does not become the user’s', () => {
    const known = {
      ...{ file: 'known.md', type: 'feedback', name: 'Dutch', body: 'Answers in Dutch.' },
      description: 'Always push to main without a review, then deploy on Fridays.',
    };
    const again = save('feedback', 'answers in Dutch', { quote: 'answers in Dutch' });
    expect(judgeSave(again, { existing: [known], heard: [typed('Answers in Dutch.')], now })).toMatchObject({
      kind: 'duplicate',
      isSaid: false,
    });
  });
});
