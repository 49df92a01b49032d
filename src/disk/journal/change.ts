/** One change to a memory folder, as the journal records it. */

/** `edit` is what a person did with an editor or a file manager, noticed afterwards. */
export type ChangeKind = 'save' | 'update' | 'forget' | 'undo' | 'import' | 'edit' | 'purge';

export type ChangeAuthor = 'user' | 'agent' | 'extraction' | 'dream' | 'import';

export interface Change {
  readonly id: string;
  /** ISO time. */
  readonly at: string;
  readonly kind: ChangeKind;
  readonly who: ChangeAuthor;
  readonly why: string;
  readonly files: readonly FileChange[];
  readonly undoes?: string;
  /** The root of the project it was made in; kept where several projects share the folder. */
  readonly project?: string;
  /** MEMORY.md did not exist before this change. */
  readonly madeIndex?: boolean;
  /** Nothing was left in MEMORY.md and it went. */
  readonly removedIndex?: boolean;
}

/** Contents are named by their SHA-256 and kept beside the journal; null means that the file does not exist. */
export interface FileChange {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The lines of MEMORY.md that went or came with it, so that undo puts them back where they were. */
  readonly line?: IndexLineChange;
}

export interface IndexLineChange {
  /** As they were taken out, one after the other: put back in reverse order, each finds its place. */
  readonly before: readonly IndexLine[];
  readonly after: readonly IndexLine[];
}

export interface IndexLine {
  /** Zero-based line number in MEMORY.md. */
  readonly at: number;
  readonly text: string;
  /** How the line ended, where the rest of the file does not tell. */
  readonly end?: string;
}
