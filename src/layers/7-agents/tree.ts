/** Who is alive, below whom, and what each does; who may start one more, or a sentence that says why not. */

import { randomUUID } from 'node:crypto';
import type { Limits } from '../../limits.ts';
import type { AgentBudget } from './budget.ts';
import type { AgentDefinition, FoundDefinitions } from './definitions.ts';
import type { AgentReceipt } from './results.ts';

/** What is wanted of a new agent. */
export interface SpawnWish {
  /** Three to five words. */
  readonly description: string;
  readonly prompt: string;
  /** `general` unless given. */
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly isBackground?: boolean | undefined;
  readonly isolation?: 'worktree' | undefined;
  readonly model?: string | undefined;
  /** With the whole conversation of whoever starts it. */
  readonly isFork?: boolean | undefined;
}

/** Whether an agent runs, or how it ended. */
export type AgentState = 'running' | EndState;

/** `cut off`: its process ended before it did. */
export type EndState = 'finished' | 'failed' | 'stopped' | 'out of turns' | 'out of budget' | 'cut off';

/** One agent, as it is shown. */
export interface AgentView {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Null for one that the conversation itself started. */
  readonly parentId: string | null;
  readonly depth: number;
  readonly description: string;
  readonly isBackground: boolean;
  readonly state: AgentState;
  /** Three to five words. */
  readonly doing: string;
  /** Uncached-equivalent. */
  readonly tokens: number;
  /** US dollars; null where a model has no price. */
  readonly money: number | null;
  readonly milliseconds: number;
  /** What became of its result; null while there is none. */
  readonly receipt: AgentReceipt | null;
  /** Its transcript; null where none is kept. */
  readonly transcript: string | null;
}

/** Who wants to start one. */
export interface Spawner {
  /** Null for the conversation itself. */
  readonly id: string | null;
  readonly depth: number;
  readonly isFork: boolean;
  readonly tools: () => ReadonlySet<string>;
}

export interface Admitted {
  readonly id: string;
  readonly name: string;
  /** Null for a fork. */
  readonly definition: AgentDefinition | null;
  readonly depth: number;
}

/** How the tree knows one. */
export interface ListedAgent {
  readonly id: string;
  readonly name: string;
  readonly isRunning: () => boolean;
  readonly view: () => AgentView;
}

/** Agents that have ended and are still listed. */
const LISTED_ENDED = 200;

export function createRegistry(facts: {
  /** Names that others have. */
  readonly taken: () => readonly string[];
  readonly limits: Pick<Limits['agents'], 'depth' | 'atOnce'>;
  readonly budget: Pick<AgentBudget, 'whyNoRoom'>;
  readonly found: () => FoundDefinitions;
  /** Tools that any agent of this session could have. */
  readonly allTools: () => ReadonlySet<string>;
}) {
  const { limits, budget } = facts;
  const nodes = new Map<string, ListedAgent>();
  let made = 0;

  const views = () => [...nodes.values()].map(({ view }) => view());
  const alive = () => [...nodes.values()].filter(({ isRunning }) => isRunning());

  function whyNot(wish: SpawnWish, by: Spawner): string | null {
    if (wish.isFork === true && by.isFork) return FORK_OF_FORK;
    if (by.depth >= limits.depth) {
      return `Agents go ${limits.depth} levels deep, and this is the last one. Do the work here.`;
    }
    const running = alive().length;
    if (running >= limits.atOnce) {
      return `${running} agents are running, which is the most at one time. Do the work here, or start one when a result has come.`;
    }
    return budget.whyNoRoom();
  }

  function definitionFor(wish: SpawnWish, by: Spawner): AgentDefinition | string {
    const { definitions, untrusted } = facts.found();
    const type = wish.type ?? 'general';
    const definition = definitions.find(({ name }) => name === type);
    if (definition === undefined) {
      if (untrusted.some(({ name }) => name === type)) {
        return `The agent type ${type} belongs to the project, which the user has not trusted: it is not run. Do the work here, or use another type.`;
      }
      return `There is no agent type ${type}. Known: ${definitions.map(({ name }) => name).join(', ')}.`;
    }
    const has = by.tools();
    const missing = (definition.tools ?? []).filter((tool) => !has.has(tool) && facts.allTools().has(tool));
    // What is built in takes what there is.
    if (missing.length === 0 || definition.from === 'built-in') return definition;
    return `The agent type ${type} asks for ${missing.join(', ')}, which you do not have: an agent never has more than the one that starts it. Use another type.`;
  }

  return {
    admit(wish: SpawnWish, by: Spawner): Admitted | { readonly refused: string } {
      const definition = wish.isFork === true ? null : definitionFor(wish, by);
      const refused = typeof definition === 'string' ? definition : whyNot(wish, by);
      if (refused !== null) return { refused };
      made += 1;
      const taken = new Set([...alive().map(({ name }) => name), ...facts.taken()]);
      const wanted = wish.name?.trim() || `${wish.isFork === true ? 'fork' : (wish.type ?? 'general')}-${made}`;
      const name = taken.has(wanted) ? `${wanted}-${made}` : wanted;
      return { id: randomUUID(), name, definition: definition as AgentDefinition | null, depth: by.depth + 1 };
    },
    add(agent: ListedAgent): void {
      nodes.set(agent.id, agent);
      const ended = [...nodes.values()].filter(({ isRunning }) => !isRunning());
      for (const old of ended.slice(0, Math.max(0, ended.length - LISTED_ENDED))) nodes.delete(old.id);
    },
    views,
    find: (word: string): string | null =>
      nodes.get(word)?.id ?? [...nodes.values()].findLast(({ name }) => name === word)?.id ?? null,
  };
}

export const FORK_OF_FORK =
  'A fork cannot fork again, since each would carry the whole conversation on. Do the work here, or start an agent without `fork`.';
