/** An agent at work: a conversation of its own, or a fork of its parent's, to its end and its report. */

import type { AgentEvent, TurnOutcome } from '../../agent/event.ts';
import { type LoopParts, runTurn } from '../../agent/loop.ts';
import type { Attachment } from '../../agent/seams.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { heedAgentStop } from '../../disk/sessions/stop-agent.ts';
import type { AgentTree, ChildEnd, ChildWork } from '../../layers/7-agents/index.ts';
import type { Meter } from '../../model/meter.ts';
import { type Closers, closeAll } from '../../toolbox/start.ts';
import { memoriesFor } from './child-start.ts';
import { openChild } from './open-child.ts';
import type { ParentAgent } from './parent.ts';
import { bounded, createDenials, endOf, lastWords } from './report.ts';
import { leaseFor } from './worktree.ts';

/** What an agent is given of the whole session. */
export interface ChildPorts {
  readonly tree: () => AgentTree<ParentAgent>;
  /** The session's own, in front of which each agent counts for itself. */
  readonly meter: Meter;
}

export async function runChild(work: ChildWork<ParentAgent>, ports: ChildPorts): Promise<ChildEnd> {
  const lease = work.wish.isolation === 'worktree' ? await leaseFor(work) : null;
  const opened: Closers = [heedAgentStop(work.parent.log.folder, work.id, () => ports.tree().stop(work.id))];
  let isReleased = false;
  try {
    const { end, settle } = await converse(work, { ports, opened, cwd: lease?.cwd ?? work.parent.cwd });
    isReleased = true;
    const left = (await lease?.release()) ?? null;
    const told = left === null ? end : { ...end, text: `${end.text}\n\nIts changes are in the worktree ${left}` };
    await settle(told);
    return told;
  } finally {
    await closeAll(opened);
    if (!isReleased) await lease?.release();
  }
}

async function converse(
  work: ChildWork<ParentAgent>,
  { ports, opened, cwd }: { readonly ports: ChildPorts; readonly opened: Closers; readonly cwd: string },
): Promise<{ readonly end: ChildEnd; readonly settle: (end: ChildEnd) => Promise<void> }> {
  const { id, parent, definition, wish, signal } = work;
  const due: Attachment[] = [];
  const child = await openChild(work, { ports, opened, cwd, due });
  const { conversation, log, seat, parts, prompt, source } = child;
  if (definition !== null) {
    const memories = await memoriesFor(parent, wish.prompt);
    due.push(...memories.map((block): Attachment => ({ source: 'recall', block })));
  }
  const from = conversation.entries.length;
  const denials = createDenials();
  const onEvent = (event: AgentEvent) => {
    denials.hear(event);
    work.onEvent(event);
  };
  const most = Math.min(definition?.maxTurns ?? Number.POSITIVE_INFINITY, parent.place.limits.agents.rounds);
  const outcome = await untilAnswered({ ...parts, onEvent }, { prompt, source, most, signal, next: seat.next });
  await seat.close();
  // Nothing may write into its work tree any more.
  await child.endCommands();
  const words = lastWords(conversation.entries.slice(from));
  const facts = { words, denials: denials.text(), isSpent: work.isSpent() };
  const end = await bounded(endOf(outcome, facts), { id, place: parent.place, log });
  // A fork, and one whose work tree is gone, could not go on where it ended.
  const canGoOn = definition !== null && wish.isolation === undefined && end.state === 'finished';
  return {
    end: canGoOn ? { ...end, entries: conversation.entries } : end,
    // Written down before anybody is told.
    async settle({ state, text }) {
      log.append({ type: 'agent', at: parent.now().toISOString(), id, event: 'ended', state, text });
      await log.flush();
    },
  };
}

/** It is done when it has answered and no result of an agent of its own is still to come. */
async function untilAnswered(
  parts: LoopParts,
  turn: {
    readonly prompt: readonly ContentBlock[];
    readonly source: 'task' | 'directive';
    readonly most: number;
    readonly signal: AbortSignal;
    readonly next: (signal: AbortSignal) => Promise<boolean>;
  },
): Promise<TurnOutcome> {
  const { signal, source } = turn;
  let rounds = 0;
  const onEvent = (event: AgentEvent) => {
    if (event.kind === 'entry' && event.entry.response !== undefined) rounds += 1;
    parts.onEvent(event);
  };
  const left = () => ({ ...parts, onEvent, maxRounds: turn.most - rounds });
  let outcome = await runTurn(left(), { prompt: turn.prompt, signal, source });
  while (outcome.kind === 'answered' && (await turn.next(signal)))
    outcome = await runTurn(left(), { prompt: [], signal });
  return outcome;
}
