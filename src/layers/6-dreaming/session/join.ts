/** Dreaming in a session: a fork over its warm prefix that writes into a copy, alongside its turns; nobody waits for it. */

import { runFork } from '../../../agent/fork.ts';
import { createReadFiles } from '../../../agent/read-files.ts';
import type { Tool } from '../../../agent/tool.ts';
import { editTool } from '../../../agent/tools/edit.ts';
import { readTool } from '../../../agent/tools/read.ts';
import { writeTool } from '../../../agent/tools/write.ts';
import type { MemoryScope } from '../../../base/taxonomy.ts';
import { NO_USAGE, type Usage } from '../../../conversation/message.ts';
import { countWindow } from '../../../conversation/tokens.ts';
import type { Limits } from '../../../limits.ts';
import { equivalentTokens } from '../../../model/metered-usage.ts';
import type { Place } from '../../../settings/place.ts';
import type { AgentMeter } from '../../../toolbox/meter.ts';
import type { SessionContext } from '../../../toolbox/session-context.ts';
import {
  createDreaming,
  type DreamerEnd,
  type DreamerWork,
  type Dreaming,
  type DreamProgress,
  type DreamRoom,
  UNDER_WAY,
} from '../index.ts';
import type { AgentDream } from './dream.ts';
import { dreamFiles, dreamLoop, dreamPermission, endOf, hearDreamer, readableFolders } from './dreamer.ts';
import { whenUnbegun } from './later.ts';
import { dreamMeter, warmTokensOf } from './meter.ts';
import { type DreamPlace, dreamFolder, dreamPorts, type SharedPorts } from './ports.ts';

export type DreamSession = Pick<
  SessionContext,
  | 'place'
  | 'memory'
  | 'log'
  | 'cwd'
  | 'environment'
  | 'conversation'
  | 'model'
  | 'tools'
  | 'parent'
  | 'forkSeams'
  | 'now'
  | 'tell'
> & { readonly ledger: Pick<AgentMeter, 'beside' | 'recordEvent' | 'dayTokensLeft'> };

export interface SessionDreaming extends AgentDream {
  /** The turn's final answer is in the conversation. Returns at once. */
  answered(): void;
}

/** `byItself`: whether one may begin after an answer; by hand it always can. */
export function openAgentDream(session: DreamSession, { byItself }: { readonly byItself: boolean }): SessionDreaming {
  const { memory } = session;
  const unbegun = whenUnbegun(session);
  const listeners = new Set<(progress: DreamProgress) => void>();
  const opened = new Map<MemoryScope, Dreaming>();
  let latest: DreamProgress | null = null;
  /** The gates are being asked; stopping the dream cancels that. */
  let asking: { isStopped: boolean; isAskedAgain: boolean } | null = null;

  const isFree = () => [...opened.values()].every((dreaming) => !dreaming.isUnderWay());
  const onProgress = (progress: DreamProgress) => {
    latest = progress;
    for (const listen of listeners) listen(progress);
  };

  /** The folder may be created during the session. */
  function dreamingOf(scope: MemoryScope): Dreaming | null {
    const known = opened.get(scope);
    const folder = known === undefined && memory.enabled ? dreamFolder(memory, scope) : null;
    if (folder === null) return known ?? null;
    const dreaming = open(session, { scope, folder, onProgress, isFree, unbegun });
    opened.set(scope, dreaming);
    return dreaming;
  }

  /** One dream at a time: the global folder is asked about only where no dream of the project's is due. */
  async function ask(question: { readonly isStopped: boolean }): Promise<void> {
    for (const scope of ['project', 'global'] as const) {
      const dreaming = question.isStopped ? null : dreamingOf(scope);
      const decision = dreaming === null ? undefined : await dreaming.answered();
      if (decision === null || decision?.kind === 'dream') return;
    }
  }

  function answered(): void {
    if (!byItself || !isFree()) return;
    if (asking !== null) {
      // No answer is skipped: what was in the way may be gone since the last check.
      asking.isAskedAgain = true;
      return;
    }
    const question = { isStopped: false, isAskedAgain: false };
    asking = question;
    void ask(question)
      // The conversation continues without dreams.
      .catch(unbegun)
      .finally(() => {
        asking = null;
        if (question.isAskedAgain && !question.isStopped) answered();
      });
  }

  return {
    answered,
    async start(wanted) {
      if (!isFree()) return { begun: false, line: UNDER_WAY };
      const found = dreamingOf('project');
      if (found !== null) return found.start(wanted ?? modeOf(session.place));
      const line = memory.enabled ? 'There are no memories of this project to dream about yet.' : `${memory.offReason}`;
      return { begun: false, line };
    },
    progress: () => latest,
    async stop() {
      if (asking !== null) asking.isStopped = true;
      const stopped = await Promise.all([...opened.values()].map((dreaming) => dreaming.stop()));
      return stopped.includes(true);
    },
    onProgress(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  };
}

function modeOf({ settings }: Place): 'apply' | 'review' {
  return settings.values['dreaming.mode'] === 'review' ? 'review' : 'apply';
}

function open(
  session: DreamSession,
  facts: Pick<DreamPlace, 'scope' | 'folder' | 'onProgress'> & {
    readonly isFree: () => boolean;
    readonly unbegun: (error: unknown) => void;
  },
): Dreaming {
  const { place, memory, log, now, ledger } = session;
  const { scope, folder, onProgress, isFree, unbegun } = facts;
  const shared = dreamPorts({
    ...{ place, memory, folder, now, scope, sessionId: log.sessionId, onProgress },
    recordEvent: ledger.recordEvent,
  });
  void shared.settleDead();
  return createDreaming({
    ...shared,
    isFree,
    unbegun,
    model: () => session.model().name,
    mode: () => modeOf(place),
    rooms: async () =>
      dreamRooms({
        prefixTokens: countWindow(session.conversation.entries),
        dayTokensLeft: await ledger.dayTokensLeft(),
        limits: place.limits,
      }),
    tell: session.tell,
    dream: (work) => fork(work, { session, shared }),
  });
}

/** It belongs to no session: the share of the conversation does not limit it, so its calls are counted next to the session's. */
async function fork(
  work: DreamerWork,
  { session, shared }: { readonly session: DreamSession; readonly shared: SharedPorts },
): Promise<DreamerEnd> {
  const { copy } = work.workshop;
  const { limits } = session.place;
  const tools = forkTools(session, copy);
  if (tools === null)
    return { kind: 'failed', problem: 'this session has file tools of its own, which cannot be kept to a copy' };
  const then = session.conversation.clone();
  const directive = await shared.directive(work.workshop);
  const own = session.ledger.beside(work.id);
  const warmTokens = warmTokensOf(then.entries, { now: session.now(), cacheTtl: session.parent().rendered.cacheTtl });
  const bounded = dreamMeter(own.meter, { limits, now: session.now, warmTokens, onCost: work.onCost });
  try {
    const { outcome } = await runFork({
      parent: {
        ...{ ...session.parent(), meter: bounded.meter, conversation: then, onEvent: () => {} },
        limits: dreamLoop(limits),
      },
      purpose: 'dream',
      directive,
      tools,
      decide: dreamPermission(session, { copy }),
      seams: session.forkSeams,
      maxRounds: limits.dreaming.rounds,
      signal: work.signal,
      onEvent: hearDreamer(work),
    });
    return endOf(outcome, { isSpent: bounded.isSpent() });
  } finally {
    own.close();
  }
}

/** The parent's tools, with the file tools over the copy; null when the host brought its own file tools. */
function forkTools({ tools, memory, cwd, environment, place }: DreamSession, copy: string) {
  const files = dreamFiles(memory, copy);
  const ports = { cwd, environment, files, read: createReadFiles(tools.readState()), limits: place.limits };
  const own = [readTool(ports), editTool(ports), writeTool(ports)];
  const areOurs = own.every(({ name, description }) => tools.byName.get(name)?.description === description);
  if (!areOurs) return null;
  const readable = readableFolders({ place, memory, cwd }, copy);
  return new Map<string, Tool>([...tools.forFork(readable), ...own.map((tool) => [tool.name, tool] as const)]);
}

// What an automatic dream is expected to use, against what the caps leave: a modest guess, so that none begins that could not finish.

interface RoomFacts {
  /** Of the conversation it is forked from: each round reads them from the cache. */
  readonly prefixTokens: number;
  readonly dayTokensLeft: number;
  readonly limits: Pick<Limits, 'caps' | 'dreaming' | 'loop'>;
}

/** It belongs to no session: its own cap and the day's limit it, and no share of the conversation. */
export function dreamRooms({ prefixTokens, dayTokensLeft, limits }: RoomFacts): readonly DreamRoom[] {
  const { expectedRounds, expectedNewTokens, expectedOutputTokens } = limits.dreaming;
  const usage: Usage = {
    ...NO_USAGE,
    cacheReadTokens: prefixTokens * expectedRounds,
    cacheWriteTokens: expectedNewTokens,
    outputTokens: expectedOutputTokens,
  };
  const tokens = equivalentTokens(usage);
  // For the day, each call is reserved as if nothing were cached and its answer had full length.
  const reserved = {
    ...NO_USAGE,
    inputTokens: prefixTokens + expectedNewTokens,
    outputTokens: Math.min(limits.loop.outputTokens, limits.dreaming.outputTokens),
  };
  const day = tokens + equivalentTokens(reserved);
  return [
    { cap: 'dream', needed: tokens, left: limits.dreaming.equivalentTokens },
    { cap: 'day', needed: day, left: dayTokensLeft },
  ];
}
