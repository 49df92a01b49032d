/** Checks the ledger that all sessions of a home share: if it cannot be used, no background work starts and no counts are shown. */

import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '../../base/text/shell-words.ts';
import { homeLayout } from '../../disk/home.ts';
import { isLedgerFile } from '../../disk/ledger/read.ts';
import type { ReverieError } from '../../errors.ts';
import { type Finding, failure, findingLine, statsAt } from '../finding.ts';

/** A missing ledger is fine: the first call creates one. */
export function examineLedger(home: string): Finding[] {
  const { ledger } = homeLayout(home);
  const lock = join(ledger, 'lock');
  const stats = statsAt(ledger, { itself: true });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) {
    const isLink = stats.isSymbolicLink() ? ' but a link, which nothing is written through' : '';
    const what = `The ledger is not a folder${isLink}: no cost is kept, and nothing starts in the background`;
    return [{ severity: 'error', what, where: ledger, fix: moveAway(ledger) }];
  }
  if (!isUsable(ledger)) {
    const what = 'The ledger cannot be read and written: no cost is kept, and nothing starts in the background';
    return [{ severity: 'error', what, where: ledger, fix: `chmod u+rwx ${quoted(ledger)}` }];
  }
  const days = readdirSync(ledger).filter(isLedgerFile);
  const odd = days.map((name) => join(ledger, name)).filter((path) => !statsAt(path, { itself: true })?.isFile());
  const isLockOdd = statsAt(lock, { itself: true })?.isDirectory() === false;
  return [
    ...odd.map((where): Finding => {
      return { severity: 'error', what: 'A day of the ledger is not a file', where, fix: moveAway(where) };
    }),
    ...(isLockOdd ? [lockFinding(lock)] : []),
  ];
}

function lockFinding(lock: string): Finding {
  const what = 'The lock of the ledger is not a folder: nothing can be reserved, so nothing starts in the background';
  return { severity: 'error', what, where: lock, fix: moveAway(lock) };
}

function moveAway(path: string): string {
  return `mv ${quoted(path)} ${quoted(`${path}-aside`)}`;
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface LedgerProblems {
  /** For readers of the ledger. */
  onProblem(problem: ReverieError): void;
  /** One line each, with the fix: what the doctor finds, else what came up while reading. */
  lines(): readonly string[];
}

/** For commands that show the ledger: they still show the rest. */
export function gatherLedgerProblems(home: string): LedgerProblems {
  const met: Finding[] = [];
  const look = () => {
    try {
      return examineLedger(home);
    } catch (error) {
      return [failure(homeLayout(home).ledger, error)];
    }
  };
  return {
    onProblem: (problem) => void met.push({ ...failure('', problem), fix: problem.fix }),
    lines() {
      const found = look();
      return (found.length > 0 ? found : met).map(findingLine);
    },
  };
}
