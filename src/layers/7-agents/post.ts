/** Messages between the agents of one session: a bounded queue for each, drained with the next message of its conversation. */

import { randomUUID } from 'node:crypto';
import type { Attachment } from '../../agent/seams.ts';
import { describeSecrets, findSecrets } from '../../base/secrets/secrets.ts';
import type { Entry } from '../../conversation/entry.ts';
import { expiryId, type UnreadMessage } from '../../disk/transcript/agent-records.ts';
import { type FrameOptions, framedMessages } from '../../mailbox/frame.ts';
import type { ReceivedMessage } from '../../mailbox/inbox.ts';
import { EVERYONE } from '../../mailbox/layout.ts';
import { letterOf, type OutgoingMessage, type Receipt as StoredReceipt } from '../../mailbox/mailbox.ts';
import { isSocketAddress } from '../../mailbox/socket.ts';
import { wrapReminder } from '../../toolbox/context-text.ts';
import { createQueue, type MessageQueue, QUEUE_MESSAGES, type WaitingMessage } from './mail/box.ts';
import { createReceipts, type Receipt, type ReceiptPorts, type ShownMessage } from './mail/receipts.ts';
import { fullError, nobodyError, ownNameError, secretError } from './mail/refusals.ts';
import { createRequests } from './mail/requests.ts';

/** Agents in other processes. */
export interface OutsidePost {
  send(message: OutgoingMessage): Promise<StoredReceipt>;
  /** What became of it by now. */
  receipt(sent: StoredReceipt): StoredReceipt;
  others(): readonly string[];
  /** Those that a message to all reaches. */
  teammates(): readonly string[];
  /** Who leads the team; null without one. */
  leader(): string | null;
}

export interface PostPorts extends ReceiptPorts {
  readonly storeLong: FrameOptions['storeLong'];
  readonly outside: () => OutsidePost | null;
  /** Lets one that has ended go on with a message; null where none of that name can. */
  readonly revive: (to: string, prompt: string) => string | null;
  /** What is unread then stays recorded as queued, for the session to go on with. */
  readonly isClosing: () => boolean;
}

/** The messages of one conversation. */
export interface PostBox {
  offered(): readonly Attachment[];
  entered(entry: Entry): void;
  hasQueued(): boolean;
  hasRoom(): boolean;
  /** From another process; `onEntered` once it is in the conversation. */
  deliver(message: ReceivedMessage, onEntered: () => void): void;
  /** What the program itself has to say; once for each id. */
  notice(id: string, text: string): void;
  /** It agreed to end: after this turn it takes no more. */
  isLeaving(): boolean;
  /** Messages that an earlier process of this session left unread. */
  resume(unread: readonly UnreadMessage[]): void;
  /** Nobody reads here any more: senders learn that their unread messages expired. */
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

interface Box {
  readonly queue: MessageQueue;
  readonly onQueued: () => void;
}

export function createPost(ports: PostPorts): Post {
  const boxes = new Map<string, Box>();
  const receipts = createReceipts(ports);
  const requests = createRequests();
  let last: Promise<unknown> = Promise.resolve();

  const isFull = (to: string) => (boxes.get(to)?.queue.count() ?? 0) >= QUEUE_MESSAGES;
  const names = () => [...new Set([...boxes.keys(), ...(ports.outside()?.others() ?? [])])];
  /** The session's own conversation was there first. */
  const isSession = (name: string) => [...boxes.keys()][0] === name;

  function received(from: string, given: OutgoingMessage): ReceivedMessage {
    const { expires: _, kind: __, ...letter } = letterOf(given, ports.now().getTime());
    const kind = given.kind === undefined ? {} : { kind: given.kind };
    return { ...letter, ...kind, id: randomUUID(), from };
  }

  function put(box: Box, waiting: WaitingMessage): void {
    box.queue.put(waiting);
    box.onQueued();
  }

  /** Resolves once it is written down that they wait: from then on a kill does not lose them. */
  async function record(message: ReceivedMessage, to: readonly string[]): Promise<readonly WaitingMessage[]> {
    const waiting = to.map((each, at) => {
      const own = at === 0 ? message : { ...message, id: randomUUID() };
      const { from, message: text, summary } = own;
      requests.came(own, each);
      const session = isSession(from) ? 'sends' : isSession(each) ? 'gets' : 'neither';
      const queued = { from, to: each, message: text, ...(summary === undefined ? {} : { summary }), session } as const;
      receipts.note(own.id, 'queued', queued);
      return waitingOf(own, each, receipts.show(own, each, 'queued'));
    });
    await receipts.recorded();
    return waiting;
  }

  function waitingOf(message: ReceivedMessage, to: string, receipt: Receipt): WaitingMessage {
    return {
      id: message.id,
      isFromAgent: true,
      text: (isLed) => framedMessages([message], { ...ports, isLed }),
      settle(state) {
        receipt.state = state;
        receipts.note(message.id, state);
        const sender = boxes.get(message.from);
        if (state === 'expired' && sender !== undefined) put(sender, expiryNotice(message, to));
      },
    };
  }

  /** Null where nobody here has the name. */
  async function sendHere(to: string, message: ReceivedMessage): Promise<string | null> {
    const box = boxes.get(to);
    if (box === undefined) return revive(to, message);
    if (isFull(to)) {
      receipts.show(message, to, 'refused');
      throw fullError(to);
    }
    const [waiting] = await record(message, [to]);
    if (boxes.get(to) === box) {
      put(box, waiting!);
      return `Queued for ${to}, who reads it with the next tool results.`;
    }
    // It ended in this very moment.
    waiting!.settle('refused');
    return revive(to, message);
  }

  function revive(to: string, message: ReceivedMessage): string | null {
    const revived = ports.revive(to, framedMessages([message], ports));
    if (revived !== null) receipts.show(message, to, 'in-context');
    return revived;
  }

  async function sendToAll(from: string, given: OutgoingMessage): Promise<string> {
    const here = [...boxes.keys()].filter((name) => name !== from);
    const [open, closed] = [here.filter((to) => !isFull(to)), here.filter(isFull)];
    const waiting = open.length === 0 ? [] : await record(received(from, given), open);
    for (const [at, to] of open.entries()) {
      const box = boxes.get(to);
      if (box === undefined) waiting[at]!.settle('expired');
      else put(box, waiting[at]!);
    }
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
    if (told.length === 0) throw here.length === 0 ? nobodyError('anything else', []) : fullError(closed.join(', '));
    const left = closed.length === 0 ? '' : ` Not sent to ${closed.join(', ')}: too much waits there.`;
    return `Queued for ${told.join(', ')}.${left}`;
  }

  async function sendAway(from: string, given: OutgoingMessage): Promise<string> {
    const outside = ports.outside();
    const others = names().filter((name) => name !== from);
    const isThere = outside !== null && (isSocketAddress(given.to) || outside.others().includes(given.to));
    if (!isThere) throw nobodyError(given.to, others);
    const sent = await outside.send(outgoing(from, given));
    receipts.show(received(from, given), given.to, () => outside.receipt(sent).state);
    return `Stored in the mailbox of ${given.to}.`;
  }

  async function sendOne(from: string, given: OutgoingMessage): Promise<string> {
    const secrets = await findSecrets(`${given.message}\n${given.summary ?? ''}`);
    if (secrets.length > 0) throw secretError(describeSecrets(secrets));
    requests.check(given, { from, isLeader: isSession(from) && ports.outside()?.leader() === from });
    const said = await route(from, given);
    requests.answered(given, from);
    return said;
  }

  async function route(from: string, given: OutgoingMessage): Promise<string> {
    if (given.to === EVERYONE) return sendToAll(from, given);
    if (given.to === from) throw ownNameError(names().filter((name) => name !== from));
    return (await sendHere(given.to, received(from, given))) ?? sendAway(from, given);
  }

  return {
    join(name, onQueued) {
      const box: Box = { queue: createQueue(), onQueued };
      const { queue } = box;
      boxes.set(name, box);
      return {
        offered: queue.offered,
        entered: queue.entered,
        hasQueued: queue.hasAny,
        hasRoom: () => queue.count() < QUEUE_MESSAGES,
        deliver(message, onEntered) {
          const receipt = receipts.show(message, name, 'queued');
          requests.came(message, name);
          put(box, {
            id: message.id,
            isFromAgent: true,
            text: (isLed) => framedMessages([message], { ...ports, isLed }),
            settle(state) {
              receipt.state = state;
              if (state === 'in-context') onEntered();
            },
          });
        },
        notice: (id, text) => put(box, noticeOf(id, text)),
        isLeaving: () => requests.isLeaving(name),
        resume(unread) {
          for (const { id, at, queued } of unread) {
            const { session, ...rest } = queued;
            const message = { ...rest, id, at };
            // Whoever else had a name in that process is gone.
            if (session === 'gets') queue.put(waitingOf(message, name, receipts.list(message, name)));
            if (session === 'sends') queue.put(expiryNotice(message, queued.to));
          }
        },
        leave() {
          if (boxes.get(name) !== box) return;
          boxes.delete(name);
          requests.left(name);
          if (!ports.isClosing()) for (const waiting of queue.takeUnread()) waiting.settle('expired');
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
    recent: receipts.recent,
  };

  /** In other processes only the session has a name. */
  function outgoing(from: string, given: OutgoingMessage): OutgoingMessage {
    return isSession(from) ? given : { ...given, message: `${given.message}\n\n(From ${from}, an agent of mine.)` };
  }
}

function expiryNotice({ id, summary, message }: ReceivedMessage, to: string): WaitingMessage {
  const about = (summary ?? message.slice(0, 100)).replace(/[<>\s]+/g, ' ');
  const text = `${to} ended before it read your message “${about}”, and nobody will read it now. Do without the answer, or ask somebody else.`;
  return noticeOf(expiryId(id), text);
}

function noticeOf(id: string, text: string): WaitingMessage {
  return { id, isFromAgent: false, text: () => wrapReminder([text]), settle: () => {} };
}
