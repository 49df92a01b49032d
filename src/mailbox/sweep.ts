/** Removes what nobody needs any more of mailboxes and teams. What is unread is never removed: doctor names it instead. */

import { readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../base/values.ts';
import type { Folder } from '../disk/folder.ts';
import { homeLayout } from '../disk/home.ts';
import { parseBatchName } from './batch.ts';
import { forEachName } from './inbox.ts';
import { openMailRoot } from './layout.ts';
import { BOX, holderOf, knownNames, openBox, takeName } from './names.ts';
import { openTaskList } from './tasks/task-list.ts';
import { openTeam, teamMembers, teamNames } from './team-members.ts';

const DAY_MS = 24 * 60 * 60_000;
export const MAIL_KEPT = {
  /** A mailbox whose name nobody had for these days, and in which nothing waits. */
  boxDays: 30,
  /** Long messages that a model was shown the beginning of. */
  longDays: 30,
  longBytes: 100_000_000,
  /** Members that are gone, logs, and teams without anybody. */
  teamDays: 30,
} as const;

const MARKER = '.swept';
const GONE = '.gone-';

/** At most once a day. Answers with what was removed, by path. */
export async function sweepMail(options: { readonly home: string; readonly now: Date }): Promise<readonly string[]> {
  const nowMs = options.now.getTime();
  const root = openMailRoot(options.home);
  try {
    const marker = root.at(MARKER);
    const sweptMs = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
    // A marker from the future is a clock that was set back.
    if (Math.abs(nowMs - sweptMs) < DAY_MS) return [];
    writeFileSync(marker, '', { mode: 0o600 });
    utimesSync(marker, options.now, options.now);
    return [
      ...settleGone(root),
      ...(await sweepBoxes(root, nowMs)),
      ...(await sweepTeams(options.home, nowMs, livingIn(root))),
    ];
  } finally {
    root.close();
  }
}

/** What was moved away a sweep ago: whoever still wrote to it then is done by now. What arrived goes back to its name. */
function settleGone(root: Folder): readonly string[] {
  const gone = root.entries().filter((entry) => entry.isDirectory() && entry.name.startsWith(GONE));
  return gone.flatMap(({ name }) => {
    const box = root.sub(name)!;
    const isRead = countUnread(box).length === 0;
    box.close();
    if (isRead) {
      rmSync(root.at(name), { recursive: true, force: true });
      return [join(root.path, name.slice(GONE.length))];
    }
    try {
      renameSync(root.at(name), root.at(name.slice(GONE.length)));
    } catch {
      // Somebody has the name again: doctor names what is left.
    }
    return [];
  });
}

async function sweepBoxes(root: Folder, nowMs: number): Promise<readonly string[]> {
  const removed: string[] = [];
  const senders = sendersOfUnread(root);
  for (const name of knownNames(root)) {
    try {
      removed.push(...sweepLong(root, name, nowMs));
      // Its key is needed while something that it sent is unread.
      if (!senders.has(name) && isForgotten(root, name, nowMs)) await moveAway(root, name);
    } catch {
      // One that cannot be opened is doctor's to name.
    }
  }
  return removed;
}

function isForgotten(root: Folder, name: string, nowMs: number): boolean {
  const box = openBox(root, name);
  if (box === null) return false;
  try {
    if (holderOf(box) !== null || countUnread(box).length > 0 || filesIn(box, BOX.refused).length > 0) return false;
    const used = Math.max(...['.', 'cursor', 'key', BOX.lock, BOX.inbox].map((each) => timeOf(box.at(each))));
    return used < nowMs - MAIL_KEPT.boxDays * DAY_MS;
  } finally {
    box.close();
  }
}

/** Holds the name meanwhile, so that nobody takes it; removed by the next sweep, so that nobody writes to what is deleted. */
async function moveAway(root: Folder, name: string): Promise<void> {
  const own = await takeName(root, name);
  try {
    renameSync(root.at(name), root.at(`${GONE}${name}`));
  } finally {
    await own.release();
  }
}

function sweepLong(root: Folder, name: string, nowMs: number): readonly string[] {
  const box = openBox(root, name);
  const folder = box?.sub(BOX.long) ?? null;
  try {
    if (folder === null) return [];
    const files = folder
      .entries()
      .filter((entry) => entry.isFile())
      .map((entry) => ({ name: entry.name, facts: statSync(folder.at(entry.name)) }))
      .toSorted((one, other) => other.facts.mtimeMs - one.facts.mtimeMs);
    let bytes = 0;
    return files.flatMap(({ name: file, facts }) => {
      bytes += facts.size;
      if (facts.mtimeMs >= nowMs - MAIL_KEPT.longDays * DAY_MS && bytes <= MAIL_KEPT.longBytes) return [];
      folder.discard(file);
      return [join(folder.path, file)];
    });
  } finally {
    folder?.close();
    box?.close();
  }
}

async function sweepTeams(home: string, nowMs: number, living: ReadonlySet<string>): Promise<readonly string[]> {
  const removed: string[] = [];
  const isOld = (path: string) => timeOf(path) < nowMs - MAIL_KEPT.teamDays * DAY_MS;
  for (const team of teamNames(home)) {
    const folder = openTeam({ home, team });
    try {
      for (const part of ['members', 'logs']) {
        for (const file of filesIn(folder, part)) {
          const path = join(folder.path, part, file);
          if (living.has(file.replace(/\.log$/, '')) || !isOld(path)) continue;
          rmSync(path, { force: true });
          removed.push(path);
        }
      }
      if (
        teamMembers({ home, team }).length > 0 ||
        !isOld(join(folder.path, 'tasks')) ||
        (await hasOpenTasks(home, team))
      )
        continue;
      rmSync(folder.path, { recursive: true, force: true });
      removed.push(folder.path);
    } finally {
      folder.close();
    }
  }
  return removed;
}

async function hasOpenTasks(home: string, team: string): Promise<boolean> {
  const list = openTaskList({ home, team, name: 'reader' });
  try {
    return (await list.list()).some(({ state }) => state === 'pending' || state === 'in_progress');
  } finally {
    list.close();
  }
}

/** What a person should know of, since nothing removes it by itself. */
export interface MailLeftover {
  readonly path: string;
  readonly name: string;
  readonly kind: 'unread' | 'refused' | 'unreadable';
  readonly files: number;
  /** Of `unread`: since when nobody has had the name. */
  readonly detail: string;
}

/** Unread messages of names that nobody has had for a day, files that were refused, and mailboxes that cannot be opened. */
export function mailLeftovers(home: string, nowMs: number): readonly MailLeftover[] {
  if (statSync(homeLayout(home).mail, { throwIfNoEntry: false }) === undefined) return [];
  const root = openMailRoot(home);
  try {
    const names = root.entries().filter(({ name }) => !name.startsWith('.') || name.startsWith(GONE));
    return names.flatMap(({ name }) => leftoversOf(root, name, nowMs));
  } finally {
    root.close();
  }
}

function leftoversOf(root: Folder, name: string, nowMs: number): readonly MailLeftover[] {
  const path = join(root.path, name);
  try {
    const box = root.sub(name)!;
    try {
      const unread = countUnread(box);
      const oldest = Math.min(...unread.map(({ stamp }) => stamp / 1_000));
      const isLeft = unread.length > 0 && oldest < nowMs - DAY_MS && holderOf(box) === null;
      const refused = filesIn(box, BOX.refused).length;
      const since = isLeft ? new Date(oldest).toISOString().slice(0, 10) : '';
      return [
        ...(isLeft ? [{ path, name, kind: 'unread' as const, files: unread.length, detail: since }] : []),
        ...(refused > 0
          ? [{ path: join(path, BOX.refused), name, kind: 'refused' as const, files: refused, detail: '' }]
          : []),
      ];
    } finally {
      box.close();
    }
  } catch (error) {
    return [{ path, name, kind: 'unreadable', files: 0, detail: messageOf(error) }];
  }
}

function countUnread(box: Folder): readonly { readonly stamp: number; readonly from: string }[] {
  const inbox = box.sub(BOX.inbox);
  if (inbox === null) return [];
  const found: { readonly stamp: number; readonly from: string }[] = [];
  try {
    forEachName(inbox, (file) => {
      const parsed = parseBatchName(file);
      if (parsed !== null) found.push(parsed);
    });
  } finally {
    inbox.close();
  }
  return found;
}

function sendersOfUnread(root: Folder): ReadonlySet<string> {
  const senders = new Set<string>();
  for (const name of knownNames(root)) {
    try {
      const box = openBox(root, name);
      for (const { from } of box === null ? [] : countUnread(box)) senders.add(from);
      box?.close();
    } catch {
      // What it holds is not known: it is left alone too.
    }
  }
  return senders;
}

function livingIn(root: Folder): ReadonlySet<string> {
  return new Set(
    knownNames(root).filter((name) => {
      try {
        const box = openBox(root, name);
        const isHeld = box !== null && holderOf(box) !== null;
        box?.close();
        return isHeld;
      } catch {
        return true;
      }
    }),
  );
}

function filesIn(folder: Folder, part: string): readonly string[] {
  const sub = folder.sub(part);
  if (sub === null) return [];
  try {
    return readdirSync(sub.at('.')).filter((name) => !name.startsWith('.'));
  } finally {
    sub.close();
  }
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}
