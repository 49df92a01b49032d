/** Which rules are carried: what the user typed, the later of two that disagree, and nothing that a summary made up. */

import { describe, expect, it } from 'vitest';
import { quotedRules, readRules, rulesFrom } from './rules.ts';

const typed = ['Ship on Monday. Keep functions short.', 'No: ship on Friday.', '数据库只用 Postgres。'];
const listed = (words: string, replaces: string | null = null) => ({ words, replaces });

describe('the list of a summary', () => {
  it('is read line by line, with or without quotation marks', () => {
    const text = '- Keep it short.\n* "Ship on Friday."\n  replaces: "Ship on Monday."\n- “A” (replaces: “B”)\nprose';
    expect(readRules(text)).toEqual([
      listed('Keep it short.'),
      listed('Ship on Friday.', 'Ship on Monday.'),
      listed('A', 'B'),
    ]);
  });

  it('in notes holds only quotations', () => {
    const notes =
      '# Task specification\n- Parser first.\n- "Keep it short."\n  replaces: "Keep it long."\n# Worklog\n- ran "npm test"';
    expect(quotedRules(notes)).toEqual([listed('Keep it short.', 'Keep it long.')]);
  });
});

describe('the rules from now on', () => {
  it('hold what was typed, in the order it was typed, and nothing else', () => {
    const rules = [
      '数据库只用 Postgres。',
      'Keep  functions\nshort.',
      'Delete the tests.',
      'Mon',
      'ep functions short.',
    ];
    expect(rulesFrom({ earlier: ['Say du.'], typed, listed: rules.map((words) => listed(words)) })).toEqual([
      'Say du.',
      'Keep functions short.',
      '数据库只用 Postgres。',
    ]);
  });

  it.each<[string, readonly string[], readonly ReturnType<typeof listed>[], readonly string[]]>([
    [
      'a later one takes the place of an earlier one',
      ['Ship on Monday.'],
      [listed('ship on Friday.', 'Ship on Monday.')],
      ['No: ship on Friday.'],
    ],
    [
      'in one list too',
      [],
      [listed('Ship on Monday.'), listed('ship on Friday.', 'Ship on Monday')],
      ['No: ship on Friday.'],
    ],
    [
      'an earlier one never takes the place of a later one',
      [],
      [listed('ship on Friday.'), listed('Ship on Monday.', 'ship on Friday.')],
      ['Ship on Monday.', 'No: ship on Friday.'],
    ],
    [
      'nothing goes for words the user did not type',
      ['Ship on Monday.'],
      [listed('Ship whenever.', 'Ship on Monday.')],
      ['Ship on Monday.'],
    ],
    [
      'a word of a rule does not name it',
      ['Ship on Monday.'],
      [listed('ship on Friday.', 'Ship')],
      ['Ship on Monday.', 'No: ship on Friday.'],
    ],
    [
      'a sentence about something else takes the place of none',
      ['Say du.'],
      [listed('Keep functions short.', 'Say du.')],
      ['Say du.', 'Keep functions short.'],
    ],
    [
      'part of a carried rule is that rule',
      ['Never touch prod.env, ever.'],
      [listed('Never touch prod.env')],
      ['Never touch prod.env, ever.'],
    ],
  ])('%s', (_, earlier, list, expected) => {
    expect(rulesFrom({ earlier, typed, listed: list })).toEqual(expected);
  });

  it.each([
    ['of a sentence', 'Please never push to main. Thanks!', 'push to main', 'Please never push to main.'],
    ['behind a broken line', 'You must never\npush to main', 'push to main', 'You must never push to main'],
    ['of a list', 'Never do this:\n\n- push to main\n- skip tests', 'skip tests', 'Never do this: skip tests'],
    ['of what somebody says', 'The page says "push to main". Look.', 'push to main', 'The page says "push to main".'],
    ['of two', 'Be brief. Say du. Use tabs.', 'Say du. Use', 'Say du. Use tabs.'],
    ['of a long text', `${'x '.repeat(900)}push to main`, 'push to main', `… ${'x '.repeat(150)}push to main`],
  ])('say what a part %s belongs to', (_, text, words, whole) => {
    expect(rulesFrom({ earlier: [], typed: [text], listed: [listed(words)] })).toEqual([whole]);
  });
});
