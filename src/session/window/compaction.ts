/** Compaction in a session: the summary is asked for over the warm prefix, and what comes of it is put in place whole. */

import { randomUUID } from 'node:crypto';
import type { PreparedMessages } from '../../agent/seams.ts';
import { chooseBreakpoints } from '../../conversation/breakpoints.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import type { BoundaryRecord } from '../../disk/transcript/record.ts';
import { messageRecord } from '../../disk/transcript/record.ts';
import type { AgentNotes } from '../../layers/3-session-notes/join.ts';
import {
  type CompactionOutcome,
  type CompactionPorts,
  type CompactionRequest,
  type CompactionTrigger,
  createCompaction,
  isCompactionState,
  type Restorable,
  reportLine,
} from '../../layers/4-compaction/index.ts';
import { type CarriedMessage, carriedMessages, NOTHING_CARRIED } from '../../layers/4-compaction/state.ts';
import { sizeOfBlocks } from '../../layers/4-compaction/work.ts';
import type { ModelFailure } from '../../model/failure.ts';
import { whenTripped } from '../../toolbox/breakers.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import type { AgentTools } from '../../toolbox/tools.ts';
import type { LayerParts, WindowFacts } from './layers.ts';
import { type AgentThrift, openAgentThrift } from './thrift.ts';

export type CompactionSession = Pick<
  SessionContext,
  'place' | 'log' | 'ledger' | 'rendered' | 'conversation' | 'model' | 'announceBreak' | 'now' | 'tell'
> & {
  /** Instruction files and index as they are now. */
  readonly renderContext: () => Promise<readonly ContentBlock[]>;
  readonly tools: Pick<AgentTools, 'readText'>;
  /** What may come back after it. */
  readonly restorable: () => Restorable;
  /** Tools outside the prefix that the model has found. */
  readonly discoveredTools?: () => readonly string[];
  readonly hooks: Pick<CompactionPorts, 'beforeCompaction' | 'afterCompaction' | 'sessionStart'>;
  /** The conversation is another one: what was told in it has to be told again. A beginning that stays is still in the cache. */
  readonly onReplaced: (facts: { readonly keepsBeginning: boolean }) => void;
  /** What is worth keeping of the messages that are about to go; nobody waits for it. */
  readonly flushMemory?: () => void;
  /** The session's notes, where it keeps some. */
  readonly notes?: () => Pick<AgentNotes, 'isReady' | 'readNotes' | 'standing' | 'stoodIn' | 'want'>;
  /** In place of a call to a model, where there is none. */
  readonly summarise?: CompactionPorts['summarise'];
  /** Where the summary ends; all is summarised unless it says so. */
  readonly pivot?: () => CompactionRequest['pivot'];
};

type Pivot = NonNullable<CompactionRequest['pivot']>;

export interface AgentCompaction {
  /** Before a request; true when the conversation was replaced. */
  ifNeeded(looked: WindowFacts, signal: AbortSignal): Promise<boolean>;
  onOverflow(failure: ModelFailure, looked: WindowFacts, signal: AbortSignal): Promise<boolean>;
  /** `/compact`: a line that says what became of it. */
  byHand(wishes: string, signal: AbortSignal): Promise<string>;
  /** The same for what follows a message, or what stands before it. */
  around(pivot: Pivot, asked: { readonly wishes: string; readonly signal: AbortSignal }): Promise<string>;
  /** Whether it will act by itself once the window is full, and by notes where there are some. */
  waitsForNotes(): boolean;
  state(): unknown;
  /** What it carried word for word, oldest first. */
  carried(): readonly CarriedMessage[];
  /** Beside the other, since it changes with every request. */
  thriftState(): unknown;
}

export function openAgentCompaction(session: CompactionSession, layers: LayerParts): AgentCompaction {
  const { place, log, conversation, ledger } = session;
  const kept = log.kept?.states.get('compaction');
  const resumed = isCompactionState(kept) ? kept : undefined;
  const thrift = openAgentThrift(session, { carried: resumed?.carried ?? NOTHING_CARRIED });
  let boundary: BoundaryRecord | null = null;
  let lastProblem: string | null = null;
  let context = session.rendered().context;
  let sentEdits: PreparedMessages['contextEdits'];
  const compaction = createCompaction(
    {
      ...portsOf(session, { thrift, contextEdits: () => sentEdits }),
      record(made) {
        boundary = made;
      },
    },
    resumed,
  );

  async function run(trigger: CompactionTrigger, facts: RunFacts): Promise<CompactionOutcome> {
    const { window, windowTokens, overheadTokens, isCacheCold } = facts.looked;
    const pivot = facts.pivot ?? session.pivot?.();
    thrift.catchUp();
    const { messages, contextEdits } = layers.look().prepared;
    sentEdits = contextEdits;
    const discoveredTools = session.discoveredTools?.() ?? [];
    const outcome = await compaction.compact({
      trigger,
      from: facts.from,
      ...(facts.isEarly === true ? { notesOnly: true, kept: thrift.kept } : {}),
      entries: conversation.entries,
      messages,
      context,
      window,
      windowTokens,
      overheadTokens,
      isCacheCold,
      transcript: log.file,
      restorable: session.restorable(),
      ...(discoveredTools.length === 0 ? {} : { discoveredTools }),
      signal: facts.signal,
      ...(facts.wishes === undefined ? {} : { wishes: facts.wishes }),
      ...(pivot === undefined ? {} : { pivot }),
    });
    if (outcome.kind === 'compacted') putInPlace(outcome, { keepsBeginning: pivot?.side === 'from' });
    else {
      thrift.startOver();
      if (!NO_FAULT.has(outcome.failure)) ledger.recordEvent('compaction-failed', {});
    }
    return outcome;
  }

  function putInPlace(
    outcome: Extract<CompactionOutcome, { kind: 'compacted' }>,
    { keepsBeginning }: { readonly keepsBeginning: boolean },
  ): void {
    const at = session.now().toISOString();
    context = outcome.context;
    conversation.replace(outcome.context, outcome.entries);
    thrift.startOver();
    layers.onCompacted();
    session.onReplaced({ keepsBeginning });
    // One write: a process that dies here leaves the conversation as it was, or the compacted one.
    log.appendAll([
      boundary ?? outcome.boundary,
      { type: 'rendered', at, rendered: { ...session.rendered(), context: outcome.context } },
      { type: 'state', at, layer: 'compaction', state: compaction.state() },
      { type: 'state', at, layer: 'thrift', state: thrift.state() },
      ...outcome.written.map(messageRecord),
    ]);
    // What stayed at the beginning is still in the cache: nothing of it may change.
    if (!keepsBeginning) layers.afterCompaction();
    const { tokensBefore, tokensAfter, proof } = outcome.report;
    const { kept, repaired, lost } = proof;
    ledger.recordEvent('compaction', { tokensBefore, tokensAfter, kept, repaired, lost });
    if (outcome.report.from !== 'notes') return;
    ledger.recordEvent('notes-compaction', { tokensBefore, tokensAfter });
    session.notes?.().stoodIn();
  }

  async function asked({ wishes, ...facts }: Pick<RunFacts, 'signal' | 'pivot'> & { wishes: string }): Promise<string> {
    const wanted = wishes.trim() === '' ? facts : { ...facts, wishes };
    return lineOf(await run('manual', { looked: layers.look(), from: 'model', ...wanted }));
  }

  const { isOn } = place.switches;
  const takesNotes = () => isOn('compaction.fromNotes') && compaction.takesNotes();
  const notesNow = () => (takesNotes() && session.notes?.().isReady() === true ? 'ready' : 'none');
  /** Collapse makes room in its place; a request that was refused is still answered by compacting. */
  const isByItself = () => isOn('layers.compaction') && isOn('compaction.auto') && !layers.isCollapsing();

  return {
    async ifNeeded(looked, signal) {
      const decision = compaction.look({
        ...looked,
        trigger: 'auto',
        isFork: false,
        enabled: isByItself(),
        notes: notesNow(),
        thrift: thrift.look(looked, { contextTokens: sizeOfBlocks(context) }),
      });
      if (decision.kind === 'wait') {
        if (decision.problem !== null && decision.problem !== lastProblem) session.tell(decision.problem);
        lastProblem = decision.problem;
        return false;
      }
      // Where only the notes make it worth while, no model is asked when they do not do.
      const isEarly = decision.reason === 'cache-cold' || decision.reason === 'thrift';
      const outcome = await run('auto', { looked, from: decision.from, signal, isEarly });
      if (isEarly && outcome.kind === 'failed') return false;
      session.tell(lineOf(outcome));
      return outcome.kind === 'compacted';
    },
    async onOverflow(failure, counted, signal) {
      // The provider knows better than we do how long it is.
      const refusedTokens = counted.window.window + (failure.tokensOver ?? 0);
      const looked = { ...counted, windowTokens: Math.max(counted.windowTokens, refusedTokens) };
      const facts = { ...looked, trigger: 'reactive', isFork: false, notes: notesNow() } as const;
      const decision = compaction.look({ ...facts, enabled: isOn('layers.compaction') });
      if (decision.kind === 'wait') return false;
      const outcome = await run('reactive', { looked, from: decision.from, signal });
      session.tell(lineOf(outcome));
      return outcome.kind === 'compacted';
    },
    byHand: (wishes, signal) => asked({ wishes, signal }),
    around: (pivot, { wishes, signal }) => asked({ wishes, signal, pivot }),
    waitsForNotes: () => isByItself() && !compaction.isPaused() && takesNotes(),
    state: compaction.state,
    carried: () => carriedMessages(compaction.state()),
    thriftState: thrift.state,
  };
}

interface RunFacts {
  readonly looked: WindowFacts;
  readonly from: 'notes' | 'model';
  readonly signal: AbortSignal;
  readonly wishes?: string;
  readonly pivot?: Pivot;
  /** Before the window is full. */
  readonly isEarly?: boolean;
}

function portsOf(
  session: CompactionSession,
  {
    thrift,
    contextEdits,
  }: { readonly thrift: AgentThrift; readonly contextEdits: () => PreparedMessages['contextEdits'] },
): Omit<CompactionPorts, 'record'> {
  const { place, ledger, tell } = session;
  return {
    summarise({ messages, signal }) {
      if (session.summarise !== undefined) return session.summarise({ messages, signal });
      const model = session.model();
      const { system, tools, thinking, cacheTtl } = session.rendered();
      const maxOutputTokens = Math.min(place.limits.window.answerTokens, model.capabilities.maxOutputTokens);
      const breakpoints = chooseBreakpoints({ messages, sentBefore: session.conversation.sentBefore() });
      const cache = { ttl: cacheTtl, breakpoints };
      // As every other request: without them the cache is another one, and what the API cleared comes back.
      const edits = contextEdits();
      const request = {
        ...({ system, tools, messages, thinking, toolChoice: 'auto', maxOutputTokens, cache } as const),
        ...(edits === undefined ? {} : { contextEdits: edits }),
      };
      return ledger.meter.call({ purpose: 'compaction', model, request, signal });
    },
    readFile: session.tools.readText,
    readNotes: async () => session.notes?.().readNotes() ?? null,
    inUse: thrift.inUse,
    renderContext: session.renderContext,
    flushMemory: () => session.flushMemory?.(),
    ...session.hooks,
    announceBreak: session.announceBreak,
    onPaused(by, trip) {
      // That it is paused is said whenever the window is full, also in a session that goes on.
      if (by === 'from-notes') whenTripped('compacting-from-notes', { ledger, tell })(trip);
      else whenTripped('compacting', { ledger })(trip);
    },
    now: session.now,
    newUuid: randomUUID,
    limits: place.limits,
  };
}

/** Of the user's own making. */
const NO_FAULT: ReadonlySet<string> = new Set(['aborted', 'forbidden', 'already-running', 'unknown-message']);

function lineOf(outcome: CompactionOutcome): string {
  return outcome.kind === 'compacted' ? reportLine(outcome.report) : outcome.reason;
}
