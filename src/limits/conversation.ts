/** Numbers of a conversation with a model: window, loop, retries, transcript, caps, layers; each can be set as `limits.<group>.<name>`. */

export const CONVERSATION_LIMITS = {
  transcripts: {
    /** Sessions that were not touched for this long are removed, with their notes and tool results; memory never is. */
    keptDays: 30,
    /** Bytes of all sessions together; beyond, the oldest go. */
    keptBytes: 2_147_483_648,
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
    /** Uncached-equivalent tokens that background work of all processes may cost in a day (UTC). */
    dayTokens: 1_000_000,
    /** Once background work of a session cost this share of its main conversation, no more of it starts. */
    sessionShare: 0.25,
    /** What a token costs against one of uncached input, as prices usually are. */
    outputWeight: 5,
    cacheReadWeight: 0.1,
    cacheWriteWeight: 1.25,
    cacheWriteHourWeight: 2,
    /** How long a call in the background waits for other processes to write their reservations. */
    lockWaitMs: 5_000,
  },
  loop: {
    /** Tools that only read which run at one time. */
    parallelTools: 10,
    /** How long a tool may take to end once the user has interrupted. */
    interruptGraceMs: 2_000,
    /** Tokens that an answer may have at first. */
    outputTokens: 8_000,
    /** Tokens that it may have when the first bound cut it. */
    longOutputTokens: 64_000,
    /** Times that an answer is asked to go on when even that cut it. */
    continuations: 3,
    /** Times that one request is made again with a shorter conversation. */
    overflows: 3,
    /** Times that the final answer of one turn may be sent back by a hook. */
    answersSentBack: 8,
  },
  instructions: {
    /** Characters of one instruction file from which on the user is warned of the room it takes. */
    warnCharacters: 40_000,
    /** Bytes of one instruction file; a larger one is left out. */
    fileBytes: 4_194_304,
    /** How deep includes may include one another. */
    includeDepth: 5,
    /** Instruction files of one session, rules and includes among them. */
    files: 500,
    /** Folders below a folder of rules. */
    ruleFolders: 8,
    /** Patterns that the braces of one glob may stand for. */
    globAlternatives: 1_000,
  },
  window: {
    /** Tokens of a context window where nothing says another number. */
    defaultTokens: 200_000,
    /** Tokens of the window of another provider's model that nobody could be asked about. */
    unknownTokens: 32_000,
    /** Tokens kept free for the answer: at most so many, and at most this part of the window. */
    answerTokens: 20_000,
    answerDivisor: 5,
    /** Tokens between the effective window and the point where the conversation is compacted. */
    compactBeforeTokens: 13_000,
    compactBeforeDivisor: 15,
    /** Tokens before that point at which the user is warned. */
    warnBeforeTokens: 20_000,
    warnBeforeDivisor: 10,
    /** Tokens between the effective window and the point where nothing more is sent. */
    stopBeforeTokens: 3_000,
    stopBeforeDivisor: 60,
  },
  models: {
    /** How long a local server may take to say which models it has. */
    answerMs: 300,
    /** How long it may take where the user named it. */
    namedAnswerMs: 5_000,
    /** Models of one server that are asked what they can do. */
    askedModels: 8,
  },
  retry: {
    /** Times that a request is made before a failure that may pass is given up on. */
    attempts: 10,
    /** The first pause; each further one is twice as long, up to the longest. */
    firstDelayMs: 500,
    longestDelayMs: 32_000,
    /** Share of a pause that chance may take off it, so that many clients do not come back at once. */
    jitterShare: 0.25,
    /** The longest pause that a server may ask for. */
    longestAskedDelayMs: 120_000,
  },
} as const;
