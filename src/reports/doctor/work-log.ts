/** Checks the log of work in coding agents: whether it holds a secret, and whether it is left over. */

import { readFileSync, statSync } from 'node:fs';
import { workLogFiles, workLogFolder } from '../../disk/work-log/work-log.ts';
import { secretsIn } from '../../memory/files/secrets-in.ts';
import type { Place } from '../../settings/place.ts';
import type { Finding } from '../finding.ts';

const CLEAR = 'reverie capture clear';

export async function examineWorkLog({ home, settings }: Pick<Place, 'home' | 'settings'>): Promise<Finding[]> {
  const files = workLogFiles(home);
  if (files.length === 0) return [];
  const findings: Finding[] = [];
  for (const where of files) {
    if (process.platform !== 'win32' && (statSync(where).mode & 0o077) !== 0) {
      findings.push({ severity: 'warning', what: 'Other users of this machine can read this log', where, fix: CLEAR });
    }
    const secret = await secretsIn(readFileSync(where, 'utf8'));
    if (secret !== null) findings.push({ severity: 'error', what: secret, where, fix: CLEAR });
  }
  if (settings.values.capture === 'on') return findings;
  const what = `Work in coding agents is no longer logged, and ${files.length} logs are still there; they go after 30 days`;
  return [...findings, { severity: 'note', what, where: workLogFolder(home), fix: CLEAR }];
}
