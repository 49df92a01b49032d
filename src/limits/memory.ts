/** Numbers of memory on disk and of recall; no setting changes them. */

export const MEMORY_LIMITS = {
  project: {
    /** How long git may take to answer at start-up; a repository too large for that has no root commit for us. */
    gitTimeoutMs: 2_000,
    /** Bytes of an answer of git that are read. */
    gitAnswerBytes: 1_048_576,
  },
  settings: {
    /** Bytes of a settings file or a project record; a larger one is refused rather than read. */
    fileBytes: 1_048_576,
    /** Unknown keys of one file that are told one by one. */
    unknownKeys: 20,
  },
  index: {
    /** Share of the limits that a warning asks the user to shrink to. */
    shrinkToShare: 0.7,
    /** Characters an entry should stay under. */
    entryCharacters: 150,
    /** Changes of the index that a session which goes on is told, a line each. */
    newsLines: 20,
  },
  header: {
    /** Bytes read to find its closing fence. */
    bytes: 16_384,
    /** Quotes that a memory keeps, the newest ones, and characters of each when it is written. */
    quotes: 8,
    quoteCharacters: 500,
  },
  path: {
    /** Folders below the memory root. */
    depth: 8,
    /** Bytes of one file name, the most that common file systems take. */
    nameBytes: 255,
    /** Bytes of a whole path, the most that Linux takes with its closing NUL. */
    pathBytes: 4_095,
    /** Bytes of the readable part of a memory's file name. */
    slugBytes: 80,
  },
  importing: {
    /** Bytes of one file of a folder that is imported; a larger one is no memory. */
    fileBytes: 1_048_576,
    /** Bytes of one file that another program exported its whole memory to, or keeps it in. */
    exportBytes: 268_435_456,
    /** Characters of the name that is made of a memory's first line where it has none. */
    nameCharacters: 60,
  },
  lock: {
    /** A holder that cannot be seen (another host) is given up after this long. */
    staleAfterMs: 60 * 60_000,
  },
  localIndex: {
    /** How long indexing works before it lets the conversation go on. */
    sliceMs: 1,
    /** Memories that are indexed before they can be found, and saved together. */
    batchMemories: 512,
    /** Index files that nobody refers to are removed after this long: a reader may still be opening them. */
    orphanAfterMs: 60 * 60_000,
  },
  recall: {
    /** From this age on a memory is shown with the caution to verify it. */
    cautionFromDays: 2,
    /** Characters of one value (a name, an origin, a path) in the lines above a memory. */
    headerCharacters: 200,
    /** Paths, and likewise identifiers, that are checked for one memory. */
    claims: 20,
    /** Files that are searched where there is no git to do it. */
    searchedFiles: 5_000,
    /** Bytes of a file above which it is taken for data and not searched. */
    searchedFileBytes: 1_048_576,
  },
  explicit: {
    /** Characters of a paragraph above which it was pasted, not said. */
    pastedCharacters: 1_000,
    /** Characters of a message above which only its first and last paragraph are taken for the user's own words. */
    documentCharacters: 3_000,
    /** Memories that are taken from one message; who says more at once is dictating a document. */
    memories: 10,
  },
  gate: {
    /** Bytes of what assistant, tools, files and pages said that an agent's own write is compared with, newest first. */
    spanBytes: 131_072,
    /** Bytes from a transcript's end in which is looked for what was said before a compaction, and of the user's words there that count. */
    earlierBytes: 16_777_216,
    earlierSaidBytes: 131_072,
    /** Memories of a folder up to which each is looked at after a command of the agent's: a stat each, ten milliseconds for a thousand. */
    watchedFiles: 2_000,
    /** Memories nearest to a write that it is compared with, and characters of it by which they are looked for. */
    comparedMemories: 30,
    comparedCharacters: 2_000,
    /** Characters of the user's words that ask to forget a memory, unless they are a whole sentence; and of the reason in the journal. */
    forgetQuoteCharacters: 8,
    reasonCharacters: 500,
  },
  pastSearch: {
    /** Newest sessions, bytes of them and milliseconds that a search in the user's earlier words takes. */
    sessions: 200,
    bytes: 67_108_864,
    /** Bytes of one record, and characters typed in one message, that are looked at. */
    recordBytes: 1_048_576,
    messageCharacters: 20_000,
    /** Characters of a sentence; longer ones are left out. */
    sentenceCharacters: 1_000,
    /** Share of what the query's words weigh that a sentence must hold. */
    leastShare: 0.4,
    /** Results of each kind, unless asked for more, and at most. */
    hits: 5,
    mostHits: 20,
    /** Shown sentences that count as the user's words of then, the newest of them. */
    shownSentences: 200,
  },
  dailyLog: {
    /** Characters of one line of a daily log. */
    lineCharacters: 1_000,
    /** Bytes at the end of a day's file in which its last time and offset are looked for. */
    tailBytes: 16_384,
    /** Bytes of one day's file that are read, the newest of a longer one. */
    readBytes: 1_048_576,
  },
  usefulness: {
    /** Recalled memories whose use is looked for, the newest of a conversation. */
    watchedMemories: 30,
    /** Characters of a turn's answers and calls in which it is looked for, and of its results that may have said the same. */
    readCharacters: 20_000,
    /** How long that waits, so that the request which follows is out by then. */
    lookAfterMs: 10,
    /** Plain words of a memory that one passage must hold to have used it: so many, and this share of those nobody else said. */
    leastWords: 2,
    wordsShare: 0.25,
    /** From this weight on a word is as telling as a name; and one name is enough where a passage has no more terms than these. */
    tellingWeight: 1.4,
    shortPassageTerms: 8,
    /** What is done to a memory this long after the last sign of a session still is an answer to that session. */
    afterSessionMinutes: 60,
    /** Recalls without a use from which on a memory counts as one that does not help. */
    unusedRecalls: 3,
    /** Memories, the newest, whose paths are looked up for the stale share, and how long that may take. */
    staleMemories: 1_000,
    staleMs: 3_000,
  },
  hooks: {
    /** How long a hook may keep its host waiting, whatever happens, unless REVERIE_HOOK_BUDGET_MS says otherwise. */
    budgetMs: 2_000,
    /** Bytes of a host's payload; a larger one is not read to its end. */
    payloadBytes: 16_777_216,
    /** Bytes at the end of a host's transcript in which the user's words are looked for. */
    transcriptBytes: 4_194_304,
    /** Words of a transcript that are older belong to a time before the hooks, or were looked through then. */
    transcriptHours: 24,
    /** Characters of an error, or of a message, that recall is asked with. */
    queryCharacters: 2_000,
    /** Days for which the record of a conversation's hooks is kept. */
    keptDays: 30,
    /** How long recall goes by the folders' marks before it looks at every file again. */
    lookAgainMs: 300_000,
  },
} as const;
