/** Who belongs to a team of processes: a file for each name below `<home>/teams/TEAM/members`; who of them lives is told by the mailboxes. */

import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Folder } from '../disk/folder.ts';
import { homeLayout } from '../disk/home.ts';
import { checkName, MESSAGE_LIMITS, mailHome, openPrivateFolder } from './layout.ts';

const LEADER = 'leader';

export interface TeamPlace {
  readonly home?: string | undefined;
  readonly team: string;
}

export async function joinTeam(place: TeamPlace, name: string): Promise<void> {
  noteDoing(place, name, 'Idle');
}

/** A member's file is what it does now, as one line. */
export function noteDoing(place: TeamPlace, name: string, doing: string): void {
  const members = openMembers(place);
  const next = `.${checkName(name)}.next`;
  try {
    rmSync(members.at(next), { force: true });
    writeFileSync(members.at(next), `${doing}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(members.at(next), members.at(name));
  } finally {
    members.close();
  }
}

/** The last that it did; empty where nobody knows. */
export function doingOf(place: TeamPlace, name: string): string {
  const members = openMembers(place);
  try {
    return members.read(checkName(name), 1_000)?.toString('utf8').trim() ?? '';
  } finally {
    members.close();
  }
}

/** When each member was last at work, in milliseconds: whoever came and went between two looks is noticed by it. */
export function lastDoings(place: TeamPlace): ReadonlyMap<string, number> {
  const members = openMembers(place);
  try {
    const names = namesIn(members, (entry) => entry.isFile());
    return new Map(names.map((name) => [name, members.stat(name)?.mtimeMs ?? 0]));
  } finally {
    members.close();
  }
}

/** Who leads: whoever was named, else the first who joined. Null where nobody has joined yet. */
export function teamLeader({ home, team }: TeamPlace): string | null {
  if (!existsSync(join(teamsFolder(home), checkName(team)))) return null;
  const own = openTeam({ home, team });
  try {
    const name =
      own
        .read(LEADER, MESSAGE_LIMITS.nameCharacters * 4)
        ?.toString('utf8')
        .trim() ?? '';
    return name === '' ? null : checkName(name);
  } finally {
    own.close();
  }
}

/** `keep` leaves the one who leads already. */
export async function setLeader(place: TeamPlace, name: string, how: 'keep' | 'replace'): Promise<void> {
  const own = openTeam(place);
  try {
    const staged = await own.stage(Buffer.from(`${checkName(name)}\n`), { durable: false });
    const isSet = own.moveIn({ from: own, name: staged }, LEADER, how === 'keep' ? 'create' : 'replace');
    if (!isSet) own.discard(staged);
  } finally {
    own.close();
  }
}

/** All that ever joined, sorted. */
export function teamMembers(place: TeamPlace): readonly string[] {
  if (!existsSync(join(teamsFolder(place.home), checkName(place.team)))) return [];
  const members = openMembers(place);
  try {
    return namesIn(members, (entry) => entry.isFile());
  } finally {
    members.close();
  }
}

export function teamNames(home?: string): readonly string[] {
  if (!existsSync(teamsFolder(home))) return [];
  const teams = openPrivateFolder(teamsFolder(home));
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
function openMembers(place: TeamPlace): Folder {
  const own = openTeam(place);
  try {
    return own.sub('members', { create: true })!;
  } finally {
    own.close();
  }
}

export function openTeam({ home, team }: TeamPlace): Folder {
  const teams = openPrivateFolder(teamsFolder(home));
  try {
    return teams.sub(checkName(team), { create: true })!;
  } finally {
    teams.close();
  }
}

function teamsFolder(home: string | undefined): string {
  return homeLayout(mailHome(home)).teams;
}
