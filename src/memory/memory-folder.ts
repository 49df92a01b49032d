/** One folder of memories: reads at once and without a lock, changes one at a time, each journalled and undoable. */

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ReverieError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { Change } from '../store/change.ts';
import { readFile } from '../store/commit.ts';
import { hashOf } from '../store/contents.ts';
import { type Folder, openFolder } from '../store/folder.ts';
import { createJournalled, exclusively, type JournalledFolder, openJournalled } from '../store/journalled-folder.ts';
import { removeLeftovers } from '../store/leftovers.ts';
import { type ChangeRequest, changeFiles, type LockedFolder } from './change-files.ts';
import type { FolderContext, SecretScan } from './folder-context.ts';
import { openKnownFiles } from './known-files.ts';
import { type Look, lookAt } from './look.ts';
import { findOutsideEdits, journalOutsideEdits, keepOutsideContents } from './outside-edits.ts';
import { isPurging, type PurgeResult, purgeFile, resumePurge } from './purge.ts';
import { recover } from './recover.ts';
import { keepTakenNames } from './taken-names.ts';
import type { MemoryScope } from './taxonomy.ts';
import { findUndoTarget, planUndo } from './undo.ts';

export interface MemoryFolder {
  readonly path: string;
  readonly scope: MemoryScope;
  look(): Look;
  /** The bytes of one file; null when it is not there. */
  read(file: string): Buffer | null;
  /** ISO time of the file on disk. */
  modified(file: string): string;
  /** Whether a name, in whatever case, is taken in the folder itself. */
  isTaken(name: string): boolean;
  /** Plans under the lock with the newest state; edits to files that a person changed meanwhile are journalled first. */
  change(files: readonly string[], plan: () => ChangeRequest | Promise<ChangeRequest>): Promise<Change>;
  undo(id: string | undefined): Promise<Change | null>;
  /** What `undo` without an id would take back. */
  undoable(): Change | null;
  purge(file: string): Promise<PurgeResult>;
  /** Newest first. */
  history(): Generator<Change>;
  content(hash: string): Buffer | null;
  /** Changes whenever a file came, went or was replaced, or the journal grew; costs two stats. */
  mark(): string;
  /** Whether a process was killed in the middle of a change. */
  isCutOff(): boolean;
  /** Finishes what was cut off and journals what happened outside. */
  settle(): Promise<readonly Change[]>;
  close(): Promise<void>;
}

export interface FolderOptions {
  readonly path: string;
  readonly scope: MemoryScope;
  readonly limits: Limits;
  readonly secrets: SecretScan;
  /** Where derived headers are kept; null keeps none. */
  readonly cacheDirectory: string | null;
  now(): Date;
}

export function openMemoryFolder(options: FolderOptions): MemoryFolder {
  const path = realPathOf(options.path);
  const { scope, limits, secrets, now } = options;
  const context: FolderContext = { path, scope, limits, secrets, now, known: openKnownFiles(options.cacheDirectory) };
  const takenNames = keepTakenNames();
  let queue: Promise<unknown> = Promise.resolve();

  /** Changes of one process wait for each other here, not at the lock. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = queue.then(work, work);
    queue = next.catch(() => undefined);
    return next;
  }

  async function withLock<T>(store: JournalledFolder, work: (locked: LockedFolder) => Promise<T>): Promise<T> {
    return exclusively(store, limits.lock, async (lock) => {
      await resumePurge(store, now());
      await recover(store);
      context.known.catchUp(store.journal);
      return work({ context, store, lock });
    });
  }

  function writing<T>(work: (locked: LockedFolder) => Promise<T>): Promise<T> {
    return inTurn(async () => {
      const store = createJournalled(path);
      try {
        return await withLock(store, work);
      } finally {
        store.close();
      }
    });
  }

  function reading<T>(fallback: T, use: (root: Folder) => T): T {
    const root = openFolder(path);
    if (root === null) return fallback;
    try {
      return use(root);
    } finally {
      root.close();
    }
  }

  function withJournal<T>(fallback: T, use: (store: JournalledFolder) => T): T {
    const store = openJournalled(path);
    if (store === null) return fallback;
    try {
      return use(store);
    } finally {
      store.close();
    }
  }

  /** Whatever a person did to these files since is a change of its own, and comes first in the journal. */
  async function journalMeanwhile(locked: LockedFolder, files: readonly string[]): Promise<void> {
    const isEdited = files.some((file) => {
      const present = readFile(locked.store.root, file);
      return (present && hashOf(present.bytes)) !== (context.known.get(file)?.hash ?? null);
    });
    if (!isEdited) return;
    const look = lookAt(locked.store.root, context.known, limits.path);
    await journalOutsideEdits(locked, await keepOutsideContents(context, locked.store, look));
  }

  function isCutOff(): boolean {
    return withJournal(false, (store) => store.journal.unfinished() !== null || isPurging(store));
  }

  async function settle(): Promise<readonly Change[]> {
    withJournal(undefined, (store) => removeLeftovers(store.temporary));
    withJournal(undefined, (store) => context.known.catchUp(store.journal));
    const needsWork = isCutOff();
    const outside = reading(null, (root) => findOutsideEdits(context, root));
    if (outside === null && !needsWork) return [];
    const store = createJournalled(path);
    try {
      const hashes = outside ? await keepOutsideContents(context, store, outside.look) : new Map<string, string>();
      return await withLock(store, (locked) => journalOutsideEdits(locked, hashes));
    } finally {
      store.close();
    }
  }

  return {
    path,
    scope,
    look() {
      withJournal(undefined, (store) => context.known.catchUp(store.journal));
      const empty: Look = { files: [], changedOutside: [], removedOutside: [], passedOver: [] };
      return reading(empty, (root) => lookAt(root, context.known, limits.path));
    },
    read: (file) => reading(null, (root) => readFile(root, file)?.bytes ?? null),
    modified: (file) => new Date(reading(0, (root) => readFile(root, file)?.stamp.mtimeMs ?? 0)).toISOString(),
    isTaken: (name) => reading(false, (root) => takenNames.has(root, name)),
    change: (files, plan) =>
      writing(async (locked) => {
        await journalMeanwhile(locked, files);
        const change = await changeFiles(locked, await plan());
        takenNames.add(
          locked.store.root,
          change.files.map(({ file }) => file),
        );
        return change;
      }),
    undo: (id) =>
      writing(async (locked) => {
        const { journal, contents } = locked.store;
        const concerned = findUndoTarget(journal, id)?.change.files.map((file) => file.file) ?? [];
        await journalMeanwhile(locked, concerned);
        const target = findUndoTarget(journal, id);
        return target && changeFiles(locked, planUndo(target, contents));
      }),
    undoable: () => withJournal(null, (store) => findUndoTarget(store.journal, undefined)?.change ?? null),
    purge: (file) =>
      writing(async ({ store, context: { known } }) => {
        const result = await purgeFile(store, file, now());
        known.catchUp(store.journal);
        // Derived: if it cannot be written, it is told from the journal again.
        await known.saveSnapshot({ always: true }).catch(() => undefined);
        return result;
      }),
    *history() {
      const store = openJournalled(path);
      if (store === null) return;
      try {
        yield* store.journal.newestFirst();
      } finally {
        store.close();
      }
    },
    content: (hash) => withJournal(null, (store) => store.contents.get(hash)),
    mark() {
      const stats = reading(null, (root) => root.stat('.'));
      return `${stats?.mtimeMs ?? 0}/${stats?.ino ?? 0}/${withJournal(0, (store) => store.journal.size())}`;
    },
    isCutOff,
    settle: () => inTurn(settle),
    async close() {
      await queue;
      await context.known.saveSnapshot({ always: false });
    },
  };
}

/** The real path of a folder that may not exist yet: that of its nearest parent that does, and the rest. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) throw new ReverieError({ code: 'refused', message: `${path} is not a folder` });
    return join(realPathOf(parent), path.slice(parent.length).replace(/^\//, ''));
  }
}
