/** The public shape of an agent: one conversation with tools, memory and a transcript. `openAgent` makes one. */

import type { AgentEvent } from '../agent/event.ts';
import type { PermissionMode } from '../agent/permission.ts';
import type { PermissionAnswer, PermissionQuestion } from '../agent/permissions/permissions.ts';
import type { Tool } from '../agent/tool.ts';
import type { AskUser } from '../agent/tools/ask-user.ts';
import type { LocalClock } from '../base/dates/local-time.ts';
import type { ContentBlock } from '../conversation/message.ts';
import type { SpokenPrompt } from '../conversation/typed-text.ts';
import type { GivenAgent } from '../layers/7-agents/index.ts';
import type { MeterTotals } from '../model/meter.ts';
import type { Model } from '../model/model.ts';
import type { Flags } from '../settings/flags.ts';
import type { SessionEndReason } from '../toolbox/hooks.ts';
import type { OpenMemoryOptions } from './open-memory.ts';
import type { ReviewPlan } from './plan/exit-plan-tool.ts';
import type { PromptVoice } from './spoken-prompt.ts';

/** Begins a turn that nobody sent a prompt for. */
export type BeginTurn = (options?: { readonly signal?: AbortSignal }) => AsyncIterable<AgentEvent>;

/** Options of `openAgent`. */
export interface AgentOptions extends OpenMemoryOptions {
  /** A model, or its name as in settings; default: the setting `model`, else what the environment offers. */
  readonly model?: Model | string;
  /** Goes on with this session; one that is open elsewhere is forked. */
  readonly resume?: string;
  /** Goes on with this project's newest session. */
  readonly continueNewest?: boolean;
  readonly permissionMode?: PermissionMode;
  /** Asks the user whether a tool may run; without it, what would be asked is denied with the reason. */
  readonly ask?: (question: PermissionQuestion) => Promise<PermissionAnswer>;
  /** What the SessionStart hooks of a new session are told: `clear` where the user began it in place of another. */
  readonly startedBy?: 'startup' | 'clear';
  /** Answers the agent's AskUser tool; without it the agent is told that nobody can be asked. */
  readonly askUser?: AskUser;
  /** Shows the agent's plan in plan mode and answers for the user; without it the plan is the answer, and the turn ends. */
  readonly reviewPlan?: ReviewPlan;
  /** Rounds of one turn; no bound unless given. */
  readonly maxRounds?: number;
  /** False keeps no transcript. */
  readonly transcript?: boolean;
  /** How long `close` waits for what is being saved to memory; a minute unless given. */
  readonly closeWaitMs?: number;
  /** False keeps memory from being consolidated after an answer; by hand it still can be. */
  readonly dreams?: false;
  /** True where the first turn is the last: no model is asked for what only a later message could use, and `extraction.print` says whether something is saved. */
  readonly singleTurn?: boolean;
  /** A kill switch of the host's own for layers and mechanisms, asked before each run. */
  readonly flags?: Flags;
  /** Told at once what happens beside the turns: what was saved to memory, for the user. Without it the line comes with the next turn. */
  readonly onLine?: (line: string) => void;
  /** Told by `close` what no turn will tell any more: what was saved to memory as the session ended, for the user. */
  readonly onClosingLine?: (line: string) => void;
  /** Kinds of agents that this one can start, by name, beside those in the settings folders. */
  readonly agents?: Readonly<Record<string, GivenAgent>>;
  /** True where a turn ends only when the agents that it started in the background are done and the model has their results. */
  readonly awaitsAgents?: boolean;
  /** An agent's result has come while no turn ran: `begin`, called at once, answers it in a turn of its own. Without this, results wait for the next prompt. */
  readonly onWake?: (begin: BeginTurn) => void;
  /** The model agreed to a teammate's request to end, and its turn is over: time to `close`. Without this the session goes on. */
  readonly onShutdown?: () => void;
  /** The name by which agents in other processes write to this one; it belongs to this session until `close`. */
  readonly name?: string;
  /** The team of processes whose list of tasks it shares. Needs `name`. */
  readonly team?: string;
  /** True for a leader that only directs: it starts and stops agents, writes to others and keeps the list of tasks; its agents have all tools. */
  readonly coordinator?: boolean;
  /** Of its tools, those that it and its agents may use. */
  readonly onlyTools?: readonly string[];
  /** In place of the built-in tools. */
  readonly tools?: readonly Tool[];
  /** The user's clock, where it is not the process's own: an assistant on a server, a test. */
  readonly clock?: LocalClock;
}

/** One conversation with tools, memory and a transcript. */
export interface Agent {
  readonly sessionId: string;
  /** The session this one was forked from, when it was open elsewhere. */
  readonly forkedFrom: string | null;
  readonly model: string;
  readonly cwd: string;
  readonly tools: readonly string[];
  readonly permissionMode: PermissionMode;
  /** One line each, for the user: settings that were ignored, files too large, a project that is not trusted. */
  readonly warnings: readonly string[];
  /**
   * One turn: from the user's words to the final answer. One turn at a time. Memory trusts what the user typed: of a string the
   * first paragraph counts as that, `{ typed, cameAlong }` says it exactly, and `voice: 'typed'` vouches for all of it.
   */
  send(
    prompt: string | SpokenPrompt | readonly ContentBlock[],
    options?: { readonly signal?: AbortSignal; readonly voice?: PromptVoice },
  ): AsyncIterable<AgentEvent>;
  /** What the session has spent since it was opened. */
  totals(): MeterTotals;
  /**
   * Waits for background work within its limits, and lets go of everything. From the moment the signal is aborted it waits for no
   * model: what the user asked outright to be remembered is kept without one, and the rest looked through when the session goes on.
   * SessionEnd hooks are told the reason; `other` unless given.
   */
  close(options?: { readonly signal?: AbortSignal; readonly reason?: SessionEndReason }): Promise<void>;
}
