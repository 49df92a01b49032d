/** Checks what surrounds the memories: the home folder, the list of trusted projects, this project's record. */

import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '../../base/text/shell-words.ts';
import { homeLayout, projectLayout } from '../../disk/home.ts';
import { readSmallFile } from '../../disk/small-file.ts';
import { unwritableFix } from '../../disk/storage-error.ts';
import { findFormerPlaces } from '../../memory/former-places.ts';
import { isFreeForProject } from '../../memory/transfer/attach.ts';
import { credentialsProblem } from '../../settings/credentials.ts';
import type { Place } from '../../settings/place.ts';
import { readProjectRecord } from '../../settings/project.ts';
import { trustFileProblem } from '../../settings/trust-project.ts';
import { type Finding, statsAt } from '../finding.ts';

/** A missing home is fine, as long as it can be created. */
export function examineHome(home: string): Finding[] {
  let present = home;
  while (statsAt(present, { itself: true }) === undefined) present = dirname(present);
  const elsewhere = 'name another home with REVERIE_HOME or --home.';
  const broken = (what: string, fix: string): Finding[] => [{ severity: 'error', what, where: home, fix }];

  if (!statsAt(present)?.isDirectory()) {
    const what = present === home ? 'The home is not a folder' : `The home cannot be made: ${present} is not a folder`;
    return broken(what, `Move ${quoted(present)} away, or ${elsewhere}`);
  }
  try {
    accessSync(present, constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const byMode = `chmod u+rwx ${quoted(home)}`;
    if (present === home) return broken('The home cannot be written to', unwritableFix(error, { byMode }));
    return broken(`The home cannot be made: ${present} cannot be written to`, `Make it yourself, or ${elsewhere}`);
  }
}

/** Where what is derived from the memories is kept: without it everything works, and slower. */
export function examineCache(place: Pick<Place, 'home' | 'folders'>): Finding[] {
  if (place.folders.length === 0) return [];
  let present = place.folders[0]!.cacheDirectory;
  while (statsAt(present, { itself: true }) === undefined) present = dirname(present);
  const what = 'The index of memories cannot be kept, so that each start makes it again';
  if (!statsAt(present)?.isDirectory()) {
    return [
      { severity: 'warning', what: `${what}: this is not a folder`, where: present, fix: `rm ${quoted(present)}` },
    ];
  }
  try {
    accessSync(present, constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const fix = unwritableFix(error, { byMode: `chmod u+rwx ${quoted(present)}` });
    return [{ severity: 'warning', what, where: present, fix }];
  }
}

export function examineTrust({ home }: Place): Finding[] {
  const problem = trustFileProblem(home);
  if (problem === null) return [];
  const { trustFile } = homeLayout(home);
  return [
    {
      severity: 'warning',
      what: `The list of trusted projects cannot be used, so none is trusted: ${problem.reason}`,
      where: trustFile,
      fix: problem.fix,
    },
  ];
}

export function examineCredentials({ home }: Place): Finding[] {
  const { credentialsFile: where } = homeLayout(home);
  const problem = credentialsProblem(home);
  if (problem !== null) return [{ severity: 'warning', what: problem.problem, where, fix: problem.fix }];
  const mode = statsAt(where)?.mode ?? 0;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return [];
  return [
    {
      severity: 'warning',
      what: 'Other users of this machine can read your keys',
      where,
      fix: `chmod 600 ${quoted(where)}`,
    },
  ];
}

export function examineRecord({ home, slug }: Place): Finding[] {
  const { recordFile } = projectLayout(home, slug);
  if (readSmallFile(recordFile).kind === 'absent' || readProjectRecord(home, slug) !== null) return [];
  return [
    {
      severity: 'warning',
      what: 'The record of this project is damaged: a directory that was attached is not used, and a move would not be noticed',
      where: recordFile,
      fix: `Remove it: rm -r ${quoted(recordFile)}\nThe next save writes it again; to attach a directory again: reverie import DIR --attach`,
    },
  ];
}

export function examineFormerPlaces(place: Place): Finding[] {
  const isFree = isFreeForProject(projectLayout(place.home, place.slug).folder);
  return findFormerPlaces(place).map(({ slug, root }) => {
    const { folder, memory } = projectLayout(place.home, slug);
    const bringIn = existsSync(memory) ? [`reverie import ${quoted(memory)}`] : [];
    return {
      severity: 'warning',
      what: `This project was at ${root} before; its memory from there is not attached`,
      where: folder,
      fix: isFree ? `reverie doctor --reattach ${slug}` : [...bringIn, `rm -r ${quoted(folder)}`].join('\n'),
    };
  });
}
