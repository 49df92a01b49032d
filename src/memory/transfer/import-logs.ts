/** Daily logs that come along with an import: each is put in place whole where its day has none yet, and never over another. */

import type { MemoryScope } from '../../base/taxonomy.ts';
import { addWholeLog } from '../daily-log/daily-log.ts';
import { dayOfLogFile, isInLogs } from '../daily-log/place.ts';
import type { Scopes } from '../scopes.ts';
import type { ImportCandidate } from './import-source.ts';
import type { ImportProblem } from './import-walk.ts';

export interface ImportedLogs {
  readonly imported: readonly { readonly file: string; readonly scope: MemoryScope; readonly from: string }[];
  readonly problems: readonly ImportProblem[];
}

export function isLog({ file }: { readonly file: string }): boolean {
  return isInLogs(file.toLowerCase());
}

export async function importLogs(
  logs: readonly ImportCandidate[],
  facts: { readonly scopes: Scopes; readonly scope?: MemoryScope | undefined; readonly dryRun?: boolean | undefined },
): Promise<ImportedLogs> {
  const imported: { file: string; scope: MemoryScope; from: string }[] = [];
  const problems: ImportProblem[] = [];
  for (const { file, bytes, from, scope } of logs) {
    const folder = facts.scopes.destination(facts.scope ?? scope ?? 'project');
    const present = folder.read(file);
    if (present?.equals(bytes)) continue;
    const problem = present === null ? await problemOf({ file, bytes }, facts.scopes) : TAKEN;
    const isIn = problem === null && (facts.dryRun === true || (await addWholeLog({ file, bytes }, putFacts(folder))));
    if (isIn) imported.push({ file, scope: folder.scope, from });
    else problems.push({ file, ...(problem ?? TAKEN) });
  }
  return { imported, problems };

  function putFacts(folder: { readonly path: string }) {
    return { folder: folder.path, limits: facts.scopes.place.limits };
  }
}

const TAKEN = {
  problem: 'not imported: that day has another log here, and a log is only added to',
  fix: 'Add what is missing to it with an editor.',
};

async function problemOf(
  log: { readonly file: string; readonly bytes: Uint8Array },
  scopes: Scopes,
): Promise<Omit<ImportProblem, 'file'> | null> {
  if (dayOfLogFile(log.file) === null) {
    return {
      problem: 'not imported: it lies among daily logs and is none',
      fix: 'Move it elsewhere and import again.',
    };
  }
  const secret = await scopes.secrets.describeSecretsIn(Buffer.from(log.bytes).toString('utf8'));
  if (secret === null) return null;
  return { problem: `not imported: ${secret}`, fix: 'Take the secret out and import again.' };
}
