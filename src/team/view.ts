/** What of the team's files this user sees: one memory for each id, without what was removed, is private or waits for trust. Pure. */

import type { Provenance } from './provenance.ts';
import type { TeamFile } from './read-folder.ts';

export interface ViewedMemory {
  /** The file it is shown as. */
  readonly file: string;
  readonly id: string;
  /** All files that have this id: two people may have renamed it differently. */
  readonly sources: readonly TeamFile[];
  /** The file that corrects it. */
  readonly supersededBy: string | null;
  /** Null while it is not committed. */
  readonly provenance: Provenance | null;
}

export type HiddenReason = 'removed' | 'private' | 'untrusted' | 'own';

export interface TeamView {
  readonly memories: readonly ViewedMemory[];
  readonly hidden: readonly { readonly file: string; readonly id: string; readonly reason: HiddenReason }[];
}

export interface ViewFacts {
  readonly removed: ReadonlySet<string>;
  readonly provenance: ReadonlyMap<string, Provenance>;
  /** Rules of colleagues take effect in a trusted project only. */
  readonly isTrusted: boolean;
  /** What this user shared and still has as a private memory, unchanged: seen once is enough. */
  isOwn(file: TeamFile): boolean;
}

export function viewTeam(files: readonly TeamFile[], facts: ViewFacts): TeamView {
  const byId = new Map<string, TeamFile[]>();
  for (const file of files.toSorted(byName)) byId.set(file.id, [...(byId.get(file.id) ?? []), file]);
  const hidden: TeamView['hidden'][number][] = [];
  const holding = new Map<string, readonly TeamFile[]>();
  const own = new Set<string>();
  for (const [id, sources] of byId) {
    const reason = whyHidden(sources, facts);
    if (reason !== null) hidden.push({ file: sources[0]!.file, id, reason });
    if (reason === 'own') own.add(id);
    // What this user shared is not seen twice, and corrects all the same.
    if (reason === null || reason === 'own') holding.set(id, sources);
  }
  const corrections = correctionsOf(holding);
  const memories = [...holding].flatMap(([id, sources]) => {
    if (own.has(id)) return [];
    const { file } = sources[0]!;
    const by = corrections.get(id);
    const supersededBy = by === undefined ? null : holding.get(by)![0]!.file;
    return [{ file, id, sources, supersededBy, provenance: facts.provenance.get(file) ?? null }];
  });
  return { memories, hidden };
}

function byName(one: TeamFile, other: TeamFile): number {
  return one.file < other.file ? -1 : 1;
}

function whyHidden(sources: readonly TeamFile[], facts: ViewFacts): HiddenReason | null {
  if (facts.removed.has(sources[0]!.id)) return 'removed';
  if (sources.some(({ type }) => type === 'user')) return 'private';
  if (sources.every(facts.isOwn)) return 'own';
  return !facts.isTrusted && sources.some(({ type }) => type === 'feedback') ? 'untrusted' : null;
}

/** The id that corrects each, the last in order where there are several. Those that correct one another in a circle all hold. */
function correctionsOf(holding: ReadonlyMap<string, readonly TeamFile[]>): ReadonlyMap<string, string> {
  const corrections = new Map<string, string>();
  for (const [id, sources] of holding) {
    for (const old of sources.flatMap(({ supersedes }) => supersedes)) {
      if (old !== id && holding.has(old)) corrections.set(old, id);
    }
  }
  for (const id of [...corrections.keys()]) {
    if (leadsBack(id, corrections)) corrections.delete(id);
  }
  return corrections;
}

function leadsBack(id: string, corrections: ReadonlyMap<string, string>): boolean {
  const met = new Set<string>();
  for (let next = corrections.get(id); next !== undefined && !met.has(next); next = corrections.get(next)) {
    if (next === id) return true;
    met.add(next);
  }
  return false;
}
