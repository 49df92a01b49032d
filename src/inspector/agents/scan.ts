/** What one transcript says about agents: whom it started, what it said to others and read of them, and what it does now. */

import type { Entry } from '../../conversation/entry.ts';
import { type ContentBlock, textOf, toolUsesOf } from '../../conversation/message.ts';
import { linesForward, openBytes } from '../../disk/transcript/lines.ts';
import { type AgentMessageRecord, type AgentRecord, entryOf, parseRecord } from '../../disk/transcript/record.ts';
import { progressOf } from '../../layers/7-agents/progress.ts';
import { SEND_TOOL } from '../../layers/7-agents/send-tool.ts';
import type { Limits } from '../../limits.ts';

export interface SentMessage {
  readonly to: string;
  readonly text: string;
  readonly summary: string;
  readonly at: string;
  readonly toolUseId: string;
}

export interface ReadMessage {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** When it was sent, and when it was read. */
  readonly at: string;
  readonly readAt: string;
}

export interface Scanned {
  readonly model: string | null;
  /** Every record of an agent, its own included. */
  readonly records: readonly AgentRecord[];
  /** What became of messages between the agents of the session; in its own transcript alone. */
  readonly mail: readonly AgentMessageRecord[];
  readonly sent: readonly SentMessage[];
  /** Calls that were answered with an error. */
  readonly failedCalls: ReadonlySet<string>;
  readonly read: readonly ReadMessage[];
  /** What it was told first. */
  readonly task: string;
  /** In three to five words, of its last call. */
  readonly doing: string;
  readonly messages: number;
}

type LineLimits = Pick<Limits['transcripts'], 'chunkBytes' | 'recordBytes'>;

/** Null where there is no such transcript. `isLong`: most lines of a session's own are of no interest, and are not parsed. */
export async function scanTranscript(
  path: string,
  { limits, isLong }: { readonly limits: LineLimits; readonly isLong: boolean },
): Promise<Scanned | null> {
  const source = await openBytes(path);
  if (source === null) return null;
  const records: AgentRecord[] = [];
  const mail: AgentMessageRecord[] = [];
  const sent: SentMessage[] = [];
  const failedCalls = new Set<string>();
  const read: ReadMessage[] = [];
  const found = { model: null as string | null, task: '', doing: '', messages: 0 };
  try {
    for await (const { text } of linesForward(source, limits)) {
      if (text === null || (isLong && !tellsOfAgents(text))) continue;
      const parsed = parseRecord(text);
      if (parsed.kind !== 'record') continue;
      const { record } = parsed;
      if (record.type === 'session') found.model ??= record.model;
      if (record.type === 'agent') records.push(record);
      if (record.type === 'agent-message') mail.push(record);
      if (record.type !== 'message') continue;
      const entry = entryOf(record);
      found.messages += 1;
      sent.push(...sentIn(entry));
      read.push(...readIn(entry));
      for (const block of entry.message.content)
        if (block.type === 'tool_result' && block.is_error === true) failedCalls.add(block.tool_use_id);
      const lastCall = toolUsesOf(entry.message.content).at(-1);
      if (lastCall !== undefined) found.doing = progressOf(lastCall);
      if (found.task === '' && entry.message.role === 'user') found.task = taskIn(entry);
    }
  } finally {
    await source.close();
  }
  return { ...found, records, mail, sent, failedCalls, read };
}

const TELLING = ['"agent"', '"agent-message"', `"${SEND_TOOL}"`, '"is_error":true', '"type":"session"'];

function tellsOfAgents(line: string): boolean {
  return TELLING.some((word) => line.includes(word));
}

/** What another agent gave it to do is marked as a task; what a person typed bears no mark. */
function taskIn(entry: Entry): string {
  const marked = (entry.injected ?? []).flatMap(({ source, block }) => (source === 'task' ? [block] : []));
  const given = entry.message.content.filter((_, index) => marked.includes(index));
  return textOf(given.length === 0 ? ownBlocks(entry) : given).trim();
}

function sentIn({ message, at }: Entry): readonly SentMessage[] {
  return toolUsesOf(message.content).flatMap(({ id, name, input }) => {
    if (name !== SEND_TOOL || typeof input.message !== 'string') return [];
    return [{ to: String(input.to), text: input.message, summary: String(input.summary ?? ''), at, toolUseId: id }];
  });
}

/** Messages join as framed blocks; one that lets an agent go on is its task. */
function readIn({ message, injected = [], at: readAt }: Entry): readonly ReadMessage[] {
  if (message.role !== 'user') return [];
  const marked = injected.flatMap(({ source, block }) => (source === 'agent-message' ? [block] : []));
  return message.content.flatMap((block, index) => {
    if (block.type !== 'text') return [];
    const isFramed = marked.includes(index) || block.text.startsWith('Other agents sent you this.');
    return isFramed ? unframed(block.text).map((each) => ({ ...each, readAt })) : [];
  });
}

const FRAME = /<agent-message from="([^"]*)" id="([^"]*)" at="([^"]*)"[^>]*>\n([\s\S]*?)\n<\/agent-message>/g;

function unframed(text: string): readonly Omit<ReadMessage, 'readAt'>[] {
  return [...text.matchAll(FRAME)].map(([, from = '', id = '', at = '', body = '']) => ({ from, id, at, text: body }));
}

/** Without what came along. */
function ownBlocks({ message, injected = [] }: Entry): readonly ContentBlock[] {
  const came = new Set(injected.map(({ block }) => block));
  return message.content.filter((_, index) => !came.has(index));
}
