/** Lines of the ledger from a process that says one thing and ends: no lock, nothing read, all of them in one write. */

import { join } from 'node:path';
import { homeLayout } from '../home.ts';
import { appendLine } from '../transcript/append.ts';
import { dayOf, type LedgerLine, serializeLine } from './line.ts';

/** Lines of one day. Throws what the disk says. */
export function appendToLedger(home: string, lines: readonly LedgerLine[]): void {
  const [first] = lines;
  if (first === undefined) return;
  appendLine(join(homeLayout(home).ledger, `${dayOf(first.at)}.jsonl`), lines.map(serializeLine).join(''));
}
