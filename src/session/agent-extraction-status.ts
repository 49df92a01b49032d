/** When recall and extraction last ran, how that ended and what they cost lately, from the ledger. */

import { readLedger } from '../store/ledger.ts';

export interface BackgroundWork {
  readonly purpose: 'recall' | 'extraction';
  /** ISO time of the last run. */
  readonly at: string;
  readonly result: string;
  readonly calls: number;
  /** US dollars of all calls; null where one had no price. */
  readonly money: number | null;
}

/** Those that ran within so many days. */
export async function readBackgroundWork(facts: {
  readonly home: string;
  readonly now: Date;
  readonly days: number;
}): Promise<readonly BackgroundWork[]> {
  const works = new Map<BackgroundWork['purpose'], BackgroundWork>();
  for await (const line of readLedger(facts)) {
    const purpose = line.type === 'call' ? line.purpose : line.type === 'event' ? line.name.split('-')[0] : null;
    if (purpose !== 'recall' && purpose !== 'extraction') continue;
    const before = works.get(purpose) ?? { purpose, at: '', result: '', calls: 0, money: 0 };
    if (line.type === 'call') {
      const money = before.money === null || line.money === null ? null : before.money + line.money;
      works.set(purpose, { ...before, at: line.at, result: line.outcome, calls: before.calls + 1, money });
    } else if (line.type === 'event') {
      works.set(purpose, { ...before, at: line.at, result: resultOf(line.name, line.numbers) });
    }
  }
  return [...works.values()];
}

/** `extraction-failed`: how it ended is in the name; what came of it, in the numbers. */
function resultOf(name: string, numbers: Readonly<Record<string, number>>): string {
  const [, ended = 'done'] = name.split('-');
  const counts = ['memories', 'saved', 'updated', 'rejected', 'denied']
    .filter((count) => (numbers[count] ?? 0) > 0)
    .map((count) => `${numbers[count]} ${count}`);
  return [ended, ...counts].join(', ');
}
