/** Thrift in a session: what reading the conversation again and again has cost, and what must be told when notes end that early. */

import type { Entry } from '../../conversation/entry.ts';
import type { Message } from '../../conversation/message.ts';
import { ownText } from '../../conversation/own-words.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import type { AgentNotes } from '../../layers/3-session-notes/join.ts';
import {
  type CompactionPorts,
  type CompactionRequest,
  createInUse,
  decideThrift,
  inUseTokensOf,
  isThriftState,
  NOTHING_PAID,
  planBehindNotes,
  sizeOf,
  type ThriftDecision,
  type ThriftState,
  thriftyCompaction,
  within,
} from '../../layers/4-compaction/index.ts';
import type { Carried } from '../../layers/4-compaction/state.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import type { WindowFacts } from './layers.ts';

type ThriftSession = Pick<SessionContext, 'place' | 'log' | 'conversation'> & {
  readonly notes?: () => Pick<AgentNotes, 'standing' | 'want'>;
};

export interface AgentThrift {
  /** Before every request, once. Tells the notes when only they are missing. */
  look(looked: WindowFacts, facts: { readonly contextTokens: number }): ThriftDecision;
  /** Before messages go: what they were about is remembered. */
  catchUp(): void;
  /** After a compaction, or a try of one. */
  startOver(): void;
  readonly inUse: NonNullable<CompactionPorts['inUse']>;
  /** What an early compaction keeps. */
  readonly kept: NonNullable<CompactionRequest['kept']>;
  state(): ThriftState;
}

export function openAgentThrift(session: ThriftSession, facts: { readonly carried: Carried }): AgentThrift {
  const { place, log, conversation } = session;
  const { limits } = place;
  const { economy } = place.settings.values;
  const kept = thriftyCompaction(economy, limits);
  const { notes } = session;
  if (notes === undefined || economy === 'off') return { ...NO_THRIFT, kept };
  const resumed = log.kept?.states.get('thrift');
  const inUse = createInUse(economy);
  const newIn = createFollower();
  let state = isThriftState(resumed) ? resumed : NOTHING_PAID;
  let typedTokens = facts.carried.messages.reduce((sum, { text }) => sum + estimateTextTokens(text), 0);

  function catchUp(): void {
    for (const entry of newIn(conversation.entries)) {
      inUse.add(entry.message.content);
      typedTokens += estimateTextTokens(ownText(entry));
    }
  }

  /** Of what would stay behind the notes if they replaced the conversation now. */
  function tailTokens(budget: (tokens: number) => number): number | null {
    const standing = notes!().standing();
    if (standing === null) return null;
    const covered = { coveredUuid: standing.coveredUuid, text: '', path: '' };
    const plan = planBehindNotes(conversation.entries, { notes: covered, within: budget, limits: kept });
    return plan === null ? null : sizeOf(plan.after);
  }

  return {
    look(looked, { contextTokens }) {
      catchUp();
      const { window, windowTokens, overheadTokens, isCacheCold, rates } = looked;
      const budget = (tokens: number) => within(tokens, { window, limits });
      const inUseTokens = budget(inUseTokensOf(economy));
      const carriedTokens = Math.min(budget(limits.compaction.messagesTokens), typedTokens);
      const { decision, state: paid } = decideThrift({
        ...{ economy, state, windowTokens, window, prefixTokens: overheadTokens, isCacheCold, rates, limits },
        summaryTokens: contextTokens + (notes().standing()?.tokens ?? 0) + inUseTokens + carriedTokens,
        tailTokens: () => tailTokens(budget),
      });
      state = paid;
      notes().want(decision.kind === 'write-notes' ? 'soon' : 'in-time');
      return decision;
    },
    catchUp,
    startOver() {
      state = NOTHING_PAID;
      // What a compaction wrote repeats what is known already.
      newIn(conversation.entries);
    },
    inUse: inUse.sections,
    kept,
    state: () => state,
  };
}

const NO_THRIFT: Omit<AgentThrift, 'kept'> = {
  look: () => ({ kind: 'wait', reason: 'economy-off' }),
  catchUp: () => {},
  startOver: () => {},
  inUse: () => '',
  state: () => NOTHING_PAID,
};

/** What joined since it was last asked: it goes back to the first message it knows, which rewinding and compacting leave as it is. */
function createFollower(): (entries: readonly Entry[]) => readonly Entry[] {
  const known = new WeakSet<Message>();
  return (entries) => {
    let from = entries.length;
    while (from > 0 && !known.has(entries[from - 1]!.message)) from--;
    const added = entries.slice(from);
    for (const { message } of added) known.add(message);
    return added;
  };
}
