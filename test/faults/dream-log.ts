/** What dreamers wrote down, and what each of them must have been told by the rules. */

import { readFileSync } from 'node:fs';

export interface DreamLine {
  readonly pid: number;
  readonly event: 'begin' | 'ending' | 'ended' | 'double' | 'inherited' | 'error';
  readonly generation?: number;
  readonly lastAtMs?: number | null;
  readonly failures?: number;
  readonly end?: 'succeed' | 'giveBack' | 'cancel';
  readonly atMs?: number;
  readonly isDone?: boolean;
  readonly isCommitted?: boolean;
  readonly message?: string;
}

/** Lines appear whole, but the last one may be on its way. */
export function readDreamLog(witnessFolder: string): DreamLine[] {
  const lines = readFileSync(`${witnessFolder}/rounds.log`, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as DreamLine);
}

export interface DreamMemory {
  readonly lastAtMs: number | null;
  readonly failures: number;
}

/** Follows the generations in order; the answer is what may be on record after the last, and what contradicted the rules. */
export function followDreams(log: readonly DreamLine[]): { possible: DreamMemory[]; problems: string[] } {
  const begun = log.filter(({ event }) => event === 'begin').sort((one, other) => one.generation! - other.generation!);
  const lineOf = (event: DreamLine['event'], generation: number) =>
    log.find((line) => line.event === event && line.generation === generation);
  let possible: DreamMemory[] = [{ lastAtMs: null, failures: 0 }];
  let before = 0;
  const problems: string[] = [];
  for (const begin of begun) {
    const generation = begin.generation!;
    if (generation === before) problems.push(`generation ${generation} began twice`);
    // One that was killed before it wrote its beginning down may have counted as a failure, or not have begun.
    possible = withUnseen(possible, generation - before - 1);
    const told: DreamMemory = { lastAtMs: begin.lastAtMs ?? null, failures: begin.failures ?? -1 };
    if (!possible.some((each) => isSame(each, told))) {
      problems.push(`${generation} was told ${JSON.stringify(told)}, possible was ${JSON.stringify(possible)}`);
    }
    possible = afterEnd(told, { ending: lineOf('ending', generation), ended: lineOf('ended', generation) });
    before = generation;
  }
  return { possible: withUnseen(possible, 8), problems };
}

function withUnseen(possible: readonly DreamMemory[], unseen: number): DreamMemory[] {
  return possible.flatMap((each) =>
    Array.from({ length: unseen + 1 }, (_, more) => ({ ...each, failures: each.failures + more })),
  );
}

function afterEnd(
  told: DreamMemory,
  lines: { readonly ending: DreamLine | undefined; readonly ended: DreamLine | undefined },
): DreamMemory[] {
  const died = { ...told, failures: told.failures + 1 };
  const { ending, ended } = lines;
  if (ending === undefined) return [died];
  const meant = {
    succeed: { lastAtMs: ending.atMs ?? null, failures: 0 },
    giveBack: died,
    cancel: told,
  }[ending.end!];
  return ended === undefined ? [died, meant] : [meant];
}

export function isSame(one: DreamMemory, other: DreamMemory): boolean {
  return one.lastAtMs === other.lastAtMs && one.failures === other.failures;
}
