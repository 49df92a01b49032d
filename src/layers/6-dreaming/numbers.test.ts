import { expect, it } from 'vitest';
import { dreamt, judge, known, quote, update, verdicts } from '../../../test/support/dream-cases.ts';
import { numbersFrom } from './numbers.ts';

/** A Tuesday. */
const SAID = { modified: '2026-09-01T09:00:00.000Z' };
const BETA = known('project_beta.md', 'Nordwind gets the beta next Friday.', SAID);
const LIMIT = known('project_limit.md', 'The partner API allows 120 requests a minute.', SAID);

it.each<[string, typeof BETA, string, 'land' | 'wait']>([
  ['the day that a relative date comes to', BETA, 'Nordwind gets the beta on 2026-09-11.', 'land'],
  ['the nearer day that it may mean', BETA, 'Nordwind gets the beta on 2026-09-04.', 'land'],
  ['a day that it does not come to', BETA, 'Nordwind gets the beta on 2026-09-05.', 'wait'],
  ['the same number in other words', LIMIT, 'The partner API allows up to 120 requests a minute.', 'land'],
  ['another number', LIMIT, 'The partner API allows up to 200 requests a minute.', 'wait'],
])('a sentence reworded with %s', async (_what, memory, now, verdict) => {
  const change = update(memory.file, dreamt(memory.file, now), [quote(memory.file, memory.body.trim())]);
  const drops = [{ quote: memory.body.trim(), because: 'duplicate', of: { file: memory.file, quote: now } } as const];
  const judged = await judge({
    base: [memory, known('project_other.md', 'Tea is at four.')],
    proposals: [{ ...change, drops }],
  });
  expect(verdicts(judged).map((each) => each.split(':', 1)[0])).toEqual([verdict]);
});

it.each([
  ['The audit is on 2031-05-08.', 'The audit is on 8 May.', true],
  ['The audit is on 2031-05-09.', 'The audit is on 8 May.', false],
  ['It takes 10000 rows.', 'It takes 10,000 rows.', true],
  ['It takes no rows.', 'It takes 5 rows.', true],
])('“%s” from “%s”: %s', (sentence, text, isKnown) => {
  expect(numbersFrom([{ text, day: null }])(sentence)).toBe(isKnown);
});
