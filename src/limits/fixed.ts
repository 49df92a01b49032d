/** Numbers that no setting changes: they guard against whoever is connected, are a provider's, or count before settings are read. */

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
  /** How often a line of progress is written again. */
  progressEveryMs: 100,
  /** How long an interrupted command may take to end by itself. */
  interruptGraceMs: 1_000,
  /** How long an interrupted agent may take: its tools are ended, and what they had done is recorded. */
  agentGraceMs: 5_000,
  /** How long `dream stop` waits to see that a dream has ended. */
  dreamStopMs: 10_000,
  /** Changes that `memory log` shows unless asked for more. */
  logEntries: 20,
  /** Days that `memory daily` names where the one that was asked for has no log. */
  listedDays: 10,
  /** Sessions that `sessions` shows unless asked for more. */
  sessions: 20,
  /** Days that `stats` looks back unless asked for another number. */
  statsDays: 30,
  /** Days that `memory usefulness` looks back unless asked for another number. */
  usefulnessDays: 90,
  /** Breaks of the prompt cache that `stats cache` shows one by one. */
  cacheBreaks: 20,
  /** Bytes of standard input that are added to a prompt; more fits no model's window. */
  promptBytes: 8_388_608,
  /** A program that left our standard input open without a word is waited for this long. */
  silentInputMs: 3_000,
} as const;

/** Numbers of what the terminal agent draws; no setting changes them, because they are looks and guards, not behaviour. */
export const VIEW_LIMITS = {
  /** Of what it takes to recall a memory unasked, from which it was nearly recalled. */
  nearlySureShare: 0.8,
  /** Characters of an answer that are still drawn again with every token; what is older stands. */
  openCharacters: 4_000,
  /** Quotes and lists within one another that are drawn as such. */
  nestedBlocks: 12,
  /** Columns of a table; what follows is joined to the last one. */
  tableColumns: 32,
  /** Cells that a column of a table keeps, however narrow the terminal. */
  leastColumnCells: 3,
  /** Characters of one line of code that are coloured. */
  highlightedCharacters: 10_000,
  /** Lines of a tool's output that are shown folded, and opened. */
  foldedLines: 4,
  expandedLines: 2_000,
  /** Lines of a diff before it is folded. */
  diffLines: 40,
  /** Unchanged lines around a change. */
  diffContextLines: 3,
  /** Lines that may differ before a diff is not computed any more. */
  diffEdits: 1_000,
  /** Characters of a changed line within which single words are emphasised, and the share of them that may differ. */
  emphasisCharacters: 400,
  emphasisShare: 0.6,
  /** Characters of one value of a tool's input, in its title. */
  inputCharacters: 200,
  /** Rows of a dialog where the terminal does not say, and those that what is asked about keeps, however low it is. */
  dialogRows: 16,
  leastBodyRows: 3,
  /** Lines of your own message that are shown when it is long. */
  echoedLines: 12,
  /** Rows and cells of the picture of the window. */
  windowRows: 4,
  windowCells: 50,
} as const;

/** Numbers of the terminal agent; no setting changes them, because they are about hands and eyes, not about behaviour. */
export const CHAT_LIMITS = {
  /** How long streamed text is gathered before it is drawn, and how often the mark of work running moves. */
  gatherMs: 33,
  spinnerMs: 120,
  /** Two presses within this time are one gesture: Ctrl-C to leave, Escape to go back. */
  twiceMs: 1_500,
  /** Keys that follow one another faster than this were not meant for a question that has just come up. */
  armMs: 400,
  /** Prompts that a project's history keeps, and characters of one of them. */
  historyPrompts: 500,
  historyCharacters: 20_000,
  /** Files that completion knows, how long finding them may take, bytes of their names, and how long the list is used. */
  knownFiles: 20_000,
  findFilesMs: 3_000,
  fileNameBytes: 4_194_304,
  fileListMs: 10_000,
  /** Suggestions that are shown at once. */
  suggestions: 8,
  /** Files that one prompt may mention, bytes of each, and names of a mentioned folder. */
  mentions: 20,
  mentionBytes: 65_536,
  mentionedNames: 200,
  /** Rows of the text being typed. */
  editorRows: 10,
  /** Prompts that may wait for the turn to end. */
  queuedPrompts: 20,
  /** Of a session's id, where it only has to be told from others. */
  shortIdCharacters: 8,
  /** Bytes of a file of which a dialog shows what would change. */
  dialogFileBytes: 1_048_576,
  /** Characters of a running tool's output that are kept for showing. */
  progressCharacters: 4_000,
  /** Folded outputs that can still be opened. */
  foldedOutputs: 20,
  /** Changes of the memory that `/memory recent` shows. */
  recentChanges: 10,
  /** Sessions to choose from. */
  sessions: 50,
  /** Messages of a resumed session that are shown again. */
  echoedMessages: 6,
  /** Characters of each of them. */
  echoedCharacters: 2_000,
  /** Tokens of summarised messages that are shown again at once. */
  expandedTokens: 3_000,
  /** How long leaving waits for the agent to let go. */
  leaveMs: 5_000,
  /** The tour: between two keys it types, and how long each part is left to be read. */
  tourKeyMs: 18,
  tourReadMs: 1_800,
  tourWordMs: 25,
} as const;

/** Numbers of the MCP server; no setting changes them, because they guard against whoever is connected. */
export const MCP_LIMITS = {
  /** Bytes of one message, on standard input or in a request's body. */
  messageBytes: 1_048_576,
  /** Memories that a search answers with unless asked for another number, and at most. */
  searchHits: 5,
  mostSearchHits: 20,
  /** Characters of a question, a name, an alias, a description, a body and a reason that are taken, and how many aliases. */
  queryCharacters: 20_000,
  nameCharacters: 200,
  aliasCharacters: 60,
  aliases: 12,
  descriptionCharacters: 1_000,
  bodyCharacters: 100_000,
  reasonCharacters: 500,
  /** Bytes of a tool's answer as JSON; the rest comes with the next one. Codex leaves out the middle of what is longer than 10,000. */
  answerBytes: 9_500,
  /** Lines and bytes of a memory that a resource holds, and bytes of a single line of it. */
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

/** Numbers of the drawn terminal; no setting changes them, because they are what hands and terminals are like. */
export const SCREEN_LIMITS = {
  /** Lines of a terminal that does not say. */
  rows: 24,
  /** Least time between two frames. */
  frameMs: 16,
  /** How long what follows an Escape may take; after that it was the Escape key. */
  escapeMs: 30,
  /** How long the rest of a key's sequence may take, once it is known to be one. */
  sequenceMs: 150,
  /** How long a paste may be silent before it is taken as it is: its end was lost. */
  pasteSilenceMs: 2_000,
  /** Characters of a key's sequence, and of what a terminal answers; longer ones are no such thing. */
  sequenceCharacters: 64,
  answerCharacters: 4_096,
  /** How long to wait for the shell to stop us; where there is none to do so, we go on. */
  suspendMs: 100,
  /** A paste of more lines or characters than this is shown as a placeholder. */
  pastedLines: 8,
  pastedCharacters: 1_000,
  /** Characters of what was cut that are kept for putting back. */
  killedCharacters: 1_000_000,
  /** Characters of the longest path. */
  pathCharacters: 4_096,
  /** Characters of a word that is completed. */
  completedCharacters: 512,
  /** Characters looked back for the start of what a person sees as one character. */
  graphemeCharacters: 64,
  /** Cells between tab stops. */
  tabCells: 4,
} as const;

/** What the replay of recorded sessions assumes where a recording cannot tell, and how the policies of others are set. */
export const REPLAY_LIMITS = {
  /** Tokens of tools and system prompt, which recordings leave out. */
  prefixTokens: 20_000,
  /** Tokens of the window that sessions are replayed in. */
  windowTokens: 200_000,
  /** Counted over estimated tokens beyond which (or below the inverse) a recorded count is not believed. */
  mostDensity: 4,
  /** Tokens of a summary or of notes: a share of what they cover, within bounds; and what is thought aloud before a summary. */
  summaryShare: 0.05,
  summaryLeastTokens: 800,
  summaryMostTokens: 3_000,
  analysisShare: 0.5,
  /** When notes are written: first, then by growth and calls; tokens of the instruction and of the edits around the new text. */
  notesFirstTokens: 10_000,
  notesGrowthTokens: 5_000,
  notesCalls: 3,
  notesInstructionTokens: 1_000,
  notesEditTokens: 150,
  /** Others: dropping goes down to this share of the room; clearing over a size keeps so many results, or tokens, and needs a least batch. */
  dropToShare: 0.5,
  clearOverTokens: 100_000,
  clearKeptResults: 3,
  outputKeptTokens: 40_000,
  outputLeastTokens: 20_000,
  summaryKeptTokens: 20_000,
} as const;

/** Files of dreams; no setting changes them, because they guard against a memory folder that comes from elsewhere. */
export const DREAM_FILE_LIMITS = {
  /** Bytes of one record: the texts of all that waits are in it. */
  recordBytes: 33_554_432,
  progressBytes: 1_048_576,
  /** Records with something that the user rejected: the newest so many stay however old they are. */
  rejectedRecords: 100,
} as const;

/** Numbers of the files that say when memory was last consolidated; no setting changes them, because other programs read those files. */
export const CONSOLIDATION_LIMITS = {
  /** From this many bytes on, `.consolidate-lock` stands for a dream that has ended; while one runs it is shorter. */
  settledBytes: 40,
  /** Bytes of it that are read and put back, and bytes of our own record. */
  publicBytes: 4_096,
  recordBytes: 65_536,
  /** A file's time may come back from the disk later than it was set, by so much. */
  mtimeSlackMs: 2_000,
} as const;

/** What is kept of a part that failed too often. */
export const BREAKER_LIMITS = {
  /** Characters of the reason in the ledger. */
  reasonCharacters: 200,
} as const;

/** Long work beside a conversation. */
export const TURN_LIMITS = {
  /** Milliseconds after which it lets everything else have its turn. */
  sliceMs: 2,
  /** Of judging a dream, where a single step, the gate for one write, may take several more. */
  judgingSliceMs: 2,
  /** Milliseconds for which the files of the settings are not looked at again. */
  settingsLookMs: 100,
} as const;
