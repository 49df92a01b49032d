/** The agents of a session as a tree, and what they said to each other, made of their transcripts alone: any process may have run them. */

import type { AgentRecord } from '../../disk/transcript/record.ts';
import { framedText } from '../../mailbox/frame.ts';
import type { Scanned, SentMessage } from './scan.ts';

/** How the session's own conversation is called. */
export const MAIN = 'main';

export interface AgentNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Null for one that the conversation itself started. */
  readonly parentId: string | null;
  readonly depth: number;
  readonly description: string;
  readonly model: string | null;
  /** `running`, or how it ended. */
  readonly state: string;
  readonly doing: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly task: string;
  readonly result: string;
  /** What became of its result. */
  readonly receipt: string | null;
  readonly messages: number;
}

export interface Said {
  readonly id: string;
  readonly kind: 'message' | 'task' | 'result';
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly summary: string;
  readonly at: string;
  readonly state: 'read' | 'waiting' | 'sent' | 'not sent';
}

export interface Transcripts {
  readonly main: Scanned;
  /** By the agent's id. */
  readonly agents: ReadonlyMap<string, Scanned>;
  /** When the process that has the session open began; null when none has. */
  readonly openSinceMs: number | null;
}

/** Each below the one that started it, in the order they were started. */
export function treeOf({ main, agents, openSinceMs }: Transcripts): readonly AgentNode[] {
  const parents = new Map<string, string | null>();
  const told = new Map<string, AgentRecord[]>();
  for (const [owner, { records }] of [[null, main], ...agents] as const)
    for (const record of records) {
      if (record.id !== owner && record.event === 'started') parents.set(record.id, owner);
      told.set(record.id, [...(told.get(record.id) ?? []), record]);
    }
  const nodes = [...agents].map(([id, scanned]) => nodeOf({ id, scanned, records: told.get(id) ?? [], openSinceMs }));
  nodes.sort((one, other) => (one.startedAt < other.startedAt ? -1 : 1));
  const parentOf = ({ id }: { id: string }) => {
    const parent = parents.get(id) ?? null;
    return parent !== null && agents.has(parent) ? parent : null;
  };
  const below = (parentId: string | null, depth: number): readonly AgentNode[] =>
    nodes
      .filter((node) => parentOf(node) === parentId)
      .flatMap((node) => [{ ...node, parentId, depth }, ...below(node.id, depth + 1)]);
  return below(null, 1);
}

function nodeOf({
  id,
  scanned,
  records,
  openSinceMs,
}: {
  readonly id: string;
  readonly scanned: Scanned;
  readonly records: readonly AgentRecord[];
  readonly openSinceMs: number | null;
}): Omit<AgentNode, 'parentId' | 'depth'> {
  const started = records.filter(({ event }) => event === 'started');
  const ended = records.findLast(({ event }) => event === 'ended');
  const startedAt = started[0]?.at ?? '';
  const isOpen = openSinceMs !== null && Date.parse(startedAt) >= openSinceMs;
  const state = ended?.state ?? (isOpen ? 'running' : 'cut off');
  const receipt = records.findLast(({ event }) => RECEIPTS.has(event))?.event ?? null;
  return {
    ...{ id, state, startedAt, endedAt: ended?.at ?? null, model: scanned.model },
    name: started[0]?.name ?? id,
    type: started[0]?.agentType ?? '',
    description: started.find(({ description }) => description !== undefined)?.description ?? '',
    doing: state === 'running' ? scanned.doing || 'Thinking about the task' : '',
    ...{ task: scanned.task, result: ended?.text ?? '', messages: scanned.messages },
    receipt: receipt === null ? null : RECEIPTS.get(receipt)!,
  };
}

const RECEIPTS = new Map<string, string>([
  ['in-context', 'read'],
  ['answered', 'answered'],
  ['expired', 'not needed any more'],
]);

/** Tasks, results and messages in the order they were said. */
export function saidIn({ main, agents }: Transcripts, nodes: readonly AgentNode[]): readonly Said[] {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string | null) => (id === null ? MAIN : (names.get(id) ?? id));
  const conversations = [[null, main] as const, ...agents];
  const said: Said[] = [];
  for (const { id, name, parentId, task, result, state, startedAt, endedAt, description } of nodes) {
    const shared = { id, summary: '' };
    const parent = nameOf(parentId);
    if (!task.includes('<agent-message '))
      said.push({
        ...{ ...shared, kind: 'task', from: parent, to: name, text: task, at: startedAt, state: 'read' },
        summary: description,
      });
    if (endedAt !== null)
      said.push({
        ...{ ...shared, kind: 'result', from: name, to: parent, text: result, at: endedAt, state: 'read' },
        summary: state,
      });
  }
  const unread: { owner: string | null; message: SentMessage }[] = conversations.flatMap(([owner, { sent }]) =>
    sent.map((message) => ({ owner, message })),
  );
  for (const [owner, { read }] of conversations) {
    const to = nameOf(owner);
    for (const message of read) {
      const at = unread.findIndex(({ message: each }) => isSame(each, { to, text: message.text }));
      const summary = unread[at]?.message.summary ?? '';
      if (at !== -1 && unread[at]!.message.to !== '*') unread.splice(at, 1);
      const { id, from, text } = message;
      said.push({ id, kind: 'message', from, to, text, summary, at: message.at, state: 'read' });
    }
  }
  const here = new Set([MAIN, ...names.values()]);
  for (const { owner, message } of unread) {
    const { toolUseId: id, to, text, summary, at } = message;
    const isRead = said.some((each) => each.kind === 'message' && isSame(message, each));
    if (to === '*' && isRead) continue;
    const hasFailed = conversations.find(([each]) => each === owner)![1].failedCalls.has(id);
    const state = hasFailed ? 'not sent' : here.has(to) ? 'waiting' : 'sent';
    said.push({ id, kind: 'message', from: nameOf(owner), to, text, summary, at, state });
  }
  return said.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

const COMPARED_CHARACTERS = 500;

/** What was sent stands in the reader's conversation as text that opens no wrapper, and its beginning only where it is long. */
function isSame(sent: SentMessage, read: { readonly to: string; readonly text: string }): boolean {
  if (sent.to !== read.to && sent.to !== '*' && !read.to.startsWith(MAIN)) return false;
  const beginning = (text: string) => text.trim().slice(0, COMPARED_CHARACTERS);
  return beginning(framedText(sent.text)) === beginning(read.text);
}
