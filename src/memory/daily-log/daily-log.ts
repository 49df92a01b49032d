/** The daily log of a memory folder: `logs/YYYY/MM/YYYY-MM-DD.md`, one timed line after another, appended to and never changed. */

import { type LocalClock, type LocalTime, localTime } from '../../base/dates/local-time.ts';
import type { Folder } from '../../disk/folder.ts';
import { createJournalled, exclusively } from '../../disk/journal/journalled-folder.ts';
import { ReverieError } from '../../errors.ts';
import { DAILY_LOG_LIMITS, type Limits } from '../../limits.ts';
import type { SecretScan } from '../history/folder-context.ts';
import { foldLogText, type LogLine, type LogMark, parseLogLine, renderLogLine } from './line.ts';
import { LOG_FOLDER, logFile } from './place.ts';

export interface DailyLogFacts {
  /** Real path of the memory folder; made when it is not there yet. */
  readonly folder: string;
  readonly clock: LocalClock;
  readonly secrets: SecretScan;
  readonly limits: Pick<Limits, 'dailyLog' | 'lock'>;
}

export type Logged =
  | { readonly kind: 'logged'; readonly day: string; readonly file: string; readonly line: LogLine }
  | { readonly kind: 'refused'; readonly reason: string };

/** The time is read and the line written under the folder's lock, so that the order of lines is the order of time. */
export async function appendToLog(
  entry: { readonly text: string; readonly mark: LogMark },
  facts: DailyLogFacts,
): Promise<Logged> {
  const text = foldLogText(entry.text);
  const reason = await whyNotLogged(text, facts);
  if (reason !== null) return { kind: 'refused', reason };
  const store = createJournalled(facts.folder);
  try {
    return await exclusively(store, facts.limits.lock, async (lock) => {
      const now = localTime(facts.clock.now(), facts.clock.timeZone?.());
      const file = logFile(now.day);
      const line = await withinLog(store.root, file, async (folder, name) => {
        const tail = tailOf(folder, { name, tailBytes: facts.limits.dailyLog.tailBytes });
        const { offset } = statedOffset(now, tail.lines);
        const made: LogLine = { time: now.time, offset, mark: entry.mark, text };
        if (!lock.stillHeld()) throw new ReverieError({ code: 'locked', message: LOST, fix: 'Log it again.' });
        const bytes = Buffer.from(`${tail.isTorn ? '\n' : ''}${renderLogLine(made)}\n`);
        await folder.append(name, bytes, { durable: true });
        if (tail.isNew) await folder.sync();
        return made;
      });
      return { kind: 'logged', day: now.day, file, line };
    });
  } finally {
    store.close();
  }
}

/** A whole day's log from elsewhere; false when that day has one here. */
export async function addWholeLog(
  log: { readonly file: string; readonly bytes: Uint8Array },
  facts: Pick<DailyLogFacts, 'folder'> & { readonly limits: Pick<Limits, 'lock'> },
): Promise<boolean> {
  const store = createJournalled(facts.folder);
  try {
    return await exclusively(store, facts.limits.lock, () =>
      withinLog(store.root, log.file, async (folder, name) => {
        const staged = await store.temporary.stage(log.bytes);
        const isIn = folder.moveIn({ from: store.temporary, name: staged }, name, 'create');
        if (!isIn) store.temporary.discard(staged);
        await folder.sync();
        return isIn;
      }),
    );
  } finally {
    store.close();
  }
}

const LOST = 'Another process took the memory folder over before the line was written; nothing was logged';

async function whyNotLogged(text: string, { secrets }: DailyLogFacts): Promise<string | null> {
  if (text === '') return 'There is nothing to log in it.';
  if (text.length > DAILY_LOG_LIMITS.lineCharacters) {
    return `It has ${text.length} characters, and a line of the log at most ${DAILY_LOG_LIMITS.lineCharacters}. Say the point of it, or log two lines.`;
  }
  const secret = await secrets.describeSecretsIn(text);
  return secret === null
    ? null
    : `It was not logged. ${secret} Say where the secret is kept instead, never what it is.`;
}

/** A line says how far its clock is from UTC only where the lines before it do not, or where it seems to be before them. */
function statedOffset(
  now: LocalTime,
  before: readonly LogLine[],
): { readonly offset: string | null; readonly reason: 'first' | 'other-zone' | 'clock-went-back' | 'as-before' } {
  const inForce = before.findLast(({ offset }) => offset !== null)?.offset ?? null;
  const last = before.at(-1);
  if (inForce === null || last === undefined) return { offset: now.offset, reason: 'first' };
  if (inForce !== now.offset) return { offset: now.offset, reason: 'other-zone' };
  if (now.time < last.time) return { offset: now.offset, reason: 'clock-went-back' };
  return { offset: null, reason: 'as-before' };
}

interface Tail {
  readonly isNew: boolean;
  /** The last line lacks its end: whoever wrote it was cut off. */
  readonly isTorn: boolean;
  readonly lines: readonly LogLine[];
}

/** However long the day was, only the end of its file is read. */
function tailOf(folder: Folder, read: { readonly name: string; readonly tailBytes: number }): Tail {
  const stats = folder.stat(read.name);
  if (stats === null) return { isNew: true, isTorn: false, lines: [] };
  if (!stats.isFile()) {
    throw new ReverieError({
      code: 'refused',
      message: `${folder.path}/${read.name} is ${stats.isSymbolicLink() ? 'a link' : 'no regular file'}, so nothing was logged`,
      fix: 'Move it out of the way.',
    });
  }
  const start = Math.max(0, stats.size - read.tailBytes);
  const text = folder.readFrom(read.name, start, stats.size).toString('utf8');
  const lines = text.split('\n').slice(start === 0 ? 0 : 1);
  return {
    isNew: false,
    isTorn: text !== '' && !text.endsWith('\n'),
    lines: lines.flatMap((line) => parseLogLine(line) ?? []),
  };
}

/** Part by part below the held folder, never through a link; what is missing is made for this user alone. */
async function withinLog<T>(root: Folder, file: string, use: (folder: Folder, name: string) => Promise<T>): Promise<T> {
  const opened: Folder[] = [];
  try {
    const [year = '', month = '', name = ''] = file.slice(LOG_FOLDER.length + 1).split('/');
    let folder = root;
    for (const part of [LOG_FOLDER, year, month]) {
      const below = folder.sub(part, { create: true });
      if (below === null) throw new ReverieError({ code: 'storage', message: `${folder.path}/${part} vanished` });
      opened.push(below);
      folder = below;
    }
    return await use(folder, name);
  } finally {
    for (const each of opened) each.close();
  }
}
