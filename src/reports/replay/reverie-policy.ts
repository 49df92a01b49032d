/** Reverie's own layers over a recording: the code that a session runs, with a recording instead of disk and model. */

import type { Entry } from '../../conversation/entry.ts';
import { type Message, NO_USAGE, toolUsesOf } from '../../conversation/message.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import { isCacheLost } from '../../layers/2-microcompact/decide.ts';
import { createMicrocompact, type Economy, expectedRequestsOf } from '../../layers/2-microcompact/index.ts';
import { ratesOf } from '../../layers/2-microcompact/price.ts';
import {
  createCompaction,
  createInUse,
  decideThrift,
  inUseTokensOf,
  NOTHING_PAID,
  planBehindNotes,
  type ThriftDecision,
  thriftyCompaction,
} from '../../layers/4-compaction/index.ts';
import type { CompactionPorts } from '../../layers/4-compaction/ports.ts';
import { summaryInstruction } from '../../layers/4-compaction/prompt.ts';
import { type Limits, REPLAY_LIMITS } from '../../limits.ts';
import type { ModelEvent } from '../../model/model.ts';
import { createAdmission } from './admission.ts';
import { decideNotes, NO_NOTES, type NotesState, notesText, summaryAnswer, updateNotes } from './notes-model.ts';
import type { Policy, PolicyKind, PolicyPorts, RequestFacts } from './policy.ts';

export const REVERIE_POLICIES: readonly PolicyKind[] = (['off', 'balanced', 'max'] as const).map((economy) => ({
  name: 'reverie',
  economy,
  create: (ports) => reverie(ports, economy),
}));

const CAPABILITIES = { contextEdits: false, promptCache: 'breakpoints', thinking: 'none' } as const;
const NEVER_ABORTED = new AbortController().signal;
const NOTES_PATH = 'notes.md';
const TRANSCRIPT_PATH = 'transcript.jsonl';

function reverie(ports: PolicyPorts, economy: Economy): Policy {
  const { sizes, window, prefixTokens, ttl } = ports;
  const limits = { ...ports.limits, compaction: thriftyCompaction(economy, ports.limits) };
  const admission = createAdmission(ports);
  const inUse = createInUse(economy);
  let entries: readonly Entry[] = [];
  let view: readonly Message[] = [];
  let notes: NotesState = NO_NOTES;
  let thrift = NOTHING_PAID;
  let thriftDecision: ThriftDecision = { kind: 'wait', reason: 'not-yet' };
  let typedTokens = 0;
  /** Tokens that are cleared in the view but still in the entries. */
  let clearedTokens = 0;
  let nowMs = 0;

  const microcompact = createMicrocompact({
    ...{ announceBreak: ignore, onCleared: ignore, onApplied: ignore, onState: ignore },
    price: () => ports.price,
    toolNames: () => [],
    economy: () => economy,
    limits,
  });
  const compaction = createCompaction(
    compactionPorts({ limits, readFile: admission.readFile, readNotes, summarise, inUse: inUse.sections }),
  );

  const tokensOf = (messages: readonly Message[]) =>
    messages.reduce((sum, message) => sum + sizes.of(message), prefixTokens);
  const messageTokensOf = (of: readonly Entry[]) => of.reduce((sum, { message }) => sum + sizes.of(message), 0);
  const toPlan = () => ({ coveredUuid: notes.coveredUuid, text: '', path: NOTES_PATH });

  /** What would stay after the notes if they replaced the conversation now. */
  function stayingEntries(): readonly Entry[] | null {
    if (notes.coveredUuid === null) return null;
    const plan = planBehindNotes(entries, { notes: toPlan(), within: (tokens) => tokens, limits: limits.compaction });
    return plan === null ? null : plan.after;
  }

  function readNotes() {
    if (notes.coveredUuid === null) return null;
    return { ...toPlan(), text: notesText(notes.tokens / sizes.density()) };
  }

  /** Nobody can write the summary here: only its size counts. */
  async function* summarise(): AsyncIterable<ModelEvent> {
    const answer = summaryAnswer(REPLAY_LIMITS.summaryMostTokens / sizes.density());
    ports.call({
      messages: view,
      atMs: nowMs,
      addedTokens: estimateTextTokens(summaryInstruction({ wishes: '', fromWords: null })),
      outputTokens: Math.round(REPLAY_LIMITS.summaryMostTokens * (1 + REPLAY_LIMITS.analysisShare)),
      purpose: 'compaction',
    });
    const block = { type: 'text', text: answer } as const;
    yield { kind: 'block', block };
    const response = { id: null, model: '', content: [block], stopReason: 'end', usage: NO_USAGE } as const;
    yield { kind: 'response', response };
  }

  function prepare(facts: { readonly idleMs: number | null; readonly requests: number }): void {
    const messages = entries.map(({ message }) => message);
    const prepared = microcompact.prepare({
      messages,
      idleMs: facts.idleMs,
      windowTokens: tokensOf(messages),
      window,
      capabilities: CAPABILITIES,
      thinking: { kind: 'off' },
      cacheTtl: ttl,
      expectedRequests: expectedRequestsOf(facts.requests, limits.microcompact),
    });
    microcompact.answered({ usage: { ...NO_USAGE, inputTokens: 1 } });
    view = prepared.messages;
    const cleared = tokensOf(messages) - tokensOf(view);
    ports.freed('clearing', cleared - clearedTokens);
    clearedTokens = cleared;
  }

  async function compact(facts: { readonly from: 'notes' | 'model'; readonly notesOnly: boolean }): Promise<void> {
    const before = tokensOf(view);
    const outcome = await compaction.compact({
      ...facts,
      ...{ trigger: 'auto', entries, messages: view, context: [], window, windowTokens: before },
      ...{ overheadTokens: prefixTokens, transcript: TRANSCRIPT_PATH, signal: NEVER_ABORTED },
      restorable: { readPaths: admission.readPaths(), skills: [], plan: null, notices: [], hookTexts: [] },
    });
    thrift = NOTHING_PAID;
    if (outcome.kind === 'failed') return;
    entries = outcome.entries;
    view = entries.map(({ message }) => message);
    microcompact.compacted(view);
    const { from } = outcome.report;
    ports.freed(from === 'notes' ? 'notes' : 'compaction', before - tokensOf(view));
    ports.compacted();
    clearedTokens = 0;
    // All of it is written to the cache again: clearing by time costs nothing now.
    if (economy !== 'off') prepare({ idleMs: Number.MAX_SAFE_INTEGER, requests: 1 });
    notes = { ...notes, baseTokens: messageTokensOf(entries), callsSince: 0 };
  }

  function lookAhead(isCacheCold: boolean): void {
    const windowTokens = tokensOf(view);
    const rates = ratesOf({
      ...{ price: ports.price, promptTokens: windowTokens, promptCache: CAPABILITIES.promptCache, cacheTtl: ttl },
    });
    const carriedTokens = Math.min(limits.compaction.messagesTokens, typedTokens);
    const looked = decideThrift({
      ...{ economy, windowTokens, window, prefixTokens, isCacheCold, rates, limits, state: thrift },
      summaryTokens: notes.tokens + inUseTokensOf(economy) + carriedTokens,
      tailTokens() {
        const staying = stayingEntries();
        return staying === null ? null : messageTokensOf(staying);
      },
    });
    thriftDecision = looked.decision;
    thrift = looked.state;
  }

  return {
    async request(facts: RequestFacts) {
      nowMs = facts.atMs;
      entries = [...entries, ...(await admission.admit(facts.entries))];
      inUse.add(facts.entries.flatMap(({ message }) => message.content));
      typedTokens += typedIn(facts.entries, sizes.of);
      prepare(facts);
      const isCacheCold = isCacheLost(facts.idleMs, { cacheTtl: ttl, limits: limits.microcompact });
      lookAhead(isCacheCold);
      if (thriftDecision.kind === 'compact') {
        await compact({ from: 'notes', notesOnly: true });
        return view;
      }
      const decision = compaction.look({
        ...{ windowTokens: tokensOf(view), window, trigger: 'auto', isFork: false, enabled: true },
        notes: notes.coveredUuid === null ? 'none' : 'ready',
      });
      if (decision.kind === 'compact') await compact({ from: decision.from, notesOnly: false });
      return view;
    },
    async answered(answer, { atMs }) {
      const callsInAnswer = toolUsesOf(answer.message.content).length;
      admission.called(answer);
      inUse.add(answer.message.content);
      entries = [...entries, answer];
      view = [...view, answer.message];
      // As a session counts: what is cleared in the view is no less to take notes of.
      const messageTokens = messageTokensOf(entries);
      notes = { ...notes, callsSince: notes.callsSince + callsInAnswer };
      const isPatient = economy === 'max' && thriftDecision.kind !== 'write-notes';
      const growthTokens = isPatient ? limits.economy.maxNotesGrowthTokens : REPLAY_LIMITS.notesGrowthTokens;
      const decision = decideNotes(notes, { messageTokens, callsInAnswer, growthTokens });
      if (decision.kind === 'wait') return;
      const { grownTokens } = decision;
      const update = updateNotes(notes, { uuid: answer.uuid, messageTokens, grownTokens });
      notes = update.state;
      const { addedTokens, outputTokens } = update;
      ports.call({ messages: view, atMs, addedTokens, outputTokens, purpose: 'notes' });
    },
  };
}

function typedIn(entries: readonly Entry[], sizeOf: PolicyPorts['sizes']['of']): number {
  return entries
    .flatMap(({ message }) => message.content.filter(({ type }) => type === 'text'))
    .reduce((sum, block) => sum + sizeOf(block), 0);
}

function compactionPorts(facts: {
  readonly limits: Limits;
  readonly readFile: CompactionPorts['readFile'];
  readonly readNotes: () => Awaited<ReturnType<NonNullable<CompactionPorts['readNotes']>>>;
  readonly summarise: CompactionPorts['summarise'];
  readonly inUse: CompactionPorts['inUse'];
}): CompactionPorts {
  const { limits, readFile, readNotes, summarise, inUse } = facts;
  let made = 0;
  return {
    ...{ limits, readFile, summarise, inUse, announceBreak: ignore, record: ignore },
    readNotes: async () => readNotes(),
    renderContext: async () => [],
    now: () => new Date(0),
    newUuid: () => `made-${made++}`,
  };
}

function ignore(): void {}
