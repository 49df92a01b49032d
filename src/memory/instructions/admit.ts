/** Whether a file may be read as an instruction: a decision with its reason, made before a byte of it is read. */

import type { InstructionFacts } from './instruction.ts';
import type { Located } from './locate-file.ts';
import { type InstructionPlace, isWithin } from './places.ts';
import { isSecretNamed } from './secret-name.ts';

export type Admission =
  | { readonly verdict: 'read' }
  | { readonly verdict: 'skip'; readonly reason: string }
  /** It lies outside the project, and the user has not been asked. */
  | { readonly verdict: 'ask' }
  /** It lies outside a project that is not trusted. */
  | { readonly verdict: 'untrusted' }
  /** The user refused it. */
  | { readonly verdict: 'declined' };

export function admitFile(
  candidate: {
    /** Absolute, as written. */
    readonly path: string;
    readonly located: Extract<Located, { kind: 'file' }>;
    readonly place: InstructionPlace;
  },
  facts: Pick<InstructionFacts, 'trusted' | 'approvedIncludes' | 'declinedIncludes' | 'limits'> & {
    readonly userId: number | undefined;
  },
): Admission {
  const { path, located, place } = candidate;
  if (isSecretNamed(path) || isSecretNamed(located.real)) {
    return { verdict: 'skip', reason: 'its name is one that files with secrets have' };
  }
  if (place.isOpenToAll && facts.userId !== undefined && located.ownerId !== facts.userId && located.ownerId !== 0) {
    return { verdict: 'skip', reason: 'it belongs to another user, in a folder that anyone may write to' };
  }
  if (located.bytes > facts.limits.fileBytes) {
    return { verdict: 'skip', reason: `it is larger than ${facts.limits.fileBytes.toLocaleString('en-US')} bytes` };
  }
  if (place.within === null || place.within.some((folder) => isWithin(located.real, folder)))
    return { verdict: 'read' };
  if (!facts.trusted) return { verdict: 'untrusted' };
  if (facts.approvedIncludes.includes(located.real)) return { verdict: 'read' };
  return { verdict: facts.declinedIncludes?.includes(located.real) ? 'declined' : 'ask' };
}
