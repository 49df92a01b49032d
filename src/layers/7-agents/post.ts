/** Messages between the agents of one session: a bounded queue for each, drained with the next message of its conversation. */

import { randomUUID } from 'node:crypto';
import type { Attachment } from '../../agent/seams.ts';
import { describeSecrets, findSecrets } from '../../base/secrets/secrets.ts';
import type { Entry } from '../../conversation/entry.ts';
import { ReverieError } from '../../errors.ts';
import { type FrameOptions, framedMessages } from '../../mailbox/frame.ts';
import type { ReceivedMessage } from '../../mailbox/inbox.ts';
import { EVERYONE } from '../../mailbox/layout.ts';
import { letterOf, type OutgoingMessage } from '../../mailbox/mailbox.ts';
import { isSocketAddress } from '../../mailbox/socket.ts';

/** Messages that wait for one agent. */
export const QUEUE_MESSAGES = 50;
/** Messages that join one message of a conversation, and that are listed. */
const MOST_OFFERED = 20;
const MOST_LISTED = 50;

/** One that was sent or came, as it is shown. */
export interface ShownMessage {
  readonly from: string;
  readonly to: string;
  readonly summary: string;
  readonly at: string;
}

/** Agents in other processes. */
export interface OutsidePost {
  send(message: OutgoingMessage): Promise<unknown>;
  others(): readonly string[];
  /** Those that a message to all reaches. */
  teammates(): readonly string[];
}

export interface PostPorts {
  readonly now: () => Date;
  readonly storeLong: FrameOptions['storeLong'];
  readonly onMessage: (message: ShownMessage) => void;
  readonly outside: () => OutsidePost | null;
  /** Lets one that has ended go on with a message; null where none of that name can. */
  readonly revive: (to: string, prompt: string) => string | null;
}

/** The messages of one conversation. */
export interface PostBox {
  offered(): readonly Attachment[];
  entered(entry: Entry): void;
  hasQueued(): boolean;
  hasRoom(): boolean;
  /** From another process; `onEntered` once it is in the conversation. */
  deliver(message: ReceivedMessage, onEntered: () => void): void;
  /** Nobody reads here any more. */
  leave(): void;
}

export interface Post {
  join(name: string, onQueued: () => void): PostBox;
  /** Says what became of it; throws with a sentence that the model can act on. */
  send(from: string, message: OutgoingMessage): Promise<string>;
  /** Who has a name that nobody else may take. */
  names(): readonly string[];
  /** The newest ones. */
  recent(): readonly ShownMessage[];
}

interface Waiting {
  readonly message: ReceivedMessage;
  readonly onEntered: () => void;
}

export function createPost(ports: PostPorts): Post {
  const boxes = new Map<string, (waiting: Waiting) => void>();
  const queues = new Map<string, Waiting[]>();
  const shown: ShownMessage[] = [];
  let last: Promise<unknown> = Promise.resolve();

  function show({ from, message, summary, at }: ReceivedMessage, to: string): void {
    const line = { from, to, summary: summary ?? firstLine(message), at };
    shown.push(line);
    if (shown.length > MOST_LISTED) shown.shift();
    ports.onMessage(line);
  }

  const isFull = (to: string) => (queues.get(to)?.length ?? 0) >= QUEUE_MESSAGES;
  const names = () => [...new Set([...boxes.keys(), ...(ports.outside()?.others() ?? [])])];

  function received(from: string, given: OutgoingMessage): ReceivedMessage {
    const { message, summary, at } = letterOf(given, ports.now().getTime());
    return { id: randomUUID(), from, message, ...(summary === undefined ? {} : { summary }), at };
  }

  /** Null where nobody here has the name. */
  function sendHere(to: string, message: ReceivedMessage): string | null {
    const put = boxes.get(to);
    if (put === undefined) {
      const revived = ports.revive(to, framedMessages([message], ports));
      if (revived !== null) show(message, to);
      return revived;
    }
    if (isFull(to)) throw full(to);
    put({ message, onEntered: () => {} });
    show(message, to);
    return `Queued for ${to}, who reads it with the next tool results.`;
  }

  async function sendToAll(from: string, given: OutgoingMessage): Promise<string> {
    const here = [...boxes.keys()].filter((name) => name !== from);
    const message = received(from, given);
    const [open, closed] = [here.filter((to) => !isFull(to)), here.filter(isFull)];
    for (const to of open) sendHere(to, message);
    const outside = ports.outside();
    const away: string[] = [];
    for (const to of outside?.teammates() ?? []) {
      // One who leaves in this very moment is no failure.
      const isSent = await outside!.send({ ...outgoing(from, given), to }).then(
        () => true,
        () => false,
      );
      if (isSent) away.push(to);
    }
    const told = [...open, ...away];
    if (told.length === 0) throw here.length === 0 ? nobody('anything else', []) : full(closed.join(', '));
    const left = closed.length === 0 ? '' : ` Not sent to ${closed.join(', ')}: too much waits there.`;
    return `Queued for ${told.join(', ')}.${left}`;
  }

  async function sendAway(from: string, given: OutgoingMessage): Promise<string> {
    const outside = ports.outside();
    const others = names().filter((name) => name !== from);
    const isThere = outside !== null && (isSocketAddress(given.to) || outside.others().includes(given.to));
    if (!isThere) throw nobody(given.to, others);
    await outside.send(outgoing(from, given));
    show(received(from, given), given.to);
    return `Stored in the mailbox of ${given.to}.`;
  }

  async function sendOne(from: string, given: OutgoingMessage): Promise<string> {
    const secrets = await findSecrets(`${given.message}\n${given.summary ?? ''}`);
    if (secrets.length > 0) throw secretError(describeSecrets(secrets));
    if (given.to === EVERYONE) return sendToAll(from, given);
    if (given.to === from) throw ownName(names().filter((name) => name !== from));
    return sendHere(given.to, received(from, given)) ?? sendAway(from, given);
  }

  return {
    join(name, onQueued) {
      const queue: Waiting[] = [];
      const put = (waiting: Waiting) => {
        queue.push(waiting);
        onQueued();
      };
      boxes.set(name, put);
      queues.set(name, queue);
      return {
        offered: () =>
          queue.slice(0, MOST_OFFERED).map(({ message }, at) => ({
            source: 'agent-message' as const,
            block: { type: 'text' as const, text: framedMessages([message], { ...ports, isLed: at === 0 }) },
            id: message.id,
          })),
        entered(entry) {
          for (const { source, id } of entry.injected ?? []) {
            const at = source === 'agent-message' ? queue.findIndex(({ message }) => message.id === id) : -1;
            if (at !== -1) queue.splice(at, 1)[0]!.onEntered();
          }
        },
        hasQueued: () => queue.length > 0,
        hasRoom: () => queue.length < QUEUE_MESSAGES,
        deliver(message, onEntered) {
          put({ message, onEntered });
          show(message, name);
        },
        leave() {
          if (boxes.get(name) !== put) return;
          boxes.delete(name);
          queues.delete(name);
        },
      };
    },
    // One after the other, so that what one agent says arrives in its order.
    send(from, given) {
      const sent = last.then(() => sendOne(from, given));
      last = sent.catch(() => {});
      return sent;
    },
    names,
    recent: () => [...shown],
  };

  /** In other processes only the session has a name. */
  function outgoing(from: string, given: OutgoingMessage): OutgoingMessage {
    const isOwn = [...boxes.keys()][0] === from;
    return isOwn ? given : { ...given, message: `${given.message}\n\n(From ${from}, an agent of mine.)` };
  }
}

const LINE_CHARACTERS = 100;

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length <= LINE_CHARACTERS ? line : `${line.slice(0, LINE_CHARACTERS - 1)}…`;
}

function full(to: string): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: `${QUEUE_MESSAGES} messages wait for ${to}; this one was not sent.`,
    fix: 'Do other work, and send it when they were read.',
  });
}

function nobody(to: string, others: readonly string[]): ReverieError {
  return new ReverieError({
    code: 'not-found',
    message: `Nobody is called ${to}; the message was not sent.`,
    fix: there(others),
  });
}

function ownName(others: readonly string[]): ReverieError {
  return new ReverieError({ code: 'usage', message: 'That is your own name.', fix: there(others) });
}

function there(others: readonly string[]): string {
  return others.length === 0 ? 'Nobody else is here.' : `Here are: ${others.join(', ')}.`;
}

function secretError(found: string): ReverieError {
  return new ReverieError({
    code: 'secret',
    message: `The message was not sent, because it holds a secret: ${found}`,
    fix: 'Leave the secret out, and say where it is kept instead.',
  });
}
