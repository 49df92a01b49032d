/** Who has a mailbox here, whether they live, and what waits for them. */

import { messageOf } from '../base/values.ts';
import type { Folder } from '../disk/folder.ts';
import { parseBatchName } from './batch.ts';
import { forEachName } from './inbox.ts';
import { mailHome, openMailRoot } from './layout.ts';
import { BOX, holderOf, knownNames, openBox } from './names.ts';

export interface MailboxSummary {
  readonly name: string;
  /** The process that has the name; null when nobody does. */
  readonly pid: number | null;
  /** Files with messages that were not read yet; one holds several when they were sent together. */
  readonly waitingFiles: number;
  /** When the newest of them was sent: ISO 8601. */
  readonly newest: string | null;
  /** Why it cannot be looked at. */
  readonly problem: string | null;
}

/** Those that live first, then by name. */
export function listMailboxes(home?: string): MailboxSummary[] {
  const root = openMailRoot(mailHome(home));
  try {
    const all = knownNames(root).map((name) => summaryOf(root, name));
    return all.toSorted((one, other) => Number(other.pid !== null) - Number(one.pid !== null));
  } finally {
    root.close();
  }
}

function summaryOf(root: Folder, name: string): MailboxSummary {
  try {
    const box = openBox(root, name)!;
    try {
      const { files, newest } = waitingIn(box);
      const at = newest === 0 ? null : new Date(newest / 1_000).toISOString();
      return { name, pid: holderOf(box)?.pid ?? null, waitingFiles: files, newest: at, problem: null };
    } finally {
      box.close();
    }
  } catch (error) {
    return { name, pid: null, waitingFiles: 0, newest: null, problem: messageOf(error) };
  }
}

function waitingIn(box: Folder): { files: number; newest: number } {
  const inbox = box.sub(BOX.inbox);
  const counted = { files: 0, newest: 0 };
  if (inbox === null) return counted;
  try {
    forEachName(inbox, (file) => {
      const stamp = parseBatchName(file)?.stamp;
      if (stamp === undefined) return;
      counted.files += 1;
      counted.newest = Math.max(counted.newest, stamp);
    });
  } finally {
    inbox.close();
  }
  return counted;
}
