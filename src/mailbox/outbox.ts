/** Sends: what waits for one recipient while a file goes to the disk goes together into the next one. */

import { describeSecrets, findSecrets } from '../base/secrets/secrets.ts';
import type { Folder } from '../disk/folder.ts';
import { ReverieError } from '../errors.ts';
import { batchName, type Envelope, type Letter, letterLine, messageId, parseBatchName, sealBatch } from './batch.ts';
import { readCursor } from './cursor.ts';
import { forEachName } from './inbox.ts';
import { MESSAGE_LIMITS } from './layout.ts';
import { BOX, holderOf, nobodyError, type OwnName, openBox } from './names.ts';
import { recordOutcome } from './outcomes.ts';

export interface Outbox {
  /** Resolves with the message's id when it is on the disk. `carry` brings it there another way than by writing the file here. */
  post(to: string, letter: Letter, carry?: Carry): Promise<string>;
  /** When all that was posted is stored or refused. */
  settled(): Promise<void>;
}

/** Resolves when the recipient has stored the sealed file. */
export type Carry = (bytes: Buffer) => Promise<void>;

interface Pending {
  readonly letter: Letter;
  readonly line: string;
  readonly carry: Carry | undefined;
  stored(id: string): void;
  failed(error: unknown): void;
}

interface Route {
  readonly waiting: Pending[];
  /** The stamp of the last file; null before the first. */
  last: number | null;
  running: Promise<void> | null;
}

/** A name that is later than this cannot be one of ours. */
const CLOCK_SLACK_MICROSECONDS = 24 * 60 * 60 * 1_000_000;

export function openOutbox(facts: {
  readonly root: Folder;
  readonly own: OwnName;
  readonly now: () => number;
}): Outbox {
  const { root, own, now } = facts;
  const routes = new Map<string, Route>();

  function routeTo(to: string): Route {
    const route = routes.get(to) ?? { waiting: [], last: null, running: null };
    routes.set(to, route);
    return route;
  }

  async function drain(to: string, route: Route): Promise<void> {
    while (route.waiting.length > 0) {
      const batch = takeBatch(route.waiting);
      try {
        const clean = await withoutSecrets(batch);
        if (clean.length > 0) await store(to, route, clean);
      } catch (error) {
        for (const pending of batch) pending.failed(error);
      }
    }
    route.running = null;
  }

  async function store(to: string, route: Route, batch: readonly Pending[]): Promise<void> {
    const box = openLivingBox(to);
    try {
      const stamp = nextStamp(route.last ?? lastSent(box, { from: own.name, nowMicroseconds: now() * 1_000 }));
      route.last = stamp;
      const envelope = { from: own.name, to, stamp };
      const lines = batch.map(({ line }) => line);
      const bytes = sealBatch(envelope, lines, own.key);
      const carry = batch[0]!.carry;
      if (carry === undefined) await storeBatch(box, { envelope, bytes, sender: own });
      else await carry(bytes);
      for (const { letter } of batch) {
        if (letter.answers !== undefined) await recordOutcome(own.box, letter.answers, 'answered');
      }
      for (const [index, pending] of batch.entries()) pending.stored(messageId(envelope, index));
    } finally {
      box.close();
    }
  }

  function openLivingBox(to: string): Folder {
    const box = openBox(root, to);
    if (box === null) throw nobodyError(root, { to, self: own.name, wasHere: false });
    if (holderOf(box) !== null) return box;
    box.close();
    throw nobodyError(root, { to, self: own.name, wasHere: true });
  }

  function nextStamp(last: number): number {
    return Math.max(last + 1, Math.floor(now() * 1_000));
  }

  return {
    post(to, letter, carry) {
      const route = routeTo(to);
      const stored = new Promise<string>((resolve, reject) => {
        route.waiting.push({ letter, line: letterLine(letter), carry, stored: resolve, failed: reject });
      });
      route.running ??= Promise.resolve().then(() => drain(to, route));
      return stored;
    },
    async settled() {
      await Promise.all([...routes.values()].map((route) => route.running));
    },
  };
}

/** Puts a sealed file into a mailbox, on the disk when it resolves. */
export async function storeBatch(
  box: Folder,
  sealed: { readonly envelope: Envelope; readonly bytes: Buffer; readonly sender?: Pick<OwnName, 'name' | 'isOurs'> },
): Promise<void> {
  const inbox = box.sub(BOX.inbox, { create: true })!;
  const arriving = box.sub(BOX.arriving, { create: true })!;
  try {
    const staged = await arriving.stage(sealed.bytes);
    // Whoever stood still for long may have lost the name meanwhile.
    if (sealed.sender?.isOurs() === false) {
      arriving.discard(staged);
      throw lostNameError(sealed.sender.name);
    }
    inbox.moveIn({ from: arriving, name: staged }, batchName(sealed.envelope), 'replace');
    await inbox.sync();
  } finally {
    for (const folder of [arriving, inbox]) folder.close();
  }
}

/** As many as one file may hold, at least one; what goes another way goes alone, and in its turn. */
function takeBatch(waiting: Pending[]): Pending[] {
  let bytes = 0;
  let count = 0;
  while (count < waiting.length && count < MESSAGE_LIMITS.batchMessages) {
    if (count > 0 && (waiting[0]!.carry !== undefined || waiting[count]!.carry !== undefined)) break;
    bytes += waiting[count]!.line.length;
    if (count > 0 && bytes > MESSAGE_LIMITS.batchBytes) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Scanned together, which costs a tenth; only where something was found is each looked at alone. */
async function withoutSecrets(batch: readonly Pending[]): Promise<readonly Pending[]> {
  const scanned = (pending: Pending) => `${pending.letter.summary ?? ''}\n${pending.letter.message}`;
  if ((await findSecrets(batch.map(scanned).join('\n\n'))).length === 0) return batch;
  const clean: Pending[] = [];
  for (const pending of batch) {
    const findings = await findSecrets(pending.letter.message + (pending.letter.summary ?? ''));
    if (findings.length === 0) clean.push(pending);
    else pending.failed(secretError(describeSecrets(findings)));
  }
  return clean;
}

/** The highest stamp that this sender used here, so that one who comes back goes on behind it whatever the clock says. */
function lastSent(box: Folder, facts: { readonly from: string; readonly nowMicroseconds: number }): number {
  let last = readCursor(box).get(facts.from)?.stamp ?? 0;
  const inbox = box.sub(BOX.inbox);
  if (inbox === null) return last;
  try {
    forEachName(inbox, (name) => {
      const file = parseBatchName(name);
      const isOurs = file?.from === facts.from && file.stamp < facts.nowMicroseconds + CLOCK_SLACK_MICROSECONDS;
      if (isOurs) last = Math.max(last, file.stamp);
    });
  } finally {
    inbox.close();
  }
  return last;
}

function secretError(found: string): ReverieError {
  return new ReverieError({
    code: 'secret',
    message: `The message was not sent, because it holds a secret: ${found}`,
    fix: 'Leave the secret out, and say where it is kept instead.',
  });
}

function lostNameError(name: string): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: `Another process has taken the name ${name}; the message was not sent`,
  });
}
