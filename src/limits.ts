/** Every number the system is built on, grouped by what it bounds. Settings may change each one: `limits.<group>.<name>`. */

export const LIMITS = {
  project: {
    /** Characters of the readable part of a project's slug. */
    slugCharacters: 100,
  },
  index: {
    /** Lines of MEMORY.md that are loaded into a conversation. */
    lines: 200,
    /** Bytes of MEMORY.md that are loaded, cut at a line boundary. */
    bytes: 25_000,
    /** Share of the limits that a warning asks the user to shrink to. */
    shrinkToShare: 0.7,
    /** Characters an entry should stay under. */
    entryCharacters: 150,
  },
  header: {
    /** Lines in which the front matter is expected to end. */
    lines: 30,
    /** Bytes read to find its closing fence. */
    bytes: 16_384,
  },
  path: {
    /** Folders below the memory root. */
    depth: 8,
    /** Bytes of one file name, the most that common file systems take. */
    nameBytes: 255,
  },
  lock: {
    /** How long a writer waits for another one. */
    waitMs: 10_000,
    /** A holder that cannot be seen (another host) is given up after this long. */
    staleAfterMs: 60 * 60_000,
  },
} as const;

/** The same shape with plain numbers, so that a test or a setting can shrink one of them. */
export type Limits = { readonly [Group in keyof typeof LIMITS]: { readonly [Name in keyof (typeof LIMITS)[Group]]: number } };
