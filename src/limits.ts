/** Every number the system is built on, grouped by what it bounds. Settings may change each one: `limits.<group>.<name>`. */

export const LIMITS = {
  project: {
    /** Characters of the readable part of a project's slug. */
    slugCharacters: 100,
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
    /** How long a writer waits for another one. */
    waitMs: 10_000,
    /** A holder that cannot be seen (another host) is given up after this long. */
    staleAfterMs: 60 * 60_000,
  },
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
    /** Background work of a session against what its main conversation cost. */
    sessionShare: 0.25,
    /** What a token costs against one of uncached input, as prices usually are. */
    outputWeight: 5,
    cacheReadWeight: 0.1,
    cacheWriteWeight: 1.25,
    cacheWriteHourWeight: 2,
    /** How long a call in the background waits for other processes to write their reservations. */
    lockWaitMs: 5_000,
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
    /** Lines of one recalled memory that are shown. */
    surfacedLines: 200,
    /** Bytes of one recalled memory that are shown, cut at a line boundary. */
    surfacedBytes: 4_096,
    /** Bytes of recalled memories that one conversation takes, until it is compacted. */
    sessionBytes: 60_000,
    /** From this age on a memory is shown with the caution to verify it. */
    cautionFromDays: 2,
    /** Characters of one value (a name, an origin, a path) in the lines above a memory. */
    headerCharacters: 200,
    /** How long the check of what a memory names may take, all in all. */
    verifyMs: 150,
    /** Paths, and likewise identifiers, that are checked for one memory. */
    claims: 20,
    /** Files that are searched where there is no git to do it. */
    searchedFiles: 5_000,
    /** Bytes of a file above which it is taken for data and not searched. */
    searchedFileBytes: 1_048_576,
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
  tools: {
    /** Lines that Read shows unless asked for another number. */
    readLines: 2_000,
    /** Characters of one line that Read, Edit and Grep show; the rest is cut with a note. */
    lineCharacters: 2_000,
    /** Tokens that one Read may answer with. */
    readTokens: 25_000,
    /** Bytes of a file that the file tools load. */
    fileBytes: 67_108_864,
    /** Bytes of an image and of a PDF before they are encoded; providers take little more. */
    imageBytes: 3_932_160,
    documentBytes: 20_971_520,
    /** Lines shown around an edited place, and lines of the place itself. */
    snippetContextLines: 4,
    snippetLines: 40,
    /** Lines of Grep and paths of Glob that are shown unless asked for another number. */
    grepLines: 250,
    globPaths: 100,
    /** Characters that Grep answers with, cut at a line. */
    grepCharacters: 20_000,
    /** How long a search may take, and bytes of its raw output that are taken. */
    searchMs: 20_000,
    searchBytes: 8_388_608,
  },
  shell: {
    /** How long a command may take unless asked for another time, and at most. */
    timeoutMs: 120_000,
    mostTimeoutMs: 600_000,
    /** How long a command may take to end by itself before it is killed. */
    killGraceMs: 2_000,
    /** How long output is waited for when a command has ended and something it started still holds its output. */
    drainMs: 100,
    /** Characters of output that are kept, head and tail together; of a failing command fewer. */
    outputCharacters: 30_000,
    failedCharacters: 10_000,
    /** How often output is shown while a command runs. */
    progressEveryMs: 100,
    /** Commands in the background at one time. */
    backgroundCommands: 20,
  },
  webFetch: {
    /** How long a page may take, all in all. */
    timeoutMs: 30_000,
    /** Bytes of a page, unpacked. */
    pageBytes: 10_485_760,
    /** Characters of its text that are shown. */
    characters: 50_000,
    /** Redirects within one host that are followed. */
    redirects: 5,
  },
  readOnlyShell: {
    /** Characters of a command line; a longer one is refused unread. */
    commandCharacters: 8_192,
    /** Programs that one line may start. */
    stages: 20,
    /** Words of one program's command line, after globs are expanded. */
    words: 1_000,
    /** Folder entries that the globs of one line may look at. */
    globEntries: 20_000,
    /** Links that are followed to find where one path leads. */
    links: 40,
    /** How long a line may run, and bytes of output that are kept of it. */
    timeoutMs: 10_000,
    outputBytes: 262_144,
    /** How long a killed program is waited for. */
    killGraceMs: 1_000,
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
  explicit: {
    /** Characters of a paragraph above which it was pasted, not said. */
    pastedCharacters: 1_000,
    /** Characters of a message above which only its first and last paragraph are taken for the user's own words. */
    documentCharacters: 3_000,
    /** Memories that are taken from one message; who says more at once is dictating a document. */
    memories: 10,
  },
  hooks: {
    /** How long a hook may keep its host waiting, whatever happens. */
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
  permissions: {
    /** Characters of a shell line above which no rule allows it: it is not read. */
    commandCharacters: 65_536,
    /** Substitutions, groups and wrappers inside one another that are followed. */
    shellDepth: 16,
    /** Denied calls that are listed one by one. */
    listedDenials: 1_000,
    /** Patterns that the braces of one path pattern may stand for. */
    patternChoices: 64,
    /** Characters of a rule; a longer one is refused. */
    ruleCharacters: 1_000,
  },
  userHooks: {
    /** How long one hook command may take unless it says otherwise. */
    timeoutMs: 60_000,
    /** How long a command that was told to end may take before it is killed. */
    killAfterMs: 2_000,
    /** Bytes of each of its outputs that are read; the rest is thrown away. */
    outputBytes: 65_536,
    /** Characters of one text that a hook adds to the conversation, or gives as a reason. */
    textCharacters: 10_000,
  },
  skills: {
    /** Skills that are listed for the model. */
    listed: 100,
    /** Characters of a skill's line in the list. */
    lineCharacters: 250,
    /** Bytes of a SKILL.md; a larger one is left out. */
    fileBytes: 262_144,
    /** Folders of one place that are looked through. */
    folders: 1_000,
  },
} as const;

/** The same shape with plain numbers, so that a test or a setting can shrink one of them. */
export type Limits = {
  readonly [Group in keyof typeof LIMITS]: { readonly [Name in keyof (typeof LIMITS)[Group]]: number };
};

/** How tokens are estimated; no setting changes them, because an estimate is kept with the block it was made of. */
export const ESTIMATE_LIMITS = {
  bytesPerToken: 4,
  jsonBytesPerToken: 2,
  /** Tokens of an image or a document. */
  mediaTokens: 2_000,
} as const;

/** How a provider's prompt cache works, and what counts as a break of it; no setting changes a provider. */
export const PROMPT_CACHE_LIMITS = {
  /** Blocks before a breakpoint in which the server looks for what was cached before. */
  lookBackBlocks: 20,
  /** Tokens of the shortest prefix that is cached. */
  leastTokens: 1_024,
  /** How long a prefix lives that nobody reads. */
  fiveMinutesMs: 300_000,
  oneHourMs: 3_600_000,
  /** Cache reads that are missing are a break above this share of what could have been read, and above so many tokens. */
  breakShare: 0.05,
  breakTokens: 2_000,
  /** Characters shown before and after the first difference of two texts. */
  excerptBefore: 16,
  excerptAfter: 24,
} as const;

/** What the Messages API bounds, and what is chosen within it; no setting changes a provider. */
export const MESSAGES_API_LIMITS = {
  /** Places of one request at which the prompt cache is written. */
  breakpoints: 4,
  /** Tokens of the smallest budget for thinking. */
  leastThinkingTokens: 1_024,
  /** Tokens of thinking where the model cannot choose them; below the first bound of an answer, so that raising that bound changes nothing else. */
  thinkingTokens: 4_000,
  /** How long the first byte of an answer may take. */
  answerMs: 600_000,
  /** Characters of a server's complaint that are told. */
  errorCharacters: 500,
} as const;

/** Numbers of the command line; no setting changes them, because they count before any settings are read. */
export const TERMINAL_LIMITS = {
  /** Cells of a line where the terminal does not say. */
  columns: 80,
  /** How long a command may be silent before it says what it is doing. */
  quietMs: 1_000,
  /** How often a line of progress is written anew. */
  progressEveryMs: 100,
  /** How long an interrupted command may take to end by itself. */
  interruptGraceMs: 1_000,
  /** How long an interrupted agent may take: its tools are ended, and what they had done is recorded. */
  agentGraceMs: 5_000,
  /** Changes that `memory log` shows unless asked for more. */
  logEntries: 20,
  /** Sessions that `sessions` shows unless asked for more. */
  sessions: 20,
  /** Days that `stats` looks back unless asked for another number. */
  statsDays: 30,
  /** Breaks of the prompt cache that `stats cache` shows one by one. */
  cacheBreaks: 20,
  /** Bytes of standard input that are added to a prompt; more fits no model's window. */
  promptBytes: 8_388_608,
  /** A program that left our standard input open without a word is waited for this long. */
  silentInputMs: 3_000,
} as const;

/** Numbers of the MCP server; no setting changes them, because they guard against whoever is connected. */
export const MCP_LIMITS = {
  /** Bytes of one message, on standard input or in a request's body. */
  messageBytes: 1_048_576,
  /** Memories that a search answers with unless asked for another number, and at most. */
  searchHits: 5,
  mostSearchHits: 20,
  /** Characters of a question, a name, a description, a body and a reason that are taken. */
  queryCharacters: 20_000,
  nameCharacters: 200,
  descriptionCharacters: 1_000,
  bodyCharacters: 100_000,
  reasonCharacters: 500,
  /** Lines and bytes of a memory that one answer holds; the rest is read with the next one. */
  textLines: 1_000,
  textBytes: 40_000,
  /** Resources on one page of their list. */
  listedResources: 200,
  /** Resources that one client may be told about. */
  subscriptions: 1_000,
  /** How long changes are gathered before clients are told. */
  gatherMs: 100,
  /** How often the folders are looked at where they cannot be watched. */
  lookAgainMs: 5_000,
  /** Folders below one memory folder that are watched. */
  watchedFolders: 256,
  /** How long a client that closed its end may wait for its last answers. */
  drainMs: 2_000,
  /** HTTP: sessions at one time; the one that was silent longest gives way. */
  sessions: 64,
  /** HTTP: a session that was silent this long is over. */
  sessionIdleMs: 60 * 60_000,
  /** HTTP: how long a request may take to arrive. */
  requestArrivalMs: 30_000,
} as const;
