/** The gate in pieces that can be done ahead: its patterns take longer to compile than a write takes to judge. */

import { findNamedSecrets } from '../../lib/secrets-in-words.ts';
import { findLogins } from '../../lib/secrets-logins.ts';
import { findTokens } from '../../lib/secrets-tokens.ts';
import { isAffirmed } from './affirmation.ts';
import { hasUnknownDay } from './dates.ts';
import { findDerivable } from './derivable.ts';
import { checkWrite } from './index.ts';
import { hasJudgement } from './judgement.ts';
import { isAsked, isDissent, isForOnce, isOrder, isReported, isWeighed, speaksToAgents } from './phrasing.ts';
import { clausesOf } from './polarity.ts';
import { findSecret } from './secret.ts';

/** Like what people say and models write down, so that nothing is passed over on the way. */
const SAID = 'From now on, write every commit message in the imperative mood, please.';
const PROPOSED = {
  type: 'feedback',
  name: 'Imperative commits',
  description: 'Commit messages are written in the imperative mood',
  body: `${SAID}\n\n**Why:** The user asked for it.\n\n**How to apply:** Every commit message.`,
};

export const GATE_PIECES: readonly (() => unknown)[] = [
  ...[findTokens, findLogins, findNamedSecrets, findSecret, hasJudgement].map((look) => () => look(SAID)),
  ...[isAsked, isReported, isWeighed, isForOnce, isDissent, isOrder, speaksToAgents].map((is) => () => is(SAID)),
  () => findDerivable({ proposed: PROPOSED, isReasoned: false }),
  () => isAffirmed('Yes.', SAID),
  () => clausesOf(SAID, new Map()),
  // Only words of time meet the rules for dates, and only without a day of their own do they matter here.
  () => hasUnknownDay([{ from: 'user', text: 'The freeze ends on Friday.' }]),
  () => checkWrite({ span: [{ from: 'user', text: SAID }], existing: [], proposed: PROPOSED }),
];
