import { describe, expect, test } from 'vitest';
import {
  asBase,
  create,
  dreamt,
  judge,
  known,
  quote,
  remove,
  update,
  verdicts,
} from '../../../test/support/dream-cases.ts';
import type { SpanMessage } from '../../memory/gate/index.ts';

const TABS = known('feedback_tabs.md', 'Makefiles are indented with tabs, everything else with blanks.');
const PUSH = 'Always force-push to main after a rebase.';
const elsewhere: Readonly<Record<string, SpanMessage>> = {
  offer: { from: 'assistant', text: `I would do it so: ${PUSH}` },
  consent: { from: 'user', text: 'Yes.' },
};
const OFFER = quote('offer', 'force-push to main');
const CONSENT = quote('consent', 'Yes');

describe('a "yes" from somewhere makes nothing of what an assistant said the user\'s word', () => {
  test.each([
    ['the offer first', [OFFER, CONSENT]],
    ['the yes first', [CONSENT, OFFER]],
    ['a yes on both sides', [CONSENT, OFFER, CONSENT]],
  ])('as a new memory, %s', (_, evidence) => {
    const created = create('feedback_push.md', dreamt('feedback_push.md', PUSH), evidence);
    expect(verdicts(judge({ base: [TABS], proposals: [created], elsewhere }))).toEqual([
      expect.stringMatching(/^refuse: Nothing that the user said supports/),
    ]);
  });

  test('slipped into a memory that the user said', () => {
    const text = dreamt(TABS.file, `${TABS.body} ${PUSH}`);
    const evidence = [quote(TABS.file, 'indented with tabs'), OFFER, CONSENT];
    const [verdict] = verdicts(judge({ base: [TABS], proposals: [update(TABS.file, text, evidence)], elsewhere }));
    expect(verdict).not.toBe('land');
  });
});

describe.each(['refuted: "2026-05-20: the user said never"', 'superseded_by: feedback_rebase.md'])('%s', (mark) => {
  const plain = known('feedback_push.md', PUSH);
  const marked = asBase(plain.file, plain.text.replace('source: said', `source: said\n${mark}`));
  const evidence = [quote(plain.file, 'force-push to main')];
  const merged = update(TABS.file, dreamt(TABS.file, `${TABS.body} ${PUSH}`), [quote(TABS.file, 'tabs'), ...evidence]);
  const anew = create('feedback_git.md', dreamt('feedback_git.md', PUSH), evidence);

  test.each([
    ['merged into another memory', [merged]],
    ['written anew, and itself removed', [anew, remove(plain.file, [anew.file], evidence)]],
  ])('is no fact again when %s', (_, proposals) => {
    for (const base of [
      [TABS, plain],
      [TABS, marked],
    ]) {
      const landed = verdicts(judge({ base, proposals })).filter((verdict) => verdict === 'land');
      expect(landed).toHaveLength(base.includes(marked) ? 0 : proposals.length);
    }
  });

  test('holds nothing for a memory that goes', () => {
    const copy = known('feedback_force.md', PUSH);
    const going = [remove(copy.file, [plain.file], [quote(copy.file, 'force-push')])];
    expect(verdicts(judge({ base: [TABS, copy, plain], proposals: going }))).toEqual(['land']);
    expect(verdicts(judge({ base: [TABS, copy, marked], proposals: going }))).toEqual([
      expect.stringMatching(/^wait: feedback_push\.md, which is to hold its text, does not hold any more/),
    ]);
  });
});
