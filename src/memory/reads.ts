/** The reading half of a memory: list, get, log, diff. */

import { join } from 'node:path';
import { inTurns, mapInTurns } from '../base/async/in-turns.ts';
import { sorting } from '../base/async/sorting.ts';
import type { MemoryScope } from '../base/taxonomy.ts';
import type { Change } from '../disk/journal/change.ts';
import { ReverieError } from '../errors.ts';
import { factsOf } from './files/header.ts';
import { parseMemoryFile } from './files/memory-file.ts';
import type { MemoryFolder } from './history/memory-folder.ts';
import { ListedMemory } from './listed-memory.ts';
import type { FileDiff, LogEntry, Memory, MemoryEntry } from './memory.ts';
import type { Scopes } from './scopes.ts';

export function memoryReads(scopes: Scopes): Pick<Memory, 'list' | 'get' | 'log' | 'diff'> {
  return {
    async list() {
      const entries: (readonly MemoryEntry[])[] = [];
      for (const folder of scopes.folders) {
        const { files } = (await folder.lookInTurns?.()) ?? folder.look();
        entries.push(await mapInTurns(files, (looked) => new ListedMemory(folder, looked)));
      }
      return inTurns(sorting(entries.flat(), ({ file }) => file));
    },
    async get(name, options) {
      const { folder, file, bytes } = scopes.locate(name, options?.scope);
      const { body, ...parsed } = parseMemoryFile(bytes);
      const { modified, ...facts } = factsOf(file, parsed, folder.unmarked);
      const path = join(folder.path, file);
      return { file, scope: folder.scope, path, ...facts, modified: modified ?? folder.modified(file), body };
    },
    async log(options) {
      await scopes.settled();
      const most = options?.limit ?? Number.POSITIVE_INFINITY;
      const entries: LogEntry[] = [];
      for (const entry of newestFirst(scopes, { file: options?.file })) {
        if (entries.length >= most) break;
        entries.push(entry);
      }
      return entries;
    },
    async diff(changeId) {
      await scopes.settled();
      const { folder, change } = findChange(scopes, changeId);
      return change.files.map((file) => fileDiff(folder, file));
    },
  };
}

/** Both scopes' journals as one, by time; an undo comes before what it undid, so each entry knows whether it stands. */
export function* newestFirst(scopes: Scopes, wanted: { readonly file?: string }): Generator<LogEntry> {
  const streams = scopes.folders.map((folder) => ({
    folder,
    changes: folder.history(),
    undoneBy: new Map<string, string>(),
  }));
  const heads = streams.map((stream) => stream.changes.next().value as Change | undefined);
  for (;;) {
    const newest = heads.reduce<number | null>((best, head, position) => {
      return head && (best === null || head.at > (heads[best]?.at ?? '')) ? position : best;
    }, null);
    if (newest === null) return;
    const stream = streams[newest]!;
    const change = heads[newest]!;
    if (change.undoes !== undefined && !stream.undoneBy.has(change.id)) stream.undoneBy.set(change.undoes, change.id);
    const isWanted = wanted.file === undefined || change.files.some(({ file }) => file === wanted.file);
    if (isWanted) yield logEntry(change, { scope: stream.folder.scope, undoneBy: stream.undoneBy.get(change.id) });
    heads[newest] = stream.changes.next().value as Change | undefined;
  }
}

export function logEntry(change: Change, facts: { scope: MemoryScope; undoneBy?: string }): LogEntry {
  const { id, at, kind, who, why } = change;
  return {
    id,
    at,
    scope: facts.scope,
    kind,
    who,
    why,
    files: change.files.map(({ file }) => file),
    ...(change.undoes === undefined ? {} : { undoes: change.undoes }),
    ...(facts.undoneBy === undefined ? {} : { undoneBy: facts.undoneBy }),
  };
}

/** The change of that id, or the newest of all. */
export function findChange(scopes: Scopes, id: string | undefined): { folder: MemoryFolder; change: Change } {
  let newest: { folder: MemoryFolder; change: Change } | null = null;
  for (const folder of scopes.folders) {
    for (const change of folder.history()) {
      if (change.id === id) return { folder, change };
      if (id !== undefined) continue;
      if (newest === null || change.at > newest.change.at) newest = { folder, change };
      break;
    }
  }
  if (newest) return newest;
  throw new ReverieError({
    code: 'not-found',
    message: id === undefined ? 'Nothing has been changed yet' : `There is no change ${id}`,
    fix: 'See the changes with `reverie memory log`.',
  });
}

export function fileDiff(folder: MemoryFolder, file: Change['files'][number]): FileDiff {
  const before = file.before === null ? null : folder.content(file.before);
  const after = file.after === null ? null : folder.content(file.after);
  const withheld = (file.before !== null && before === null) || (file.after !== null && after === null);
  const text = (bytes: Buffer | null) => bytes?.toString('utf8') ?? null;
  return { file: file.file, scope: folder.scope, before: text(before), after: text(after), withheld };
}
