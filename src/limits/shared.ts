/** Constants that several files read, or that tests hold the program to; no setting changes them. */

export const SETTINGS_FILE_LIMITS = {
  /** Bytes of a settings file or a project record; a larger one is refused rather than read. */
  fileBytes: 1_048_576,
  /** Unknown keys of one file that are told one by one. */
  unknownKeys: 20,
} as const;

export const INDEX_LIMITS = {
  /** Share of the limits that a warning asks the user to shrink to. */
  shrinkToShare: 0.7,
  /** Characters an entry should stay under. */
  entryCharacters: 150,
} as const;

export const HEADER_LIMITS = {
  /** Bytes read to find its closing fence. */
  bytes: 16_384,
  /** Quotes that a memory keeps, the newest ones. */
  quotes: 8,
} as const;

export const PATH_LIMITS = {
  /** Folders below the memory root. */
  depth: 8,
  /** Bytes of one file name, the most that common file systems take. */
  nameBytes: 255,
  /** Bytes of a whole path, the most that Linux takes with its closing NUL. */
  pathBytes: 4_095,
} as const;

export const IMPORT_LIMITS = {
  /** Bytes of one file of a folder that is imported; a larger one is no memory. */
  fileBytes: 1_048_576,
} as const;

export const DAILY_LOG_LIMITS = {
  /** Characters of one line of a daily log. */
  lineCharacters: 1_000,
} as const;

export const HOOK_LIMITS = {
  /** Words of a transcript that are older belong to a time before the hooks, or were looked through then. */
  transcriptHours: 24,
  /** Characters of an error, or of a message, that recall is asked with. */
  queryCharacters: 2_000,
  /** Bytes of memories that a sub-agent of a host is given when it starts. */
  subagentBytes: 6_000,
} as const;

export const CAP_LIMITS = {
  /** What a token costs against one of uncached input, as prices usually are. */
  outputWeight: 5,
  cacheReadWeight: 0.1,
  cacheWriteWeight: 1.25,
} as const;

export const INSTRUCTION_LIMITS = {
  /** Bytes of one instruction file; a larger one is left out. */
  fileBytes: 4_194_304,
  /** Patterns that the braces of one glob may stand for. */
  globAlternatives: 1_000,
} as const;

export const WINDOW_LIMITS = {
  /** Tokens of the window of another provider's model that nobody could be asked about. */
  unknownTokens: 32_000,
  /** The answer is kept at most this part of the window free. */
  answerDivisor: 5,
} as const;

export const COMPACTION_LIMITS = {
  /** Characters of a paragraph above which it was pasted, not typed; and of one name or value. */
  termCharacters: 120,
  /** Tokens that a heading over carried text may take. */
  headingTokens: 30,
} as const;

export const HOST_LIMITS = {
  /** Messages from the end in which a host's own marks for the cache are looked for. */
  markedMessages: 4,
} as const;

export const ECONOMY_LIMITS = {
  /** Tokens kept behind the notes when they replace a conversation early at `max`. */
  maxKeptTokens: 3_000,
} as const;

export const RETRY_LIMITS = {
  /** Share of a pause that chance may take off it, so that many clients do not come back at once. */
  jitterShare: 0.25,
  /** The longest pause that a server may ask for. */
  longestAskedDelayMs: 120_000,
  /** Times that a server is asked which was never reached: its address may be wrong, and the user hears of it within five seconds. */
  unreachedAttempts: 4,
} as const;

export const TOOL_RESULT_LIMITS = {
  /** Characters that the frame around them takes at most: storing less than both would make a result longer. */
  frameCharacters: 500,
} as const;

export const COLLAPSE_LIMITS = {
  /** Share of the effective window from which on finished work is folded. */
  foldAtShare: 0.9,
} as const;

export const NOTES_LIMITS = {
  /** Tokens that the instruction around the notes takes at most. */
  directiveTokens: 1_500,
} as const;

export const PREFETCH_LIMITS = {
  /** Tools used last that the selector is told of. */
  recentTools: 10,
} as const;

export const DREAMING_LIMITS = {
  /** Removals up to which the share of all memories does not matter; more are left to the user. */
  removedFew: 3,
  /** Bytes of a dream's list of changes. */
  listBytes: 1_048_576,
  /** How long looking for what is gone may take. */
  verifyMs: 3_000,
} as const;

export const TOOL_LIMITS = {
  /** Characters of one line that Read, Edit and Grep show; the rest is cut with a note. */
  lineCharacters: 2_000,
  /** Bytes of an image and of a PDF before they are encoded; providers take little more. */
  documentBytes: 20_971_520,
  /** Lines of Grep and paths of Glob that are shown unless asked for another number. */
  grepLines: 250,
  /** Bytes of a search's raw output that are taken. */
  searchBytes: 8_388_608,
} as const;

export const WEB_FETCH_LIMITS = {
  /** Characters of its text that are shown. */
  characters: 50_000,
} as const;

export const READ_ONLY_SHELL_LIMITS = {
  /** Characters of a command line; a longer one is refused unread. */
  commandCharacters: 8_192,
  /** Programs that one line may start. */
  stages: 20,
  /** Characters of the reason for which a line is refused. */
  reasonCharacters: 1_500,
  /** Links that are followed to find where one path leads. */
  links: 40,
} as const;

export const PERMISSION_LIMITS = {
  /** Substitutions, groups and wrappers inside one another that are followed. */
  shellDepth: 16,
  /** Characters of a rule; a longer one is refused. */
  ruleCharacters: 1_000,
} as const;

export const SKILL_LIMITS = {
  /** Skills that are listed for the model. */
  listed: 100,
  /** Characters of a skill's line in the list. */
  lineCharacters: 250,
  /** Bytes of a SKILL.md; a larger one is left out. */
  fileBytes: 262_144,
} as const;

export const MCP_SERVER_LIMITS = {
  /** Tools and pages of the list of tools of one server that are taken. */
  tools: 1_000,
  /** Characters of a tool's description and of a server's instructions. */
  descriptionCharacters: 2_000,
  /** Characters of one line of warning. */
  warningCharacters: 500,
} as const;

export const INSPECTOR_LIMITS = {
  /** Without a request for so long, the server ends. */
  idleMs: 30 * 60_000,
  idleLookMs: 10_000,
  /** Without a request for so long, memory is given back. */
  restMs: 2_000,
  /** For a request to arrive whole. */
  requestMs: 20_000,
  /** Of one request of the page. */
  bodyBytes: 2_097_152,
  /** Changes on disk within so long are told as one. */
  gatherMs: 40,
  /** Characters of one text that the page is given. */
  textCharacters: 200_000,
  /** Characters of a message in a list. */
  previewCharacters: 240,
  /** Hits of a search. */
  hits: 20,
  /** Changes in a list. */
  changes: 300,
  /** Sessions that an export includes when none is named. */
  exportSessions: 3,
  /** What was read from the whole ledger or folder is good for so long. */
  keptMs: 3_000,
  /** Folders that were not there yet are looked for again after so long. */
  watchAgainMs: 2_000,
} as const;
