/** One folder of memories: reads at once and without a lock, changes one at a time, each journalled and undoable. */

import { join } from 'node:path';
import { inTurns, nextTurn, type Steps } from '../../base/async/in-turns.ts';
import type { MemoryScope, MemorySource } from '../../base/taxonomy.ts';
import { readFile, within } from '../../disk/commit.ts';
import { type Folder, openFolder } from '../../disk/folder.ts';
import type { Change } from '../../disk/journal/change.ts';
import {
  createJournalled,
  exclusively,
  type JournalledFolder,
  type JournalPlace,
  openJournalled,
} from '../../disk/journal/journalled-folder.ts';
import { removeLeftovers } from '../../disk/staged-name.ts';
import type { Limits } from '../../limits.ts';
import { openKnownFiles } from '../files/known-files.ts';
import { type Look, lookAt, lookingAt } from '../files/look.ts';
import { keepTakenNames } from '../files/taken-names.ts';
import { INDEX_FILE, TOO_LARGE } from '../files/walk.ts';
import { type ChangeRequest, changeFiles } from './change-files.ts';
import type { FolderContext, SecretScan } from './folder-context.ts';
import {
  type EditsBy,
  findingOutsideEdits,
  journalEditsOf,
  journalOutsideEdits,
  keepOutsideContents,
} from './outside-edits.ts';
import { isPurging, type PurgeResult, purgeFile, resumePurge } from './purge.ts';
import { realPathOf, watchIdentity } from './real-folder.ts';
import type { LockedFolder } from './record-change.ts';
import { recover } from './recover.ts';
import { findUndoTarget, planUndo } from './undo.ts';

export interface MemoryFolder {
  readonly path: string;
  readonly scope: MemoryScope;
  /** The source of a file that names none. */
  readonly unmarked: MemorySource;
  look(): Look;
  /** The same while others have their turn: a walk through a hundred thousand files takes a second. */
  lookInTurns?(): Promise<Look>;
  /** The bytes of one file; null when it is not there. */
  read(file: string): Buffer | null;
  /** ISO time of the file on disk. */
  modified(file: string): string;
  /** Whether a name, in whatever case, is taken in the folder itself. */
  isTaken(name: string): boolean;
  /** Before that is asked in a large folder: lists the names while others have their turn. */
  learnNames?(): Promise<void>;
  /** Writes down texts that a change is about to name, before the lock is taken. */
  prepare(texts: Iterable<Uint8Array>): Promise<void>;
  /** Plans under the lock with the newest state; edits to files that a person changed meanwhile are journalled first. */
  change(files: readonly string[], plan: () => ChangeRequest | Promise<ChangeRequest>): Promise<Change>;
  undo(id: string | undefined): Promise<Change | null>;
  /** What `undo` without an id would take back; a purge where that is the newest, which it refuses. */
  undoable(): Change | null;
  purge(file: string): Promise<PurgeResult>;
  /** Newest first. */
  history(): Generator<Change>;
  /** What was found damaged while the history was read, and what was skipped in looking, a sentence each. */
  problems(): readonly string[];
  content(hash: string): Buffer | null;
  /** Changes whenever a file came, went or was replaced, or the journal grew; costs two stats. */
  mark(): string;
  /** Whether a process was killed in the middle of a change. */
  isCutOff(): boolean;
  /** Finishes what was cut off and journals what happened outside; of that, what is `by` somebody. */
  settle(by?: EditsBy): Promise<readonly Change[]>;
  close(): Promise<void>;
}

export interface FolderOptions {
  readonly path: string;
  readonly scope: MemoryScope;
  /** The root of the project that this is opened in, where several share the folder. */
  readonly project?: string | undefined;
  /** The source of a file that names none; `said` unless given. */
  readonly unmarked?: MemorySource;
  /** Where its journal is, when not in the folder itself. */
  readonly journal?: JournalPlace;
  readonly limits: Limits;
  readonly secrets: SecretScan;
  /** Where derived headers are kept; null keeps none. */
  readonly cacheDirectory: string | null;
  now(): Date;
}

export function openMemoryFolder(options: FolderOptions): MemoryFolder {
  const path = realPathOf(options.path);
  const { scope, project, unmarked = 'said', limits, secrets, now } = options;
  const known = openKnownFiles(options.cacheDirectory);
  const context: FolderContext = { path, scope, project, unmarked, limits, secrets, now, known };
  const takenNames = keepTakenNames();
  const isStillThere = watchIdentity(path);
  let queue: Promise<unknown> = Promise.resolve();
  /** The mark under which the folder was last found to be as the journal has it. */
  let quietMark: string | null = null;
  let hasDamage = false;
  let tooLarge: readonly string[] = [];

  /** Changes of one process wait for each other here, not at the lock. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = queue.then(work, work);
    queue = next.catch(() => undefined);
    return next;
  }

  async function withLock<T>(store: JournalledFolder, work: (locked: LockedFolder) => Promise<T>): Promise<T> {
    await known.load();
    return exclusively(store, limits.lock, async (lock) => {
      const locked = { context, store, lock };
      await resumePurge(locked);
      await recover(store, secrets);
      await nextTurn();
      context.known.catchUp(store.journal);
      return work(locked);
    });
  }

  /** Opens with the journal, making what is missing. */
  async function withStore<T>(use: (store: JournalledFolder) => Promise<T>): Promise<T> {
    const store = createJournalled(path, options.journal);
    try {
      isStillThere(store.root);
      return await use(store);
    } finally {
      store.close();
    }
  }

  function writing<T>(work: (locked: LockedFolder) => Promise<T>): Promise<T> {
    return inTurn(() => withStore((store) => withLock(store, work)));
  }

  function reading<T>(fallback: T, use: (root: Folder) => T): T {
    const root = openFolder(path);
    if (root === null) return fallback;
    try {
      isStillThere(root);
      return use(root);
    } finally {
      root.close();
    }
  }

  async function readingInTurns<T>(fallback: T, stepsOf: (root: Folder) => Steps<T>): Promise<T> {
    const root = openFolder(path);
    if (root === null) return fallback;
    try {
      isStillThere(root);
      return await inTurns(stepsOf(root));
    } finally {
      root.close();
    }
  }

  function withJournal<T>(fallback: T, use: (store: JournalledFolder) => T): T {
    const store = openJournalled(path, options.journal);
    if (store === null) return fallback;
    try {
      isStillThere(store.root);
      return use(store);
    } finally {
      store.close();
    }
  }

  const catchUp = () => withJournal(undefined, (store) => context.known.catchUp(store.journal));

  function seen(look: Look): Look {
    tooLarge = look.passedOver.flatMap(({ file, reason }) => (reason === TOO_LARGE ? [file] : []));
    return look;
  }

  function isCutOff(): boolean {
    return withJournal(false, (store) => store.journal.unfinished() !== null || isPurging(store));
  }

  function markNow(): string {
    const stats = reading(null, (root) => root.stat('.'));
    return `${stats?.mtimeMs ?? 0}/${stats?.ino ?? 0}/${withJournal(0, (store) => store.journal.size())}`;
  }

  async function settle(by: EditsBy | null = null): Promise<readonly Change[]> {
    await known.load();
    const mark = markNow();
    // Asked after each command: of thousands, files that were rewritten where they lie are left for the next start to find.
    if (by !== null && mark === quietMark && context.known.size() > limits.gate.watchedFiles) return [];
    withJournal(undefined, (store) => {
      for (const folder of new Set([store.temporary, store.staging])) removeLeftovers(folder);
    });
    catchUp();
    const outside = await readingInTurns(null, (root) => findingOutsideEdits(context, root));
    quietMark = outside === null ? mark : null;
    if (outside === null && !isCutOff()) return [];
    return withStore(async (store) => {
      // A folder of thousands is read here for the first time; a save meanwhile does not wait for that.
      const kept = await keepOutsideContents(context, store, outside?.changedOutside ?? []);
      return inTurn(() => withLock(store, (locked) => journalOutsideEdits(locked, { kept, by })));
    });
  }

  return {
    path,
    scope,
    unmarked,
    look() {
      catchUp();
      return seen(reading(NOTHING, (root) => lookAt(root, context)));
    },
    async lookInTurns() {
      await known.load();
      catchUp();
      return seen(await readingInTurns(NOTHING, (root) => lookingAt(root, context)));
    },
    read: (file) => reading(null, (root) => readFile(root, file)?.bytes ?? null),
    modified: (file) => reading(new Date(0), (root) => modifiedAt(root, file)).toISOString(),
    isTaken: (name) =>
      reading(false, (root) => (name.includes('/') ? readFile(root, name) !== null : takenNames.has(root, name))),
    learnNames: () => readingInTurns(undefined, (root) => takenNames.learning(root)),
    async prepare(texts) {
      await withStore(async (store) => {
        for (const text of texts) await store.contents.put(text);
      });
    },
    change: (files, plan) =>
      writing(async (locked) => {
        await journalEditsOf(locked, files);
        await nextTurn();
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
        await journalEditsOf(
          locked,
          concerned.filter((file) => file !== INDEX_FILE),
        );
        const target = findUndoTarget(journal, id);
        return target && changeFiles(locked, planUndo(target, contents));
      }),
    undoable: () => withJournal(null, (store) => findUndoTarget(store.journal, undefined)?.change ?? null),
    purge: (file) =>
      writing(async (locked) => {
        await journalEditsOf(locked, []);
        const result = await purgeFile(locked, file);
        context.known.catchUp(locked.store.journal);
        await context.known.saveSnapshot({ always: true });
        return result;
      }),
    *history() {
      const store = openJournalled(path, options.journal);
      if (store === null) return;
      const noteDamage = () => {
        hasDamage = true;
      };
      try {
        yield* store.journal.newestFirst(noteDamage);
      } finally {
        store.close();
      }
    },
    problems: () => [
      ...(hasDamage ? [damagedJournal(path)] : []),
      ...tooLarge.map((file) => `${join(path, file)} is skipped: it is ${TOO_LARGE}.`),
    ],
    content: (hash) => withJournal(null, (store) => store.contents.get(hash)),
    mark: markNow,
    isCutOff,
    settle,
    async close() {
      await queue;
      // Another process may have purged what is still known here.
      catchUp();
      await context.known.saveSnapshot({ always: false });
    },
  };
}

const NOTHING: Look = { files: [], changedOutside: [], removedOutside: [], passedOver: [] };

function modifiedAt(root: Folder, file: string): Date {
  return within(root, file, { create: false }, (folder, name) => folder.stat(name)?.mtime ?? null) ?? new Date(0);
}

function damagedJournal(path: string): string {
  return (
    `The journal of ${path} has damaged lines: those changes are not shown and cannot be undone, the memories are not ` +
    'affected. To see which file: reverie doctor'
  );
}
