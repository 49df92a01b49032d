/** What this user did and was told about team memory: what they shared, which rules were announced, what was asked. Kept in the home, never in git. */

import { join } from 'node:path';
import { createFolder } from '../disk/folder.ts';
import { projectLayout } from '../disk/home.ts';
import { readSmallFile } from '../disk/small-file.ts';
import type { Place } from '../settings/place.ts';

export interface SharedMemory {
  /** Of the file in the repository as it was shared. */
  readonly hash: string;
  /** The private memory that it was made of. */
  readonly scope: 'project' | 'global';
  readonly file: string;
}

export interface TeamState {
  /** By the id in the team's memory. */
  readonly shared: Readonly<Record<string, SharedMemory>>;
  /** Rules of colleagues that were announced: id to hash. */
  readonly announced: Readonly<Record<string, string>>;
  /** What `reverie team review` has shown: id to hash. Null before the first time. */
  readonly reviewed: Readonly<Record<string, string>> | null;
  /** Pairs that were asked about, each as one key. */
  readonly asked: readonly string[];
  /** What was compared with the rest for contradictions: id to hash. */
  readonly compared?: Readonly<Record<string, string>>;
  /** Pairs that were named in a conversation; a review still shows them. */
  readonly told?: readonly string[];
  /** Suggestions that this user declined, as `scope:file`. */
  readonly declined?: readonly string[];
}

const STATE_FILE = 'team.json';
const STATE_BYTES = 16_777_216;
const EMPTY: TeamState = { shared: {}, announced: {}, reviewed: null, asked: [] };

type StatePlace = Pick<Place, 'home' | 'slug'>;

export function teamStateFile(place: StatePlace): string {
  return join(projectLayout(place.home, place.slug).folder, STATE_FILE);
}

/** A damaged one is begun again: then something is told twice. */
export function readTeamState(place: StatePlace): TeamState {
  const file = readSmallFile(teamStateFile(place), STATE_BYTES);
  if (file.kind !== 'text') return EMPTY;
  try {
    const parsed: unknown = JSON.parse(file.text);
    return isState(parsed) ? parsed : EMPTY;
  } catch {
    return EMPTY;
  }
}

function isState(value: unknown): value is TeamState {
  if (typeof value !== 'object' || value === null) return false;
  const { shared, announced, asked } = value as Partial<TeamState>;
  return isObject(shared) && isObject(announced) && Array.isArray(asked);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

export async function changeTeamState(place: StatePlace, change: (state: TeamState) => TeamState): Promise<void> {
  const folder = createFolder(projectLayout(place.home, place.slug).folder);
  try {
    const name = await folder.stage(Buffer.from(`${JSON.stringify(change(readTeamState(place)))}\n`));
    folder.moveIn({ from: folder, name }, STATE_FILE, 'replace');
  } finally {
    folder.close();
  }
}
