/** Files as the tools reach them. The session decides what stands behind a path: the disk, or a memory folder with its journal. */

export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** Paths are absolute. */
export interface Files {
  /** Null when there is nothing. Follows links. */
  stat(path: string): Promise<FileFacts | null>;
  /** Throws a ReverieError that says why it cannot be read. */
  read(path: string): Promise<Buffer>;
  /**
   * Replaces or creates the file with its parent folders, whole or not at all, keeping mode and link targets.
   * `ifUnchanged` is the content's SHA-256 as it was read (null: there was none); a file that differs is not written.
   */
  write(path: string, bytes: Buffer, options: { readonly ifUnchanged: string | null }): Promise<WriteOutcome>;
}

export type WriteOutcome =
  | {
      readonly kind: 'written';
      readonly notes: readonly string[];
      /** What the file holds now, where that is not what was asked for. */
      readonly bytes?: Buffer;
    }
  | { readonly kind: 'changed-meanwhile' }
  | { readonly kind: 'refused'; readonly reason: string };
