/** Starts one agent and follows it to its end: its place in the tree, its share of the budget, its turn among siblings. */

import { messageOf } from '../../base/values.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { AgentBudget } from './budget.ts';
import type { ChildEnd, ChildWork, SeatFacts, Spawned, TreePorts } from './ports.ts';
import type { Post } from './post.ts';
import { createProgress } from './progress.ts';
import type { AgentResult, Results } from './results.ts';
import type { SiblingGate } from './siblings.ts';
import type { AgentView, createRegistry, SpawnWish } from './tree.ts';

/** What all agents of a session share. */
export interface TreeCore<Parent> {
  readonly ports: TreePorts<Parent>;
  readonly budget: AgentBudget;
  readonly gate: SiblingGate;
  readonly registry: ReturnType<typeof createRegistry>;
  readonly running: Map<string, RunningAgent>;
  readonly isClosed: () => boolean;
  readonly post: Post;
  /** Those that have ended and can go on, by id; the newest. */
  readonly finished: Map<string, Revive>;
}

/** Goes on with a prompt, and says so; null where it cannot any more. */
export type Revive = (prompt: string) => string | null;

/** Conversations of agents that have ended are kept for these. */
const MOST_FINISHED = 20;

export interface RunningAgent extends Spawned {
  /** Whose it is. */
  readonly seat: symbol;
  readonly abort: AbortController;
  readonly isDelivered: boolean;
  isBackground: boolean;
  /** Of one that is waited for. */
  moveToBackground: (() => void) | null;
}

export interface Starting<Parent> {
  readonly seat: symbol;
  readonly facts: SeatFacts<Parent>;
  readonly results: Results;
  /** The call that waits for it; null where nobody does. */
  readonly toolUseId: string | null;
  /** The call that started it, whether it waits or not; null where a program did. */
  readonly startedBy: string | null;
  /** Whether its result enters the conversation. */
  readonly isDelivered: boolean;
  readonly onEnded: () => void;
  /** Whether its result would still be read. */
  readonly isOpen: () => boolean;
  readonly continues?: readonly Entry[];
}

export function startAgent<Parent>(
  core: TreeCore<Parent>,
  wish: SpawnWish,
  starting: Starting<Parent>,
): RunningAgent | { readonly refused: string } {
  const { seat, facts, results, toolUseId, startedBy, isDelivered, onEnded } = starting;
  const { ports, registry, running } = core;
  if (core.isClosed()) return { refused: 'The session is ending: no agent is started.' };
  const admitted = registry.admit(wish, { ...facts, isFork: facts.isFork() });
  if ('refused' in admitted) return admitted;
  const { id, name, definition, depth } = admitted;
  const type = definition?.name ?? 'fork';
  const nowMs = () => ports.now().getTime();
  const abort = new AbortController();
  const account = core.budget.open();
  const progress = createProgress({ everyMs: ports.limits.progressMs, nowMs });
  // Those that begin with the same bytes.
  const pass = core.gate.enter(JSON.stringify([facts.id, type, wish.model, definition === null && facts.lastUuid()]));
  const startedMs = nowMs();
  let state: AgentView['state'] = 'running';
  let money: number | null = 0;
  let endedMs: number | null = null;
  let transcript: string | null = null;

  const work: ChildWork<Parent> = {
    ...{ id, name, definition, wish, depth, parent: facts.parent(), signal: abort.signal },
    continues: starting.continues ?? null,
    metered: (meter) =>
      account.metered(meter, {
        ...{ name, pass },
        onSpent(record) {
          money = money === null || record.money === null ? null : money + record.money;
        },
      }),
    isSpent: account.isSpent,
    onTranscript(file) {
      transcript = file;
    },
    onEvent(event) {
      if (event.kind === 'tool-started') progress.called(event.call);
      ports.onEvent({ id, name, toolUseId: startedBy }, event);
    },
  };

  async function follow(): Promise<AgentResult> {
    const end = await ports.run(work).catch((error: unknown): ChildEnd => {
      return { state: 'failed', text: messageOf(error) };
    });
    state = end.state === 'stopped' && core.isClosed() ? 'cut off' : end.state;
    const { text, entries } = end;
    const result = { id, name, type, text, state };
    if (entries !== undefined) keepFinished(entries);
    endedMs = nowMs();
    pass.responded();
    account.close();
    running.delete(id);
    if (isDelivered) results.ended(result);
    onEnded();
    return result;
  }

  function keepFinished(entries: readonly Entry[]): void {
    const { finished } = core;
    finished.set(id, (prompt) => {
      if (!starting.isOpen()) return null;
      finished.delete(id);
      const again = { ...wish, name, prompt, isBackground: true };
      const how = { ...starting, toolUseId: null, startedBy: null, isDelivered: true, continues: entries };
      const started = startAgent(core, again, how);
      return 'refused' in started
        ? null
        : `${name} had ended, and goes on with it. What comes of it arrives as a result.`;
    });
    for (const old of [...finished.keys()].slice(0, -MOST_FINISHED)) finished.delete(old);
  }

  if (isDelivered) results.started({ id, name, type }, toolUseId);
  const each: RunningAgent = {
    ...{ id, name, seat, abort, isDelivered, isBackground: toolUseId === null, moveToBackground: null },
    // Only once whoever starts it has it in hand.
    done: Promise.resolve().then(follow),
  };
  running.set(id, each);
  const view = (): AgentView => ({
    ...{ id, name, type, parentId: facts.id, depth, description: wish.description, state, money, transcript },
    isBackground: each.isBackground,
    doing: state === 'running' ? progress.text() : state,
    tokens: Math.round(account.spentTokens()),
    milliseconds: (endedMs ?? nowMs()) - startedMs,
    receipt: results.receipt(id),
  });
  registry.add({ id, name, isRunning: () => running.has(id), view });
  return each;
}
