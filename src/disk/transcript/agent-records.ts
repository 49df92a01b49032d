/** What a transcript says of agents and their results, also from before a compaction: read once, when a session goes on. */

import type { Limits } from '../../limits.ts';
import { linesForward, openBytes } from './lines.ts';
import {
  type AgentMessageRecord,
  type AgentRecord,
  type MessageRecord,
  parseRecord,
  type TranscriptRecord,
} from './record.ts';

export interface EnteredResults {
  /** Oldest first. */
  readonly records: readonly AgentRecord[];
  /** Agents whose result is in a message, whether or not a record says so: a process may have died between the two. */
  readonly entered: ReadonlySet<string>;
}

/** A message between agents of a session that nobody has read. */
export interface UnreadMessage {
  readonly id: string;
  readonly at: string;
  readonly queued: NonNullable<AgentMessageRecord['queued']>;
}

/** The id under which a sender is told that a message expired. */
export function expiryId(id: string): string {
  return `${id}:expired`;
}

type LineLimits = Pick<Limits['transcripts'], 'chunkBytes' | 'recordBytes'>;

export async function readAgentRecords(
  file: string,
  limits: LineLimits,
): Promise<EnteredResults & { readonly unread: readonly UnreadMessage[] }> {
  const records: AgentRecord[] = [];
  const unread = new Map<string, UnreadMessage>();
  const entered = new Set<string>();
  const byCall = new Map<string, string>();
  const source = await openBytes(file);
  if (source === null) return { records, entered, unread: [] };
  try {
    for await (const { text } of linesForward(source, limits)) {
      // Most lines are neither, and need not be parsed.
      if (text === null || !/"agent"|agent-result|agent-message/.test(text)) continue;
      const parsed = parseRecord(text);
      if (parsed.kind !== 'record') continue;
      const { record } = parsed;
      if (record.type === 'message') for (const id of resultsIn(record, byCall)) entered.add(id);
      noteMessages(unread, record);
      if (record.type !== 'agent') continue;
      records.push(record);
      if (record.event === 'started' && record.toolUseId !== undefined) byCall.set(record.toolUseId, record.id);
    }
  } finally {
    await source.close();
  }
  return { records, entered, unread: [...unread.values()] };
}

/** Holds only what is still unread. One that expired stays until its sender was told. */
function noteMessages(unread: Map<string, UnreadMessage>, record: TranscriptRecord): void {
  if (record.type === 'message') {
    for (const { source, id } of record.injected ?? []) {
      if (source === 'agent-message' && id !== undefined) unread.delete(id.replace(/:expired$/, ''));
    }
  }
  if (record.type !== 'agent-message') return;
  const { id, at, event, queued } = record;
  if (event === 'queued' && queued !== undefined) unread.set(id, { id, at, queued });
  if (event === 'in-context' || event === 'answered' || event === 'refused') unread.delete(id);
}

function resultsIn({ message, injected = [] }: MessageRecord, byCall: ReadonlyMap<string, string>): readonly string[] {
  if (message.role !== 'user') return [];
  const brought = injected.flatMap(({ source, id }) => (source === 'agent-result' && id !== undefined ? [id] : []));
  const called = message.content.flatMap((block) => {
    const id = block.type === 'tool_result' ? byCall.get(block.tool_use_id) : undefined;
    if (id === undefined || block.type !== 'tool_result') return [];
    const isThere = block.content.some(
      (each) => each.type === 'text' && each.text.includes(`<agent-result id="${id}"`),
    );
    return isThere ? [id] : [];
  });
  return [...brought, ...called];
}
