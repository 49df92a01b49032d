/** A mailbox under a name of one's own: sends to other agents, and receives from them, each message once and in order. */

import type { Folder } from '../disk/folder.ts';
import { removeLeftovers } from '../disk/staged-name.ts';
import { ReverieError } from '../errors.ts';
import type { Letter } from './batch.ts';
import type { ReceivedMessage } from './inbox.ts';
import { type MessageKind, problemWithKind } from './kinds.ts';
import { checkName, EVERYONE, MESSAGE_LIMITS, mailHome, openMailRoot } from './layout.ts';
import { BOX, livingNames, nobodyError, type OwnName, openBox, takeName } from './names.ts';
import { openOutbox } from './outbox.ts';
import { type ReceiptState, stateOf } from './outcomes.ts';
import { openReader } from './reader.ts';
import { findSocket, isSocketAddress, listenOnSocket, type MailSocket, sendOverSocket } from './socket.ts';

export interface MailboxOptions {
  /** The name others write to. It belongs to this process until `close`. */
  readonly name: string;
  /** Default: `REVERIE_HOME`, else `~/.reverie`. */
  readonly home?: string;
  /** Also listens on a socket in the user's own folder, whose address is `mailbox.address`. */
  readonly socket?: boolean;
  /** Told of a file that cannot be read, or that was refused; nothing is lost by it. Default: a warning of the process. */
  readonly onProblem?: (problem: ReverieError) => void;
}

export interface OutgoingMessage {
  /** The name of a living agent, `*` for all of them, or `uds:<path>` for one that listens on a socket. */
  readonly to: string;
  readonly message: string;
  /** One line for people who look on. */
  readonly summary?: string;
  /** The id of the message that this one answers; its sender learns that it was. */
  readonly answers?: string;
  /** Not delivered when it was not read by then. */
  readonly expiresAfterMs?: number;
  /** Of a message that a program understands; and of an answer to one, whether it agrees. */
  readonly kind?: MessageKind;
  readonly approve?: boolean;
}

/** That a message is stored, or what became of it. */
export interface Receipt {
  readonly id: string;
  readonly to: string;
  readonly state: ReceiptState;
  /** When it was sent: ISO 8601. */
  readonly at: string;
  /** For `*`: one for each who was there. */
  readonly each?: readonly Receipt[];
}

export interface ReceiveOptions {
  /** Ends the loop. */
  readonly signal?: AbortSignal;
  /** With `empty` the loop ends when nothing waits any more; otherwise it waits for what comes. */
  readonly until?: 'empty';
}

/** A mailbox that is open. */
export interface Mailbox {
  readonly name: string;
  readonly home: string;
  /** `uds:<path>` where it listens on a socket, else null. */
  readonly address: string | null;
  /** Resolves when the message is safely stored; rejects when nobody living has the name, and says who is there. */
  send(message: OutgoingMessage): Promise<Receipt>;
  /** Each message once and in order per sender; asking for the next acknowledges the one before. */
  receive(options?: ReceiveOptions): AsyncIterableIterator<ReceivedMessage>;
  /** What became of a message that was sent. */
  receipt(sent: Pick<Receipt, 'id' | 'to' | 'at'>): Receipt;
  /** The other names that living processes have. */
  others(): string[];
  /** Waits for what is being sent, ends `receive` and gives the name back. What waits here stays. */
  close(): Promise<void>;
}

/** Takes a name and opens its mailbox. Throws a ReverieError when a living process has the name. */
export async function openMailbox(options: MailboxOptions): Promise<Mailbox> {
  const home = mailHome(options.home);
  const root = openMailRoot(home);
  try {
    const own = await takeName(root, options.name);
    clearArrivals(own.box);
    const socket = options.socket ? await listenOnSocket({ root, home, own }) : null;
    return mailboxOf({ root, home, own, socket, onProblem: options.onProblem ?? warn });
  } catch (error) {
    root.close();
    throw error;
  }
}

interface OpenMailbox {
  readonly root: Folder;
  readonly home: string;
  readonly own: OwnName;
  readonly socket: MailSocket | null;
  readonly onProblem: (problem: ReverieError) => void;
}

function mailboxOf({ root, home, own, socket, onProblem }: OpenMailbox): Mailbox {
  const outbox = openOutbox({ root, own, now: Date.now });
  const ended = new AbortController();
  let closing: Promise<void> | null = null;
  /** The loop that receives: whether its reader has a message in hand right now, and when it has ended. */
  let reading: { isHandedOut: boolean; readonly ended: Promise<void> } | null = null;

  const others = () => livingNames(root).filter((name) => name !== own.name);

  async function sendToAll(letter: Letter): Promise<Receipt> {
    const names = others();
    if (names.length === 0) throw nobodyError(root, { to: 'anything else', self: own.name, wasHere: false });
    const sent = await Promise.allSettled(names.map((to) => sendToOne(to, letter)));
    const each = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [first] = each;
    // One who left in this very moment is no failure; a message that nobody could be sent is.
    if (first === undefined) throw (sent[0] as PromiseRejectedResult).reason;
    return { ...first, to: EVERYONE, each };
  }

  async function sendToOne(to: string, letter: Letter): Promise<Receipt> {
    const id = await outbox.post(checkName(to), letter);
    return { id, to, state: 'queued', at: letter.at };
  }

  async function sendToSocket(address: string, letter: Letter): Promise<Receipt> {
    const target = findSocket(home, address);
    const id = await outbox.post(target.name, letter, (bytes) => sendOverSocket(target, bytes));
    return { id, to: target.name, state: 'queued', at: letter.at };
  }

  async function* receive(signal: AbortSignal, until: 'empty' | 'signal'): AsyncIterableIterator<ReceivedMessage> {
    if (reading !== null)
      throw usageError('The mailbox is being received from already', 'Read on in the first loop, or end it.');
    let end = () => {};
    const loop = {
      isHandedOut: false,
      ended: new Promise<void>((resolve) => {
        end = resolve;
      }),
    };
    reading = loop;
    try {
      const reader = await openReader({ root, name: own.name, onProblem, signal });
      if (reader === null) return;
      try {
        for await (const message of reader.messages(until)) {
          loop.isHandedOut = true;
          yield message;
          loop.isHandedOut = false;
          reader.acknowledge(message);
        }
      } finally {
        await reader.close();
      }
    } finally {
      reading = null;
      end();
    }
  }

  return {
    name: own.name,
    home,
    address: socket?.address ?? null,
    async send(message) {
      if (closing !== null) throw usageError('The mailbox is closed', 'Open it again.');
      const letter = letterOf(message, Date.now());
      if (message.to === EVERYONE) return sendToAll(letter);
      return isSocketAddress(message.to) ? sendToSocket(message.to, letter) : sendToOne(message.to, letter);
    },
    receive: ({ signal, until } = {}) =>
      receive(signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]), until ?? 'signal'),
    receipt: (sent) => ({ ...sent, state: stateIn(root, sent) }),
    others,
    close() {
      closing ??= (async () => {
        ended.abort();
        await socket?.close();
        await outbox.settled();
        // One whose reader works on a message ends when that one asks for the next, which nothing waits for here.
        if (reading !== null && !reading.isHandedOut) await reading.ended;
        await own.release();
        root.close();
      })();
      return closing;
    },
  };
}

/** A letter of what the caller gave, or a ReverieError that says what is wrong with it. */
export function letterOf(given: OutgoingMessage, nowMs: number): Letter {
  const { to, message, summary, answers, expiresAfterMs, kind, approve } = given;
  if (typeof to !== 'string' || typeof message !== 'string')
    throw usageError('A message needs `to` and `message`, both text', '');
  if (message.trim() === '') throw usageError('The message is empty', 'Say something in it.');
  if (message.length > MESSAGE_LIMITS.characters) {
    const fix = 'Put it into a file and send its path.';
    throw usageError(
      `The message has ${message.length} characters; at most ${MESSAGE_LIMITS.characters} are sent`,
      fix,
    );
  }
  if (summary !== undefined && summary.length > MESSAGE_LIMITS.summaryCharacters) {
    throw usageError(`A summary has at most ${MESSAGE_LIMITS.summaryCharacters} characters`, 'Make it one short line.');
  }
  const problem = problemWithKind(given);
  if (problem !== null) throw usageError(problem, '');
  return {
    message,
    ...(summary === undefined ? {} : { summary }),
    ...(kind === undefined ? {} : { kind }),
    ...(approve === undefined ? {} : { approve }),
    at: new Date(nowMs).toISOString(),
    ...(answers === undefined ? {} : { answers }),
    ...(expiresAfterMs === undefined ? {} : { expires: new Date(nowMs + expiresAfterMs).toISOString() }),
  };
}

function stateIn(root: Folder, { id, to }: Pick<Receipt, 'id' | 'to'>): ReceiptState {
  const box = openBox(root, to);
  if (box === null) return 'queued';
  try {
    return stateOf(box, id);
  } finally {
    box.close();
  }
}

/** What senders that were killed had not put in place yet; their callers never had a receipt. */
function clearArrivals(box: Folder): void {
  const arriving = box.sub(BOX.arriving);
  if (arriving === null) return;
  removeLeftovers(arriving);
  arriving.close();
}

function warn(problem: ReverieError): void {
  process.emitWarning([problem.message, problem.fix].filter((part) => part !== '').join(' '), 'ReverieMailbox');
}

function usageError(message: string, fix: string): ReverieError {
  return new ReverieError({ code: 'usage', message, fix });
}
