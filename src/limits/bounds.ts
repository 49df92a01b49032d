/** Constants that their readers take as a parameter, beside numbers that can be set or so that a test can pass a smaller one; no setting reaches them. */

export const BOUNDS = {
  index: {
    /** Changes of the index that a session which goes on is told, a line each. */
    newsLines: 20,
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
    /** Characters of one value (a name, an origin, a path) in the lines above a memory. */
    headerCharacters: 200,
    /** Paths, and likewise identifiers, that are checked for one memory. */
    claims: 20,
    /** Files that are searched where there is no git to do it. */
    searchedFiles: 5_000,
    /** Bytes of a file above which it is taken for data and not searched. */
    searchedFileBytes: 1_048_576,
  },
  gate: {
    /** Bytes of what assistant, tools, files and pages said that an agent's own write is compared with, newest first. */
    spanBytes: 131_072,
    /** Bytes from a transcript's end in which is looked for what was said before a compaction, and of the user's words there that count. */
    earlierBytes: 16_777_216,
    earlierSaidBytes: 131_072,
    /** Characters of the user's words that ask to forget a memory, unless they are a whole sentence; and of the reason in the journal. */
    forgetQuoteCharacters: 8,
    reasonCharacters: 500,
  },
  pastSearch: {
    /** Newest sessions, and bytes of them, that a search in the user's earlier words takes. */
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
  },
  hooks: {
    /** How long recall goes by the folders' marks before it looks at every file again. */
    lookAgainMs: 300_000,
  },
  transcripts: {
    /** Bytes that are read at once on the way back from a transcript's end. */
    chunkBytes: 262_144,
    /** Bytes of one record; what is longer is taken for damage. */
    recordBytes: 67_108_864,
    /** Bytes of records that wait in memory for a disk that takes none. */
    waitingBytes: 16_777_216,
    /** Bytes at each end of a transcript that the list of sessions looks at. */
    listedBytes: 65_536,
    /** Bytes from a transcript's end in which summarised messages are looked for, and compactions that are gone back over. */
    expandedBytes: 67_108_864,
    expandedRanges: 50,
    /** Characters of a session's title and last prompt in that list. */
    titleCharacters: 100,
    /** How long resuming waits for another process to let go of a session. */
    holdWaitMs: 50,
  },
  caps: {
    /** Tokens of the answer of a call that is running, as it is expected to be. */
    likelyOutputTokens: 500,
    /** Days before today on which what a resumed session cost is looked up. */
    resumedDays: 30,
  },
  loop: {
    /** Times that an answer is asked to go on when even that cut it. */
    continuations: 3,
  },
  instructions: {
    /** Instruction files of one session, rules and includes among them. */
    files: 500,
    /** Folders below a folder of rules. */
    ruleFolders: 8,
  },
  compaction: {
    /** Characters of a paragraph above which it was pasted, not typed. */
    pastedCharacters: 1_000,
  },
  flags: {
    /** How long the function itself may hold the process. */
    holdMs: 50,
  },
  microcompact: {
    /** Requests that are expected to come: as many as there were, within these bounds. */
    leastExpectedRequests: 10,
    mostExpectedRequests: 40,
  },
  notes: {
    /** Tokens without notes shortly before a compaction, from which on they do not wait: half of what a compaction keeps behind them. */
    urgentTokens: 20_000,
    /** Bytes of the notes, their template and their prompt that are read. */
    fileBytes: 262_144,
  },
  prefetch: {
    /** Characters of a description in the selector's list. */
    descriptionCharacters: 200,
    /** Selections running at one time. */
    selections: 2,
  },
  extraction: {
    /** Patterns are compiled ahead, so long after the start, with such a pause between two of them. */
    warmAfterMs: 300,
    warmPauseMs: 5,
  },
  dreaming: {
    /** Tokens that one answer of a dream may have. */
    outputTokens: 24_000,
    /** What one is expected to take, by rounds over the prefix and by tokens that are new and that are answered: with less room none begins by itself. */
    expectedRounds: 8,
    expectedNewTokens: 12_000,
    expectedOutputTokens: 6_000,
    /** Characters of a reason and of a quote, and quotes of one change. */
    reasonCharacters: 600,
    quoteCharacters: 600,
    quotes: 12,
    /** Memories that one change may name as holding what it takes away. */
    superseding: 12,
    /** Things that were wrong with a list and are told. */
    problems: 50,
    /** Changes that one dream may propose. */
    changes: 500,
    /** Characters of each round that is shown. */
    roundCharacters: 200,
    /** Memories and daily logs that the dreamer is told of by name. */
    namedMemories: 400,
    namedLogs: 31,
    /** Characters around a quote that count as its passage. */
    passageCharacters: 2_000,
    /** Characters of one tool's result in a conversation of its own. */
    resultCharacters: 30_000,
  },
  tools: {
    /** Bytes of a file that the file tools load. */
    fileBytes: 67_108_864,
    /** Bytes of an image before it is encoded; providers take little more. */
    imageBytes: 3_932_160,
  },
  shell: {
    /** When a command has ended and something it started still holds its output: how long silence, and all, is waited for. */
    drainMs: 100,
    mostDrainMs: 1_000,
    /** Characters of output that are kept, head and tail together; what of it the model sees is for the layer of tool results. */
    outputCharacters: 1_000_000,
    failedCharacters: 1_000_000,
    /** Commands in the background at one time. */
    backgroundCommands: 20,
  },
  readOnlyShell: {
    /** Words of one program's command line, after globs are expanded. */
    words: 1_000,
    /** Folder entries that the globs of one line may look at. */
    globEntries: 20_000,
    /** How long a line may run, and bytes of output that are kept of it. */
    timeoutMs: 10_000,
    outputBytes: 262_144,
  },
  userHooks: {
    /** Bytes of output after which a command is stopped: reading on would keep us busy. */
    floodBytes: 67_108_864,
    /** Bytes of each of its outputs that are read; the rest is thrown away. */
    outputBytes: 65_536,
    /** Characters of one text that a hook adds to the conversation, or gives as a reason. */
    textCharacters: 10_000,
  },
  mcpServers: {
    /** How long a server may take to end by itself before it is killed. */
    killGraceMs: 2_000,
    /** Times in a row that a server is started again after it died. */
    restarts: 3,
    /** The pause before the first of them; each further one is twice as long. */
    restartDelayMs: 500,
    /** Bytes of one message of a server; a longer one is thrown away while it arrives. */
    messageBytes: 8_388_608,
    /** Bytes on a server's standard output that are no messages, after which it is ended. */
    floodBytes: 67_108_864,
    /** Pages of the list of tools of one server that are taken. */
    pages: 64,
    /** Characters of text and pictures or documents of one result. */
    resultCharacters: 2_000_000,
    resultMedia: 20,
    /** How often progress of a call is passed on. */
    progressEveryMs: 100,
  },
} as const;
