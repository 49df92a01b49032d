/** How team memory lies in a repository: a file for each memory with a random id in its name, and a tombstone for each that was removed. */

import { randomInt } from 'node:crypto';
import { MEMORY_TYPES, type MemoryType } from '../base/taxonomy.ts';
import { slugOfName } from '../disk/safe-name.ts';

/** Holds a tombstone for each memory that was removed: an empty-handed file whose name is the id, the same whoever writes it. */
export const REMOVED_FOLDER = 'removed';
/** What a memory may have at most, so that nobody puts a log or a dump into everybody's clone. */
export const TEAM_FILE_BYTES = 250_000;

const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_CHARACTERS = 8;
const ID_AT_END = new RegExp(`-([a-z0-9]{${ID_CHARACTERS}})\\.md$`);
const ID = new RegExp(`^[a-z0-9]{${ID_CHARACTERS}}$`);

/** Two people who share at the same moment, on two branches, never choose the same name. */
export function newTeamId(): string {
  return Array.from({ length: ID_CHARACTERS }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join('');
}

export function teamFileName(memory: {
  readonly type: MemoryType;
  readonly name: string;
  readonly id: string;
}): string {
  return `${memory.type}_${slugOfName(memory.name)}-${memory.id}.md`;
}

/** A file that somebody made by hand, without an id in its name, is known by its name. */
export function teamIdOf(file: string): string {
  const id = ID_AT_END.exec(file)?.[1];
  return id !== undefined && MEMORY_TYPES.some((type) => file.startsWith(`${type}_`)) ? id : file;
}

/** The ids that a correction names, each by itself or within a file's name. */
export function supersededIds(value: string | undefined): readonly string[] {
  const words = (value ?? '').split(/[\s,]+/).filter((word) => word !== '');
  return words.map((word) => (ID.test(word) ? word : teamIdOf(word)));
}

/** The same bytes on every side: two people who remove the same memory do not conflict. */
export function tombstoneText(id: string): string {
  return `${id} was removed from the team's memory. Who did it, when and why: git log --follow this file.\n`;
}
