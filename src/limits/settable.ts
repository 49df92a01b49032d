/** The numbers that settings may change, as `limits.<group>.<name>`: the default, and what it bounds in one sentence. */

type SettableLimit = readonly [value: number, description: string];

export const SETTABLE_LIMITS = {
  project: {
    slugCharacters: [100, 'Characters of the readable part of a project’s folder name.'],
  },
  index: {
    lines: [200, 'Lines of MEMORY.md that are loaded into a conversation.'],
    bytes: [25_000, 'Bytes of MEMORY.md that are loaded, cut at a line boundary.'],
  },
  lock: {
    waitMs: [10_000, 'Milliseconds that a writer waits for another one to finish.'],
  },
  recall: {
    surfacedLines: [200, 'Lines of one recalled memory that are shown.'],
    surfacedBytes: [4_096, 'Bytes of one recalled memory that are shown, cut at a line boundary.'],
    sessionBytes: [60_000, 'Bytes of recalled memories that a conversation takes until it is compacted.'],
    verifyMs: [150, 'Milliseconds that checking what a memory names may take, all in all.'],
  },
  prefetch: {
    holdMs: [40, 'Milliseconds that local ranking may hold the first request of a turn.'],
    picked: [5, 'Memories that one message may bring.'],
    newest: [200, 'Newest memories that the model selector sees where nothing ranks before it.'],
    answerTokens: [256, 'Tokens of the model selector’s answer.'],
    selectionMs: [120_000, 'Milliseconds that one selection by a model may take.'],
    failures: [3, 'Failures in a row after which no model is asked for the rest of the session.'],
  },
  host: {
    recallHoldMs: [40, 'Milliseconds that a request of a host’s own loop waits for recalled memories.'],
    readyMs: [1_000, 'Milliseconds that opening a host’s session waits for the index of its memories.'],
  },
  gate: {
    typedCharacters: [
      400,
      'Characters of a prompt’s first paragraph that count as typed where nobody says which were.',
    ],
    writeBytes: [250_000, 'Bytes of one memory that anybody but a person writes.'],
    watchedFiles: [2_000, 'Memories of a folder up to which each is looked at after a command of the agent.'],
    watchMs: [100, 'Milliseconds that a command’s answer waits for a look at the memories it changed.'],
  },
  learn: {
    dayTokens: [
      300_000,
      'Uncached-equivalent tokens that learning through coding agents’ own models may cost in a day (UTC).',
    ],
    dreamDayTokens: [
      200_000,
      'Uncached-equivalent tokens that dreams through the models of coding agents and MCP clients may cost in a day (UTC).',
    ],
  },
  pastSearch: {
    milliseconds: [300, 'Milliseconds that a search in the user’s earlier words may take.'],
  },
  dailyLog: {
    failures: [3, 'Failures in a row after which no more lines are written in the session.'],
  },
  transcripts: {
    keptDays: [30, 'Days after which a session that nobody touched is removed; memory never is.'],
    keptBytes: [2_147_483_648, 'Bytes of all sessions together, beyond which the oldest are removed.'],
  },
  instructions: {
    warnCharacters: [40_000, 'Characters of one instruction file above which there is a warning.'],
    includeDepth: [5, 'How deep included files may include further ones.'],
  },
  caps: {
    dayTokens: [1_000_000, 'Uncached-equivalent tokens that all background work may cost in a day (UTC).'],
    recallShare: [0.05, 'What recall may cost in a session, as a share of its conversation.'],
    notesShare: [0.08, 'What session notes may cost in a session, as a share of its conversation.'],
    extractionShare: [0.1, 'What extraction may cost in a session, as a share of its conversation.'],
    progressShare: [0.02, 'What progress lines may cost in a session, as a share of its conversation.'],
    floorTokens: [30_000, 'Uncached-equivalent tokens that each of these may use however short the session is.'],
    lockWaitMs: [5_000, 'Milliseconds that a background call waits for other processes to reserve theirs.'],
  },
  retry: {
    attempts: [10, 'Times that a request is made before a failure that may pass is given up on.'],
    firstDelayMs: [500, 'Milliseconds of the first pause before another try; each further one is twice as long.'],
    longestDelayMs: [32_000, 'Milliseconds of the longest pause between two tries.'],
  },
  models: {
    answerMs: [300, 'Milliseconds that a local server may take to say which models it has.'],
    namedAnswerMs: [5_000, 'Milliseconds that it may take where the user named that server.'],
  },
  window: {
    defaultTokens: [200_000, 'Tokens of a context window where nothing says another number.'],
    answerTokens: [20_000, 'Most tokens of the window that are kept free for the answer.'],
    compactBeforeTokens: [13_000, 'Most tokens between the effective window and the point of compaction.'],
    warnBeforeTokens: [20_000, 'Most tokens before the point of compaction at which there is a warning.'],
    stopBeforeTokens: [3_000, 'Most tokens between the effective window and the point where nothing more is sent.'],
  },
  loop: {
    parallelTools: [10, 'Tools that only read which run at one time.'],
    outputTokens: [8_000, 'Tokens that an answer may have at first.'],
    longOutputTokens: [64_000, 'Tokens that an answer may have once the first bound cut it.'],
    answersSentBack: [8, 'Times that hooks may send back the final answer of one turn.'],
  },
  flags: {
    answerMs: [2_000, 'Milliseconds that a promise of the host’s `flags` may take before it no longer counts.'],
    failures: [3, 'Times in a row that `flags` may hold the process too long before it is asked no more.'],
  },
  toolResults: {
    characters: [50_000, 'Characters of one tool result before it goes to a file.'],
    bashCharacters: [30_000, 'Characters of the result of a command before it goes to a file.'],
    grepCharacters: [20_000, 'Characters of the result of a search before it goes to a file.'],
    agentCharacters: [32_000, 'Characters of the output of a sub-agent before it goes to a file.'],
    mcpTokens: [25_000, 'Tokens of the result of an MCP tool before it goes to a file.'],
    failedCharacters: [10_000, 'Characters of a failing command that are kept, head and tail together.'],
    batchCharacters: [200_000, 'Characters of all results of one round together.'],
    previewBytes: [2_000, 'Bytes of a result in a file that are shown.'],
    failures: [3, 'Failures in a row to store a result after which results are cut in place.'],
  },
  microcompact: {
    hourIdleMinutes: [60, 'Idle minutes after which a cache that lives an hour counts as lost.'],
    shortIdleMinutes: [5, 'Idle minutes after which a cache that lives five minutes counts as lost.'],
    keptResults: [5, 'Newest tool results that are never cleared.'],
    cacheEditResults: [12, 'Results in the context above which the oldest are deleted from the provider’s cache.'],
    apiBeforeTokens: [20_000, 'Tokens before the point of compaction at which the API clears old results.'],
    thinkingTurns: [1, 'Turns whose thinking the API keeps once the cache was lost.'],
    failures: [3, 'Failures in a row after which nothing new is cleared for the rest of the session.'],
  },
  notes: {
    firstTokens: [10_000, 'Tokens of messages from which on notes are kept.'],
    growthTokens: [5_000, 'Tokens by which a conversation grows between two updates of its notes.'],
    toolCalls: [3, 'Tool calls between two updates, unless the last response made none.'],
    sectionTokens: [2_000, 'Tokens of one section of the notes above which the model is told to condense it.'],
    totalTokens: [12_000, 'Tokens of all notes above which the model is told to condense them.'],
    mainShare: [0.06, 'Share of what the conversation has cost at which updates that can wait do wait.'],
    closeMs: [2_000, 'Milliseconds that closing a session waits for an update that was told to stop.'],
    failures: [3, 'Failures in a row after which no more notes are made in the session.'],
  },
  economy: {
    leastShrink: [1.25, 'How many times larger a conversation must be than the notes that replace it early.'],
    forcedFactor: [2, 'How many times its cost must be paid before outdated notes replace a conversation early.'],
    maxNotesGrowthTokens: [30_000, 'Tokens of growth between two updates of the notes at economy `max`.'],
  },
  collapse: {
    failures: [3, 'Failures in a row after which nothing new is folded for the rest of the session.'],
  },
  compaction: {
    failures: [3, 'Failures in a row after which the conversation is no longer compacted by itself.'],
    refills: [3, 'Times in a row that the window may be full again right after a compaction.'],
    coldTokens: [60_000, 'Tokens from which on notes replace a conversation whose cache is cold, at economy `max`.'],
    shorterTries: [3, 'Times that a summary is asked for again without the oldest rounds.'],
    messagesTokens: [8_000, 'Tokens of the user’s own messages that are carried over.'],
    rulesTokens: [4_000, 'Tokens of the user’s rules that are carried over.'],
    files: [5, 'Recently read files that are read again after a compaction.'],
    fileTokens: [5_000, 'Tokens of one file that is read again.'],
    filesTokens: [50_000, 'Tokens of all files that are read again.'],
    skillTokens: [5_000, 'Tokens of one invoked skill that is restored.'],
    skillsTokens: [25_000, 'Tokens of all skills that are restored.'],
    keptTokens: [10_000, 'Least tokens of messages that are kept behind notes.'],
    keptMessages: [5, 'Least messages with text that are kept behind notes.'],
    mostKeptTokens: [40_000, 'Most tokens of messages that are kept behind notes.'],
    sectionTokens: [2_000, 'Tokens of one section of the notes that replace a conversation.'],
  },
  extraction: {
    typedCharacters: [40, 'Characters typed since the last look from which on the conversation is looked through.'],
    mainShare: [0.05, 'Share of what the conversation has cost at which several turns are looked through at once.'],
    rounds: [5, 'Requests of one look through the conversation.'],
    memoryBytes: [250_000, 'Bytes of one memory that extraction writes.'],
    closeWaitMs: [60_000, 'Milliseconds that the end of a session waits for what is running.'],
    printWaitMs: [15_000, 'Milliseconds that the end of `reverie -p` waits for what is running.'],
    failures: [3, 'Failures in a row after which nothing is extracted for the rest of the session.'],
  },
  dreaming: {
    everyHours: [24, 'Hours between two dreams that begin by themselves.'],
    scanMinutes: [10, 'Minutes between two counts of the sessions since the last dream.'],
    sessions: [5, 'Sessions since the last dream from which on one begins by itself.'],
    staleMinutes: [60, 'Minutes after which the lock of a dream counts as abandoned.'],
    runMinutes: [45, 'Minutes after which a dream stops by itself.'],
    stopSeconds: [5, 'Seconds that a dream which is told to stop is waited for.'],
    rounds: [40, 'Requests of one dream.'],
    equivalentTokens: [200_000, 'Uncached-equivalent tokens that one dream may cost.'],
    removedShare: [0.3, 'Share of all memories above which removals are left to the user.'],
    shownRounds: [30, 'Newest rounds of a dream that are shown.'],
    failures: [3, 'Failures in a row after which no dream begins by itself in the session.'],
  },
  agents: {
    depth: [3, 'How deep agents may start further agents.'],
    atOnce: [20, 'Agents of one session that run at one time.'],
    rounds: [200, 'Requests that one agent may make.'],
    equivalentTokens: [2_000_000, 'Uncached-equivalent tokens that one agent may cost.'],
    treeTokens: [10_000_000, 'Uncached-equivalent tokens that all agents of a session may cost together.'],
    foregroundMs: [120_000, 'Milliseconds after which an agent that is waited for goes on in the background.'],
    siblingWaitMs: [5_000, 'Milliseconds that an agent waits for a sibling to write the cache that both read.'],
    printWaitMs: [600_000, 'Milliseconds that `reverie -p` waits for agents in the background.'],
    progressMs: [30_000, 'Milliseconds between two lines about what an agent is doing.'],
  },
  tools: {
    searchMs: [20_000, 'Milliseconds that a search in files may take.'],
  },
  shell: {
    timeoutMs: [120_000, 'Milliseconds that a command may take unless the agent asks for another time.'],
    mostTimeoutMs: [600_000, 'Milliseconds that a command may take at most.'],
    killGraceMs: [2_000, 'Milliseconds that a command may take to end by itself before it is killed.'],
  },
  webFetch: {
    timeoutMs: [30_000, 'Milliseconds that fetching a page may take, all in all.'],
  },
  userHooks: {
    timeoutMs: [60_000, 'Milliseconds that one hook command may take unless it says otherwise.'],
  },
  mcpServers: {
    connectMs: [30_000, 'Milliseconds that a server may take to start, agree on the protocol and list its tools.'],
    startWaitMs: [5_000, 'Milliseconds that the start of a session waits for all servers.'],
    callMs: [60_000, 'Milliseconds that one call of a tool may take.'],
    schemaShare: [0.1, 'Share of the window that the schemas of all servers may take before they are looked up.'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SettableLimit>>>>;

type Table = typeof SETTABLE_LIMITS;

/** The settable numbers as plain numbers, so that a setting or a test can change one of them. */
export type SettableNumbers = {
  readonly [Group in keyof Table]: { readonly [Name in keyof Table[Group]]: number };
};

/** Marked as a call without effects: a program that reads none of these numbers is bundled without them. */
export const SETTABLE_DEFAULTS: SettableNumbers = /* @__PURE__ */ defaultsOf(SETTABLE_LIMITS);

function defaultsOf(table: Table): SettableNumbers {
  const groups = Object.entries(table).map(([group, limits]) => [
    group,
    Object.fromEntries(Object.entries(limits).map(([name, [value]]) => [name, value])),
  ]);
  return Object.fromEntries(groups) as SettableNumbers;
}
