/** What the parts of one session share. Each room takes the `Pick` that it needs; a test gives just that. */

import type { Conversation } from '../agent/conversation.ts';
import type { LoopParts } from '../agent/loop.ts';
import type { Rendered } from '../agent/rendered.ts';
import type { LoopSeams } from '../agent/seams.ts';
import type { Memory } from '../memory/memory.ts';
import type { Model } from '../model/model.ts';
import type { Place } from '../settings/place.ts';
import type { AgentMeter } from './meter.ts';
import type { SessionLog } from './session-log.ts';
import type { AgentTools } from './tools.ts';

export interface SessionContext {
  readonly place: Place;
  readonly memory: Memory;
  /** Its transcript, and what it resumes from. */
  readonly log: SessionLog;
  /** What its calls cost and what its layers did; `ledger.meter` is the way to a model. */
  readonly ledger: AgentMeter;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly now: () => Date;
  /** What every request begins with; in a loop of somebody else's it may change. */
  readonly rendered: () => Rendered;
  readonly conversation: Conversation;
  /** The one that is spoken to now. */
  readonly model: () => Model;
  readonly tools: AgentTools;
  /** The next request will not find its prefix in the cache, for this reason. */
  readonly announceBreak: (reason: string) => void;
  /** One line for the user; heard while a turn runs. */
  readonly tell: (line: string) => void;
  /** Whether the first turn is the last. */
  readonly isSingleTurn: boolean;
  /** The loop that runs its turns, for what is forked from it. */
  readonly parent: () => Omit<LoopParts, 'onEvent'>;
  /** What a fork does at the seams of its own loop. */
  readonly forkSeams: (conversation: Conversation) => LoopSeams;
}
