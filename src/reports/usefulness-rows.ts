/** Which memories helped and which did not, in order: what never helped comes first. */

import type { MemoryUsefulness } from '../memory/history/usefulness.ts';
import type { MemoryHeader } from '../memory/memory.ts';

/** Recalls without a use after which a memory counts as unhelpful. */
const UNUSED_RECALLS = 3;

/** `not-seen`: it was only recalled where its use cannot be observed. */
export type UsefulnessVerdict = 'never-used' | 'contradicted' | 'not-yet-used' | 'not-seen' | 'used';

export interface UsefulnessRow extends MemoryUsefulness, Pick<MemoryHeader, 'scope' | 'file'> {
  readonly verdict: UsefulnessVerdict;
}

export interface UsefulnessList {
  readonly rows: readonly UsefulnessRow[];
  /** Existing memories that were not recalled. */
  readonly neverRecalled: number;
  /** Recalled ones that no longer exist. */
  readonly gone: number;
}

export function listUsefulness(
  counts: ReadonlyMap<string, MemoryUsefulness>,
  facts: { readonly memories: readonly Pick<MemoryHeader, 'scope' | 'file'>[] },
): UsefulnessList {
  const rows = facts.memories.flatMap(({ scope, file }): UsefulnessRow[] => {
    const count = counts.get(`${scope}:${file}`);
    return count === undefined ? [] : [{ scope, file, ...count, verdict: judgeUsefulness(count) }];
  });
  return {
    rows: rows.sort(leastHelpfulFirst),
    neverRecalled: facts.memories.length - rows.length,
    gone: counts.size - rows.length,
  };
}

export function judgeUsefulness({ used, watched, contradicted }: MemoryUsefulness): UsefulnessVerdict {
  if (contradicted > 0) return 'contradicted';
  if (used > 0) return 'used';
  if (watched === 0) return 'not-seen';
  return watched >= UNUSED_RECALLS ? 'never-used' : 'not-yet-used';
}

const ORDER: Readonly<Record<UsefulnessVerdict, number>> = {
  'never-used': 0,
  contradicted: 1,
  'not-yet-used': 2,
  'not-seen': 3,
  used: 4,
};

function leastHelpfulFirst(one: UsefulnessRow, other: UsefulnessRow): number {
  const share = ({ used, watched }: UsefulnessRow) => used / Math.max(1, watched);
  return (
    ORDER[one.verdict] - ORDER[other.verdict] ||
    share(one) - share(other) ||
    other.recalled - one.recalled ||
    (one.file < other.file ? -1 : 1)
  );
}
