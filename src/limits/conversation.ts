/** Numbers of a conversation with a model: window, loop, retries, transcript, caps, layers; no setting changes them. */

export const CONVERSATION_LIMITS = {
  transcripts: {
    /** How often anyone looks for sessions to remove. */
    sweepEveryHours: 24,
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
    /** Sessions that are named when the one asked for is not there. */
    suggested: 5,
    /** How long resuming waits for another process to let go of a session. */
    holdWaitMs: 50,
    /** A holder that cannot be seen (another host) is given up after this long. */
    holdStaleAfterMs: 24 * 60 * 60_000,
  },
  caps: {
    /** Tokens of the answer of a call that is running, as it is expected to be. */
    likelyOutputTokens: 500,
    /** Days before today on which what a resumed session cost is looked up. */
    resumedDays: 30,
    /** What a token costs against one of uncached input, as prices usually are. */
    outputWeight: 5,
    cacheReadWeight: 0.1,
    cacheWriteWeight: 1.25,
    cacheWriteHourWeight: 2,
  },
  loop: {
    /** How long a tool may take to end once the user has interrupted. */
    interruptGraceMs: 2_000,
    /** Times that an answer is asked to go on when even that cut it. */
    continuations: 3,
    /** Times that one request is made again with a shorter conversation. */
    overflows: 3,
  },
  instructions: {
    /** Bytes of one instruction file; a larger one is left out. */
    fileBytes: 4_194_304,
    /** Instruction files of one session, rules and includes among them. */
    files: 500,
    /** Folders below a folder of rules. */
    ruleFolders: 8,
    /** Patterns that the braces of one glob may stand for. */
    globAlternatives: 1_000,
  },
  window: {
    /** Tokens of the window of another provider's model that nobody could be asked about. */
    unknownTokens: 32_000,
    /** Tokens kept free for the answer: at most so many, and at most this part of the window. */
    answerDivisor: 5,
    /** Tokens between the effective window and the point where the conversation is compacted. */
    compactBeforeDivisor: 15,
    /** Tokens before that point at which the user is warned. */
    warnBeforeDivisor: 10,
    /** Tokens between the effective window and the point where nothing more is sent. */
    stopBeforeDivisor: 60,
  },
  compaction: {
    /** Tokens from which on notes replace a conversation whose cache is cold anyway, and the share of it at economy `max`. */
    eagerShare: 0.5,
    /** Times that a summary is asked for again without the oldest rounds, and the share of rounds that goes where no gap is named. */
    droppedShare: 0.2,
    /** Share of the room below the compaction point that a compaction may fill. */
    filledShare: 0.6,
    /** Tokens of room without which nothing useful can stand in for a conversation. */
    leastRoomTokens: 300,
    /** How much denser than estimated a conversation's text is believed to be, by what the provider counted. */
    mostDensity: 2,
    /** Share of the former size that restored files and skills may bring a short conversation back to. */
    restoredShare: 0.8,
    /** Shares of the room: the user's last request, rules, messages, steps, files, names; and what the summary may always have. */
    requestShare: 0.4,
    rulesShare: 0.2,
    messagesShare: 0.2,
    todosShare: 0.1,
    writtenShare: 0.05,
    termsShare: 0.05,
    summaryShare: 0.25,
    /** Characters of one message of the user that are repeated, and tokens of all. */
    messageCharacters: 2_000,
    /** Tokens of rules, open steps, paths of written files, and names and values that are repeated. */
    todosTokens: 2_000,
    writtenTokens: 1_000,
    termsTokens: 1_000,
    /** Characters of a paragraph above which it was pasted, not typed; and of one name or value. */
    pastedCharacters: 1_000,
    termCharacters: 120,
    /** Names and values that are looked for, the newest. */
    terms: 2_000,
    /** Tokens that a heading over carried text may take. */
    headingTokens: 30,
    /** Tokens of one invoked skill and of all, of the plan, and of one text and all texts that others add. */
    planTokens: 5_000,
    noticeTokens: 2_500,
    noticesTokens: 10_000,
    /** Tokens of a summarised range that is shown again, and characters of one block of it. */
    expandedTokens: 10_000,
    expandedBlockCharacters: 2_000,
    /** Tokens that a tool result keeps when a request would not fit otherwise. */
    leastResultTokens: 100,
    /** Characters of a message that tell the summariser where its part begins. */
    scopeCharacters: 300,
    /** Items of a report that are named one by one, and characters of each. */
    reportedItems: 20,
    reportedCharacters: 80,
  },
  host: {
    /** Where no model can summarise: the share of the point of compaction that stays when the oldest messages go. */
    cutKeptShare: 0.4,
    /** Lines that tell what was done in them, and characters of one. */
    cutLines: 60,
    cutLineCharacters: 200,
    /** Lines and breaks that the figures of a session keep, the newest. */
    keptLines: 100,
    /** Messages from the end in which a host's own marks for the cache are looked for. */
    markedMessages: 4,
  },
  economy: {
    /** Early compaction from notes: how many times what it costs must have been paid for reading what it would take out. */
    balancedPatience: 2,
    maxPatience: 1,
    /** Kept behind the notes when they replace a conversation early: messages with text, and tokens at `max`. */
    keptMessages: 1,
    maxKeptTokens: 3_000,
    /** What would stay behind the notes may be this much longer than it need be; beyond, it waits until so many times more was paid. */
    tailFactor: 2,
    forcedFactor: 2,
    /** Tokens by which a conversation grows between two updates of its notes at `max` while nothing asks for them sooner. */
    maxNotesGrowthTokens: 30_000,
    /** Tokens of paths, identifiers and values in use that are repeated behind notes, and so many at `max`. */
    inUseTokens: 2_500,
    maxInUseTokens: 2_000,
    /** What having been said, or shown by a tool, weighs against having been used by a call; and calls after which all weighs half. */
    saidWeight: 0.5,
    shownWeight: 0.2,
    inUseHalfLifeCalls: 150,
  },
  models: {
    /** Models of one server that are asked what they can do. */
    askedModels: 8,
  },
  retry: {
    /** Share of a pause that chance may take off it, so that many clients do not come back at once. */
    jitterShare: 0.25,
    /** The longest pause that a server may ask for. */
    longestAskedDelayMs: 120_000,
  },
} as const;
