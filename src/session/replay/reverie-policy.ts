/** Reverie's own layers over a recording: the same code that a session runs, with a recording in place of disk and model. */

import type { Entry } from '../../conversation/entry.ts';
import { type Message, type ToolUseBlock, toolUsesOf } from '../../conversation/message.ts';
import { createToolResults } from '../../layers/1-tool-results/index.ts';
import { createMicrocompact, type Economy } from '../../layers/2-microcompact/index.ts';
import { type CompactionDecision, createCompaction } from '../../layers/4-compaction/index.ts';
import { findCues } from '../../layers/5-extraction/explicit-read.ts';
import { ownSentences } from '../../layers/5-extraction/explicit-own-words.ts';
import { referencesOf } from './terms.ts';
import { createInUse } from './in-use.ts';
import { planBehindNotes } from '../../layers/4-compaction/plan.ts';
import { ratesOf } from '../../layers/2-microcompact/price.ts';
import { isCacheLost } from '../../layers/2-microcompact/decide.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import { summaryInstruction } from '../../layers/4-compaction/prompt.ts';
import { LIMITS, REPLAY_LIMITS } from '../../limits.ts';
import { afterUpdate, decideNotes, NO_NOTES, type NotesState, notesText, summaryTokens } from './notes-model.ts';
import type { Policy, PolicyKind, PolicyPorts, RequestFacts } from './policy.ts';

export const REVERIE_POLICIES: readonly PolicyKind[] = (['off', 'balanced', 'max'] as const).map((economy) => ({
  name: 'reverie',
  economy,
  create: (ports) => reverie(ports, economy),
}));

export const TUNE = JSON.parse(process.env.TUNE ?? '{}');

function reverie(ports: PolicyPorts, economy: Economy): Policy {
  const { sizes, window, prefixTokens, limits: given, ttl } = ports;
  const limits: typeof given = economy === 'off' ? given : { ...given, compaction: { ...given.compaction, ...(economy === 'max' ? TUNE.cmax : TUNE.cbal) }, microcompact: { ...given.microcompact, ...(economy === 'max' ? TUNE.mmax : TUNE.mbal) } };
  const capabilities = { contextEdits: false, promptCache: 'breakpoints', thinking: 'none' } as const;
  const seenFiles = new Map<string, string>();
  const calls = new Map<string, ToolUseBlock>();
  let entries: readonly Entry[] = [];
  let view: readonly Message[] = [];
  let notes: NotesState = NO_NOTES;
  let uuids = 0;
  let excess = 0; let isDue = false; let typedTokens = 0;
  let afterTokens = 0;
  const inUse = createInUse(TUNE.half ?? 50);
  const isEager = economy === 'max' || (economy === 'balanced' && TUNE.bthrift);
  const patience = economy === 'max' ? (TUNE.pmax ?? 1) : (TUNE.pbal ?? 3);

  const toolResults = createToolResults({
    store: async ({ toolUseId }) => `tool-results/${toolUseId}.txt`,
    onDecision: () => {},
    effectiveTokens: () => window.effective,
    limits,
  });
  const microcompact = createMicrocompact({
    announceBreak: () => {},
    onCleared: () => {},
    onApplied: () => {},
    onState: () => {},
    price: () => ports.price,
    toolNames: () => [],
    economy: () => economy,
    limits,
  });
  const compaction = createCompaction({
    async *summarise() {},
    readFile: async (path) => seenFiles.get(path) ?? null,
    renderContext: async () => [],
    readNotes: async () =>
      notes.coveredUuid === null
        ? null
        : { text: [notesText(notes.tokens / sizes.density()), ...refs()].join('\n\n'), path: 'notes.md', coveredUuid: notes.coveredUuid },
    isRule: (sentence) => ownSentences(sentence, limits.explicit).some((each) => findCues(each).length > 0),
    announceBreak: () => {},
    record: () => {},
    now: () => new Date(0),
    newUuid: () => `made-${uuids++}`,
    limits,
  });

  function refs(): string[] {
    if (TUNE.refs === 0) return [];
    const there = new Set<string>();
    const plan = notes.coveredUuid === null ? null : planBehindNotes(entries, { notes: { text: '', path: '', coveredUuid: notes.coveredUuid }, within: (t) => t, limits: limits.compaction });
    for (const { message } of plan?.after ?? []) for (const block of message.content) for (const r of referencesOf(block)) there.add(r);
    return ['# Names, paths and values that calls used\n' + inUse.line({ tokens: TUNE.refs ?? 1000, isThere: (r) => there.has(r) })];
  }
  const tokensOf = (messages: readonly Message[]) =>
    messages.reduce((sum, message) => sum + sizes.of(message), prefixTokens);

  async function admitted(entry: Entry): Promise<Entry> {
    const batch = entry.message.content.flatMap((block) => {
      const call = block.type === 'tool_result' ? calls.get(block.tool_use_id) : undefined;
      return block.type === 'tool_result' && call !== undefined ? [{ call, result: block }] : [];
    });
    if (batch.length === 0) return entry;
    const results = await toolResults.admit(batch);
    const replaced = new Map(results.map((result, at) => [batch[at]!.result, result]));
    for (const { call, result } of batch) {
      if (call.name === 'Read' && typeof call.input.file_path === 'string') {
        const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
        seenFiles.delete(call.input.file_path);
        seenFiles.set(call.input.file_path, text);
      }
    }
    if (results.every((result, at) => result === batch[at]!.result)) return entry;
    const content = entry.message.content.map((block) =>
      block.type === 'tool_result' ? (replaced.get(block) ?? block) : block,
    );
    const message = { ...entry.message, content };
    ports.freed('toolResults', sizes.of(entry.message) - sizes.of(message));
    return { ...entry, message };
  }

  async function compact(decision: Extract<CompactionDecision, { kind: 'compact' }>, atMs: number, notesOnly: boolean) {
    const before = tokensOf(view);
    const request = {
      trigger: 'auto' as const,
      from: decision.from,
      entries,
      messages: view,
      context: [],
      window,
      windowTokens: before,
      overheadTokens: prefixTokens,
      transcript: 'transcript.jsonl',
      restorable: { readPaths: [...seenFiles.keys()], skills: [], plan: null, notices: [], hookTexts: [] },
      signal: new AbortController().signal,
      notesOnly,
    };
    const outcome = await compaction.compact(request);
    if (process.env.DEBUG) console.log(economy, decision, Math.round(before), outcome.kind, outcome.kind==='failed'?outcome.reason:[outcome.report.tokensAfter, Math.round(afterTokens), outcome.entries.slice(1).reduce((a,e)=>a+sizes.of(e.message),0)|0, sizes.of(outcome.entries[0]!.message)|0, outcome.report.messagesKept, outcome.report.restored]);
    if (outcome.kind === 'failed') return;
    entries = outcome.entries;
    microcompact.compacted(entries.map(({ message }) => message));
    view = entries.map(({ message }) => message);
    ports.freed(outcome.report.from === 'notes' ? 'notes' : 'compaction', before - tokensOf(view));
    ports.compacted();
    notes = { ...notes, baseTokens: tokensOf(view) - prefixTokens, callsSince: 0 };
  }

  return {
    async request({ entries: added, idleMs, atMs, requests }) {
      const fresh = await Promise.all(added.map(admitted));
      entries = [...entries, ...fresh];
      for (const e of added) for (const b of e.message.content) if (b.type === 'text') typedTokens += sizes.of(b);
      const messages = entries.map(({ message }) => message);
      const prepared = microcompact.prepare({
        messages,
        idleMs,
        windowTokens: tokensOf(messages),
        window,
        capabilities,
        thinking: { kind: 'off' },
        cacheTtl: ttl,
        expectedRequests: Math.max(10, requests),
      });
      view = prepared.messages;
      if (prepared.event !== undefined) ports.freed('clearing', prepared.event.freedTokens * sizes.density());
      const windowTokens = tokensOf(view);
      const isCold = isCacheLost(idleMs, { cacheTtl: ttl, limits: limits.microcompact });
      const rates = ratesOf({ price: ports.price, promptTokens: windowTokens, promptCache: 'breakpoints', cacheTtl: ttl, limits: limits.microcompact });
      if (isEager) {
        const typed = Math.min(8000, typedTokens);
        afterTokens = prefixTokens + limits.compaction.keptTokens + summaryTokens(notes.coveredTokens) + typed + 1500;
        excess += Math.max(0, windowTokens - afterTokens) * rates.repeated;
        const cost = isCold ? 0 : (afterTokens - prefixTokens) * rates.rewritten;
        isDue = excess >= cost * patience && windowTokens > afterTokens * (TUNE.shrink ?? 1.25);
        const plan = !isDue || notes.coveredUuid === null ? null : planBehindNotes(entries, { notes: { text: '', path: '', coveredUuid: notes.coveredUuid }, within: (t) => t, limits: limits.compaction });
        if (plan !== null) {
          const tail = plan.after.reduce((sum, { message }) => sum + sizes.of(message), 0);
          if (isCold || tail <= limits.compaction.keptTokens * (TUNE.tail ?? 2)) {
            excess = 0;
            isDue = false;
            await compact({ kind: 'compact', from: 'notes', reason: 'thrift' }, atMs, true);
            return view;
          }
        }
      }
      const decision = compaction.look({
        windowTokens: tokensOf(view),
        window,
        trigger: 'auto',
        isFork: false,
        enabled: true,
        notes: notes.coveredUuid === null ? 'none' : 'ready',
        isCacheCold: isCacheLost(idleMs, { cacheTtl: ttl, limits: limits.microcompact }),
        economy,
      });
      if (decision.kind === 'compact') await compact(decision, atMs, decision.reason !== 'window-full');
      return view;
    },
    async answered(answer, { atMs }) {
      for (const call of toolUsesOf(answer.message.content)) calls.set(call.id, call);
      inUse.add(answer.message.content);
      entries = [...entries, answer];
      view = [...view, answer.message];
      const messageTokens = tokensOf(view) - prefixTokens;
      const callsInAnswer = toolUsesOf(answer.message.content).length;
      notes = { ...notes, callsSince: notes.callsSince + callsInAnswer };
      const decision = decideNotes(notes, { messageTokens, callsInAnswer, growth: economy === 'max' ? (isDue ? 5000 : TUNE.gmax) : economy === 'balanced' ? TUNE.gbal : undefined });
      if (decision.kind === 'wait') return;
      const { grownTokens } = decision;
      const { state, addedTokens, outputTokens } = afterUpdate(notes, { uuid: answer.uuid, messageTokens, grownTokens });
      notes = state;
      ports.call({ messages: view, atMs, addedTokens, outputTokens, purpose: 'notes' });
    },
  };
}
