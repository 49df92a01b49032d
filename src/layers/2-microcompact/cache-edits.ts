/** Deletes from the provider's cached prefix: edits are pinned to their place and sent again with every later request. */

import type { Limits } from '../../limits.ts';
import type { CacheEdit } from '../../model/model.ts';
import type { KnownResult } from './result-index.ts';

export type CacheEditDecision =
  | { readonly kind: 'delete'; readonly edit: CacheEdit; readonly freedTokens: number }
  | { readonly kind: 'wait'; readonly reason: 'few-results' };

export function decideCacheEdit(facts: {
  /** The ones in the context, oldest first. */
  readonly results: readonly KnownResult[];
  readonly lastMessage: number;
  readonly limits: Limits['microcompact'];
}): CacheEditDecision {
  const { results, lastMessage, limits } = facts;
  if (results.length <= limits.cacheEditResults) return { kind: 'wait', reason: 'few-results' };
  const deleted = results.slice(0, results.length - Math.max(1, Math.floor(limits.keptResults)));
  if (deleted.length === 0) return { kind: 'wait', reason: 'few-results' };
  return {
    kind: 'delete',
    edit: { message: lastMessage, toolUseIds: deleted.map(({ id }) => id) },
    freedTokens: deleted.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
