/** The agents of a session as a tree, and what they said to each other, made of their transcripts alone: any process may have run them. */

import type { AgentMessageRecord, AgentRecord } from '../../disk/transcript/record.ts';
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
  readonly state: 'read' | 'waiting' | 'sent' | 'expired' | 'not sent';
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
  const messages = recordedIn(main);
  const known = new Set(messages.map(({ id }) => id));
  // From other processes, or what let an agent go on.
  for (const [owner, { read }] of conversations)
    for (const { id, from, text, at } of read)
      if (!known.has(id))
        messages.push({ id, kind: 'message', from, to: nameOf(owner), text, summary: '', at, state: 'read' });
  for (const [owner, { sent, failedCalls }] of conversations)
    for (const { toolUseId: id, to, text, summary, at: sentAt } of sent) {
      const at = messages.findIndex((each) => isSame(each, { to, text }));
      if (at !== -1) messages[at] = { ...messages[at]!, summary };
      else
        messages.push({
          ...{ id, kind: 'message', from: nameOf(owner), to, text, summary, at: sentAt },
          state: failedCalls.has(id) ? 'not sent' : 'sent',
        });
    }
  const all = [...nodes.flatMap((node) => workOf(node, nameOf(node.parentId))), ...messages];
  return all.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

/** What an agent was given to do, and what it handed back. */
function workOf({ id, name, task, result, state, startedAt, endedAt, description }: AgentNode, parent: string): Said[] {
  // One that goes on with a message was given that.
  const hasTask = !task.includes('<agent-message ');
  const given = { id, kind: 'task', from: parent, to: name, text: task, summary: description } as const;
  const back = { id, kind: 'result', from: name, to: parent, text: result, summary: state } as const;
  return [
    ...(hasTask ? [{ ...given, at: startedAt, state: 'read' } as const] : []),
    ...(endedAt === null ? [] : [{ ...back, at: endedAt, state: 'read' } as const]),
  ];
}

const STATES: Readonly<Record<AgentMessageRecord['event'], Said['state']>> = {
  queued: 'waiting',
  'in-context': 'read',
  answered: 'read',
  expired: 'expired',
  refused: 'not sent',
};

function recordedIn({ mail }: Scanned): Said[] {
  const newest = new Map(mail.map(({ id, event }) => [id, event]));
  return mail.flatMap(({ id, at, queued }) => {
    if (queued === undefined) return [];
    const { from, to, message: text, summary = '' } = queued;
    return [{ id, kind: 'message' as const, from, to, text, summary, at, state: STATES[newest.get(id)!] }];
  });
}

const COMPARED_CHARACTERS = 500;

/** What was sent stands in the reader's conversation as text that opens no wrapper, and its beginning only where it is long. */
function isSame(said: Pick<Said, 'to' | 'text'>, sent: Pick<SentMessage, 'to' | 'text'>): boolean {
  if (sent.to !== said.to && sent.to !== '*' && said.to !== MAIN) return false;
  const beginning = (text: string) => framedText(text).trim().slice(0, COMPARED_CHARACTERS);
  return beginning(sent.text) === beginning(said.text);
}
