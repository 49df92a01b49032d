/** Which results could be cleared now: not the newest, not what was cleared before; and which of them a later result repeats. */

import { subjectOf } from './clearable.ts';
import type { Candidate } from './decide.ts';
import type { KnownResult } from './result-index.ts';

export function candidatesOf(facts: {
  /** Oldest first. */
  readonly results: readonly KnownResult[];
  readonly keptResults: number;
  readonly isGone: (toolUseId: string) => boolean;
  readonly tokensFrom: (message: number) => number;
}): readonly Candidate[] {
  const { results } = facts;
  const isSuperseded = supersededIn(results);
  const kept = Math.max(1, Math.floor(facts.keptResults));
  return results.slice(0, Math.max(0, results.length - kept)).flatMap((result, at) =>
    facts.isGone(result.id)
      ? []
      : [
          {
            id: result.id,
            freedTokens: result.freedTokens,
            tokensFromHere: facts.tokensFrom(result.message),
            isSuperseded: isSuperseded[at]!,
          },
        ],
  );
}

/** Looks from the end: whatever was seen by then is later. */
function supersededIn(results: readonly KnownResult[]): readonly boolean[] {
  /** The longest later result of each subject. */
  const later = new Map<string, number>();
  const superseded = new Array<boolean>(results.length).fill(false);
  for (let at = results.length - 1; at >= 0; at--) {
    const { call, tokens, isError } = results[at]!;
    const about = subjectOf(call);
    if (about === null) continue;
    const shown = later.get(about.subject) ?? 0;
    const isStale = about.staleBy !== null && later.has(about.staleBy);
    // A much shorter one is no repetition: Read may only have said that nothing changed.
    superseded[at] = isStale || (call.name !== 'Write' && shown > 0 && shown * 2 >= tokens);
    if (!isError) later.set(about.subject, Math.max(shown, tokens));
  }
  return superseded;
}
