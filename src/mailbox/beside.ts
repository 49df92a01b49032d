/**
 * The mailbox of an agent that is not ours: a server that it started holds the name, and hooks that it starts bring what
 * waits. Both have the agent's process above them, by which a hook finds the mailbox.
 */

import { readFileSync } from 'node:fs';
import type { Folder } from '../disk/folder.ts';
import { ReverieError } from '../errors.ts';
import { mailHome, openMailRoot } from './layout.ts';
import { type Mailbox, type MailboxOptions, openMailbox } from './mailbox.ts';
import { holderOf, knownNames, openBox } from './names.ts';

const FILE = 'beside';
/** Sessions of one agent with the same settings, which take name-2, name-3 and so on. */
const MOST_NAMESAKES = 20;
/** A hook is started by a shell of the agent, and may leave its work to a child. */
const MOST_ANCESTORS = 5;
const NOBODY_PID = 1;

/** Takes the name, or the next free one behind it, for the agent that started this process. */
export async function openMailboxBeside(options: MailboxOptions & { readonly parentPid?: number }): Promise<Mailbox> {
  const mailbox = await openFreeName(options);
  const root = openMailRoot(mailHome(options.home));
  const box = openBox(root, mailbox.name)!;
  try {
    const staged = await box.stage(Buffer.from(String(options.parentPid ?? process.ppid)), { durable: false });
    box.moveIn({ from: box, name: staged }, FILE, 'replace');
  } finally {
    for (const folder of [box, root]) folder.close();
  }
  return mailbox;
}

async function openFreeName(options: MailboxOptions): Promise<Mailbox> {
  for (let count = 1; ; count += 1) {
    try {
      return await openMailbox({ ...options, name: count === 1 ? options.name : `${options.name}-${count}` });
    } catch (error) {
      const isTaken =
        error instanceof ReverieError && error.code === 'refused' && /belongs to process/.test(error.message);
      if (!isTaken || count === MOST_NAMESAKES) throw error;
    }
  }
}

/** The name of the living mailbox whose agent is above this process; null when there is none, or more than one. */
export function nameBeside(root: Folder, ancestors: readonly number[] = ancestorsOf(process.ppid)): string | null {
  const found = knownNames(root).filter((name) => {
    const box = openBox(root, name);
    if (box === null) return false;
    try {
      const pid = Number(box.read(FILE, 20)?.toString('utf8') ?? Number.NaN);
      return pid > NOBODY_PID && ancestors.includes(pid) && holderOf(box) !== null;
    } finally {
      box.close();
    }
  });
  return found.length === 1 ? found[0]! : null;
}

/** Nearest first. Where the platform does not tell, only the parent is known. */
function ancestorsOf(pid: number): number[] {
  const chain = [pid];
  while (chain.length < MOST_ANCESTORS) {
    const parent = parentOf(chain.at(-1)!);
    if (parent === null || parent <= NOBODY_PID) break;
    chain.push(parent);
  }
  return chain;
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
