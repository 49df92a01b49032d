/** Numbers of the layers that keep a conversation within its window, one group a layer. */

export const LAYER_LIMITS = {
  flags: {
    /** How long the function itself may hold the process, and how often in a row it may do so longer until it is asked no more. */
    holdMs: 50,
  },
  toolResults: {
    /** Tokens of any result, whatever a setting says. */
    ceilingTokens: 100_000,
    /** Characters of a failing command, head and tail together, and how many more are let pass: the command's end says so itself. */
    failedSlackCharacters: 500,
    /** Characters that the frame around them takes at most: storing less than both would make a result longer. */
    frameCharacters: 500,
    /** Characters of the reason that a result could not be stored. */
    problemCharacters: 200,
    /** Characters of a text up to which it is parsed to see whether it is JSON; a longer one is judged by its ends. */
    parsedCharacters: 1_000_000,
  },
  microcompact: {
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
  },
  notes: {
    /** Tokens of one section and of all; above them the model is told what to condense, above the last its edit is refused. */
    ceilingTokens: 24_000,
    /** Tokens that the instruction around the notes takes at most. */
    directiveTokens: 1_500,
    /** Tokens without notes shortly before a compaction, from which on they do not wait: half of what a compaction keeps behind them. */
    urgentTokens: 20_000,
    /** Requests of one update: the first makes all edits, the others correct what was refused. */
    rounds: 3,
    /** Bytes of the notes, their template and their prompt that are read. */
    fileBytes: 262_144,
  },
  prefetch: {
    /** Memories that ranking leaves for the selector to pick from; the newest that it sees where nothing ranks before it. */
    narrowedTo: 30,
    /** Characters of a message that are looked up, and of a description in the selector's list. */
    queryCharacters: 2_000,
    descriptionCharacters: 200,
    /** Tools used last that the selector is told of. */
    recentTools: 10,
    /** Selections running at one time, and how long one may take. */
    selections: 2,
    /** Things the agent met (an error, a file) that wait to be looked up. */
    waitingTriggers: 4,
    /** Recalled memories of a session, the newest, of which can be told why. */
    keptReasons: 100,
  },
  extraction: {
    /** Memories that a run is told of, and characters of each description: the newest, and first of all those nearest to what the
     * user said, by so many characters of so many messages. */
    listedMemories: 20,
    descriptionCharacters: 120,
    nearestMemories: 5,
    nearestCharacters: 2_000,
    /** Memories named in the line that says what was saved. */
    namedMemories: 5,
    /** Patterns are compiled ahead, so long after the start, with such a pause between two of them. */
    warmAfterMs: 300,
    warmPauseMs: 5,
  },
  dreaming: {
    /** How long one that failed or was killed waits, the first, second and every further time. */
    firstRetryHours: 1,
    secondRetryHours: 6,
    laterRetryHours: 24,
    /** Tokens that one of its answers may have, and how many a token that was only estimated may turn out to be. */
    outputTokens: 24_000,
    tokenSlack: 1.3,
    /** What one is expected to take, by rounds over the prefix and by tokens that are new and that are answered: with less room none begins by itself. */
    expectedRounds: 8,
    expectedNewTokens: 12_000,
    expectedOutputTokens: 6_000,
    /** More removals than this share of all memories, and than the number below, are left to the user. */
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
    /** Days for which dreams without open changes are kept on record. */
    keptDays: 90,
  },
} as const;
