/** Limits that were settings once and are constants now: a file that still sets one is told so, and nothing else happens. */

const RETIRED: Readonly<Record<string, string>> = {
  transcripts:
    'sweepEveryHours chunkBytes recordBytes waitingBytes listedBytes expandedBytes expandedRanges ' +
    'titleCharacters suggested holdWaitMs holdStaleAfterMs',
  caps: 'likelyOutputTokens resumedDays outputWeight cacheReadWeight cacheWriteWeight cacheWriteHourWeight',
  loop: 'interruptGraceMs continuations overflows',
  instructions: 'fileBytes files ruleFolders globAlternatives',
  window: 'unknownTokens answerDivisor compactBeforeDivisor warnBeforeDivisor stopBeforeDivisor',
  compaction:
    'eagerShare droppedShare filledShare leastRoomTokens mostDensity restoredShare requestShare ' +
    'rulesShare messagesShare todosShare writtenShare termsShare summaryShare messageCharacters ' +
    'todosTokens writtenTokens termsTokens pastedCharacters termCharacters terms headingTokens planTokens ' +
    'noticeTokens noticesTokens expandedTokens expandedBlockCharacters leastResultTokens scopeCharacters ' +
    'reportedItems reportedCharacters',
  host: 'cutKeptShare cutLines cutLineCharacters keptLines markedMessages',
  economy:
    'balancedPatience maxPatience keptMessages maxKeptTokens tailFactor ' +
    'inUseTokens maxInUseTokens saidWeight shownWeight inUseHalfLifeCalls',
  models: 'askedModels',
  retry: 'jitterShare longestAskedDelayMs',
  flags: 'holdMs',
  toolResults: 'ceilingTokens failedSlackCharacters frameCharacters problemCharacters parsedCharacters',
  microcompact:
    'apiExpectedRequests apiRoundTokens earlyShare reliefShare readFactor writeFactor hourWriteFactor ' +
    'leastExpectedRequests mostExpectedRequests',
  collapse: 'foldAtShare foldToShare keptRounds namedCalls inputCharacters',
  notes: 'ceilingTokens directiveTokens urgentTokens rounds fileBytes',
  prefetch: 'narrowedTo queryCharacters descriptionCharacters recentTools selections waitingTriggers keptReasons',
  extraction:
    'listedMemories descriptionCharacters nearestMemories nearestCharacters namedMemories warmAfterMs ' + 'warmPauseMs',
  dreaming:
    'firstRetryHours secondRetryHours laterRetryHours outputTokens tokenSlack expectedRounds ' +
    'expectedNewTokens expectedOutputTokens removedFew reasonCharacters quoteCharacters quotes ' +
    'superseding problems changes listBytes roundCharacters namedMemories namedSessions namedLogs hints ' +
    'descriptionCharacters verifyMs passageCharacters transcriptBytes projectFileBytes resultCharacters ' +
    'retireRecalls retireDays keptDays',
  project: 'gitTimeoutMs gitAnswerBytes',
  settings: 'fileBytes unknownKeys',
  index: 'shrinkToShare entryCharacters newsLines',
  header: 'lines bytes quotes quoteCharacters',
  path: 'depth nameBytes pathBytes slugBytes',
  importing: 'fileBytes exportBytes nameCharacters',
  lock: 'staleAfterMs',
  localIndex: 'sliceMs batchMemories orphanAfterMs',
  recall: 'cautionFromDays headerCharacters claims searchedFiles searchedFileBytes',
  explicit: 'pastedCharacters documentCharacters memories',
  gate:
    'spanBytes earlierBytes earlierSaidBytes comparedMemories comparedCharacters ' +
    'forgetQuoteCharacters reasonCharacters',
  pastSearch:
    'sessions bytes recordBytes messageCharacters sentenceCharacters leastShare hits mostHits ' + 'shownSentences',
  dailyLog: 'lineCharacters tailBytes readBytes',
  usefulness:
    'watchedMemories readCharacters lookAfterMs leastWords wordsShare tellingWeight shortPassageTerms ' +
    'afterSessionMinutes unusedRecalls staleMemories staleMs',
  hooks: 'budgetMs payloadBytes transcriptBytes transcriptHours queryCharacters keptDays lookAgainMs',
  tools:
    'readLines lineCharacters readTokens fileBytes imageBytes documentBytes snippetContextLines ' +
    'snippetLines grepLines globPaths grepCharacters searchBytes',
  shell: 'drainMs mostDrainMs outputCharacters failedCharacters progressEveryMs backgroundCommands',
  webFetch: 'pageBytes characters redirects',
  readOnlyShell: 'commandCharacters stages words globEntries reasonCharacters links timeoutMs outputBytes killGraceMs',
  permissions: 'commandCharacters commandWords shellDepth links listedDenials patternChoices ruleCharacters',
  userHooks: 'longestTimeoutMs drainMs floodBytes outputBytes textCharacters lineCharacters',
  skills: 'listed lineCharacters fileBytes folders',
  mcpServers:
    'killGraceMs restarts restartDelayMs messageBytes floodBytes errorCharacters tools pages ' +
    'nameCharacters serverNameCharacters descriptionCharacters instructionCharacters schemaBytes ' +
    'schemaDepth searchedTools searchCharacters searchedDescriptionCharacters listedCharacters ' +
    'resultCharacters resultMedia progressEveryMs progressCharacters warningCharacters',
};

/** Made only where a place for settings is read. */
export function retiredLimits(): ReadonlySet<string> {
  return new Set(
    Object.entries(RETIRED).flatMap(([group, names]) => names.split(' ').map((name) => `limits.${group}.${name}`)),
  );
}
