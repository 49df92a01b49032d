/** What was spent, day by day, by purpose, model, agent and project: the same lines of the ledger that `reverie stats` counts. */

import { readLedger } from '../disk/ledger/read.ts';
import type { ReverieError } from '../errors.ts';
import { MAIN } from './stats/stats.ts';

export interface SpendingRow {
  readonly day: string;
  readonly purpose: string;
  readonly model: string;
  /** The agent that made the calls, by name; the conversation's own as `main`. */
  readonly agent: string;
  readonly project: string;
  readonly calls: number;
  readonly tokens: number;
  readonly equivalentTokens: number;
  /** US dollars, for calls with a known price. */
  readonly money: number;
  readonly isBackground: boolean;
}

export interface LayerSaving {
  readonly name: string;
  readonly times: number;
  /** What its events counted, added up by name. */
  readonly numbers: Readonly<Record<string, number>>;
}

export interface SpentAndSaved {
  readonly rows: readonly SpendingRow[];
  readonly layers: readonly LayerSaving[];
}

export async function readSpending(options: {
  readonly home: string;
  readonly now: Date;
  readonly days: number;
  readonly onProblem: (problem: ReverieError) => void;
}): Promise<SpentAndSaved> {
  const rows = new Map<string, SpendingRow>();
  const layers = new Map<string, { times: number; numbers: Record<string, number> }>();
  for await (const line of readLedger(options)) {
    if (line.type === 'event') {
      const layer = layers.get(line.name) ?? { times: 0, numbers: {} };
      layers.set(line.name, layer);
      layer.times += 1;
      for (const [name, value] of Object.entries(line.numbers))
        layer.numbers[name] = (layer.numbers[name] ?? 0) + value;
    }
    if (line.type !== 'call') continue;
    const { purpose, model, agent = MAIN, project, usage, background: isBackground } = line;
    const day = line.at.slice(0, 'YYYY-MM-DD'.length);
    const key = [day, purpose, model, agent, project].join('\n');
    const before = rows.get(key);
    const tokens = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    rows.set(key, {
      ...{ day, purpose, model, agent, project, isBackground },
      calls: (before?.calls ?? 0) + 1,
      tokens: (before?.tokens ?? 0) + tokens,
      equivalentTokens: (before?.equivalentTokens ?? 0) + line.equivalentTokens,
      money: (before?.money ?? 0) + (line.money ?? 0),
    });
  }
  return { rows: [...rows.values()], layers: [...layers].map(([name, layer]) => ({ name, ...layer })) };
}
