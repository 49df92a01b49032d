/** Numbers of what the agent may do: tools, shell, permission, hooks, skills; no setting changes them. */

export const TOOL_LIMITS = {
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
    /** How long a search may take, and bytes of its raw output that are taken. */
    searchBytes: 8_388_608,
  },
  shell: {
    /** When a command has ended and something it started still holds its output: how long silence, and all, is waited for. */
    drainMs: 100,
    mostDrainMs: 1_000,
    /** Characters of output that are kept, head and tail together; what of it the model sees is for the layer of tool results. */
    outputCharacters: 1_000_000,
    failedCharacters: 1_000_000,
    /** How often output is shown while a command runs. */
    progressEveryMs: 100,
    /** Commands in the background at one time. */
    backgroundCommands: 20,
  },
  webFetch: {
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
    /** Characters of the reason for which a line is refused. */
    reasonCharacters: 1_500,
    /** Links that are followed to find where one path leads. */
    links: 40,
    /** How long a line may run, and bytes of output that are kept of it. */
    timeoutMs: 10_000,
    outputBytes: 262_144,
    /** How long a killed program is waited for. */
    killGraceMs: 1_000,
  },
  permissions: {
    /** Characters of a shell line above which no rule allows it: it is not read. */
    commandCharacters: 65_536,
    /** Words of a shell line above which no rule allows it: each may be a file that has to be looked at. */
    commandWords: 2_000,
    /** Substitutions, groups and wrappers inside one another that are followed. */
    shellDepth: 16,
    /** Links that lead to links that are followed; systems themselves stop at forty or so. */
    links: 64,
    /** Denied calls that are listed one by one. */
    listedDenials: 1_000,
    /** Patterns that the braces of one path pattern may stand for. */
    patternChoices: 64,
    /** Characters of a rule; a longer one is refused. */
    ruleCharacters: 1_000,
  },
  userHooks: {
    /** The longest that it may say: a timer takes no more than this. */
    longestTimeoutMs: 2_147_483_647,
    /** How long the output of a command that ended is waited for: what it left behind may keep it open. */
    drainMs: 200,
    /** Bytes of output after which a command is stopped: reading on would keep us busy. */
    floodBytes: 67_108_864,
    /** Bytes of each of its outputs that are read; the rest is thrown away. */
    outputBytes: 65_536,
    /** Characters of one text that a hook adds to the conversation, or gives as a reason. */
    textCharacters: 10_000,
    /** Characters of a command, and of what went wrong, in a line of warning. */
    lineCharacters: 160,
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
    /** Characters kept of the end of what a server wrote to its standard error. */
    errorCharacters: 2_000,
    /** Tools and pages of the list of tools of one server that are taken. */
    tools: 1_000,
    pages: 64,
    /** Characters of a tool's name as the model sees it, and of the part that names the server. */
    nameCharacters: 64,
    serverNameCharacters: 32,
    /** Characters of a tool's description and of a server's instructions. */
    descriptionCharacters: 2_000,
    instructionCharacters: 2_000,
    /** Bytes of the schema of one tool's input, and how deep it may nest. */
    schemaBytes: 65_536,
    schemaDepth: 64,
    /** Tools that one search shows, characters of all of them, and of each description among many. */
    searchedTools: 10,
    searchCharacters: 20_000,
    searchedDescriptionCharacters: 300,
    /** Characters of names of tools that the description of the search lists. */
    listedCharacters: 4_000,
    /** Characters of text and pictures or documents of one result. */
    resultCharacters: 2_000_000,
    resultMedia: 20,
    /** How often progress of a call is passed on, and characters of it. */
    progressEveryMs: 100,
    progressCharacters: 200,
    /** Characters of one line of warning. */
    warningCharacters: 500,
  },
} as const;
