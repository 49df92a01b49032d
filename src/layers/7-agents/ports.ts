/** What the agents of a session need of it, and what they are to it. */

import type { AgentEvent, StartedAgent } from '../../agent/event.ts';
import type { Attachment } from '../../agent/seams.ts';
import type { Tool } from '../../agent/tool.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { AgentRecord } from '../../disk/transcript/record.ts';
import type { Limits } from '../../limits.ts';
import type { OutgoingMessage } from '../../mailbox/mailbox.ts';
import type { Meter } from '../../model/meter.ts';
import type { AgentDefinition, FoundDefinitions } from './definitions.ts';
import type { ShownMessage } from './mail/receipts.ts';
import type { OutsidePost, PostBox, PostPorts } from './post.ts';
import type { AgentResult } from './results.ts';
import type { AgentView, EndState, SpawnWish } from './tree.ts';

/** What a session is asked to do for one agent: have its conversation, and say how that ended. */
export interface ChildWork<Parent> {
  readonly id: string;
  readonly name: string;
  /** What it said and heard before it ended, where a message lets it go on. */
  readonly continues: readonly Entry[] | null;
  /** Null for a fork. */
  readonly definition: AgentDefinition | null;
  readonly wish: SpawnWish;
  readonly depth: number;
  readonly parent: Parent;
  readonly signal: AbortSignal;
  /** For its own calls of models. */
  metered(meter: Meter): Meter;
  readonly isSpent: () => boolean;
  readonly onEvent: (event: AgentEvent) => void;
  /** Where its transcript is. */
  readonly onTranscript: (file: string | null) => void;
}

export interface ChildEnd {
  readonly state: EndState;
  readonly text: string;
  /** Its conversation, where it can go on. */
  readonly entries?: readonly Entry[];
}

export interface TreePorts<Parent> {
  readonly limits: Limits['agents'];
  readonly found: () => FoundDefinitions;
  /** Tools that any agent of this session could have. */
  readonly allTools: () => ReadonlySet<string>;
  readonly now: () => Date;
  /** What it throws is a failed agent. */
  readonly run: (work: ChildWork<Parent>) => Promise<ChildEnd>;
  readonly storeLong: PostPorts['storeLong'];
  /** A message was sent or came. */
  readonly onMessage: PostPorts['onMessage'];
  /** Messages in the transcript of the session. */
  readonly mail: Pick<PostPorts, 'record' | 'recorded'>;
  /** Agents in other processes; null where this one has no name among them. */
  readonly outside: () => OutsidePost | null;
  /** What an agent does, for whoever watches. */
  readonly onEvent: (agent: StartedAgent, event: AgentEvent) => void;
}

/** An agent that was started. */
export interface Spawned {
  readonly id: string;
  readonly name: string;
  /** Once its result is in its transcript. */
  readonly done: Promise<AgentResult>;
}

export interface AgentTree<Parent> {
  /** One conversation's place in it. */
  seat(facts: SeatFacts<Parent>): Seat;
  views(): readonly AgentView[];
  /** By id or name; false when none of that name runs. */
  stop(word: string): boolean;
  /** One that is waited for goes on in the background; false when none of that name is. */
  moveToBackground(word: string): boolean;
  /** Says what became of it; throws with the reason. */
  send(from: string, message: OutgoingMessage): Promise<string>;
  /** The newest messages. */
  messages(): readonly ShownMessage[];
  /** Ends all, and waits for them. */
  close(): Promise<void>;
}

export interface SeatFacts<Parent> {
  /** Null for the session's own conversation. */
  readonly id: string | null;
  /** By which others write to it. */
  readonly name: string;
  readonly depth: number;
  readonly isFork: () => boolean;
  /** The message that a fork of it would begin behind. */
  readonly lastUuid: () => string | null;
  readonly parent: () => Parent;
  readonly tools: () => ReadonlySet<string>;
  readonly record: (record: AgentRecord) => void;
  /** A result waits for a message. */
  readonly onQueued?: () => void;
}

export interface Seat {
  readonly tools: readonly Tool[];
  /** Messages to this conversation. */
  readonly box: PostBox;
  /** The result goes to the caller; `isDelivered` brings it into the conversation as well. */
  spawn(wish: SpawnWish, options?: { readonly isDelivered?: boolean }): Spawned | { readonly refused: string };
  /** Results that a session left undelivered. */
  resume(results: readonly AgentResult[]): void;
  /** What joins the next message of the user's side. */
  offered(): readonly Attachment[];
  /** A message joined the conversation, or is about to. */
  entered(entry: Entry): void;
  hasQueued(): boolean;
  /** Waits without asking anybody: true once a result is there, false when none will come or the signal is aborted. */
  next(signal: AbortSignal): Promise<boolean>;
  /** Ends those that it started, and waits for them. */
  close(): Promise<void>;
}
