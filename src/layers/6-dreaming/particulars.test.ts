import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge, known, quote, remove, update, verdicts } from '../../../test/support/dream-cases.ts';
import { lostOf, particularsOf, standingIn } from './particulars.ts';
import type { BaseMemory } from './proposal.ts';

function lost(gone: string, ...remaining: readonly string[]): readonly string[] {
  return lostOf(particularsOf(gone, new Set(['bugs', 'the'])), standingIn(remaining)).map(({ written }) => written);
}

describe('what is lost with a text', () => {
  test.each<readonly [string, string, string, readonly string[]]>([
    ['an identifier', 'Tracked in Linear, project SHOP2.', 'Tracked in Linear, project SHOP.', ['SHOP2']],
    ['a name', 'Ask Okonkwo about cranes.', 'Ask Matsuda about cranes.', ['Okonkwo']],
    ['a name that opens a sentence', 'Okonkwo keeps the keys.', 'Matsuda keeps the keys.', ['Okonkwo']],
    ['a number', 'Kept for 90 days.', 'Kept for 30 days.', ['90']],
    ['a number in words', 'It needs two reviews.', 'It needs reviews.', ['two']],
    ['an address', 'See wiki.corp/d/api-load.', 'See wiki.corp/d/web-load for the API load.', ['wiki.corp/d/api-load']],
    ['an address that goes on elsewhere', 'See wiki.corp/d.', 'See wiki.corp/d/web.', ['wiki.corp/d']],
    ['a version', 'Pinned to 1.2.3.', 'Pinned to 3.2.1.', ['1.2.3']],
    ['a name with underscores', 'Set API_KEY first.', 'Set the key of the API.', ['API_KEY']],
    ['a command', 'Run `pnpm lint`.', 'Run `npm lint`.', ['pnpm']],
    ['a day', 'Frozen from 2031-05-08.', 'Frozen from 2031-05-09.', ['08']],
    ['a month', 'The audit is in March.', 'The audit is in April.', ['March']],
    ['a weekday', 'Deploys on Tuesdays.', 'Deploys on 2026-05-07.', ['Tuesdays']],
    ['a no', 'Never squash.', 'Squash.', ['Never']],
    ['a no, run together', "Don't squash.", 'Squash.', ["Don't"]],
    ['a no in Chinese', '不要压缩', '要压缩', ['a negation']],
  ])('%s', (_title, gone, remaining, expected) => {
    expect(lost(gone, remaining)).toEqual(expected);
  });

  test.each([
    ['a day written otherwise', 'Due on 7 May 2031.', 'Due: 2031-05-07.'],
    ['an hour written otherwise', 'Backups run at 4 pm.', 'Backups run at 16:00.'],
    ['a weekday that became its date', 'Frozen after next Thursday.', 'Frozen after 2026-05-07.'],
    ['another no', 'Never squash.', 'Merge without a squash.'],
    ['an address with its scheme', 'See https://wiki.corp/x.', 'It is in wiki.corp/x, below.'],
    ['ordinary words', 'Bugs are tracked there, and/or discussed, e.g. in chat; one may ask.', 'Nothing.'],
    ['a number with its separator', 'A cap of 10,000.', 'The cap is 10000.'],
    ['an inflected name', 'The release train of Tuesdays.', 'On Tuesday the release train goes.'],
  ])('not with %s', (_title, gone, remaining) => {
    expect(lost(gone, remaining)).toEqual([]);
  });

  const words = fc.constantFrom(
    'SHOP2',
    'Ilse',
    '16',
    'never',
    'a.b/c',
    'API_KEY',
    '`x`',
    'März',
    'db7.internal',
    '?',
    '代码9',
  );
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.array(words, { maxLength: 8 }).map((each) => each.join(' ')),
  );
  test('nothing, where the text itself remains, and never more for more that remains', () => {
    fc.assert(
      fc.property(text, text, text, (gone, one, other) => {
        expect(lost(gone, gone)).toEqual([]);
        expect(lost(gone, one)).toEqual(expect.arrayContaining([...lost(gone, one, other)]));
      }),
    );
  });
});

const OTHERS = ['user_role.md', 'project_one.md', 'project_two.md', 'feedback_three.md'].map((file, index) =>
  known(file, `Memory number ${index + 11} speaks of bugs, a project and linear things.`),
);
const OLDER = known('reference_linear.md', 'Bugs of the harbour cranes are tracked in Linear, project SHOP.', {
  modified: '2026-05-01T09:00:00.000Z',
});
const NEWER = known('reference_bugs.md', 'Bugs of the harbour cranes are tracked in Linear, project SHOP2.', {
  modified: '2026-05-20T09:00:00.000Z',
});

describe('what a dream may not let land by itself', () => {
  const removed = (gone: BaseMemory, heir: BaseMemory) =>
    verdicts(
      judge({
        base: [...OTHERS, gone, heir],
        proposals: [remove(gone.file, [heir.file], [quote(heir.file, 'tracked in Linear')])],
      }),
    )[0];

  test('the newer of two that differ in one name', () => {
    expect(removed(NEWER, OLDER)).toMatch(/^wait: .*“SHOP2”/);
    expect(removed(OLDER, NEWER)).toBe('land');
  });

  test.each([
    [
      'of which the later word says nothing',
      'Bugs of the harbour cranes are tracked in Linear, project SHOP. Ilse has the keys.',
      '“Ilse”',
    ],
    [
      'of something else, too',
      'Bugs of the harbour cranes are tracked in Linear, project SHOP. The budget of SHOP is closed.',
      '“SHOP”',
    ],
    ['of another kind', 'Bugs of the harbour cranes are tracked in Linear, project 41.', '“41”'],
    ['and a no', 'Bugs of the harbour cranes are not tracked in Linear, project SHOP.', '“not”'],
  ])('an older one with a particular %s', (_title, body, lost) => {
    const verdict = removed(known(OLDER.file, body, { modified: OLDER.modified }), NEWER);
    expect(verdict).toMatch(/^wait: /);
    expect(verdict).toContain(lost);
  });

  test.each([
    ['knows more', 'Bugs of the harbour cranes are tracked in Linear, project SHOP2, by Ilse.', '“Ilse”'],
    ['says the opposite', 'Never track bugs of the harbour cranes in Linear, project SHOP2.', 'the other way round'],
  ])('a newer one superseded by an older that %s', (_title, body, why) => {
    const heir = known(OLDER.file, body, { modified: OLDER.modified });
    const later = known(heir.file, body, { modified: '2026-05-21T09:00:00.000Z' });
    const removal = remove(NEWER.file, [heir.file], [quote(NEWER.file, 'tracked in Linear')]);
    const judged = (memory: typeof heir) => verdicts(judge({ base: [...OTHERS, memory, NEWER], proposals: [removal] }));
    expect(judged(heir)[0]).toMatch(/^wait: /);
    expect(judged(heir)[0]).toContain(why);
    if (body.includes('Ilse')) expect(judged(later)).toEqual(['land']);
  });

  test('an update that drops a number, unless the user said otherwise since', () => {
    const own = known('project_keep.md', 'Backups of the harbour ledgers are kept for 90 days in the cellar archive.');
    const text = own.text.replaceAll('90 days', '30 days');
    const says = (words: string, at: string) =>
      verdicts(
        judge({
          base: [...OTHERS, own],
          elsewhere: { s1: { from: 'user', text: words, at } },
          proposals: [update(own.file, text, [quote('s1', 'kept for 30 days')])],
        }),
      )[0];
    expect(says('Backups are kept for 30 days.', '2026-05-30')).toBe('land');
    expect(says('Backups are kept for 30 days.', '2026-05-01')).toContain('“90”');
    expect(says('The minutes are kept for 30 days.', '2026-05-30')).toContain('“90”');
    expect(says('Backups are kept for 30 days, no longer for 90.', '2026-05-30')).toBe('land');
    expect(says('Backups are kept for 30 days, no longer for 90.', '2026-05-01')).toContain('“90”');
  });

  test('and a secret beside it is not told', () => {
    const secret = `ghp_${'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'}`;
    const own = known('reference_token.md', `Bugs are tracked in Linear, project SHOP, with ${secret}.`);
    const [verdict] = verdicts(
      judge({
        base: [...OTHERS, OLDER, own],
        proposals: [remove(own.file, [OLDER.file], [quote(OLDER.file, 'tracked in Linear')])],
      }),
    );
    expect(verdict).toMatch(/^wait: /);
    expect(verdict).not.toContain(secret.slice(0, 12));
  });
});
