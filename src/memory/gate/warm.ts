/** The gate in pieces that can be done ahead: its patterns take longer to compile than a write takes to judge. */

import { findNamedSecrets } from '../../base/secrets/in-words.ts';
import { findLogins } from '../../base/secrets/logins.ts';
import { findTokens } from '../../base/secrets/tokens.ts';
import { checkWrite } from './index.ts';
import { hasJudgement } from './judgement.ts';
import { findSecret } from './secret.ts';

/** Like what people say and models write down, so that every pattern is used. */
const SAID = 'From now on, write every commit message in the imperative mood, please.';
const PROPOSED = {
  type: 'feedback',
  name: 'Imperative commits',
  description: 'Commit messages are written in the imperative mood',
  body: `${SAID}\n\n**Why:** The user asked for it.\n\n**How to apply:** Every commit message.`,
  quote: SAID,
};

export const GATE_PIECES: readonly (() => unknown)[] = [
  ...[findTokens, findLogins, findNamedSecrets, findSecret, hasJudgement].map((look) => () => look(SAID)),
  () => checkWrite({ span: [{ from: 'user', text: SAID }], existing: [], proposed: PROPOSED }),
];
