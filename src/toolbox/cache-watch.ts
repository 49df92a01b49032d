/** Watches one conversation's requests for a broken prompt cache, and says what broke it. */

import type { RequestWatch } from '../agent/loop.ts';
import { type BreakVerdict, createPrefixWatch, type PrefixSnapshot } from '../conversation/prefix.ts';
import type { CallNotes } from '../model/ledger-port.ts';
import type { ModelRequest, ModelResponse } from '../model/model.ts';
import { ttlMsOf } from '../model/prompt-cache.ts';

/** The request in which the API takes old results out of the prefix reads less of it. */
export const CLEARED_BY_API = 'clearing by the API';

export type CacheBreak = Extract<BreakVerdict, { kind: 'broken' }>;

export interface CacheWatch extends Omit<RequestWatch, 'answered'> {
  /**
   * What the answer shows to be broken; null when nothing is. `because` names what the provider itself did to the prefix of
   * this very request.
   */
  answered(response: Pick<ModelResponse, 'usage'>, because?: string): CacheBreak | null;
  /** For whoever is about to rewrite what was sent. */
  announceBreak(reason: string): void;
}

interface AnsweredLayers {
  /** True when the API cleared something in this very request. */
  answered(response: ModelResponse): boolean;
  savedTokens(): number;
  /** What the window was made of; null when the provider did not count. */
  composition(response: ModelResponse): string | null;
}

/** For the line of a call in the ledger. */
export function callNotes(
  response: ModelResponse,
  { watch, layers }: { readonly watch: CacheWatch; readonly layers: AnsweredLayers },
): CallNotes {
  const broken = watch.answered(response, layers.answered(response) ? CLEARED_BY_API : undefined);
  const savedTokens = layers.savedTokens();
  const parts = layers.composition(response);
  return {
    ...(parts === null ? {} : { parts }),
    ...(savedTokens > 0 ? { saved: { tokens: savedTokens } } : {}),
    ...(broken === null ? {} : { broke: { tokens: lostTokens(broken), cause: `${broken.cause}: ${broken.reason}` } }),
  };
}

function lostTokens({ expectedTokens, readTokens }: CacheBreak): number {
  return Math.max(0, expectedTokens - readTokens);
}

export function createCacheWatch(ports: {
  readonly now: () => number;
  readonly onBreak?: (found: CacheBreak) => void;
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
      if (sent === null) return null;
      const { snapshot, atMs, request } = sent;
      const verdict = watch.after({ snapshot, usage, atMs, ttlMs: ttlMsOf(request.cache.ttl), because });
      if (verdict.kind !== 'broken') return null;
      ports.onBreak?.(verdict);
      return verdict;
    },
  };
}
