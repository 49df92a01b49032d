/** Memories that are recalled again and again but never help: proposed for retirement by count, and left to the user. */

import type { Limits } from '../../limits.ts';
import type { BaseMemory, JudgedProposal } from './proposal.ts';

/** A memory recalled this often, over this many days, and never used is proposed for retirement. */
const RETIRE_RECALLS = 5;
const RETIRE_DAYS = 30;

/** How often a memory was recalled and used since it last changed. */
export interface RecallUse {
  /** How often it was recalled where a use would have been seen. */
  readonly watched: number;
  readonly used: number;
  /** ISO times. */
  readonly firstRecalledAt: string;
  readonly lastRecalledAt: string;
}

export interface RetireFacts {
  readonly base: ReadonlyMap<string, BaseMemory>;
  /** By file, of this folder. */
  readonly usefulness: ReadonlyMap<string, RecallUse>;
  readonly limits: Pick<Limits['dreaming'], 'quoteCharacters'>;
  readonly now: Date;
  /** Files already waiting in the inbox for it, or that the user recently wanted to keep. */
  readonly already: ReadonlySet<string>;
}

const DAY_MS = 86_400_000;

/** Most often recalled in vain first. They always wait. */
export function retirements(facts: RetireFacts): readonly JudgedProposal[] {
  return [...facts.base.values()]
    .flatMap((memory) => {
      const use = facts.usefulness.get(memory.file);
      return use !== undefined && isInVain(memory, use, facts) ? [{ memory, use }] : [];
    })
    .sort((one, other) => other.use.watched - one.use.watched || (one.memory.file < other.memory.file ? -1 : 1))
    .map(({ memory, use }) => retirementOf(memory, use, facts));
}

function isInVain(memory: BaseMemory, use: RecallUse, { now, already }: RetireFacts): boolean {
  if (memory.pinned || already.has(memory.file) || use.used > 0 || use.watched < RETIRE_RECALLS) return false;
  // A clock that ran ahead must not retire anything.
  if (Date.parse(use.lastRecalledAt) > now.getTime()) return false;
  // If counted from before its last change, it is about another text.
  if (Date.parse(use.firstRecalledAt) < Date.parse(memory.modified)) return false;
  return daysOf(use) >= RETIRE_DAYS;
}

function daysOf({ firstRecalledAt, lastRecalledAt }: RecallUse): number {
  return Math.floor((Date.parse(lastRecalledAt) - Date.parse(firstRecalledAt)) / DAY_MS);
}

function retirementOf(memory: BaseMemory, use: RecallUse, { limits }: RetireFacts): JudgedProposal {
  const quote = (memory.description.trim() || memory.name).slice(0, limits.quoteCharacters);
  return {
    proposal: {
      action: 'remove',
      file: memory.file,
      reason: `Recalled ${use.watched} times over ${daysOf(use)} days and never used.`,
      evidence: [{ from: memory.file, quote }],
      into: [],
      drops: [],
      text: null,
    },
    verdict: {
      kind: 'wait',
      reason: 'Nothing else holds what it says: whether it goes is yours to decide.',
      text: null,
    },
  };
}
