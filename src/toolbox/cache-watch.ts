/** Watches one conversation's requests for a broken prompt cache, and says what broke it. */

import type { RequestWatch } from '../agent/loop.ts';
import { type BreakVerdict, createPrefixWatch, type PrefixSnapshot } from '../conversation/prefix.ts';
import type { ModelRequest, ModelResponse } from '../model/model.ts';
import { ttlMsOf } from '../model/prompt-cache.ts';

/** The request in which the API takes old results out of the prefix reads less of it. */
export const CLEARED_BY_API = 'clearing by the API';

export type CacheBreak = Extract<BreakVerdict, { kind: 'broken' }>;

export interface CacheWatch extends Omit<RequestWatch, 'answered'> {
  /** `because` names what the provider itself did to the prefix of this very request. */
  answered(response: Pick<ModelResponse, 'usage'>, because?: string): void;
  /** For whoever is about to rewrite what was sent. */
  announceBreak(reason: string): void;
}

export function createCacheWatch(ports: {
  readonly now: () => number;
  readonly onBreak: (found: CacheBreak) => void;
}): CacheWatch {
  const watch = createPrefixWatch();
  let sent: { readonly snapshot: PrefixSnapshot; readonly atMs: number; readonly request: ModelRequest } | null = null;
  return {
    announceBreak: watch.announceBreak,
    sent(request, model) {
      // What a provider caches by itself, or not at all, is nothing that we could break.
      if (model.capabilities.promptCache !== 'breakpoints') return;
      sent = { snapshot: watch.before({ ...request, model: model.name }), atMs: ports.now(), request };
    },
    answered({ usage }, because) {
      if (sent === null) return;
      const { snapshot, atMs, request } = sent;
      const verdict = watch.after({ snapshot, usage, atMs, ttlMs: ttlMsOf(request.cache.ttl), because });
      if (verdict.kind === 'broken') ports.onBreak(verdict);
    },
  };
}
