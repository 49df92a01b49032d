/** What is wrong here, for `status` and `doctor` alike: one says it in a line, the other with the way to fix it. */

import { readDreamingStatus } from '../layers/6-dreaming/inbox/status.ts';
import type { Memory } from '../memory/memory.ts';
import { examine, type Finding } from '../reports/doctor/doctor.ts';
import { gatherLedgerProblems } from '../reports/doctor/ledger.ts';
import { readLastDay } from '../reports/last-day.ts';
import { findPlace, type PlaceOptions } from '../settings/place.ts';

/** A first look at many memories takes a while. */
export const SCANNING = 'Looking through memories for secrets:';

interface TroubleFacts {
  readonly now: Date;
  readonly openMemory: () => Promise<Memory>;
  /** Called for each text that is looked through for secrets. */
  readonly onScanned?: () => void;
}

/** Notes among them are no trouble. `trustsLast`: memories that were in order and have not changed since are not read again. */
export async function findTrouble(
  where: PlaceOptions,
  { openMemory, now, onScanned, trustsLast = false }: TroubleFacts & { readonly trustsLast?: boolean },
): Promise<readonly Finding[]> {
  const findings = await examine(where, { trustsLast, ...(onScanned === undefined ? {} : { onScanned }) });
  const lines = await linesOf(where, { openMemory, now }).catch((error: unknown) => {
    // Why it cannot be opened is what the doctor looks for.
    if (findings.some(({ severity }) => severity === 'error')) return [];
    throw error;
  });
  const others = [...new Set(lines)].filter((line) => !findings.some((finding) => isToldBy(finding, line)));
  return [...findings, ...others.map((what): Finding => ({ severity: 'warning', what, where: '', fix: '' }))];
}

/** What comes up only when memory is at work. */
async function linesOf(where: PlaceOptions, { openMemory, now }: TroubleFacts): Promise<readonly string[]> {
  const memory = await openMemory();
  await memory.list();
  const place = findPlace(where);
  const ledger = gatherLedgerProblems(place.home);
  await readLastDay({ home: place.home, project: place.slug, now, onProblem: ledger.onProblem });
  const { scopes } = readDreamingStatus({ memory, place, now });
  return [...memory.problems(), ...scopes.flatMap(({ problems }) => problems), ...ledger.lines()];
}

function isToldBy({ what, where }: Finding, line: string): boolean {
  const path = where.replace(/:\d+$/, '');
  return line.includes(what) || (path.includes('/') && line.includes(path));
}
