/** What the user was asked before: a rejected change is not proposed again while its texts are the same, and nothing lands around a waiting one. */

import type { BaseMemory, Proposal } from './proposal.ts';
import type { DreamChange } from './records/record.ts';

/** A change from an earlier dream that is waiting or was rejected. */
export interface EarlierChange {
  readonly dream: string;
  readonly change: DreamChange;
}

export interface Ruling {
  readonly kind: 'refuse' | 'wait';
  readonly reason: string;
}

interface DecidedFacts {
  /** Newest first. */
  readonly earlier: readonly EarlierChange[];
  readonly base: ReadonlyMap<string, BaseMemory>;
}

/** Those proposals of one dream that an earlier decision affects. */
export function rulingsOn(proposals: readonly Proposal[], facts: DecidedFacts): ReadonlyMap<Proposal, Ruling> {
  const byFile = new Map<string, EarlierChange[]>();
  for (const each of facts.earlier) {
    const { file, base } = each.change;
    // The text has changed since, so this is not what the user was asked about.
    if (base === hashIn(facts.base, file)) byFile.set(file, [...(byFile.get(file) ?? []), each]);
  }
  const rulings = new Map<Proposal, Ruling>();
  for (const proposal of proposals) {
    const ruling = ownRuling(proposal, byFile.get(proposal.file) ?? [], facts);
    if (ruling !== null) rulings.set(proposal, ruling);
  }
  const ruled = [...rulings.keys()];
  for (const proposal of proposals) {
    const part = rulings.has(proposal) ? undefined : ruled.find(({ into }) => into.includes(proposal.file));
    if (part === undefined || proposal.text === null) continue;
    rulings.set(proposal, {
      kind: 'wait',
      reason: `It is to hold ${part.file}. Of that: ${rulings.get(part)!.reason}`,
    });
  }
  return rulings;
}

function ownRuling(proposal: Proposal, earlier: readonly EarlierChange[], facts: DecidedFacts): Ruling | null {
  const waits = earlier.filter(({ change }) => change.state === 'waiting');
  const same = waits.find(({ change }) => change.action === proposal.action);
  if (same !== undefined) return { kind: 'refuse', reason: `It waits for you already: ${nameOf(same)}.` };
  const other = waits[0];
  if (other !== undefined)
    return { kind: 'wait', reason: `About the same memory, ${nameOf(other)} waits for you: decide about that first.` };
  const rejected = earlier.find(({ change }) => isRejected(change) && change.action === proposal.action);
  if (rejected !== undefined) {
    const when = dayOf(rejected.change);
    if (hasSameHolders(proposal, rejected.change, facts))
      return { kind: 'refuse', reason: `You rejected this${when}, and what it is about has not changed since.` };
    return { kind: 'wait', reason: `You rejected this${when}, when other memories were to hold it or said otherwise.` };
  }
  const alike =
    proposal.action === 'create' ? facts.earlier.find(({ change }) => isSameMaking(proposal, change)) : null;
  if (!alike) return null;
  return { kind: 'wait', reason: `You rejected a memory made from the same passages${dayOf(alike.change)}.` };
}

/** Under another name it is still the same memory. */
function isSameMaking({ evidence }: Proposal, change: DreamChange): boolean {
  if (change.action !== 'create' || !isRejected(change) || evidence.length === 0) return false;
  const keysOf = (all: Proposal['evidence']) => new Set(all.map(({ from, quote }) => `${from}\n${quote}`));
  const [one, other] = [keysOf(evidence), keysOf(change.evidence)];
  return one.size === other.size && [...one].every((key) => other.has(key));
}

function hasSameHolders({ into }: Proposal, change: DreamChange, { base }: DecidedFacts): boolean {
  if (into.length !== change.into.length || !into.every((file) => change.into.includes(file))) return false;
  return change.intoBase?.every((hash, index) => hash === hashIn(base, change.into[index]!)) ?? true;
}

function isRejected({ state }: DreamChange): boolean {
  return state === 'rejected';
}

function hashIn(base: DecidedFacts['base'], file: string): string | null {
  return base.get(file)?.hash ?? null;
}

function nameOf({ dream, change }: EarlierChange): string {
  return `change ${change.number} of dream ${dream}`;
}

/** Earlier versions did not record it. */
function dayOf({ decidedAt }: DreamChange): string {
  return decidedAt === undefined ? ' before' : ` on ${decidedAt.slice(0, 'YYYY-MM-DD'.length)}`;
}
