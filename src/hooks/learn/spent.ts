/** What learning and dreams through other programs' models cost, by the ledger. */

import { readLedger } from '../../disk/ledger/ledger.ts';
import type { CallLine } from '../../disk/ledger/line.ts';

export const LEARN_PURPOSE = 'learn';

/** Calls of this kind count for no cap but their own. */
export type LearningKind = 'learning' | 'dreaming';

export interface Spent {
  readonly runs: number;
  /** Uncached-equivalent tokens. */
  readonly tokens: number;
  /** US dollars, of the runs whose program tells. */
  readonly money: number;
}

/** In all projects, on this day (UTC) and the days before it. */
export async function spentOn(
  kind: LearningKind,
  { home, now, days }: { readonly home: string; readonly now: Date; readonly days: number },
): Promise<Spent> {
  let spent: Spent = { runs: 0, tokens: 0, money: 0 };
  for await (const line of readLedger({ home, now, days, onProblem: () => undefined })) {
    if (line.type !== 'call' || !isOf(kind, line)) continue;
    const { runs, tokens, money } = spent;
    spent = { runs: runs + 1, tokens: tokens + line.equivalentTokens, money: money + (line.money ?? 0) };
  }
  return spent;
}

/** A dream of Reverie's own agent is background work, under the caps of that. */
function isOf(kind: LearningKind, { purpose, background }: CallLine): boolean {
  return kind === 'learning' ? purpose === LEARN_PURPOSE : purpose === 'dream' && !background;
}
