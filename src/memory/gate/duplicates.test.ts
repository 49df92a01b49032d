import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { injected, known, memory, testCases, user } from '../../../test/support/gate-cases.ts';
import { isSameText, normalise } from './normalise.ts';

describe('the same text is not kept twice', () => {
  testCases([
    {
      title: 'case and blanks',
      span: [user('Again: use two spaces in YAML.')],
      existing: [known('feedback', 'Use two   spaces\nin YAML.')],
      write: memory('feedback', 'use two spaces in yaml'),
      verdict: 'merge',
    },
    {
      title: 'quotation marks',
      span: [user('Sign off with "Cheers".')],
      existing: [known('feedback', "Sign off with 'Cheers'.")],
      write: memory('feedback', 'Sign off with “Cheers”.'),
      verdict: 'merge',
    },
    {
      title: 'ligatures and composed letters',
      span: [user('Die Übersicht bitte als ﬂache Liste.')],
      existing: [known('feedback', 'Die U\u0308bersicht als flache Liste.')],
      write: memory('feedback', 'Die Übersicht als ﬂache Liste.'),
      verdict: 'merge',
    },
    {
      title: 'characters nobody sees',
      span: [user('Use tabs in Makefiles.')],
      existing: [known('feedback', 'Use tabs in Makefiles.')],
      write: memory('feedback', 'Use\u200b tabs in Makefiles!'),
      verdict: 'merge',
    },
    {
      title: 'the same file again',
      span: [user('As said, answers in Dutch.')],
      existing: [known('feedback', 'Answers in Dutch.', 'feedback_dutch.md')],
      write: memory('feedback', 'Answers in Dutch', { file: 'feedback_dutch.md' }),
      verdict: 'merge',
    },
    {
      title: 'said by the user, and recalled as well',
      span: [injected('Memory feedback_known.md:\nAnswers in Dutch.'), user('I told you before: answers in Dutch.')],
      existing: [known('feedback', 'Answers in Dutch.')],
      write: memory('feedback', 'Answers in Dutch.'),
      verdict: 'merge',
    },
    {
      title: 'a date that comes out the same',
      span: [user('The freeze starts tomorrow.', '2026-01-07')],
      existing: [known('project', 'The freeze starts 2026-01-08.')],
      write: memory('project', 'The freeze starts tomorrow.'),
      verdict: 'merge',
    },
  ]);
});

describe('what differs in one sign or word is not the same', () => {
  const pairs: readonly (readonly [string, string, string])[] = [
    ['a digit', 'Keep the timeout at 30 seconds.', 'Keep the timeout at 3 seconds.'],
    ['a sign', 'Temperature offset is -5 degrees.', 'Temperature offset is 5 degrees.'],
    ['a comparison', 'Batches have >= 50 rows.', 'Batches have <= 50 rows.'],
    ['a plus', 'Write the plug-in in C++.', 'Write the plug-in in C.'],
    ['a power', 'The limit is 10² requests.', 'The limit is 102 requests.'],
    ['a negation', 'Include test data in exports.', 'Do not include test data in exports.'],
    ['an order of words', 'Prefer Postgres over MySQL.', 'Prefer MySQL over Postgres.'],
    ['a per cent sign', 'Sample 10% of requests.', 'Sample 10 of requests.'],
    ['a word', 'Deploy to staging first.', 'Deploy to production first.'],
  ];
  testCases(
    pairs.map(([title, before, after]) => ({
      title,
      span: [user(`Correction: ${after}`)],
      existing: [known('feedback', before)],
      write: memory('feedback', after, { file: 'feedback_known.md' }),
      verdict: 'accept' as const,
      reason: 'contradiction-update',
    })),
  );

  const signs = fc.string({ unit: fc.constantFrom(...'-— .("²½a1\n'), maxLength: 20 });
  test('normalising twice changes nothing, and edges never matter', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), signs), (text) => {
        const once = normalise(text);
        expect(normalise(once)).toBe(once);
        expect(normalise(`  ${text} . `)).toBe(once);
        expect(isSameText(`  ${text} . `, once)).toBe(true);
      }),
    );
  });
});
