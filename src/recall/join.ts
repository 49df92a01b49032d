/** Recall in a session: started with each message, joined at the seams of the loop, recorded in the transcript. */

import { channel } from 'node:diagnostics_channel';
import type { Conversation } from '../agent/conversation.ts';
import type { Attachment } from '../agent/seams.ts';
import type { FinishedCall } from '../agent/tool-runs.ts';
import { createBreaker } from '../base/async/breaker.ts';
import { createLater } from '../base/async/later.ts';
import { withoutInjected } from '../base/text/injected-text.ts';
import { messageOf } from '../base/values.ts';
import type { Entry } from '../conversation/entry.ts';
import type { MemoryFacts } from '../disk/ledger/line.ts';
import { PATH_LIMITS, PREFETCH_LIMITS } from '../limits.ts';
import { hasMemoryFiles } from '../memory/files/walk.ts';
import { keyOf, placeOf } from '../memory/key.ts';
import { ModelFailure } from '../model/failure.ts';
import type { Model } from '../model/model.ts';
import { reasonOf, whenTripped } from '../toolbox/breakers.ts';
import type { SessionContext } from '../toolbox/session-context.ts';
import type { RecallAccount, RecallScore } from './account.ts';
import { type OpeningFacts, openedMemories, pathInProject } from './opened.ts';
import { createPrefetch, type Selector, type TakenMemory } from './prefetch.ts';
import { isRecallState } from './prefetch-held.ts';
import { selectByModel } from './select.ts';
import { type RecallNote, recallNote } from './transcript-note.ts';
import { triggersOf } from './triggers.ts';
import { createUseWatch, type UseSign, watchLater } from './usefulness-watch.ts';
import { recallView } from './view.ts';

/** How long to wait before looking whether memories were used, so that the following request has left by then. */
const LOOK_AFTER_MS = 10;

type RecallSession = OpeningFacts &
  Pick<SessionContext, 'place' | 'log' | 'ledger' | 'now' | 'tell' | 'isSingleTurn'> & {
    readonly conversation: Pick<Conversation, 'entries'>;
    /** The model for small questions, chosen when first needed. */
    readonly smallModel: () => Promise<Model>;
  };

/** Plain data. */
export interface RecalledInSession extends RecallAccount {
  /** Why no model picks memories for now; null when one may. */
  readonly pickedLocally: string | null;
  /** What else is near the last message, ranked on demand; not shown, because it was not certain. */
  readonly considered: readonly {
    readonly key: string;
    readonly isCertain: boolean;
    readonly score: RecallScore;
  }[];
}

export interface AgentRecall {
  promptComes(prompt: string): void;
  /** The results of a round: what they may remind of, and what the agent has read itself. */
  toolsEnded(finished: readonly FinishedCall[]): void;
  /** What joins the message that is about to be sent. */
  attachments(): Promise<readonly Attachment[]>;
  /** The turn's final answer. */
  answered(answer: string): void;
  /** What was recalled, and why. */
  account(): Promise<RecalledInSession>;
  /** `scope:file` of memories that came from this conversation. */
  knows(keys: readonly string[]): void;
  /** A summary replaced the conversation: what was shown in it may be shown again. */
  reset(): void;
  /** Messages were rewound; the rest is unchanged. */
  takenBack(): void;
  close(): void;
}

export function openAgentRecall(session: RecallSession): AgentRecall {
  const { place, memory, log, conversation } = session;
  const { values } = place.settings;
  const limits = place.limits.prefetch;
  const resumed = log.kept?.states.get('recall');
  let recentTools: readonly string[] = [];
  const selecting = createBreaker({ limit: limits.failures, onTrip: whenTripped('selecting', session) });
  const ranking = createBreaker({ limit: limits.failures, onTrip: whenTripped('ranking', session) });
  let hasToldCap = false;
  let pickedLocally: string | null = null;

  function selector(): Selector {
    if (!memory.enabled || !place.switches.isOn('layers.recall')) return 'off';
    const chosen = values['recall.selector'];
    const left = selecting.isPaused() && (chosen === 'hybrid' || chosen === 'model') ? 'local' : chosen;
    // Only a model on its own picks from memories that were not ranked.
    return ranking.isPaused() && left !== 'model' ? 'off' : left;
  }

  function onProblem(what: 'ranking' | 'selecting', error: unknown): void {
    const message = messageOf(error);
    const failure = error instanceof ModelFailure ? error.failure : null;
    if (failure === 'cap') {
      onCap(error as ModelFailure);
      return;
    }
    session.ledger.recordEvent('recall-failed', {
      failures: (what === 'ranking' ? ranking : selecting).failures() + 1,
    });
    if (what === 'ranking') {
      ranking.failed(message);
      return;
    }
    selecting.failed(message);
  }

  function onCap({ message, fix }: ModelFailure): void {
    pickedLocally = message;
    if (hasToldCap) return;
    hasToldCap = true;
    session.tell(`Memories are picked without a model for now: ${message}. ${fix}`);
  }

  /** What ranking goes on without: said once, and left in the ledger for other processes to see. */
  const toldProblems = new Set(memory.problems());
  function tellProblems(): void {
    for (const problem of memory.problems()) {
      if (toldProblems.has(problem)) continue;
      toldProblems.add(problem);
      session.tell(problem);
      session.ledger.record({ name: 'recall-failed', numbers: { failures: 1 }, cause: reasonOf(problem) });
    }
  }

  // A word like Read or Write names no tool in a memory; what a server's tool is called does.
  const view = recallView({ ...session, recentTools: () => recentTools.filter((name) => name.includes('__')) });
  let hasMemories = false;
  const prefetch = createPrefetch(
    {
      selector,
      hasMemories() {
        // Once there is one, there is no need to check with each message: ranking an emptied folder does no harm.
        hasMemories ||= Object.values(memory.folders).some((path) => hasMemoryFiles(path, PATH_LIMITS.depth));
        return hasMemories;
      },
      isSingleTurn: session.isSingleTurn,
      ...view,
      async rank(query, wanted) {
        // Of a message, which is ranked as it comes; what is noted later is of that time.
        const at = session.now();
        const isMessage = wanted.only === 'certain';
        const found = await view.rank(
          query,
          isMessage ? { ...wanted, onRanked: (near) => note({ near }, at) } : wanted,
        );
        ranking.succeeded();
        tellProblems();
        return found;
      },
      async select(question, signal) {
        const model = await session.smallModel();
        const ask = (request: Parameters<Model['stream']>[0]) =>
          session.ledger.meter.call({ purpose: 'recall', model, request, signal });
        return selectByModel(question, { ask, limits });
      },
      onProblem,
      onSelected() {
        pickedLocally = null;
        selecting.succeeded();
      },
      limits: place.limits,
    },
    isRecallState(resumed) ? resumed : undefined,
  );
  /** Whether what was shown last has no message yet: the loop appends one after taking what joins it. */
  let isUnplaced = true;
  const later = createLater(LOOK_AFTER_MS);
  const onUsed = (key: string, by: UseSign) =>
    session.ledger.recordMemory({ ...placeOf(key), what: 'used', watched: true, by });
  const watch = watchLater(createUseWatch({ onUsed, limits: place.limits.usefulness }), later);
  // The index and the encoder are loaded before the first message needs them.
  if (selector() !== 'off') void memory.ready().catch(() => {});

  function note(told: RecallNote, at: Date): void {
    log.append(recallNote(at.toISOString(), told));
  }

  function keepState(): void {
    log.append({ type: 'state', at: session.now().toISOString(), layer: 'recall', state: prefetch.state() });
  }

  function placeTold(): void {
    if (!isUnplaced) return;
    isUnplaced = false;
    const has = ({ injected }: Entry) => injected?.some(({ source }) => source === 'recall') === true;
    prefetch.joined(conversation.entries.findLast(has)?.uuid ?? null);
  }

  function knows(keys: readonly string[]): void {
    if (keys.length === 0) return;
    prefetch.knows(keys, conversation.entries.at(-1)?.uuid ?? null);
    keepState();
  }

  return {
    promptComes(prompt) {
      const words = withoutInjected(prompt);
      watch.promptComes(words);
      prefetch.begin(words, recentTools);
      const closed = prefetch.account().lastMessage?.closed ?? null;
      if (closed !== null) note({ closed }, session.now());
    },
    toolsEnded(finished) {
      const names = finished.map(({ call }) => call.name);
      recentTools = [...new Set([...recentTools, ...names].reverse())].slice(0, PREFETCH_LIMITS.recentTools).reverse();
      if (selector() === 'off') return;
      const opened = finished.flatMap((each) => openedMemories(each, session));
      watch.toolsEnded(
        finished,
        opened.filter(({ isRead }) => isRead).map(({ key }) => key),
      );
      knows(opened.map(({ key }) => key));
      prefetch.goesOn();
      prefetch.meet(triggersOf(finished, (path) => pathInProject(path, session)));
    },
    async attachments() {
      placeTold();
      HOLDS.publish({ milliseconds: await prefetch.held() });
      const taken = prefetch.take();
      if (taken.length === 0) return [];
      isUnplaced = true;
      // At once: a process that dies in this turn must not show it again when resumed.
      keepState();
      session.ledger.recordEvent('recall', { memories: taken.length, bytes: sizeOf(taken) });
      for (const memory of taken) session.ledger.recordMemory(recalledFacts(memory));
      watch.surfaced(taken.map(({ key, text, call }) => ({ key, text, query: call.query })));
      return taken.map(({ text }) => ({ source: 'recall', block: { type: 'text', text } }));
    },
    answered(answer) {
      const late = session.isSingleTurn ? prefetch.untaken() : 0;
      if (late > 0) session.tell(lateText(late, limits.holdMs));
      watch.answered(answer);
    },
    async account() {
      const told = prefetch.account();
      const query = told.lastMessage?.query ?? '';
      const keys = [...told.recalled.map(({ key }) => key), ...told.earlier];
      // Ranked on demand: no message waits for what nobody may want to know.
      const hits = query === '' || !memory.enabled ? [] : await memory.recall(query, { exclude: keys });
      const considered = hits.map(({ score, certain, why, ...place }) => {
        return { key: keyOf(place), isCertain: certain, score: { score, explain: why.explain } };
      });
      return { ...told, considered, pickedLocally };
    },
    knows,
    reset() {
      isUnplaced = false;
      prefetch.reset();
      watch.keepOnly(new Set());
      keepState();
    },
    takenBack() {
      placeTold();
      const there = new Set(conversation.entries.map(({ uuid }) => uuid));
      prefetch.keepOnly((uuid) => there.has(uuid));
      watch.keepOnly(new Set(prefetch.state().surfaced.map(({ key }) => key)));
      keepState();
    },
    close() {
      later.flush();
      prefetch.stop();
    },
  };
}

/** No request follows that could bring them. */
function lateText(memories: number, holdMs: number): string {
  const found = memories === 1 ? 'A memory was' : `${memories} memories were`;
  return `${found} found too late for this answer: a request waits ${holdMs} ms for recall. On a busy machine: reverie settings limits.prefetch.holdMs 400`;
}

/** For measurements: how long each request was held. Costs nothing while nobody listens. */
const HOLDS = channel('reverie.recall.hold');

function recalledFacts({ key, call, picked, score }: TakenMemory): MemoryFacts {
  const facts = { ...placeOf(key), what: 'recalled', watched: true, trigger: call.by, selector: picked } as const;
  return score === undefined ? facts : { ...facts, score: score.score };
}

function sizeOf(memories: readonly { readonly text: string }[]): number {
  return memories.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}
