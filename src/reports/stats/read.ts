/** Statistics for a period or a session, read from the ledger. */

import { type LedgerReadOptions, readLedger } from '../../disk/ledger/ledger.ts';
import type { LedgerLine } from '../../disk/ledger/line.ts';
import { type AgentStats, type CountedLine, createStatsCounter, type Proof } from './stats.ts';

export async function readAgentStats(options: LedgerReadOptions): Promise<AgentStats> {
  const counter = createStatsCounter();
  for await (const line of readLedger(options)) {
    for (const counted of countedLines(line)) counter.add(counted);
  }
  return counter.stats();
}

function countedLines(line: LedgerLine): readonly CountedLine[] {
  const { at, session } = line;
  switch (line.type) {
    case 'call': {
      const { purpose, agent = null, model, usage, money, milliseconds, background, outcome, broke } = line;
      const call = { kind: 'call', at, session, purpose, agent, model, usage, money, milliseconds } as const;
      const counted = { ...call, isBackground: background, isDone: outcome === 'done' };
      return broke === undefined ? [counted] : [counted, { kind: 'cache-break', at, session, ...broke }];
    }
    case 'event':
      switch (line.name) {
        case 'compaction':
          return [{ kind: line.name, at, session, proof: proofOf(line.numbers) }];
        case 'breaker':
          return [{ kind: line.name, at, session, part: line.cause ?? null }];
        case 'cache-break':
          return [{ kind: line.name, at, session, tokens: tokensLost(line.numbers), cause: line.cause ?? 'unknown' }];
        default:
          // Another layer's event, which does not belong here.
          return [];
      }
    // Determined by what happened to memories, which needs their journals.
    case 'memory':
    case 'reserved':
      return [];
  }
}

function proofOf({ kept, repaired, lost }: Readonly<Record<string, number>>): Proof | null {
  return kept === undefined || repaired === undefined || lost === undefined ? null : { kept, repaired, lost };
}

/** Given directly, or as what could have been read and what was. */
function tokensLost({ tokens, expectedTokens = 0, readTokens = 0 }: Readonly<Record<string, number>>): number {
  return tokens ?? Math.max(0, expectedTokens - readTokens);
}
