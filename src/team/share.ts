/** Takes a memory of this user's into the repository, and back out of it: what leaves is checked first, and the private one stays. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { isOwnScope, isUnconfirmed } from '../base/taxonomy.ts';
import { hashOf } from '../disk/contents.ts';
import { type Folder, openFolder } from '../disk/folder.ts';
import { TEAM_FOLDER } from '../disk/home.ts';
import { errnoOf, ReverieError } from '../errors.ts';
import { editMemoryFile, parseMemoryFile, renderMemoryFile } from '../memory/files/memory-file.ts';
import type { MemoryEntry } from '../memory/memory.ts';
import type { Place } from '../settings/place.ts';
import { checkTeamText, type TeamProblem } from './check-text.ts';
import { findShared } from './find-shared.ts';
import { newTeamId, REMOVED_FOLDER, teamFileName, tombstoneText } from './layout.ts';
import { readTeamFolder, readTeamText, type TeamFile } from './read-folder.ts';
import { changeTeamState, readTeamState, type SharedMemory } from './state.ts';

export interface Shared {
  /** Below the team's folder. */
  readonly file: string;
  /** From the root of the work tree, for git. */
  readonly path: string;
  readonly id: string;
  /** What it corrects, by their files. */
  readonly supersedes: readonly string[];
  /** Whether it was shared before, as it is. */
  readonly isKnown: boolean;
}

export interface ShareOptions {
  readonly place: Place;
  /** A team's memory that this one corrects. */
  readonly supersedes?: string;
  newId?(): string;
}

export async function shareMemory(entry: MemoryEntry, options: ShareOptions): Promise<Shared> {
  const { place } = options;
  const workTree = teamWorkTree(place);
  refuseUnshareable(entry);
  const { files, removed } = readTeamFolder(workTree);
  const present = files.filter(({ id }) => !removed.has(id));
  const earlier = sharedBefore(entry, { place, present });
  const plain = renderShared(entry);
  if (earlier !== null && saysTheSame(readTeamText(workTree, earlier.file) ?? '', plain)) {
    return { ...placed(earlier.file), id: earlier.id, supersedes: [], isKnown: true };
  }
  const corrected = [...(earlier === null ? [] : [earlier]), ...correctedBy(options.supersedes, { workTree, present })];
  const text = withSupersedes(plain, corrected);
  const id = options.newId?.() ?? newTeamId();
  const file = teamFileName({ type: entry.type!, name: entry.name, id });
  refuseProblems(await checkTeamText(file, Buffer.from(text)), entry);
  writeNew(workTree, file, text);
  await changeTeamState(place, (state) => ({
    ...state,
    shared: { ...state.shared, [id]: recordOf(entry, text) },
  }));
  return { ...placed(file), id, supersedes: corrected.map((each) => each.file), isKnown: false };
}

export interface Unshared {
  readonly file: string;
  /** The tombstone, from the root of the work tree. */
  readonly path: string;
  /** The private memory that is seen again; null where it was a colleague's. */
  readonly own: SharedMemory | null;
}

/** The file stays and a tombstone joins it: whoever edits it on another branch does not conflict with this. */
export async function unshareMemory(reference: string, place: Place): Promise<Unshared> {
  const workTree = teamWorkTree(place);
  const { files, removed } = readTeamFolder(workTree);
  const state = readTeamState(place);
  const present = files.filter(({ id }) => !removed.has(id));
  const target =
    ownOf(reference, { files: present, shared: state.shared }) ?? findShared(reference, { workTree, files: present });
  if (target === undefined) throw notShared(reference);
  writeNew(workTree, `${REMOVED_FOLDER}/${target.id}`, tombstoneText(target.id));
  const path = `${TEAM_FOLDER}/${REMOVED_FOLDER}/${target.id}`;
  return { file: target.file, path, own: state.shared[target.id] ?? null };
}

export function teamWorkTree(place: Place): string {
  const workTree = place.folders.find(({ scope }) => scope === 'team')?.workTree;
  if (workTree !== undefined) return workTree;
  throw new ReverieError({
    code: 'not-found',
    message: 'This repository has no team memory',
    fix: 'Make it: reverie team init',
  });
}

function placed(file: string): { file: string; path: string } {
  return { file, path: `${TEAM_FOLDER}/${file}` };
}

function refuseUnshareable(entry: MemoryEntry): void {
  const refused = (message: string, fix: string) => new ReverieError({ code: 'refused', message, fix });
  if (!isOwnScope(entry.scope)) throw refused(`${entry.file} is the team's already`, 'Correct it with --supersedes.');
  if (entry.type === 'user') {
    throw refused(`${entry.file} stays private: it is about you`, 'Share memories of the other types.');
  }
  if (entry.type === null) throw refused(`${entry.file} has no type`, 'Give it one: reverie memory edit --type TYPE.');
  if (isUnconfirmed(entry)) {
    const fix = `Read it, and confirm it first: reverie memory confirm ${entry.file}`;
    throw refused(`${entry.file} is not your word yet: it is ${entry.source}`, fix);
  }
  if (entry.supersededBy !== null || entry.refuted !== null) {
    throw refused(`${entry.file} does not hold any more`, 'Share the one that took its place.');
  }
}

function refuseProblems(problems: readonly TeamProblem[], { file }: MemoryEntry): void {
  const [first] = problems;
  if (first === undefined) return;
  const code = problems.some(({ problem }) => problem.startsWith('holds a secret')) ? 'secret' : 'refused';
  const what = problems.map(({ problem }) => problem).join('; it ');
  throw new ReverieError({ code, message: `${file} was not shared: it ${what}`, fix: first.fix });
}

/** Sessions and messages that it was learnt in are this user's own affair. */
function renderShared({ name, description, type, source, quote, created, modified, body }: MemoryEntry): string {
  return renderMemoryFile({
    ...{ name, description, ...(type === null ? {} : { type }), source, quote, modified, body },
    ...(created === null ? {} : { created }),
  });
}

function withSupersedes(text: string, corrected: readonly TeamFile[]): string {
  if (corrected.length === 0) return text;
  const supersedes = [...new Set(corrected.map(({ id }) => id))].join(' ');
  const edited = editMemoryFile(Buffer.from(text), { set: { supersedes } });
  return 'bytes' in edited ? Buffer.from(edited.bytes).toString('utf8') : text;
}

function saysTheSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => parseMemoryFile(Buffer.from(text)));
  const keys = ['name', 'description', 'type'] as const;
  return first!.body === second!.body && keys.every((key) => first!.meta[key] === second!.meta[key]);
}

/** What was made of this private memory the last time, if the team still has it. */
function sharedBefore(
  { scope, file }: Pick<MemoryEntry, 'scope' | 'file'>,
  { place, present }: { place: Place; present: readonly TeamFile[] },
): TeamFile | null {
  const { shared } = readTeamState(place);
  const superseded = new Set(present.flatMap(({ supersedes }) => supersedes));
  const isOfIt = (id: string) => Object.hasOwn(shared, id) && shared[id]?.scope === scope && shared[id]?.file === file;
  return present.find(({ id }) => isOfIt(id) && !superseded.has(id)) ?? null;
}

function correctedBy(
  reference: string | undefined,
  { workTree, present }: { workTree: string; present: readonly TeamFile[] },
): readonly TeamFile[] {
  if (reference === undefined) return [];
  const found = findShared(reference, { workTree, files: present });
  if (found === undefined) throw notShared(reference);
  return [found];
}

function ownOf(
  reference: string,
  { files, shared }: { files: readonly TeamFile[]; shared: Readonly<Record<string, SharedMemory>> },
): TeamFile | undefined {
  const name = reference.replace(/^(?:project|global):/, '').replace(/(?:\.md)?$/, '.md');
  return files.findLast(({ id }) => Object.hasOwn(shared, id) && shared[id]?.file === name);
}

function notShared(reference: string): ReverieError {
  return new ReverieError({
    code: 'not-found',
    message: `The team's memory has no ${reference}`,
    fix: 'See what it has: reverie memory list --scope team',
  });
}

function recordOf({ scope, file }: MemoryEntry, text: string): SharedMemory {
  return { hash: hashOf(Buffer.from(text)), scope: scope === 'global' ? 'global' : 'project', file };
}

/** With the user's umask, like every other file of the repository, and never in place of one that is there. */
export function writeNew(workTree: string, file: string, text: string): void {
  const parts = [...TEAM_FOLDER.split('/'), ...file.split('/')];
  const name = parts.pop()!;
  const opened: Folder[] = [];
  try {
    let folder = openFolder(workTree);
    for (const part of parts) {
      if (folder === null) break;
      opened.push(folder);
      if (folder.stat(part) === null) mkdirSync(folder.at(part));
      folder = folder.sub(part);
    }
    if (folder === null) throw new ReverieError({ code: 'not-found', message: `${workTree} is not there` });
    opened.push(folder);
    writeFileSync(folder.at(name), text, { flag: 'wx' });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  } finally {
    for (const folder of opened) folder.close();
  }
}
