/** Memories of several scopes in one index: each entry's key is `scope:file`, and the user's own come before the team's. */

import { MEMORY_SCOPES, type MemoryScope } from '../base/taxonomy.ts';
import type { RecallHit } from '../search/local-index.ts';

export function placeOf(key: string): { scope: MemoryScope; file: string } {
  const colon = key.indexOf(':');
  return { scope: key.slice(0, colon) as MemoryScope, file: key.slice(colon + 1) };
}

/** The caller may name a file with its scope or without. */
export function keysOf(seen: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...seen].flatMap((name) => [name, ...MEMORY_SCOPES.map((scope) => `${scope}:${name}`)]));
}

/** Of a colleague's score, what one of the user's own needs to be about the same thing. */
const SAME_SUBJECT = 0.8;

/**
 * A colleague's word comes behind what this user said, among what is certain and among the rest. Where theirs is shown unasked, so is the
 * user's own on the same thing, before it.
 */
export function ownFirst(hits: readonly RecallHit[]): readonly RecallHit[] {
  const isTeam = ({ key }: RecallHit) => placeOf(key).scope === 'team';
  const theirs = hits.filter(isTeam);
  if (theirs.length === 0) return hits;
  const shown = Math.min(...theirs.filter(({ certain }) => certain).map(({ score }) => score));
  const raised = hits.map((hit) => (isTeam(hit) || hit.score < shown * SAME_SUBJECT ? hit : { ...hit, certain: true }));
  const rank = (hit: RecallHit) => (hit.certain ? 0 : 2) + (isTeam(hit) ? 1 : 0);
  return raised.toSorted((one, other) => rank(one) - rank(other));
}
