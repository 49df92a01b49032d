/** What the agent has read, by content hash: an edit of a file that changed since, or was never read, is refused. */

export interface ReadFile {
  /** SHA-256 of the bytes. */
  readonly hash: string;
  /** Whether the model saw only part of it. */
  readonly isPartial: boolean;
  /** The lines that Read showed last; a file that was only written has none. */
  readonly shown?: LineRange;
}

export interface LineRange {
  /** From 1. */
  readonly first: number;
  readonly lines: number;
}

/** Plain enough to be cloned into a fork and written to a transcript. */
export interface ReadFiles {
  get(path: string): ReadFile | undefined;
  set(path: string, file: ReadFile): void;
  /** The model changed it: which lines it was shown stays as it was. */
  written(path: string, file: Omit<ReadFile, 'shown'>): void;
  entries(): readonly (readonly [string, ReadFile])[];
  /** What was shown whole, by path, as hash: said once to be unchanged, it is shown again when asked again. */
  readonly shownWhole: Map<string, string>;
  /** The results that showed it are gone. */
  forgetShown(): void;
  clone(): ReadFiles;
}

export function createReadFiles(known: Iterable<readonly [string, ReadFile]> = []): ReadFiles {
  const files = new Map(known);
  const shownWhole = new Map<string, string>();
  function set(path: string, file: ReadFile): void {
    // The newest last, so that whoever restores a few files restores the ones in use.
    files.delete(path);
    files.set(path, file);
  }
  return {
    get: (path) => files.get(path),
    set,
    written(path, file) {
      const shown = files.get(path)?.shown;
      set(path, shown === undefined ? file : { ...file, shown });
    },
    entries: () => [...files],
    shownWhole,
    forgetShown: () => shownWhole.clear(),
    clone: () => createReadFiles(files),
  };
}
