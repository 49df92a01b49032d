/** Says what is wrong with this memory and the command that mends it. Repairs nothing that opening does not repair. */

import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { indexWarnings, parseIndex } from '../memory/index-file.ts';
import type { Look } from '../memory/look.ts';
import type { MemoryFolder } from '../memory/memory-folder.ts';
import { INDEX_FILE } from '../memory/walk.ts';
import { openJournalled } from '../store/journalled-folder.ts';
import { readLock } from '../store/lock.ts';
import { findFormerPlaces } from './former-places.ts';
import { findPlace, type Place, type PlaceOptions } from './place.ts';
import { openScopes, type Scopes } from './scopes.ts';

export interface Finding {
  readonly severity: 'error' | 'warning' | 'note';
  readonly what: string;
  /** File and line, folder, or setting. */
  readonly where: string;
  /** The command or edit that mends it; empty for a note. */
  readonly mend: string;
}

export async function examine(options: PlaceOptions = {}): Promise<readonly Finding[]> {
  const place = findPlace(options);
  const findings = [...examineSettings(place), ...examineProject(place)];
  if (place.offReason !== null) return findings;
  const scopes = await openScopes(place);
  await scopes.settled();
  for (const problem of scopes.problems) {
    findings.push({
      severity: 'error',
      what: problem,
      where: 'background work',
      mend: 'Mend what it names, then run `reverie doctor` again.',
    });
  }
  for (const folder of scopes.folders) findings.push(...(await examineFolder(scopes, folder)));
  await Promise.all(scopes.folders.map((folder) => folder.close()));
  return findings;
}

function examineSettings(place: Place): Finding[] {
  const findings = place.settings.problems.map(({ severity, file, line, problem, fix }): Finding => {
    const where = file === null ? 'settings' : line === null ? file : `${file}:${line}`;
    return { severity, what: problem, where, mend: fix };
  });
  if (place.offReason === null) return findings;
  return [
    ...findings,
    { severity: 'note', what: place.offReason, where: 'settings', mend: 'See `reverie settings autoMemoryEnabled`.' },
  ];
}

function examineProject(place: Place): Finding[] {
  return findFormerPlaces(place).map(({ slug, root }) => ({
    severity: 'warning',
    what: `This repository was at ${root} before; its memory from there is not attached`,
    where: join(place.home, 'projects', slug),
    mend: `reverie doctor --reattach ${slug}`,
  }));
}

async function examineFolder(scopes: Scopes, folder: MemoryFolder): Promise<Finding[]> {
  const stats = statSync(folder.path, { throwIfNoEntry: false });
  if (stats === undefined) return examineAbsent(scopes, folder);
  const look = folder.look();
  return [
    ...examineAccess(folder, stats.mode),
    ...examineFiles(folder, look),
    ...examineIndex(scopes, folder, look),
    ...examineJournal(folder),
    ...(await examineSecrets(scopes, folder, look)),
  ];
}

function examineAbsent(scopes: Scopes, folder: MemoryFolder): Finding[] {
  const isAttached = folder.scope === 'project' && !scopes.place.isOwnProjectFolder && scopes.folders.length > 1;
  if (!isAttached) return [];
  const mend = 'Bring it back, or go back to your own folder: reverie import --detach';
  return [{ severity: 'error', what: 'The attached memory folder is gone', where: folder.path, mend }];
}

function examineAccess(folder: MemoryFolder, mode: number): Finding[] {
  const findings: Finding[] = [];
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    findings.push({
      severity: 'warning',
      what: 'Other users of this machine can read this folder',
      where: folder.path,
      mend: `chmod 700 ${quoted(folder.path)}`,
    });
  }
  try {
    accessSync(folder.path, constants.W_OK);
  } catch {
    findings.push({
      severity: 'error',
      what: 'This folder cannot be written to',
      where: folder.path,
      mend: `chmod u+w ${quoted(folder.path)}`,
    });
  }
  return findings;
}

function examineFiles(folder: MemoryFolder, look: Look): Finding[] {
  const broken = look.files.flatMap(({ file, facts }) =>
    facts.warnings.map((warning): Finding => {
      const [, line, what] = /^.*?:(\d+): (.*)$/s.exec(warning) ?? [];
      return {
        severity: 'warning',
        what: what ?? warning,
        where: `${join(folder.path, file)}:${line ?? 1}`,
        mend: `reverie memory edit ${quoted(file)}`,
      };
    }),
  );
  const passedOver = look.passedOver.map(({ file, reason }): Finding => {
    return {
      severity: 'warning',
      what: `Not read: ${reason}`,
      where: join(folder.path, file),
      mend: 'Put a regular file in its place, or move it out of the folder.',
    };
  });
  return [...broken, ...passedOver];
}

function examineIndex(scopes: Scopes, folder: MemoryFolder, look: Look): Finding[] {
  const text = folder.read(INDEX_FILE)?.toString('utf8');
  if (text === undefined) return [];
  const where = join(folder.path, INDEX_FILE);
  const files = new Set(look.files.map(({ file }) => file));
  const odd = parseIndex(text, { exists: (file) => files.has(file) }).warnings.map((warning): Finding => {
    return {
      severity: 'warning',
      what: warning.message,
      where: `${where}:${warning.line}`,
      mend: 'Edit that line of the index.',
    };
  });
  const over = indexWarnings(text, scopes.place.limits.index).map((what): Finding => {
    return {
      severity: 'warning',
      what,
      where,
      mend: 'Shorten descriptions with `reverie memory edit`, or forget what is no longer needed.',
    };
  });
  return [...odd, ...over];
}

function examineJournal(folder: MemoryFolder): Finding[] {
  const store = openJournalled(folder.path);
  if (store === null) return [];
  try {
    const findings: Finding[] = [];
    const where = join(folder.path, '.reverie', 'journal');
    const { damagedLines } = store.journal.readFrom(0);
    if (damagedLines > 0) {
      const what = `${damagedLines} damaged ${damagedLines === 1 ? 'line' : 'lines'} in the journal: those changes cannot be undone, the memories are not affected`;
      findings.push({
        severity: 'warning',
        what,
        where,
        mend: 'Nothing needs to be done; restore the journal from a backup to have them back.',
      });
    }
    const holder = readLock(store.lockFolder);
    if (holder)
      findings.push({ severity: 'note', what: `Process ${holder.pid} is writing here`, where: folder.path, mend: '' });
    return findings;
  } finally {
    store.close();
  }
}

async function examineSecrets(scopes: Scopes, folder: MemoryFolder, look: Look): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { file } of look.files) {
    const found = await scopes.secrets.describeSecretsIn(folder.read(file)?.toString('utf8') ?? '');
    if (found === null) continue;
    const mend = `Take it out with your editor and change the credential, or: reverie memory purge ${quoted(file)}`;
    findings.push({ severity: 'error', what: found, where: join(folder.path, file), mend });
  }
  return findings;
}

function quoted(path: string): string {
  return /^[\w./:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
