/** When hooks ran and what went wrong in them: a hook never disturbs its host, so this is where people find out. */

import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appendRecord, parseLine, readTailLines } from '../../disk/tail.ts';

export interface HookProblem {
  /** ISO time. */
  readonly at: string;
  readonly host: string;
  readonly event: string;
  readonly problem: string;
}

const MOST_BYTES = 65_536;

function statusFile(home: string): string {
  return join(home, 'status', 'hooks.jsonl');
}

/** Never throws: there is nobody left to tell. */
export function recordHookProblem(home: string, problem: HookProblem): void {
  try {
    appendRecord(statusFile(home), problem, MOST_BYTES);
  } catch {}
}

export interface HookRunRecord {
  readonly host: string;
  /** Of the newest run. */
  readonly event: string;
  /** ISO time. */
  readonly at: string;
}

const RAN = /^([a-z-]+)\.([A-Za-z]+)$/;

function runsFolder(home: string): string {
  return join(home, 'status', 'ran');
}

/** An empty file for each event, whose time says when it last ran: nothing to read, and nothing two hooks could tear. */
export function recordHookRun(home: string, { host, event }: Pick<HookRunRecord, 'host' | 'event'>): void {
  const path = join(runsFolder(home), `${host}.${event}`);
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // A home that is not there is not made for this.
    if (!existsSync(home)) return;
    try {
      mkdirSync(runsFolder(home), { recursive: true, mode: 0o700 });
      writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
    } catch {}
  }
}

/** The newest run of each host, newest first. */
export function readHookRuns(home: string): readonly HookRunRecord[] {
  const newest = new Map<string, HookRunRecord>();
  for (const name of namesIn(runsFolder(home))) {
    const [, host, event] = RAN.exec(name) ?? [];
    const stats = statSync(join(runsFolder(home), name), { throwIfNoEntry: false });
    if (host === undefined || event === undefined || stats === undefined) continue;
    const at = stats.mtime.toISOString();
    if (at > (newest.get(host)?.at ?? '')) newest.set(host, { host, event, at });
  }
  return [...newest.values()].toSorted((one, other) => (one.at > other.at ? -1 : 1));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Newest first. */
export function readHookProblems(home: string): readonly HookProblem[] {
  return readTailLines(statusFile(home), 2 * MOST_BYTES)
    .map(parseLine)
    .flatMap((record): HookProblem[] => {
      const { at, host, event, problem } = record ?? {};
      return [at, host, event, problem].every((value) => typeof value === 'string')
        ? [{ at, host, event, problem } as HookProblem]
        : [];
    })
    .reverse();
}
