/** The copy of a memory folder that a dream works on: made only for it, read back when it is done, and always removed. */

import { realpathSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inTurns, type Steps } from '../../../base/async/in-turns.ts';
import { readFile, within } from '../../../disk/commit.ts';
import { hashOf } from '../../../disk/contents.ts';
import { createFolder, type Folder, openFolder } from '../../../disk/folder.ts';
import { isProcess, livenessOf, thisProcess } from '../../../disk/process-identity.ts';
import { DREAMING_LIMITS, type Limits, PATH_LIMITS } from '../../../limits.ts';
import { factsOf } from '../../../memory/files/header.ts';
import { parseMemoryFile } from '../../../memory/files/memory-file.ts';
import { secretInName } from '../../../memory/files/secret-name.ts';
import { INDEX_FILE, walkingMemoryFiles, walkMemoryFiles } from '../../../memory/files/walk.ts';
import { indexWarnings, parsingIndex } from '../../../memory/index/index-file.ts';
import type { DreamWorkshop } from '../ports.ts';
import type { BaseMemory } from '../proposal.ts';

export const LIST_FILE = 'changes.json';
/** Next to the copy: whose it is. */
const OWNER_FILE = 'owner.json';

export interface CopyFacts {
  readonly home: string;
  /** The real path of the memory folder. */
  readonly memoryFolder: string;
  readonly id: string;
  readonly limits: Limits;
  readonly now: () => Date;
}

export async function openDreamCopy(facts: CopyFacts): Promise<DreamWorkshop> {
  const place = join(facts.home, 'cache', 'dreams', facts.id);
  const close = () => removeCopy(place);
  await removeAbandonedCopies(facts);
  try {
    const { base, index } = await readBase(facts.memoryFolder);
    const path = join(place, 'memory');
    await copyInto(place, [{ file: OWNER_FILE, text: JSON.stringify(thisProcess()) }]);
    await copyInto(path, [...base.values(), { file: INDEX_FILE, text: index }]);
    const copy = realpathSync(path);
    const reading = <T>(read: (folder: Folder) => T): T | null => below(copy, read);
    return {
      base,
      index,
      isIndexFull: indexWarnings(index, facts.limits.index).length > 0,
      copy,
      readList: () => reading((folder) => textOf(folder.read(LIST_FILE, DREAMING_LIMITS.listBytes + 1))),
      readCopy: (file) => reading((folder) => readText(folder, file, facts.limits.extraction.memoryBytes)),
      copiedFiles: () =>
        reading((folder) => walkMemoryFiles(folder, PATH_LIMITS.depth).files.map(({ file }) => file)) ?? [],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** By file names alone. */
export function* countingMemories(memoryFolder: string): Steps<number> {
  const root = openFolder(memoryFolder);
  if (root === null) return 0;
  try {
    return (yield* walkingMemoryFiles(root, PATH_LIMITS.depth)).files.length;
  } finally {
    root.close();
  }
}

interface Base {
  readonly base: ReadonlyMap<string, BaseMemory>;
  readonly index: string;
}

/** Every memory that is text; any other would not come back as it was. A conversation may be running alongside, and there may be thousands. */
export function readBase(memoryFolder: string): Promise<Base> {
  return inTurns(readingBase(memoryFolder));
}

function* readingBase(memoryFolder: string): Steps<Base> {
  const base = new Map<string, BaseMemory>();
  const root = openFolder(memoryFolder);
  if (root === null) return { base, index: '' };
  try {
    const index = readFile(root, INDEX_FILE)?.bytes.toString('utf8') ?? '';
    const { entries } = yield* parsingIndex(index);
    const listed = new Set(entries.map(({ file }) => file));
    for (const { file } of (yield* walkingMemoryFiles(root, PATH_LIMITS.depth)).files) {
      yield;
      // A dreamer would read the name.
      if (secretInName(file) !== null) continue;
      const bytes = readFile(root, file)?.bytes;
      const text = bytes?.toString('utf8');
      if (bytes === undefined || text === undefined || !Buffer.from(text).equals(bytes)) continue;
      const modified = () => within(root, file, { create: false }, (folder, name) => folder.stat(name)?.mtime ?? null);
      base.set(file, baseMemory(file, { bytes, text, isListed: listed.has(file), modified }));
    }
    return { base, index };
  } finally {
    root.close();
  }
}

function baseMemory(
  file: string,
  read: {
    readonly bytes: Buffer;
    readonly text: string;
    readonly isListed: boolean;
    readonly modified: () => Date | null;
  },
): BaseMemory {
  const { body, ...parsed } = parseMemoryFile(read.bytes);
  const facts = factsOf(file, parsed);
  const { type, name, description, source, pinned, created, quote: quotes } = facts;
  const modified = facts.modified ?? (read.modified() ?? new Date(0)).toISOString();
  const { text, isListed } = read;
  return {
    ...{ file, text, hash: hashOf(read.bytes), type, name, description, body },
    ...{ source, pinned, quotes, created, modified, isListed },
  };
}

async function copyInto(
  path: string,
  files: readonly { readonly file: string; readonly text: string }[],
): Promise<void> {
  const root = createFolder(path);
  try {
    for (const { file, text } of files) {
      const staged = await root.stage(Buffer.from(text), { durable: false });
      within(root, file, { create: true }, (folder, name) =>
        folder.moveIn({ from: root, name: staged }, name, 'create'),
      );
    }
  } finally {
    root.close();
  }
}

type AllCopies = Pick<CopyFacts, 'home' | 'limits' | 'now'>;

/** What killed processes left behind: memories, and whatever the dreamers made of them. Returns the paths. */
export async function abandonedCopies({ home, limits, now }: AllCopies): Promise<readonly string[]> {
  const folder = join(home, 'cache', 'dreams');
  const oldest = now().getTime() - 2 * limits.dreaming.staleMinutes * 60_000;
  const abandoned: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const facts = await lstat(path).catch(() => null);
    // A link would lead to somebody else's files.
    if (facts?.isDirectory() !== true) continue;
    const owner = ownerOf(path);
    if (owner === 'gone' || (owner === 'unknown' && facts.mtimeMs < oldest)) abandoned.push(path);
  }
  return abandoned;
}

/** Returns those that are gone now. */
export async function removeAbandonedCopies(facts: AllCopies): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const path of await abandonedCopies(facts)) {
    const isRemoved = await removeCopy(path).then(
      () => true,
      () => false,
    );
    if (isRemoved) removed.push(path);
  }
  return removed;
}

/** The owner file goes last: after a kill in between, the rest is still known as an orphan's. */
async function removeCopy(place: string): Promise<void> {
  await rm(join(place, 'memory'), { recursive: true, force: true });
  await rm(place, { recursive: true, force: true });
}

/** A copy with an unknown owner may still be in use, for as long as a dream may take. */
function ownerOf(place: string): 'living' | 'gone' | 'unknown' {
  try {
    const text = below(place, (folder) => readText(folder, OWNER_FILE, OWNER_BYTES));
    const owner: unknown = JSON.parse(text ?? 'null');
    const liveness = isProcess(owner) ? livenessOf(owner) : 'cannot-tell';
    return liveness === 'gone' ? 'gone' : liveness === 'cannot-tell' ? 'unknown' : 'living';
  } catch {
    return 'unknown';
  }
}

const OWNER_BYTES = 4_096;

function below<T>(path: string, read: (folder: Folder) => T): T | null {
  const folder = openFolder(path);
  if (folder === null) return null;
  try {
    return read(folder);
  } finally {
    folder.close();
  }
}

function readText(root: Folder, file: string, maxBytes: number): string | null {
  try {
    return within(root, file, { create: false }, (folder, name) => {
      const bytes = folder.stat(name)?.isFile() ? folder.read(name, maxBytes + 1) : null;
      return bytes !== null && bytes.length > maxBytes ? null : textOf(bytes);
    });
  } catch {
    return null;
  }
}

function textOf(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('utf8');
}
