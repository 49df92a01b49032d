/** The secret scan for a look at many files: a text that was looked through is not looked through again, and each can be counted. */

import { createHash } from 'node:crypto';
import { secretsIn } from '../../memory/files/secrets-in.ts';

/** What secrets a text holds, in words; null when none. */
export type SecretScanner = (text: string) => Promise<string | null>;

/** By a hash, since all the texts together may be large. */
export function scanOnce(onScanned: () => void = () => undefined): SecretScanner {
  const known = new Map<string, string | null>();
  return async (text) => {
    const hash = createHash('sha256').update(text).digest('base64');
    const before = known.get(hash);
    if (before !== undefined) return before;
    const found = await secretsIn(text);
    known.set(hash, found);
    onScanned();
    return found;
  };
}
