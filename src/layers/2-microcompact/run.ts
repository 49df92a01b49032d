/** Carries out clearings and remembers them: the view of the conversation changes, and the ports are called. */

import type { Message } from '../../conversation/message.ts';
import type { CacheEdit } from '../../model/model.ts';
import { type CacheEditDecision, decideCacheEdit } from './cache-edits.ts';
import type { ContextEdit } from './context-edits.ts';
import type { Candidate, ClearingDecision } from './decide.ts';
import type { ClearedBy, MicrocompactEvent, MicrocompactPorts } from './ports.ts';
import type { ClearingSums } from './price.ts';
import { createResultIndex, type KnownResult, type ResultIndex } from './result-index.ts';
import type { MicrocompactState } from './state.ts';

export interface Clearings {
  state(): MicrocompactState;
  contextEdits(): MicrocompactState['contextEdits'];
  pinnedEdits(): readonly CacheEdit[];
  uncountedTokens(): number;
  /** Of all results that are cleared now: what each request would have more without this layer. */
  savedTokens(): number;
  follow(messages: readonly Message[]): void;
  view(): readonly Message[];
  /** What could be cleared here; `deleted` are those that so far only the provider's cache leaves out. */
  candidates(including: 'deleted' | 'live'): readonly Candidate[];
  clear(decision: Extract<ClearingDecision, { kind: 'clear' }>, by: 'time' | 'need'): MicrocompactEvent;
  decideCacheEdit(): CacheEditDecision;
  pin(decision: Extract<CacheEditDecision, { kind: 'delete' }>): MicrocompactEvent;
  latch(edits: readonly ContextEdit[]): void;
  /** A response reported how many tokens there are. */
  counted(): void;
  compacted(messages: readonly Message[]): void;
}

export function createClearings(ports: MicrocompactPorts, resumed: MicrocompactState): Clearings {
  const limits = ports.limits.microcompact;
  let cleared = new Set(resumed.cleared);
  let index = createResultIndex(cleared, ports.isClearable);
  let { contextEdits, pinnedEdits, uncountedTokens } = resumed;
  let pinned = idsOf(pinnedEdits);

  const state = (): MicrocompactState => ({ cleared: [...cleared], contextEdits, pinnedEdits, uncountedTokens });
  const isGone = (id: string) => cleared.has(id) || pinned.has(id);
  const changed = () => ports.onState(state());

  function pinOnly(edits: readonly CacheEdit[]): void {
    pinnedEdits = edits;
    pinned = idsOf(edits);
  }

  function record(
    results: readonly KnownResult[],
    made: { readonly by: ClearedBy; readonly freedTokens: number; readonly sums: ClearingSums | null },
  ): MicrocompactEvent {
    const { by, freedTokens, sums } = made;
    uncountedTokens += freedTokens;
    const toolUseIds = results.map(({ id }) => id);
    ports.onCleared({ toolUseIds, by, detail: { freedTokens, sums } });
    changed();
    return { kind: 'cleared', toolUseIds, firstChanged: results[0]?.message ?? 0, ...made };
  }

  return {
    state,
    contextEdits: () => contextEdits,
    pinnedEdits: () => pinnedEdits,
    uncountedTokens: () => uncountedTokens,
    savedTokens: () => freedBy(index.clearable.filter(({ id }) => isGone(id))),
    follow: (messages) => index.follow(messages),
    view: () => index.view(),
    candidates: (including) =>
      candidatesOf({
        index,
        keptResults: limits.keptResults,
        isGone: including === 'deleted' ? (id) => cleared.has(id) : isGone,
      }),
    clear(decision, by) {
      ports.announceBreak(`microcompaction by ${by}`);
      const chosen = new Set(decision.toolUseIds);
      // What the lost cache no longer deletes must be cleared here, or it would come back.
      const results = index.clearable.filter(({ id }) => chosen.has(id) || (by === 'time' && pinned.has(id)));
      const freedTokens = freedBy(results.filter(({ id }) => !pinned.has(id)));
      index.clear(results);
      if (by === 'time') pinOnly([]);
      return record(results, { by, freedTokens, sums: decision.sums });
    },
    decideCacheEdit() {
      const results = index.clearable.filter(({ id }) => !isGone(id));
      return decideCacheEdit({ results, lastMessage: index.length() - 1, limits });
    },
    pin({ edit, freedTokens }) {
      // The messages stay; what is read from the cache becomes less.
      ports.announceBreak('microcompaction by cache edit');
      pinOnly([...pinnedEdits, edit]);
      const deleted = new Set(edit.toolUseIds);
      const results = index.clearable.filter(({ id }) => deleted.has(id));
      return record(results, { by: 'cache-edit', freedTokens, sums: null });
    },
    latch(edits) {
      contextEdits = edits;
      changed();
    },
    counted() {
      if (uncountedTokens === 0) return;
      uncountedTokens = 0;
      changed();
    },
    compacted(messages) {
      const there = createResultIndex(new Set(), ports.isClearable);
      there.follow(messages);
      const kept = there.clearable.filter(({ id }) => isGone(id));
      cleared = new Set(kept.map(({ id }) => id));
      index = createResultIndex(cleared, ports.isClearable);
      contextEdits = null;
      pinOnly([]);
      // Nothing of the new conversation was counted yet: what is cleared in it is estimated as if it were there.
      uncountedTokens = freedBy(kept);
      changed();
    },
  };
}

function idsOf(edits: readonly CacheEdit[]): ReadonlySet<string> {
  return new Set(edits.flatMap(({ toolUseIds }) => toolUseIds));
}

function freedBy(results: readonly KnownResult[]): number {
  return results.reduce((total, { freedTokens }) => total + freedTokens, 0);
}

// Which results could be cleared now: not the newest, and not those already cleared.

function candidatesOf(facts: {
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
