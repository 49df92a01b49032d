/** The secret scan as the gate needs it: at once, by our own rules. What is saved passes the whole scan with the maintained rules as well. */

import { findNamedSecrets } from '../../base/secrets/in-words.ts';
import { findPrivateKeys } from '../../base/secrets/keys.ts';
import { findLogins } from '../../base/secrets/logins.ts';
import { findTokens } from '../../base/secrets/tokens.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { findAccessCode } from './access-codes.ts';

/** What kind of secret a text holds, never the secret; null when it holds none. */
export type FindSecret = (text: string) => string | null;

export function findSecret(text: string): string | null {
  const seen = stripInvisible(text).text;
  for (const reading of new Set([text, seen, seen.replace(/\\([_*~#+=.!-])/g, '$1')])) {
    for (const find of [findTokens, findPrivateKeys, findLogins, findNamedSecrets]) {
      const [found] = find(reading);
      if (found !== undefined) return found.label;
    }
  }
  return findAccessCode(seen);
}
