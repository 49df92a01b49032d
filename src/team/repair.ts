/** Settles what a merge left: files with markers in them, and one memory under two names. Nothing that any side said is lost. */

import { writeFileSync } from 'node:fs';
import { askGit } from '../disk/git/start-git.ts';
import { TEAM_FOLDER } from '../disk/home.ts';
import { sidesOf } from './conflict.ts';
import { TEAM_FILE_BYTES } from './layout.ts';
import { inTeamFolder, readTeamFolder, type TeamFile, withoutMarkers } from './read-folder.ts';
import { writeNew } from './share.ts';
import { uniteVersions, type Version } from './unite.ts';

export interface Repaired {
  readonly file: string;
  /** Other names that it had, which are gone now. */
  readonly merged: readonly string[];
  /** One side deleted it and the other changed it: it stays, since only a tombstone removes for everybody. */
  readonly isKept?: true;
}

export function repairTeam(workTree: string): readonly Repaired[] {
  return [...keepHalfDeleted(workTree), ...settleVersions(workTree)];
}

/** Files of a merge under way that one side deleted and the other changed. */
export function halfDeleted(workTree: string): readonly string[] {
  const stages = unmergedIn(workTree);
  return [...stages].flatMap(([file, found]) => (found.has('2') === found.has('3') ? [] : [file]));
}

/** Git mostly leaves the changed one in place; where it does not, it is put back. */
function keepHalfDeleted(workTree: string): readonly Repaired[] {
  return halfDeleted(workTree).flatMap((file) => {
    const stages = stagesOf(workTree, file);
    const text = stages.get('2') ?? stages.get('3');
    if (text === undefined) return [];
    const isThere = inTeamFolder(workTree, false, (root) => root.stat(file) !== null);
    if (!isThere) writeNew(workTree, file, text);
    return [{ file, merged: [], isKept: true }];
  });
}

function settleVersions(workTree: string): readonly Repaired[] {
  const byId = new Map<string, TeamFile[]>();
  for (const each of readTeamFolder(workTree).files) byId.set(each.id, [...(byId.get(each.id) ?? []), each]);
  return [...byId.values()].flatMap((files) => {
    if (files.length === 1 && !files[0]!.isConflicted) return [];
    const [kept, ...others] = files.map(({ file }) => file).toSorted();
    const texts = files.map(({ file }) => settledText(workTree, file));
    const text = uniteVersions(texts.map((each) => ({ text: each })));
    inTeamFolder(workTree, undefined, (root) => {
      // A link would have been skipped when the folder was read; one that took its place since is not followed.
      if (root.stat(kept!)?.isFile()) writeFileSync(root.at(kept!), text);
      for (const other of others) root.remove(other);
    });
    return [{ file: kept!, merged: others }];
  });
}

/** While the merge is under way git still has what both sides come from; afterwards the markers are all there is. */
function settledText(workTree: string, file: string): string {
  const stages = stagesOf(workTree, file);
  const [base, ours, theirs] = [stages.get('1'), stages.get('2'), stages.get('3')];
  if (ours !== undefined && theirs !== undefined) {
    const labels = sideLabels(workTree, file);
    return uniteVersions([versionOf(ours, labels[0]), versionOf(theirs, labels[1])], base);
  }
  const text = inTeamFolder(workTree, null, (root) => root.read(file, TEAM_FILE_BYTES))?.toString('utf8') ?? '';
  return sidesOf(text).length === 1 ? text : withoutMarkers(text);
}

function versionOf(text: string, label: string | null): Version {
  return label === null ? { text } : { text, label };
}

const GIT = { timeoutMs: 5_000, mostBytes: 4_194_304 };

/** The stages that git has of each file it could not merge, memories alone. */
function unmergedIn(workTree: string): ReadonlyMap<string, ReadonlySet<string>> {
  const listed = askGit('ls-files', ['--unmerged', '-z', '--', TEAM_FOLDER], { cwd: workTree, ...GIT });
  const found = new Map<string, Set<string>>();
  for (const line of listed.stdout.split('\0')) {
    const [, stage, path] = /^\d+ [0-9a-f]+ ([123])\t(.+)$/s.exec(line) ?? [];
    const file = path?.slice(TEAM_FOLDER.length + 1) ?? '';
    if (stage === undefined || !file.endsWith('.md') || file.includes('/')) continue;
    found.set(file, (found.get(file) ?? new Set()).add(stage));
  }
  return found;
}

function stagesOf(workTree: string, file: string): ReadonlyMap<string, string> {
  const listed = askGit('ls-files', ['--unmerged', '-z', '--', `${TEAM_FOLDER}/${file}`], { cwd: workTree, ...GIT });
  const stages = listed.stdout.split('\0').flatMap((line) => {
    const [, id, stage] = /^\d+ ([0-9a-f]+) ([123])\t/.exec(line) ?? [];
    if (id === undefined || stage === undefined) return [];
    const blob = askGit('cat-file', ['blob', id], { cwd: workTree, ...GIT });
    return blob.status === 0 ? [[stage, blob.stdout] as const] : [];
  });
  return new Map(stages);
}

/** What git calls the commit that comes in, by the way it comes. */
const INCOMING = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REBASE_HEAD'];

/** Who changed the file last on each side, and when; null where git cannot say. */
export function sideLabels(
  workTree: string,
  file: string,
  incoming: readonly string[] = INCOMING,
): readonly [string | null, string | null] {
  const last = (commit: string) => {
    const words = ['--max-count=1', '--no-show-signature', '--format=%an, %as', commit, '--', `${TEAM_FOLDER}/${file}`];
    const answer = askGit('log', words, { cwd: workTree, ...GIT });
    return answer.status === 0 && answer.stdout.trim() !== '' ? answer.stdout.trim() : null;
  };
  const theirs = incoming.reduce<string | null>((found, commit) => found ?? last(commit), null);
  return [last('HEAD'), theirs];
}
