/** Which results could be cleared now: not the newest, and not what was cleared before. */

import type { Candidate } from './decide.ts';
import type { ResultIndex } from './result-index.ts';

export function candidatesOf(facts: {
  readonly index: Pick<ResultIndex, 'clearable' | 'tokensFrom' | 'isSuperseded'>;
  readonly keptResults: number;
  readonly isGone: (toolUseId: string) => boolean;
}): readonly Candidate[] {
  const { index, isGone } = facts;
  const end = index.clearable.length - Math.max(1, Math.floor(facts.keptResults));
  const candidates: Candidate[] = [];
  for (let at = 0; at < end; at++) {
    const result = index.clearable[at]!;
    if (isGone(result.id)) continue;
    candidates.push({
      id: result.id,
      freedTokens: result.freedTokens,
      tokensFromHere: index.tokensFrom(result.message),
      isSuperseded: index.isSuperseded(result),
    });
  }
  return candidates;
}
