/** Numbers of the layers that keep a conversation within its window, one group a layer. */

export const LAYER_LIMITS = {
  flags: {
    /** How long a promise of the host's `flags` may take until its answer no longer counts. */
    answerMs: 2_000,
    /** How long the function itself may hold the process, and how often in a row it may do so longer until it is asked no more. */
    holdMs: 50,
    failures: 3,
  },
  toolResults: {
    /** Characters of one result before it goes to a file; of a command, a search and a sub-agent fewer. */
    characters: 50_000,
    bashCharacters: 30_000,
    grepCharacters: 20_000,
    agentCharacters: 32_000,
    /** Tokens of a result of an MCP server's tool. */
    mcpTokens: 25_000,
    /** Tokens of any result, whatever a setting says. */
    ceilingTokens: 100_000,
    /** Characters of a failing command, head and tail together, and how many more are let pass: the command's end says so itself. */
    failedCharacters: 10_000,
    failedSlackCharacters: 500,
    /** Characters of all results of one round together. */
    batchCharacters: 200_000,
    /** Bytes of a stored result that are shown. */
    previewBytes: 2_000,
    /** Characters that the frame around them takes at most: storing less than both would make a result longer. */
    frameCharacters: 500,
    /** Characters of the reason that a result could not be stored. */
    problemCharacters: 200,
    /** Characters of a text up to which it is parsed to see whether it is JSON; a longer one is judged by its ends. */
    parsedCharacters: 1_000_000,
    /** Failures to store in a row after which results are cut in place for the rest of the session. */
    failures: 3,
  },
  microcompact: {
    /** Minutes without an answer after which a cache that lives an hour, and one that lives five minutes, is taken for lost. */
    hourIdleMinutes: 60,
    shortIdleMinutes: 5,
    /** Newest results that are never cleared. */
    keptResults: 5,
    /** Results in the context from which on the oldest are deleted from the provider's cache. */
    cacheEditResults: 12,
    /** Tokens before the point of compaction at which the API clears. */
    apiBeforeTokens: 20_000,
    /** Turns whose thinking the API keeps once the cache was lost. */
    thinkingTurns: 1,
    /** Requests that are expected of a conversation that has come so far: what the API clears must pay within them. */
    apiExpectedRequests: 20,
    /** The API's least number of tokens is rounded up to a multiple of this. */
    apiRoundTokens: 1_000,
    /** Share of the point of compaction from which on clearing is considered, with `economy` at `max`. */
    earlyShare: 0.5,
    /** Share of the window's bound that clearing must win, so that it is not needed again at once. */
    reliefShare: 0.2,
    /** What reading from the cache, writing to it for five minutes and for an hour cost against plain input, where no price is known. */
    readFactor: 0.1,
    writeFactor: 1.25,
    hourWriteFactor: 2,
    /** Requests that are expected to come: as many as there were, within these bounds. */
    leastExpectedRequests: 10,
    mostExpectedRequests: 100,
    /** Failures in a row after which nothing new is cleared for the rest of the session. */
    failures: 3,
  },
  collapse: {
    /** Share of the effective window from which on finished work is folded, and down to which: each batch breaks the cache once. */
    foldAtShare: 0.9,
    foldToShare: 0.75,
    /** Newest rounds that are never folded. */
    keptRounds: 3,
    /** Calls of a round that its line names, and characters of the input of each. */
    namedCalls: 12,
    inputCharacters: 80,
    /** Failures in a row after which nothing new is folded for the rest of the session, and compaction makes room again. */
    failures: 3,
  },
  notes: {
    /** Tokens of messages from which on notes are kept, and by which they grow between two updates. */
    firstTokens: 10_000,
    growthTokens: 5_000,
    /** Tool calls between two updates, unless the last response made none. */
    toolCalls: 3,
    /** Tokens of one section and of all; above them the model is told what to condense, above the last its edit is refused. */
    sectionTokens: 2_000,
    totalTokens: 12_000,
    ceilingTokens: 24_000,
    /** Tokens that the instruction around the notes takes at most. */
    directiveTokens: 1_500,
    /** Share of what the conversation has cost; once the notes have cost as much, they wait. Below their cap, which leaves room for one that cannot wait. */
    mainShare: 0.06,
    /** Tokens without notes shortly before a compaction, from which on they do not wait: half of what a compaction keeps behind them. */
    urgentTokens: 20_000,
    /** Requests of one update: the first makes all edits, the others correct what was refused. */
    rounds: 3,
    /** Bytes of the notes, their template and their prompt that are read. */
    fileBytes: 262_144,
    /** Failures in a row after which no more notes are made in this session. */
    failures: 3,
    /** How long closing a session waits for an update that was told to stop. */
    closeMs: 2_000,
  },
  prefetch: {
    /** How long ranking without a model may hold the first request of a turn. */
    holdMs: 40,
    /** Memories that a message may bring: ranked here, or picked by the selector. */
    picked: 5,
    /** Memories that ranking leaves for the selector to pick from; the newest that it sees where nothing ranks before it. */
    narrowedTo: 30,
    newest: 200,
    /** Tokens of the selector's answer. */
    answerTokens: 256,
    /** Characters of a message that are looked up, and of a description in the selector's list. */
    queryCharacters: 2_000,
    descriptionCharacters: 200,
    /** Tools used last that the selector is told of. */
    recentTools: 10,
    /** Selections running at one time, and how long one may take. */
    selections: 2,
    selectionMs: 120_000,
    /** Things the agent met (an error, a file) that wait to be looked up. */
    waitingTriggers: 4,
    /** Recalled memories of a session, the newest, of which can be told why. */
    keptReasons: 100,
    /** Failures in a row after which no model is asked for the rest of the session. */
    failures: 3,
  },
  extraction: {
    /** Characters that the user typed since the last look from which on the conversation is looked through without a cue. */
    typedCharacters: 40,
    /** Share of what the conversation has cost; once as much was spent, several turns are looked through at once. Below its cap. */
    mainShare: 0.05,
    /** Requests of one run. */
    rounds: 5,
    /** Memories that a run is told of, and characters of each description: the newest, and first of all those nearest to what the
     * user said, by so many characters of so many messages. */
    listedMemories: 20,
    descriptionCharacters: 120,
    nearestMemories: 5,
    nearestCharacters: 2_000,
    /** Bytes of one memory. */
    memoryBytes: 250_000,
    /** Memories named in the line that says what was saved. */
    namedMemories: 5,
    /** How long the end of a session waits for what runs, and of one that printed its answer. */
    closeWaitMs: 60_000,
    printWaitMs: 15_000,
    /** Failures in a row after which nothing is extracted for the rest of the session. */
    failures: 3,
    /** Patterns are compiled ahead, so long after the start, with such a pause between two of them. */
    warmAfterMs: 300,
    warmPauseMs: 5,
  },
  dreaming: {
    /** Hours since the last dream, minutes since sessions were last counted, and sessions touched meanwhile: then one begins by itself. */
    everyHours: 24,
    scanMinutes: 10,
    sessions: 5,
    /** A dreamer's lock counts for abandoned after so many minutes, even where its process is there; it stops by itself before that. */
    staleMinutes: 60,
    runMinutes: 45,
    /** How long one that is to stop is waited for. */
    stopSeconds: 5,
    /** How long one that failed or was killed waits, the first, second and every further time. */
    firstRetryHours: 1,
    secondRetryHours: 6,
    laterRetryHours: 24,
    /** Requests of one dream, and what all of them may cost in uncached-equivalent tokens. */
    rounds: 40,
    equivalentTokens: 200_000,
    /** Tokens that one of its answers may have, and how many a token that was only estimated may turn out to be. */
    outputTokens: 24_000,
    tokenSlack: 1.3,
    /** What one is expected to take, by rounds over the prefix and by tokens that are new and that are answered: with less room none begins by itself. */
    expectedRounds: 8,
    expectedNewTokens: 12_000,
    expectedOutputTokens: 6_000,
    /** More removals than this share of all memories, and than the number below, are left to the user. */
    removedShare: 0.3,
    removedFew: 3,
    /** Characters of a reason and of a quote, and quotes of one change. */
    reasonCharacters: 600,
    quoteCharacters: 600,
    quotes: 12,
    /** Memories that one change may name as holding what it takes away. */
    superseding: 12,
    /** Things that were wrong with a list and are told. */
    problems: 50,
    /** Changes that one dream may propose, and bytes of its list. */
    changes: 500,
    listBytes: 1_048_576,
    /** Rounds that are shown, and characters of each. */
    shownRounds: 30,
    roundCharacters: 200,
    /** Memories, sessions and daily logs that the dreamer is told of by name. */
    namedMemories: 400,
    namedSessions: 20,
    namedLogs: 31,
    /** Names in one list of what deserves a look, characters of a description there, and how long looking for what is gone may take. */
    hints: 20,
    descriptionCharacters: 120,
    verifyMs: 3_000,
    /** Characters around a quote that count as its passage; bytes of a transcript and of a project's file that are searched for one. */
    passageCharacters: 2_000,
    transcriptBytes: 134_217_728,
    projectFileBytes: 1_048_576,
    /** Characters of one tool's result in a conversation of its own. */
    resultCharacters: 30_000,
    /** A memory that was recalled so often, over so many days, and never used, is proposed for retirement. */
    retireRecalls: 5,
    retireDays: 30,
    /** Failures in a row after which none begins by itself for the rest of the session. */
    failures: 3,
    /** Days for which dreams without open changes are kept on record. */
    keptDays: 90,
  },
} as const;
