/** What a person at a terminal does with an agent beyond sending prompts: change its model and mode, go back, look inside. */

import type { McpServerStatus } from '../agent/mcp-client/open-mcp-servers.ts';
import type { PermissionMode } from '../agent/permission.ts';
import type { Permissions } from '../agent/permissions/permissions.ts';
import type { BackgroundCommand } from '../agent/tools/shell/shells.ts';
import type { Entry } from '../conversation/entry.ts';
import type { Expanded } from '../layers/4-compaction/index.ts';
import type { AgentDream } from '../layers/6-dreaming/session/dream.ts';
import type { AgentView, FoundDefinitions, ShownMessage, Spawned, SpawnWish } from '../layers/7-agents/index.ts';
import type { Fold } from '../layers/collapse/index.ts';
import type { SnipRange } from '../layers/snip/index.ts';
import type { Memory } from '../memory/memory.ts';
import type { RecalledInSession } from '../recall/join.ts';
import type { RestoredFiles } from '../toolbox/checkpoints.ts';
import type { Agent } from './agent.ts';
import type { PlanSteering } from './plan/join.ts';
import type { ExpandWish, SummarisedRanges } from './window/expand.ts';
import type { RewoundPrompt } from './window/rewind.ts';
import type { AgentWindow } from './window/window.ts';

/** An agent with what a chat needs beyond prompts: its entries, going back, another model. */
export interface SteerableAgent extends Agent {
  readonly memory: Memory;
  /** Null when none is kept. */
  readonly transcriptFile: string | null;
  /** The conversation as it goes to the model, oldest first. */
  entries(): readonly Entry[];
  /** From the next turn on; answers with the name as it is known from now on. */
  setModel(name: string): Promise<string>;
  setPermissionMode(mode: PermissionMode): void;
  /** The plan of plan mode. */
  readonly plan: PlanSteering;
  /** The rules that count, and changing them for this session; nothing is written to a file. */
  readonly rules: Pick<Permissions, 'rules' | 'addRule' | 'removeRule'> & {
    /** Whether rules of the project's own settings files count. */
    readonly isTrusted: boolean;
  };
  /** Puts the files that tools changed since a time back to what they were; leaves alone what somebody else changed since. */
  restoreFiles(since: string): Promise<RestoredFiles>;
  /** Goes back to before a message of the user. The transcript keeps the other way as a branch. */
  rewind(uuid: string): RewoundPrompt;
  /** Takes a range of whole rounds out, both ends with it, and answers with how many messages went; the transcript keeps them. */
  snip(range: SnipRange): Promise<number>;
  /** Finished rounds that are shown as a line each. */
  folds(): readonly Fold[];
  /** Shows one of them whole again, or `all`; answers with how many were folded. */
  unfold(id: string): Promise<number>;
  /** Consolidating memory beside the conversation. */
  readonly dream: AgentDream;
  /** What fills the window, by source. */
  window(): AgentWindow;
  /** What was recalled in this session, by what and why; after resuming it knows less, and says of what. */
  recalled(): Promise<RecalledInSession>;
  /** Hears when `totals` have grown, by work in the background too; the answer ends that. */
  onSpent(listen: () => void): () => void;
  /** What runs, or ran, in the background. */
  background(): readonly BackgroundCommand[];
  stopBackground(id: string): Promise<boolean>;
  /** Agents that this session started, in the order in which they began; of those that have ended, the newest. */
  agents(): readonly AgentView[];
  /** What kinds there are. */
  agentTypes(): FoundDefinitions;
  /** Starts one beside the turns; throws with the reason where it may not. `isDelivered` brings its result into the conversation too. */
  spawn(wish: SpawnWish & { readonly isDelivered?: boolean }): Spawned;
  /** By id or name; false when it does not run. */
  stopAgent(word: string): boolean;
  /** One that the model waits for goes on in the background; false when none of that name is waited for. */
  moveToBackground(word: string): boolean;
  /** The newest messages between agents. */
  messages(): readonly ShownMessage[];
  /** Sends a word to an agent in the name of the conversation, and says what became of it; rejects with who is there. */
  tellAgent(name: string, words: string): Promise<string>;
  /** The servers of the settings. */
  servers(): readonly McpServerStatus[];
  /** Whether a rule forbids reading a file. */
  isHidden(path: string): boolean;
  /** Where the session can make its conversation shorter: does so, and says what became of it in a line. */
  readonly compact?: (wishes: string) => Promise<string>;
  /** The same for a message and all behind it; what stands before it stays, and its cache. */
  compactFrom(uuid: string, wishes: string): Promise<string>;
  /** The same for all before a message. */
  compactUpTo(uuid: string, wishes: string): Promise<string>;
  /** What summaries stand in for. */
  summarised(): Promise<SummarisedRanges>;
  /** Brings summarised messages back from the transcript, as text; the conversation stays as it is. */
  expand(wish?: ExpandWish): Promise<Expanded>;
}
