/** Who belongs to a team of processes: a file for each name below `<home>/teams/TEAM/members`; who of them lives is told by the mailboxes. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Folder } from '../disk/folder.ts';
import { checkName, mailHome, openPrivateFolder } from './layout.ts';

interface TeamPlace {
  readonly home?: string | undefined;
  readonly team: string;
}

export async function joinTeam(place: TeamPlace, name: string): Promise<void> {
  const members = openMembers(place);
  try {
    const staged = await members.stage(Buffer.from(`${new Date().toISOString()}\n`), { durable: false });
    members.moveIn({ from: members, name: staged }, checkName(name), 'replace');
  } finally {
    members.close();
  }
}

/** All that ever joined, sorted. */
export function teamMembers(place: TeamPlace): readonly string[] {
  if (!existsSync(join(mailHome(place.home), 'teams', checkName(place.team)))) return [];
  const members = openMembers(place);
  try {
    return namesIn(members, (entry) => entry.isFile());
  } finally {
    members.close();
  }
}

export function teamNames(home?: string): readonly string[] {
  if (!existsSync(join(mailHome(home), 'teams'))) return [];
  const teams = openPrivateFolder(join(mailHome(home), 'teams'));
  try {
    return namesIn(teams, (entry) => entry.isDirectory());
  } finally {
    teams.close();
  }
}

function namesIn(folder: Folder, isWanted: (entry: ReturnType<Folder['entries']>[number]) => boolean): string[] {
  return folder
    .entries()
    .filter((entry) => isWanted(entry) && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/** Opened one by one, so that a link in place of any of them is refused. */
function openMembers({ home, team }: TeamPlace): Folder {
  const teams = openPrivateFolder(join(mailHome(home), 'teams'));
  const own = teams.sub(checkName(team), { create: true })!;
  try {
    return own.sub('members', { create: true })!;
  } finally {
    for (const folder of [own, teams]) folder.close();
  }
}
