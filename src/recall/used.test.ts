/** Whether a recalled memory was used: by table, with the words the package knows, and for any texts. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWordWeights } from '../model/encoder/encoder.ts';
import { decideUse, passagesOf, readMarks, readText } from './used.ts';

const words = openWordWeights();

function use(memory: string, facts: { readonly user: string; readonly said: readonly string[] }) {
  return decideUse({
    marks: readMarks(memory, { words }),
    known: [readText(facts.user, words)],
    passages: facts.said.flatMap(passagesOf).map((text) => readText(text, words)),
  });
}

const DEPLOYS =
  'Deployments to production go out on Tuesdays only.\n\n**Why:** The backup runs on Mondays.\n\n**How to apply:** Plan releases for a Tuesday.';
const PNPM = 'This repository is installed with pnpm, never with npm.';
const PORT = 'ECONNREFUSED 127.0.0.1:5433 means that the tunnel to the staging database is down: ask in #infra.';
const ROUNDING = 'Amounts are rounded half to even in src/billing/invoice.ts, because the auditors asked for it.';
const GERMAN = 'Die Bereitstellung läuft nur dienstags, weil montags die Datensicherung läuft.';
const CHINESE = '部署只在星期二进行，因为星期一要做备份。';

describe('a recalled memory is used', () => {
  it.each<[string, string, string, string, 'names' | 'words']>([
    ['by a name in the answer', DEPLOYS, 'On which day do deployments go out?', 'On Tuesday.', 'names'],
    ['by a word that no dictionary has', PNPM, 'Install the dependencies', 'pnpm install', 'names'],
    ['by a number', PORT, 'Why do the tests fail?', 'psql -p 5433', 'names'],
    ['by a path', ROUNDING, 'Where are sums rounded?', 'Read src/billing/invoice.ts', 'names'],
    ['by its words', ROUNDING, 'How do we round?', 'Half to even, as they asked, for all amounts.', 'words'],
    [
      'by words of another language',
      GERMAN,
      'Wann wird ausgeliefert?',
      'Nur dienstags: montags läuft noch was.',
      'words',
    ],
    ['by words without spaces', CHINESE, '什么时候上线？', '只在星期二，因为星期一备份。', 'words'],
  ])('%s', (_, memory, user, said, by) => {
    expect(use(memory, { user, said: ['Well.', said] })).toMatchObject({ isUsed: true, by });
  });

  it.each<[string, string, string, readonly string[], string]>([
    ['an answer about something else', DEPLOYS, 'Which day?', ['The sky is blue.'], 'not-there'],
    ['what the user had said', DEPLOYS, 'Do we deploy on Tuesdays or Mondays?', ['On Tuesday.'], 'not-there'],
    [
      'a name that stands by chance in much else',
      PNPM,
      'Which tools are there?',
      [
        'Among package managers people also mention yarn, bower, cargo, pnpm, poetry, gradle, maven, conda and bundler.',
      ],
      'too-little',
    ],
    ['one common word', ROUNDING, 'What now?', ['The amounts are fine.'], 'too-little'],
    ['common words far apart', ROUNDING, 'What now?', ['The amounts are fine.', 'I asked.', 'Half.'], 'too-little'],
    ['a year', 'We moved to the new office in 2024.', 'When?', ['Copyright 2024'], 'not-there'],
    ['the form of a memory', DEPLOYS, 'What now?', ['How to apply: see why.'], 'not-there'],
    ['a part of its words in another language', GERMAN, 'Was nun?', ['Die Datensicherung ist gut.'], 'too-little'],
    ['a memory that says what was asked', 'Run the tests.', 'Please run the tests.', ['tests'], 'nothing-of-its-own'],
  ])('but not by %s', (_, memory, user, said, reason) => {
    expect(use(memory, { user, said })).toEqual({ isUsed: false, reason });
  });

  it('never by what others had said, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (memory, said) => {
        expect(use(memory, { user: `${memory}\n${said.join('\n')}`, said }).isUsed).toBe(false);
      }),
    );
  });

  it('by its own text, if that has anything recognisable', () => {
    for (const memory of [DEPLOYS, PNPM, PORT, ROUNDING, GERMAN, CHINESE]) {
      expect(use(memory, { user: 'What now?', said: [memory] }).isUsed).toBe(true);
    }
  });
});
