/** The public shape of a memory: what every program, surface and layer talks to. `openMemory` makes one. */

import type { MemoryScope, MemorySource, MemoryType } from '../base/taxonomy.ts';
import type { ChangeAuthor, ChangeKind } from '../disk/journal/change.ts';
import type { RecallExplanation } from '../search/local-index.ts';
import type { MemoryEntry, MemoryHeader, MemoryOrigin } from './files/header.ts';
import type { Quote } from './files/quote.ts';
import type { EditsBy } from './history/outside-edits.ts';

export type { MemoryEntry, MemoryHeader, MemoryOrigin };

/** A memory to save. */
export interface SaveRequest {
  readonly type: MemoryType;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly source?: MemorySource;
  /** The user's words that it rests on. */
  readonly quote?: readonly Quote[];
  /** Default: global for `user`, project for the rest. */
  readonly scope?: MemoryScope;
  readonly origin?: MemoryOrigin;
  /** A memory that it takes the place of, in whose scope it is kept. */
  readonly supersedes?: string;
  /** Other names for what it is about: `k8s`, a person's nickname. */
  readonly aliases?: readonly string[];
}

/** What `update` changes; what is left out stays. */
export interface MemoryChanges {
  readonly type?: MemoryType;
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
  readonly source?: MemorySource;
  readonly quote?: readonly Quote[];
  /** In place of those it has; none removes them. */
  readonly aliases?: readonly string[];
  readonly pinned?: boolean;
  /** null removes it. */
  readonly supersededBy?: string | null;
  readonly refuted?: string | null;
  /** Suggests to the user to share it with the team; null takes that back. */
  readonly share?: 'team' | null;
}

/** Who makes the change and why; recorded in the journal. `scope` tells apart a name that both scopes have. */
export interface ChangeOptions {
  readonly scope?: MemoryScope;
  readonly reason?: string;
  readonly who?: ChangeAuthor;
  /** For `save`: throws a `TwinError` where a memory of this name says the same, as when two programs heard one sentence. */
  readonly refuseTwin?: boolean;
}

/** What `save` and `update` answer. */
export interface Saved {
  readonly file: string;
  readonly scope: MemoryScope;
  readonly warnings: readonly string[];
  /** The journal's id of the change, for `undo`. */
  readonly change: string;
}

/** What a purge removed. */
export interface Purged {
  readonly file: string;
  readonly scope: MemoryScope;
  /** Journal records that were removed. */
  readonly records: number;
  /** Transcripts that still hold the text. */
  readonly transcripts: readonly string[];
}

/** One journalled change, as `log` gives it, newest first. */
export interface LogEntry {
  readonly id: string;
  readonly at: string;
  readonly scope: MemoryScope;
  readonly kind: ChangeKind;
  readonly who: ChangeAuthor;
  readonly why: string;
  readonly files: readonly string[];
  /** The change that this one undid. */
  readonly undoes?: string;
  /** The change that undid this one. */
  readonly undoneBy?: string;
}

/** One file of a change with its text before and after; null where it did not exist, and where the text was withheld. */
export interface FileDiff {
  readonly file: string;
  readonly scope: MemoryScope;
  readonly before: string | null;
  readonly after: string | null;
  /** The text held a secret and was not kept. */
  readonly withheld: boolean;
}

/** What was done to the files by other means than Reverie's. */
export interface NoticedEdit {
  /** The journal's id of the change, for `undo`. */
  readonly change: string;
  readonly files: readonly FileDiff[];
}

/** Options of `recall`. */
export interface RecallOptions {
  /** At most this many hits; 5 unless said otherwise. */
  readonly limit?: number;
  /** `local`: words and meaning, without any model service. */
  readonly selector?: 'local';
  /** Files that were surfaced or read already. */
  readonly exclude?: Iterable<string>;
  /** Tools in use just now: what only documents their use is left out, warnings about them stay. */
  readonly recentTools?: readonly string[];
  /** Those alone that may be shown unasked, or that share a word with the question: others are neither read nor rendered. */
  readonly only?: 'certain' | 'worded';
  /** Hears what was ranked, best first, before any is left out. */
  readonly onRanked?: (ranked: readonly RankedMemory[]) => void;
}

/** How near a memory is to a question, and how near it would have to be to be shown unasked. */
export interface RankedMemory {
  /** `scope:file`. */
  readonly key: string;
  readonly evidence: number;
  readonly threshold: number;
  readonly certain: boolean;
}

/** One hit of `recall`. */
export interface Recalled {
  readonly file: string;
  readonly scope: MemoryScope;
  readonly score: number;
  /** Good enough to be shown to a model unasked; silence is a good answer. */
  readonly certain: boolean;
  /** The parts of the score as data; `explain` has them in words. */
  readonly why: RecallExplanation & { readonly explain: string };
  /** As a model should read it: age, source, what of it is gone, then the memory itself. */
  readonly text: string;
}

/** A file or folder of a memory; folders have the size of the memories in them. */
export interface FolderEntry {
  /** Below the memory folder, with forward slashes. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly bytes: number;
}

/** One file of a change to several. */
export interface PlannedFile {
  readonly file: string;
  /** The whole file as it is to be; null removes it; left out, it stays as it is. */
  readonly text?: string | null;
  /** It must not take the place of one that is there. */
  readonly mustBeNew?: boolean;
  /** Whether MEMORY.md has a line for it from now on (`unlisted` in its front matter says so); else the line follows as ever. */
  readonly line?: 'list' | 'unlist';
}

/** A change to several files, with its reason for the journal. */
export interface PlannedChange {
  /** For the journal, once it is known what the change comes to. */
  readonly reason: string;
  readonly files: readonly PlannedFile[];
}

/**
 * One scope's memory as plain files, for tools that work with paths. Paths are relative to the folder and checked to
 * stay inside; names end in `.md`. MEMORY.md can be read, but follows from the memories and is not written.
 */
export interface MemoryFiles {
  /** Every file and folder, MEMORY.md included; a folder comes right before what it holds. */
  list(): Promise<readonly FolderEntry[]>;
  read(file: string): Promise<string>;
  write(
    file: string,
    text: string,
    options?: ChangeOptions & {
      readonly mustBeNew?: boolean;
      /** Files that it takes the place of, marked so in the same change. */
      readonly supersedes?: readonly string[];
    },
  ): Promise<Saved>;
  /** Changes a file from its newest text; nobody writes in between. What `edit` throws changes nothing. */
  edit(file: string, edit: (text: string) => string, options?: ChangeOptions): Promise<Saved>;
  /** The source of a file that names none: `imported` in a folder that was attached, or that came with the repository. */
  readonly unmarked: MemorySource;
  /** Files, or folders with all that is in them, as one change. */
  remove(paths: readonly string[], options?: ChangeOptions): Promise<Saved>;
  /** A file, or a folder with all that is in it; never onto something that is there. */
  rename(from: string, to: string, options?: ChangeOptions): Promise<Saved>;
  /**
   * Several files as one change, undone as one. Planned under the lock, with the newest bytes of whatever is asked for; nobody
   * writes in between, and what the plan throws changes nothing. Null when there was nothing to change.
   */
  change(
    files: readonly string[],
    plan: (read: (file: string) => Buffer | null) => PlannedChange | Promise<PlannedChange>,
    options?: Omit<ChangeOptions, 'reason'>,
  ): Promise<Saved | null>;
}

/** The memory of a project and of the user; `openMemory` opens it. */
export interface Memory {
  /** False when memory is switched off; then reads are empty and writes are refused with `offReason`. */
  readonly enabled: boolean;
  readonly offReason: string | null;
  /** The folder of each scope. A directory given to `openMemory` stands alone, as `project`. */
  readonly folders: Readonly<Partial<Record<MemoryScope, string>>>;

  save(request: SaveRequest, options?: ChangeOptions): Promise<Saved>;
  update(file: string, changes: MemoryChanges, options?: ChangeOptions): Promise<Saved>;
  /** Replaces the whole file, front matter included, as an editor would. */
  replace(file: string, text: string, options?: ChangeOptions): Promise<Saved>;
  pin(file: string, options?: ChangeOptions & { readonly pinned?: boolean }): Promise<Saved>;
  /** The user's own word that it holds: what was seen, inferred or imported counts as said from now on. */
  confirm(file: string, options?: ChangeOptions): Promise<Saved>;
  forget(file: string, options?: ChangeOptions): Promise<Saved>;
  purge(file: string, options?: ChangeOptions): Promise<Purged>;

  /** Headers of both scopes, by file name. An entry's `body` is read from disk when it is asked for. */
  list(): Promise<readonly MemoryEntry[]>;
  get(file: string, options?: { readonly scope?: MemoryScope }): Promise<MemoryEntry>;

  /** The memories that matter to a question, best first. Nothing is remembered between calls. */
  recall(query: string, options?: RecallOptions): Promise<readonly Recalled[]>;
  /** The same order as a list to choose from: headers as they were last listed, without reading a file. */
  rank(query: string, options?: RecallOptions): Promise<readonly MemoryEntry[]>;
  /** Every memory is indexed, and embedded where `embed` was given. */
  ready(): Promise<void>;

  /** Newest first. */
  log(options?: { readonly limit?: number; readonly file?: string }): Promise<readonly LogEntry[]>;
  /** The texts of one change; of the newest one when no id is given. */
  diff(changeId?: string): Promise<readonly FileDiff[]>;
  /**
   * Takes back one change; without an id the newest that is neither an undo nor undone. Refused, naming ids to choose from, where
   * the newest is a purge or was made in another project.
   */
  undo(changeId?: string): Promise<LogEntry>;

  /** The project's memory folder, file by file. */
  readonly files: MemoryFiles;
  /** The same of either scope; refused for one that is not there. */
  filesOf(scope: MemoryScope): MemoryFiles;
  /**
   * Journals at once what was done to the files by other means (an editor, `rm`), as the next start would; cheap if nothing was. As the
   * user's, unless it was done since a time that somebody else answers for: that is given back.
   */
  noticeOutsideEdits(by?: EditsBy): Promise<readonly NoticedEdit[]>;

  /** What went wrong in the background, in words for people. */
  problems(): readonly string[];
  /** Waits for background work and lets go of the folders. */
  close(): Promise<void>;
}
