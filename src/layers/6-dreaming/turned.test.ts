import { expect, test } from 'vitest';
import { create, dreamt, judge, known, quote, verdicts } from '../../../test/support/dream-cases.ts';
import type { SpanMessage } from '../../memory/gate/index.ts';

const TABS = known('feedback_tabs.md', 'Makefiles are indented with tabs, everything else with blanks.');

/** What the user said, what a dreamer makes of it, and whether that is what they said. */
test.each([
  ['No releases on Friday', 'No releases on Friday.', true],
  ['No releases on Friday', 'Releases never leave on Friday.', true],
  ['No releases on Friday', 'Releases go out on Friday.', false],
  ['No releases on Friday', 'Releases leave on Friday after the standup.', false],
  ['Never force-push to main', 'Force-push to main.', false],
  ['Never force-push to main', 'Force-push to main once the rebase is done.', false],
  ['Force-push to feature branches. Never force-push to main', 'Force-push to main.', false],
  ['We do not use Docker for the tests', 'Docker is used for the tests.', false],
  ['Use Docker for the tests', 'Never use Docker for the tests.', false],
  ['Use Docker for the tests, never on the laptop', 'Docker is used for the tests, but never on the laptop.', true],
])('of “%s” comes “%s”: %s', (said, made, isSaid) => {
  const elsewhere: Readonly<Record<string, SpanMessage>> = { talk: { from: 'user', text: said } };
  const proposals = [create('feedback_x.md', dreamt('feedback_x.md', made), [quote('talk', said.slice(0, 12))])];
  const [verdict] = verdicts(judge({ base: [TABS], proposals, elsewhere }));
  if (isSaid) expect(verdict).toBe('land');
  else expect(verdict).toMatch(/^(?:wait|refuse): /);
});
