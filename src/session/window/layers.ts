/** The layers that keep a conversation within its window, joined for one session: what each is given, and in which order they act. */

import type { Conversation } from '../../agent/conversation.ts';
import type { LoopSeams, PreparedMessages } from '../../agent/seams.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { Message } from '../../conversation/message.ts';
import { countWindow, estimateTokens, totalTokens } from '../../conversation/tokens.ts';
import type { Window } from '../../conversation/window.ts';
import type { ToolResults } from '../../layers/1-tool-results/index.ts';
import { openToolResults } from '../../layers/1-tool-results/join.ts';
import { expectedRequestsOf, type Microcompact } from '../../layers/2-microcompact/index.ts';
import { openMicrocompact } from '../../layers/2-microcompact/join.ts';
import { ratesOf } from '../../layers/2-microcompact/price.ts';
import { fitHardStop, type ThriftRates } from '../../layers/4-compaction/index.ts';
import { type Collapse, isUntouched } from '../../layers/collapse/index.ts';
import { openCollapse } from '../../layers/collapse/join.ts';
import type { ModelResponse } from '../../model/model.ts';
import { priceOf } from '../../model/prices.ts';
import { ttlMsOf } from '../../model/prompt-cache.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { overheadOf, windowFor } from '../../toolbox/window.ts';
import type { AgentCompaction } from './compaction.ts';
import { createComposition } from './window.ts';

export type LayerSession = Pick<
  SessionContext,
  'place' | 'log' | 'ledger' | 'rendered' | 'conversation' | 'model' | 'now' | 'announceBreak' | 'tell'
> & {
  /** Tools whose results can be had again by asking again, beside our own. */
  readonly clearableTools?: readonly string[];
};

export interface AgentLayers {
  readonly seams: Pick<LoopSeams, 'beforeRequest' | 'onOverflow'>;
  /** Results of a round, before they enter the conversation. */
  readonly admit: ToolResults['admit'];
  /** True when the API has cleared something for the first time in this request. */
  answered(response: ModelResponse): boolean;
  /** The same view for a fork, which goes its own way and never compacts. */
  forFork(conversation: Conversation): LoopSeams;
  readonly collapse: Pick<Collapse, 'state' | 'unfold'>;
  /** The conversation lost some of its messages by the user's hand. */
  shortened(): void;
  /** How much longer the last request would have been without what is cleared and folded. */
  savedTokens(): number;
  /** What the window is made of with this answer, for the ledger; null when the provider did not count. */
  composition(response: ModelResponse): string | null;
  readonly states: Readonly<Record<string, () => unknown>>;
}

export interface WindowFacts {
  readonly window: Window;
  readonly windowTokens: number;
  /** System prompt and tools, estimated. */
  readonly overheadTokens: number;
  readonly isCacheCold: boolean;
  /** What a token of it costs. */
  readonly rates: ThriftRates;
}

/** Announced for one request: the next one is whole again, or cut in another place. */
export const CUT_TO_FIT = 'a request cut to fit the window';

export function openAgentLayers(
  session: LayerSession,
  compaction: (layers: LayerParts) => AgentCompaction,
): AgentLayers {
  const { conversation } = session;
  const toolResults = openToolResults(session);
  const microcompact = openMicrocompact(session);
  const collapse = openCollapse(session);
  let requests = conversation.entries.filter(({ response }) => response !== undefined).length;

  function look(
    of: Conversation,
    {
      view,
      idleMs = idleSince(of.entries, session.now()),
      refusedTokens = 0,
    }: { readonly view: Views; readonly idleMs?: number | null; readonly refusedTokens?: number },
  ): WindowFacts & { readonly prepared: PreparedMessages } {
    const model = session.model();
    const { cacheTtl, thinking } = session.rendered();
    const overheadTokens = overheadOf(session.rendered());
    const window = windowFor(session);
    const counted = countWindow(of.entries) + view.cut.tokens + (isCounted(of.entries) ? 0 : overheadTokens);
    const cleared = view.microcompact.prepare({
      messages: of.messages(),
      idleMs,
      windowTokens: counted,
      window,
      capabilities: model.capabilities,
      thinking,
      cacheTtl,
      expectedRequests: expectedRequestsOf(requests, session.place.limits.microcompact),
    });
    const { messages, windowTokens } = view.collapse.prepare({
      messages: cleared.messages,
      windowTokens: Math.max(cleared.windowTokens, refusedTokens),
      effectiveTokens: window.effective,
    });
    const isCacheCold = idleMs !== null && idleMs > ttlMsOf(cacheTtl);
    const price = priceOf(model.name, session.ledger.prices);
    const { promptCache } = model.capabilities;
    const rates = ratesOf({ price, promptTokens: windowTokens, promptCache, cacheTtl });
    const { contextEdits, cacheEdits } = placed(cleared, messages);
    const prepared = { messages, contextEdits, cacheEdits };
    return { window, windowTokens, overheadTokens, isCacheCold, rates, prepared };
  }

  /** Nothing larger than the window is ever sent, whatever else failed. */
  function fit({ window, windowTokens, overheadTokens, prepared }: ReturnType<typeof look>): PreparedMessages {
    if (windowTokens <= window.hardStopAt) return prepared;
    const limits = session.place.limits.compaction;
    const { messages } = fitHardStop(prepared.messages, { window, overheadTokens, windowTokens, limits });
    return { ...placed(prepared, messages), messages };
  }

  function withinHardStop(looked: ReturnType<typeof look>, { cut, onCut }: Views): PreparedMessages {
    const { prepared } = looked;
    const fitted = fit(looked);
    const isCut = fitted.messages !== prepared.messages;
    cut.tokens = isCut ? sizeOf(prepared.messages) - sizeOf(fitted.messages) : 0;
    if (isCut) onCut();
    return fitted;
  }

  const isCollapsing = () => session.place.switches.isOn('layers.collapse') && !collapse.isPaused();

  /** A provider that refused a request knows better than we do how long it is; true when folding made it shorter. */
  function foldAfterRefusal(tokensOver: number | null): boolean {
    if (!isCollapsing()) return false;
    const before = collapse.state().folds.length;
    look(conversation, { view: own, refusedTokens: windowFor(session).window + (tokensOver ?? 0) });
    return collapse.state().folds.length > before;
  }

  const onCut = () => session.announceBreak(CUT_TO_FIT);
  const own: Views = { microcompact, collapse, cut: { tokens: 0 }, onCut };
  const parts: LayerParts = {
    look: () => look(conversation, { view: own }),
    isCollapsing,
    onCompacted() {
      own.cut.tokens = 0;
      microcompact.compacted(conversation.messages());
      collapse.compacted(conversation.messages());
      const ids = new Set(conversation.entries.flatMap(toolUseIds));
      toolResults.keepOnly((id) => ids.has(id));
    },
    afterCompaction() {
      if (session.place.settings.values.economy === 'off') return;
      // All of it is written to the cache again: what clearing by time would take now costs nothing.
      look(conversation, { view: own, idleMs: Number.MAX_SAFE_INTEGER });
    },
  };
  const compacting = compaction(parts);

  return {
    admit: toolResults.admit,
    seams: {
      async beforeRequest({ signal }) {
        const looked = parts.look();
        const isCompacted = await compacting.ifNeeded(looked, signal);
        return { ...withinHardStop(isCompacted ? parts.look() : looked, own), rendered: session.rendered() };
      },
      onOverflow: async (failure, signal) =>
        foldAfterRefusal(failure.tokensOver) || compacting.onOverflow(failure, parts.look(), signal),
    },
    answered({ usage, appliedEdits }) {
      requests += 1;
      if (totalTokens(usage) > 0) collapse.counted();
      return microcompact.answered({ usage, ...(appliedEdits === undefined ? {} : { appliedEdits }) });
    },
    forFork(of) {
      const silent = {
        ...{ onCleared: () => {}, onState: () => {}, announceBreak: () => {}, onDecision: () => {} },
        // Its own failures are no word on the conversation's layers.
        onPaused: () => {},
      };
      // It sees what its parent sees: clearing more by itself would break the cache it is there to read.
      const isOn = () => false;
      const view: Views = {
        microcompact: microcompact.clone({ ...silent, isOn }),
        collapse: collapse.clone({ ...silent, isOn }),
        cut: { ...own.cut },
        onCut: () => {},
      };
      const results = toolResults.clone(silent);
      return {
        beforeRequest: async () => withinHardStop(look(of, { view }), view),
        afterTools: (finished) => results.admit(finished),
      };
    },
    collapse,
    shortened() {
      own.cut.tokens = 0;
      microcompact.compacted(conversation.messages());
      collapse.compacted(conversation.messages());
    },
    composition: createComposition(session),
    savedTokens: () => microcompact.savedTokens() + collapse.savedTokens(),
    states: {
      microcompact: microcompact.state,
      collapse: () => (isUntouched(collapse.state()) ? undefined : collapse.state()),
      compaction: compacting.state,
      thrift: compacting.thriftState,
    },
  };
}

/** What shows a conversation shorter than it is, in the order they act. */
interface Views {
  readonly microcompact: Microcompact;
  readonly collapse: Pick<Collapse, 'prepare'>;
  /** What the last request left out: its usage says nothing of that, and the conversation still has it. */
  readonly cut: { tokens: number };
  readonly onCut: () => void;
}

/** What compaction needs of the other layers. */
export interface LayerParts {
  look(): WindowFacts & { readonly prepared: PreparedMessages };
  /** Whether finished work is folded in place of compacting by itself. */
  isCollapsing(): boolean;
  onCompacted(): void;
  /** When the transcript has it. */
  afterCompaction(): void;
}

/** Folding and cutting move messages: an edit goes with its own, and is dropped with it. */
function placed(
  prepared: Pick<PreparedMessages, 'messages' | 'contextEdits' | 'cacheEdits'>,
  messages: readonly Message[],
): Pick<PreparedMessages, 'contextEdits' | 'cacheEdits'> {
  const { contextEdits, cacheEdits } = prepared;
  if (cacheEdits === undefined || messages === prepared.messages) return { contextEdits, cacheEdits };
  const moved = cacheEdits.map((edit) => ({ ...edit, message: messages.indexOf(prepared.messages[edit.message]!) }));
  return { contextEdits, cacheEdits: moved.filter(({ message }) => message >= 0) };
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}

function isCounted(entries: readonly Entry[]): boolean {
  return entries.findLast(({ response }) => response !== undefined && totalTokens(response.usage) > 0) !== undefined;
}

function idleSince(entries: readonly Entry[], now: Date): number | null {
  const last = entries.findLast(({ message }) => message.role === 'assistant');
  return last === undefined ? null : now.getTime() - Date.parse(last.at);
}

function toolUseIds({ message }: Entry): readonly string[] {
  return message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}
