/** What the agent has read, by content hash: an edit of a file that changed since, or was never read, is refused. */

export interface ReadFile {
  /** SHA-256 of the bytes. */
  readonly hash: string;
  /** Whether the model saw only part of it. */
  readonly isPartial: boolean;
}

/** Plain enough to be cloned into a fork and written to a transcript. */
export interface ReadFiles {
  get(path: string): ReadFile | undefined;
  set(path: string, file: ReadFile): void;
  entries(): readonly (readonly [string, ReadFile])[];
  clone(): ReadFiles;
}

export function createReadFiles(known: Iterable<readonly [string, ReadFile]> = []): ReadFiles {
  const files = new Map(known);
  return {
    get: (path) => files.get(path),
    set(path, file) {
      // The newest last, so that whoever restores a few files restores the ones in use.
      files.delete(path);
      files.set(path, file);
    },
    entries: () => [...files],
    clone: () => createReadFiles(files),
  };
}
