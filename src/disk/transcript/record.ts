/** What a line of a transcript may say; the reader keeps what it does not know, so that an older program can resume. */

import { isObject } from '../../base/values.ts';
import type { Entry } from '../../conversation/entry.ts';

export const TRANSCRIPT_VERSION = 1;

/** The first record. */
export interface SessionRecord {
  readonly type: 'session';
  readonly at: string;
  readonly version: number;
  readonly sessionId: string;
  readonly cwd: string;
  readonly model: string;
  /** Tokens of its window. */
  readonly windowTokens?: number;
  readonly forkedFrom?: string;
  /** Whose session it is among the processes of a team. */
  readonly member?: TeamMember;
  /** The prefix as it was rendered: system, tools, context, thinking, what latched. The session decides its shape. */
  readonly rendered: unknown;
}

export interface TeamMember {
  readonly name: string;
  readonly team: string;
}

/** What a member of a team hears first if nothing else is said to it: nobody's request. */
export const MEMBER_START = 'Begin.';

/** The prefix rendered again, after a compaction. */
export interface RenderedRecord {
  readonly type: 'rendered';
  readonly at: string;
  readonly rendered: unknown;
}

export type MessageRecord = { readonly type: 'message' } & Entry;

/** What was decided of a tool's result, once and for all. */
export interface ReplacementRecord {
  readonly type: 'replacement';
  readonly at: string;
  readonly toolUseId: string;
  readonly decision: unknown;
}

/** Results that were cleared from the context and never come back by themselves. */
export interface ClearedRecord {
  readonly type: 'cleared';
  readonly at: string;
  readonly toolUseIds: readonly string[];
  /** Which way of clearing it was: by time, by need, by the API. */
  readonly by: string;
  readonly detail?: unknown;
}

/**
 * Where a compaction cut. The first message after it has the boundary's uuid as its parent. Whatever must count after it
 * (the rendered prefix, each layer's state) is written again after it: resuming reads no further back.
 */
export interface BoundaryRecord {
  readonly type: 'boundary';
  readonly at: string;
  readonly uuid: string;
  /** The last message before it; `/rewind` goes there. */
  readonly parentUuid: string | null;
  readonly trigger: string;
  readonly tokensBefore: number;
  readonly discoveredTools?: readonly string[];
  /** Messages from before that stay in the conversation, head to tail, behind the anchor; null puts them first. */
  readonly preserved?: { readonly head: string; readonly anchor: string | null; readonly tail: string };
  /** The first and the last of the messages that the summary stands in for. */
  readonly replaced?: { readonly from: string; readonly to: string };
  readonly detail?: unknown;
}

/** A layer's state; the newest of each layer counts. */
export interface StateRecord {
  readonly type: 'state';
  readonly at: string;
  readonly layer: string;
  readonly state: unknown;
}

/** For the list of sessions; written whole after each prompt, the newest counts. */
export interface MetaRecord {
  readonly type: 'meta';
  readonly at: string;
  readonly title: string;
  readonly lastPrompt: string;
  readonly messages: number;
}

/** Why something was tried again or failed. */
export interface NoteRecord {
  readonly type: 'note';
  readonly at: string;
  readonly reason: string;
  readonly detail?: unknown;
}

/** What became of an agent that this conversation started, and of its result. The newest of each event counts. */
export interface AgentRecord {
  readonly type: 'agent';
  readonly at: string;
  readonly id: string;
  readonly event: AgentRecordEvent;
  readonly name?: string;
  readonly agentType?: string;
  /** In its own transcript: what it is for, in three to five words. */
  readonly description?: string;
  /** The call that started it. */
  readonly toolUseId?: string;
  /** Of `ended`: how, and the text that enters the context. */
  readonly state?: string;
  readonly text?: string;
}

/** What became of a message between two agents of this session. The newest event of each id counts. */
export interface AgentMessageRecord {
  readonly type: 'agent-message';
  readonly at: string;
  readonly id: string;
  readonly event: 'queued' | 'in-context' | 'answered' | 'expired' | 'refused';
  /** Of `queued`: the message itself, and whether this session's own conversation sent it or gets it. */
  readonly queued?: {
    readonly from: string;
    readonly to: string;
    readonly message: string;
    readonly summary?: string;
    readonly session: 'sends' | 'gets' | 'neither';
  };
}

export type AgentRecordEvent = 'started' | 'ended' | 'in-context' | 'answered' | 'expired' | 'refused';

export type TranscriptRecord =
  | SessionRecord
  | RenderedRecord
  | MessageRecord
  | ReplacementRecord
  | ClearedRecord
  | BoundaryRecord
  | StateRecord
  | MetaRecord
  | NoteRecord
  | AgentRecord
  | AgentMessageRecord;

/** A record of a later version: whole, with a type we do not know. */
export interface UnknownRecord {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type ParsedRecord =
  | { readonly kind: 'record'; readonly record: TranscriptRecord }
  | { readonly kind: 'unknown'; readonly record: UnknownRecord }
  | { readonly kind: 'damaged' };

/** One line with its line break. Lone surrogates are escaped, so that they survive UTF-8. */
export function serializeRecord(record: TranscriptRecord): string {
  return `${JSON.stringify(inOrder(record))}\n`;
}

/** The list of sessions reads the beginning only: what is long comes last. */
function inOrder(record: TranscriptRecord): TranscriptRecord {
  if (record.type !== 'session') return record;
  const { rendered, ...facts } = record;
  return { ...facts, rendered };
}

export function messageRecord(entry: Entry): MessageRecord {
  return { type: 'message', ...entry };
}

export function entryOf(record: MessageRecord): Entry {
  const { type: _, ...entry } = record;
  return entry;
}

export function parseRecord(line: string): ParsedRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'damaged' };
  }
  if (!isObject(value) || typeof value.type !== 'string') return { kind: 'damaged' };
  const check = Object.hasOwn(CHECKS, value.type) ? CHECKS[value.type as TranscriptRecord['type']] : undefined;
  if (check === undefined) return { kind: 'unknown', record: value as unknown as UnknownRecord };
  return check(value) ? { kind: 'record', record: value as unknown as TranscriptRecord } : { kind: 'damaged' };
}

type Fields = Readonly<Record<string, unknown>>;

/** A line of another shape is damage, not something to trip over later. */
const CHECKS: Readonly<Record<TranscriptRecord['type'], (fields: Fields) => boolean>> = {
  session: ({ sessionId, cwd, model, member }) =>
    [sessionId, cwd, model].every(isText) && (member === undefined || isMember(member)),
  rendered: (fields) => 'rendered' in fields,
  message: ({ uuid, parentUuid, at, message, said = [] }) =>
    isText(uuid) && (parentUuid === null || isText(parentUuid)) && isText(at) && isMessage(message) && areTexts(said),
  replacement: ({ toolUseId }) => isText(toolUseId),
  cleared: ({ toolUseIds }) => areTexts(toolUseIds),
  boundary: ({ uuid, preserved }) => isText(uuid) && (preserved === undefined || isSegment(preserved)),
  state: ({ layer }) => isText(layer),
  meta: ({ title, lastPrompt }) => isText(title) && isText(lastPrompt),
  note: ({ reason }) => isText(reason),
  agent: ({ id, event }) => isText(id) && isText(event),
  'agent-message': ({ id, event, queued }) => isText(id) && isText(event) && (queued === undefined || isQueued(queued)),
};

function isMember(value: unknown): boolean {
  return isObject(value) && [value.name, value.team].every(isText);
}

function isMessage(value: unknown): boolean {
  if (!isObject(value) || (value.role !== 'user' && value.role !== 'assistant')) return false;
  return Array.isArray(value.content) && value.content.every((block) => isObject(block) && isText(block.type));
}

function isQueued(value: unknown): boolean {
  return isObject(value) && [value.from, value.to, value.message, value.session].every(isText);
}

function isSegment(value: unknown): boolean {
  return isObject(value) && isText(value.head) && isText(value.tail) && (value.anchor === null || isText(value.anchor));
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
