/** Reads a mailbox: its files page by page and one at a time, each sender's messages in order, none twice. */

import * as fs from 'node:fs';
import type { Folder } from '../disk/folder.ts';
import { storageError } from '../disk/storage-error.ts';
import { ReverieError } from '../errors.ts';
import { batchId, batchName, type Letter, messageId, openBatch, parseBatchName } from './batch.ts';
import { comparePositions, openCursor, type Position } from './cursor.ts';
import { isMessageKind, type MessageKind } from './kinds.ts';
import { MESSAGE_LIMITS } from './layout.ts';
import { BOX, keyOf } from './names.ts';
import { recordOutcome } from './outcomes.ts';

/** A message as its reader gets it. */
export interface ReceivedMessage {
  readonly id: string;
  readonly from: string;
  readonly message: string;
  readonly summary?: string;
  /** When it was sent: ISO 8601. */
  readonly at: string;
  /** The id of the message that this one answers. */
  readonly answers?: string;
  /** Of a message that a program understands; and of an answer to one, whether it agrees. */
  readonly kind?: MessageKind;
  readonly approve?: boolean;
}

export interface Inbox {
  /** The next message that was not handed out yet; null when none waits. */
  next(): Promise<ReceivedMessage | null>;
  /** What was handed out does not come again. In the order in which it was handed out. */
  acknowledge(message: ReceivedMessage): void;
  close(): void;
}

export interface InboxOptions {
  readonly root: Folder;
  readonly name: string;
  readonly box: Folder;
  readonly now: () => number;
  /** Told once of each file that cannot be read or that is refused. */
  readonly onProblem: (problem: ReverieError) => void;
  readonly pageFiles?: number;
}

interface WaitingFile {
  readonly stamp: number;
  readonly from: string;
}

interface HandedOut {
  readonly position: Position;
  /** The file that ends with this message, and goes when it was acknowledged. */
  readonly endsFile: string | null;
}

export function openInbox(options: InboxOptions): Inbox {
  const { root, name, box, now, onProblem } = options;
  const folder = box.sub(BOX.inbox, { create: true })!;
  const cursor = openCursor(box);
  const reported = new Set<string>();
  const handedOut = new Map<string, HandedOut>();
  /** Files whose messages are in hand or handed out: not listed again before they are gone. */
  const open = new Set<string>();
  /** Senders with a file that cannot be read: what follows waits, or it would come before what is in that file. */
  const held = new Set<string>();
  let page: WaitingFile[] = [];
  let letters: { readonly message: ReceivedMessage; readonly handed: HandedOut }[] = [];

  function report(file: string, problem: ReverieError): void {
    if (!reported.has(file)) onProblem(problem);
    reported.add(file);
  }

  async function setAside(waiting: WaitingFile, reason: string): Promise<void> {
    const file = batchName(waiting);
    const refused = box.sub(BOX.refused, { create: true })!;
    try {
      fs.renameSync(folder.at(file), refused.at(file));
    } catch (error) {
      held.add(waiting.from);
      return report(file, storageError({ path: `${folder.path}/${file}`, doing: 'set aside', error }));
    } finally {
      refused.close();
    }
    await recordOutcome(box, batchId(waiting), 'refused');
    report(file, refusedError({ ...waiting, reason, path: `${refused.path}/${file}` }));
  }

  async function openFile(waiting: WaitingFile): Promise<void> {
    const file = batchName(waiting);
    let bytes: Buffer | null;
    let key: Buffer | null;
    try {
      if ((folder.stat(file)?.size ?? 0) > MESSAGE_LIMITS.fileBytes) return await setAside(waiting, 'it is too large');
      bytes = folder.read(file);
      key = keyOf(root, waiting.from);
    } catch (error) {
      const problem = storageError({ path: `${folder.path}/${file}`, doing: 'read', error });
      if (problem.code === 'refused') return setAside(waiting, problem.message);
      held.add(waiting.from);
      return report(file, problem);
    }
    if (bytes === null) return;
    const opened = openBatch(bytes, { ...waiting, to: name }, key);
    if (opened.kind === 'refused') return setAside(waiting, opened.reason);
    const wanted = await deliverable(waiting, opened.letters);
    // It was read before, or nobody wants it any more.
    if (wanted.length === 0) return folder.discard(file);
    open.add(file);
    letters = wanted.map(({ letter, index }, at) => ({
      message: received(waiting, letter, index),
      handed: { position: { stamp: waiting.stamp, index }, endsFile: at === wanted.length - 1 ? file : null },
    }));
  }

  async function deliverable(waiting: WaitingFile, all: readonly Letter[]): Promise<NumberedLetter[]> {
    const read = cursor.of(waiting.from);
    const wanted: NumberedLetter[] = [];
    for (const [index, letter] of all.entries()) {
      if (comparePositions({ stamp: waiting.stamp, index }, read) <= 0) continue;
      if (Date.parse(letter.expires ?? '') < now()) await recordOutcome(box, messageId(waiting, index), 'expired');
      else wanted.push({ letter, index });
    }
    return wanted;
  }

  function list(): WaitingFile[] {
    const most = options.pageFiles ?? MESSAGE_LIMITS.pageFiles;
    return waitingPage(folder, { most, isLeftOut: (file, from) => open.has(file) || held.has(from) });
  }

  return {
    async next() {
      for (;;) {
        const letter = letters.shift();
        if (letter !== undefined) {
          handedOut.set(letter.message.id, letter.handed);
          return letter.message;
        }
        if (page.length === 0) page = list();
        const waiting = page.shift();
        if (waiting === undefined) {
          // They may be readable when somebody asks again.
          held.clear();
          return null;
        }
        if (!held.has(waiting.from)) await openFile(waiting);
      }
    },
    acknowledge({ id, from }) {
      const handed = handedOut.get(id);
      if (handed === undefined) return;
      cursor.advance(from, handed.position);
      handedOut.delete(id);
      if (handed.endsFile === null) return;
      folder.discard(handed.endsFile);
      open.delete(handed.endsFile);
    },
    close() {
      cursor.close();
      folder.close();
    },
  };
}

interface NumberedLetter {
  readonly letter: Letter;
  readonly index: number;
}

function received(waiting: WaitingFile, letter: Letter, index: number): ReceivedMessage {
  const { message, summary, at, answers, kind, approve } = letter;
  return {
    ...{ id: messageId(waiting, index), from: waiting.from, message, at },
    ...(summary === undefined ? {} : { summary }),
    ...(answers === undefined ? {} : { answers }),
    // A kind of a later version is read as plain words.
    ...(isMessageKind(kind) ? { kind } : {}),
    ...(approve === undefined ? {} : { approve }),
  };
}

interface PageOptions {
  readonly most: number;
  readonly isLeftOut: (file: string, from: string) => boolean;
}

/**
 * The oldest files, in order. Listed twice: a listing may show a file and miss one that was put in place before it, but
 * a listing that begins after the first has ended cannot. So what only the second one shows waits for the next page.
 */
export function waitingPage(inbox: Folder, options: PageOptions): WaitingFile[] {
  const seen = new Map<string, number>();
  for (const { from, stamp } of oldestFiles(inbox, options)) seen.set(from, Math.max(stamp, seen.get(from) ?? 0));
  if (seen.size === 0) return [];
  return oldestFiles(inbox, options).filter(({ from, stamp }) => stamp <= (seen.get(from) ?? 0));
}

/** Holds at most twice as many names as it answers with, however many files wait. */
function oldestFiles(inbox: Folder, { most, isLeftOut }: PageOptions): WaitingFile[] {
  let names: string[] = [];
  forEachName(inbox, (name) => {
    const parsed = parseBatchName(name);
    if (parsed === null || isLeftOut(name, parsed.from)) return;
    names.push(name);
    if (names.length === 2 * most) names = names.sort().slice(0, most);
  });
  return names
    .sort()
    .slice(0, most)
    .map((name) => parseBatchName(name)!);
}

/** Without holding all of them. */
export function forEachName(inbox: Folder, visit: (name: string) => void): void {
  let listing: fs.Dir;
  try {
    listing = fs.opendirSync(inbox.at('.'), { bufferSize: 1_024 });
  } catch (error) {
    throw storageError({ path: inbox.path, doing: 'list', error });
  }
  try {
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) visit(entry.name);
  } finally {
    listing.closeSync();
  }
}

function refusedError(facts: { from: string; reason: string; path: string }): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: `A message that names ${facts.from} as its sender was refused: ${facts.reason}. It is kept in ${facts.path}`,
    fix: 'Look at the file, and remove it when you know where it came from.',
  });
}
