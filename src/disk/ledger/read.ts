/** Reads the ledger line by line, day by day, for stats: a ledger of years needs no memory of its own size. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { quoted } from '../../base/text/shell-words.ts';
import { errnoOf, ReverieError } from '../../errors.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { homeLayout } from '../home.ts';
import { storageError } from '../storage-error.ts';
import { linesForward, openBytes } from '../transcript/lines.ts';
import { dayOf, type LedgerLine, parseLine } from './line.ts';

export interface LedgerReadOptions {
  readonly home: string;
  readonly now: Date;
  /** The last so many days, today included; all unless given. */
  readonly days?: number;
  readonly session?: string;
  /** A line that is damaged or of a kind we do not know; it costs itself. */
  readonly onDamaged?: (place: { readonly file: string; readonly byte: number }) => void;
  /** A ledger, or a day of it, that cannot be read: the rest is read all the same. Thrown unless given. */
  readonly onProblem?: (problem: ReverieError) => void;
  readonly limits?: Limits['transcripts'];
}

const DAY_MS = 24 * 60 * 60_000;

export function isLedgerFile(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name);
}

/** Oldest first. */
export async function* readLedger(options: LedgerReadOptions): AsyncGenerator<LedgerLine> {
  const { ledger } = homeLayout(options.home);
  const limits = options.limits ?? LIMITS.transcripts;
  const since = options.days === undefined ? '' : firstDay(options.now, options.days);
  const missed = (path: string, error: unknown) => {
    const problem = storageError({ path, doing: 'read', error });
    if (options.onProblem === undefined) throw problem;
    options.onProblem(problem);
  };
  const names = await dayFiles(ledger).catch((error) => missed(ledger, error));
  for (const name of names ?? []) {
    if (name < since) continue;
    const file = join(ledger, name);
    try {
      yield* readDay(file, { ...options, limits });
    } catch (error) {
      missed(file, error);
    }
  }
}

async function* readDay(
  file: string,
  options: LedgerReadOptions & Required<Pick<LedgerReadOptions, 'limits'>>,
): AsyncGenerator<LedgerLine> {
  const source = await openBytes(file);
  if (source === null) return;
  try {
    const named = options.session === undefined ? '' : JSON.stringify(options.session);
    for await (const { text, start } of linesForward(source, options.limits)) {
      // Most lines are of other sessions, and parsing is most of the work.
      if (text?.includes(named) === false) continue;
      const line = text === null ? null : parseLine(text);
      if (line === null) options.onDamaged?.({ file, byte: start });
      else if (options.session === undefined || line.session === options.session) yield line;
    }
  } finally {
    await source.close();
  }
}

function firstDay(now: Date, days: number): string {
  return dayOf(timeBefore(now, days - 1));
}

/** ISO time; empty, which sorts before every time, where no calendar goes back so many days. */
export function timeBefore(now: Date, days: number): string {
  const then = new Date(now.getTime() - days * DAY_MS);
  return Number.isNaN(then.getTime()) ? '' : then.toISOString();
}

async function dayFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isLedgerFile).sort();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    if (errnoOf(error) !== 'ENOTDIR') throw error;
    throw new ReverieError({
      code: 'damaged',
      message: `${folder} is not a folder, so that there is no ledger to read`,
      fix: `Move it away, and the next call begins a ledger: mv ${quoted(folder)} ${quoted(`${folder}-aside`)}`,
    });
  }
}
