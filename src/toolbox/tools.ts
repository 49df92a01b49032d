/** The tools of a session over its files: a path in a memory folder goes through the journal, every other to the disk. */

import { diskFiles } from '../agent/disk-files.ts';
import type { Files } from '../agent/files.ts';
import { hidesFrom } from '../agent/permissions/hidden-paths.ts';
import { readRules } from '../agent/permissions/read-rules.ts';
import { realPathOf } from '../agent/permissions/real-path.ts';
import { createReadFiles, type ReadFile } from '../agent/read-files.ts';
import { type CommandVerdict, checkCommand } from '../agent/read-only-shell/check-command.ts';
import { runReadOnly } from '../agent/read-only-shell/run-read-only.ts';
import { findSkills } from '../agent/skills/find-skills.ts';
import { createUsedSkills, isUsedSkills, skillTool, type UsedSkills } from '../agent/skills/skill-tool.ts';
import type { Tool } from '../agent/tool.ts';
import type { AskUser } from '../agent/tools/ask-user.ts';
import { builtInTools } from '../agent/tools/built-in.ts';
import { type BackgroundCommand, createShells } from '../agent/tools/shell/shells.ts';
import { createTodos, type Todo } from '../agent/tools/todo-write.ts';
import { type SearchService, searchService } from '../agent/tools/web/search-services.ts';
import { isWithin, isWithinAny } from '../base/paths.ts';
import type { Entry } from '../conversation/entry.ts';
import { ReverieError } from '../errors.ts';
import { checkWrite } from '../memory/gate/index.ts';
import { isSlip, type RefusalRule } from '../memory/gate/rules.ts';
import { judgeWrite, type WriteGuard } from '../memory/gate/writer/judge-write.ts';
import { viewProject } from '../memory/gate/writer/project-view.ts';
import type { SpanMessage } from '../memory/gate/writer/span.ts';
import { findInMemory } from '../memory/in-memory.ts';
import type { Memory } from '../memory/memory.ts';
import type { ToolSchema } from '../model/model.ts';
import { withKeptKeys } from '../settings/credentials.ts';
import type { Place } from '../settings/place.ts';
import { isTrusted } from '../settings/settings.ts';
import { type Checkpoints, openCheckpoints } from './checkpoints.ts';
import type { AgentDailyLog } from './daily-log.ts';
import { agentFiles } from './files.ts';
import { type AgentForget, openAgentForget } from './forget.ts';
import { closedFoldersOf } from './permissions.ts';
import { readableRecords } from './readable.ts';
import { openAgentSandbox } from './sandbox.ts';
import { openAgentSearch } from './search.ts';
import type { SessionContext } from './session-context.ts';
import type { SessionLog } from './session-log.ts';
import { type AgentSpanFacts, agentSpan } from './span.ts';
import { stateOf } from './start.ts';
import { type EarlierFacts, openEarlier } from './write-earlier.ts';
import { watchedShells } from './write-watch.ts';

export interface AgentTools {
  readonly byName: ReadonlyMap<string, Tool>;
  readonly schemas: readonly ToolSchema[];
  /** Skills that cannot be used, and why. */
  readonly warnings: readonly string[];
  /** Where the shell is by now. */
  cwd(): string;
  /** Whether a shell line only reads, inside the folders that may be read, and those given. */
  checkReadOnly(command: string, more?: readonly string[]): CommandVerdict;
  /** Whether commands that nobody allowed can run in a sandbox. */
  canConfine(): Promise<boolean>;
  /** Whether a rule forbids reading a file. */
  isHidden(path: string): boolean;
  /** What the session's own tools say of a call before it runs. */
  readonly advise: AgentForget['advise'];
  /** Daily-log mode: what is worth keeping goes to the log, and nothing else writes memories. */
  readonly keepsLog: boolean;
  /** Null when it is gone or is no text. */
  readText(path: string): Promise<string | null>;
  /** What the user typed in earlier sessions and a search showed in this one: their words of then. */
  pastSaid(): readonly SpanMessage[];
  /** For the transcript. */
  pastSaidState(): unknown;
  readState(): readonly (readonly [string, ReadFile])[];
  /** Skills that the conversation loaded. */
  readonly usedSkills: Pick<UsedSkills, 'texts' | 'state'>;
  /** The conversation lost messages: what was shown in them has to be shown again when asked for. */
  messagesWent(): void;
  /** The same tools over a clone of what was read, for a fork; its shell may read in more folders. */
  forFork(more?: readonly string[]): ReadonlyMap<string, Tool>;
  /** What a person does about them beside the conversation. */
  readonly steering: {
    /** Commands that were started in the background. */
    background(): readonly BackgroundCommand[];
    stopBackground(id: string): Promise<boolean>;
    isHidden(path: string): boolean;
    /** What files were before the tools changed them. */
    readonly restoreFiles: Checkpoints['restore'];
  };
  close(): Promise<void>;
}

type ToolsSession = Pick<
  SessionContext,
  'place' | 'memory' | 'log' | 'ledger' | 'cwd' | 'environment' | 'now' | 'tell'
> & {
  /** The conversation, which does not exist yet when its tools are made. */
  readonly entries: () => readonly Entry[];
  /** Of layers and of MCP servers. */
  readonly added: readonly Tool[];
  readonly askUser?: AskUser | undefined;
  /** In place of the built-in ones. */
  readonly given?: readonly Tool[] | undefined;
  readonly dailyLog?: AgentDailyLog | null;
  /** What compaction carried word for word. */
  readonly carried: EarlierFacts['carried'];
  /** A memory of this agent's own, beside the session's. */
  readonly own?: { readonly folder: string; files(disk: Files): Files } | null;
};

export function openAgentTools(facts: ToolsSession): AgentTools {
  const { place, memory, log, cwd, environment } = facts;
  const limits = place.limits;
  const own = facts.own ?? null;
  const earlier = openEarlier({ ...facts, limits });
  const search = openAgentSearch({ place, memory, log });
  const { projectRoot } = place;
  const gate = agentWriteGuard({
    ...{ ...facts, projectRoot, limits, sessionId: log.sessionId },
    ...{ earlier, pastSaid: search.said },
  });
  const dailyLog = facts.dailyLog ?? null;
  const guard = dailyLog?.guard(gate) ?? gate;
  const checkpoints = openCheckpoints({ folder: log.folder, now: facts.now });
  const ownFiles = agentFiles({
    memory,
    disk: own === null ? diskFiles() : own.files(diskFiles()),
    guard: heardGuard(guard, (rule) => facts.ledger.record({ name: 'refused', numbers: {}, cause: `${rule}: agent` })),
  });
  // Memory has a journal of its own.
  const isOwn = (path: string) => own !== null && isWithin(path, own.folder);
  const files = checkpoints.watched(ownFiles, (path) => findInMemory(memory, path) === null && !isOwn(path));
  const read = createReadFiles(readStateOf(log));
  const shells = watchedShells(createShells({ cwd, environment, limits }), {
    ...{ memory, guard, limits: limits.gate },
    tell: facts.tell,
  });
  const sandbox = openAgentSandbox({ ...facts, ownFolder: own?.folder });
  const { deny } = readRules(place.settings.gathered('permissions')).rules;
  const isDenied = hidesFrom({ deny, roots: [place.projectRoot, cwd], userHome: place.userHome });
  const closed = closedFoldersOf(place).flatMap((folder) => [folder, realPathOf(folder)]);
  const isHidden = (path: string) => isWithinAny(realPathOf(path), closed) || isDenied(path);
  const todos = createTodos(lastTodos(log));
  const folders = [...Object.values(memory.folders), ...(own === null ? [] : [own.folder])];
  const roots = [place.projectRoot, cwd, ...folders, ...readableRecords(facts)];
  const shellFacts = (more: readonly string[]) => ({
    cwd: shells.cwd(),
    roots: [...roots, ...more],
    isHidden: deny.some(({ rule }) => rule.kind === 'path' && rule.tool === 'Read') ? isHidden : undefined,
  });
  const checkReadOnly = (command: string, more: readonly string[] = []) => checkCommand(command, shellFacts(more));
  const readOnlyShell = (more: readonly string[]) => ({
    check: (command: string) => checkReadOnly(command, more),
    run: (command: string, signal: AbortSignal) =>
      runReadOnly(command, { ...shellFacts(more), signal, limits: limits.readOnlyShell }),
  });
  const { home, userHome } = place;
  const { skills, warnings } = place.isBare
    ? { skills: [], warnings: [] }
    : findSkills({ projectRoot, home, userHome, trusted: isTrusted(home, projectRoot) });
  const usedSkills = createUsedSkills(skills, stateOf(log, 'skills', isUsedSkills));
  const searching = openSearchService(place, environment);
  const builtIn = (known: typeof read, more: readonly string[]) => [
    ...builtInTools({
      ...{ cwd, files, read: known, environment, limits, shells, todos, sandbox, isHidden },
      ...{ askUser: facts.askUser, searchService: searching.service },
      readOnlyShell: readOnlyShell(more),
    }),
    ...(skills.length === 0 ? [] : [skillTool(skills, known === read ? usedSkills : undefined)]),
  ];
  const forget = openAgentForget({ ...facts, limits, earlier });
  const remembering = memory.enabled ? [forget.tool, search.tool] : [];
  const logging = dailyLog === null ? [] : [dailyLog.tool];
  const over = (known: typeof read, more: readonly string[] = []) => [
    ...(facts.given ?? builtIn(known, more)),
    ...remembering,
    ...logging,
    ...facts.added,
  ];
  const tools = over(read);
  return {
    byName: byName(tools),
    schemas: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    warnings: [...warnings, ...searching.warnings],
    cwd: shells.cwd,
    checkReadOnly,
    canConfine: sandbox.isThere,
    isHidden,
    advise: forget.advise,
    keepsLog: dailyLog !== null,
    readText: (path) => readText(files, path),
    pastSaid: search.said,
    pastSaidState: search.state,
    readState: read.entries,
    usedSkills,
    messagesWent: read.forgetShown,
    forFork: (more) => byName(over(read.clone(), more)),
    steering: {
      background: shells.background,
      stopBackground: shells.stop,
      isHidden,
      restoreFiles: checkpoints.restore,
    },
    close: shells.close,
  };
}

/** What WebSearch asks, and what is missing where it was set up by half. */
function openSearchService(
  { settings: { values }, home }: Place,
  environment: ToolsSession['environment'],
): { readonly service: SearchService | null; readonly warnings: readonly string[] } {
  try {
    const [provider, url] = [values['webSearch.provider'], values['webSearch.url']];
    return { service: searchService({ provider, url, environment: withKeptKeys(home, environment) }), warnings: [] };
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error;
    return { service: null, warnings: [`${error.message} ${error.fix}`] };
  }
}

async function readText(files: Files, path: string): Promise<string | null> {
  try {
    const bytes = await files.read(path);
    return bytes.includes(0) ? null : bytes.toString('utf8');
  } catch {
    return null;
  }
}

function byName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function readStateOf(log: SessionLog): readonly (readonly [string, ReadFile])[] {
  const state = log.kept?.states.get('read');
  return Array.isArray(state) ? state.filter(isReadFile) : [];
}

function isReadFile(value: unknown): value is readonly [string, ReadFile] {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false;
  const file: unknown = value[1];
  return typeof file === 'object' && file !== null && 'hash' in file && typeof file.hash === 'string';
}

/** The list as the model wrote it last: it stands in the conversation itself. */
function lastTodos(log: SessionLog): readonly Todo[] | undefined {
  for (const { message } of (log.kept?.entries ?? []).toReversed()) {
    for (const block of message.content) {
      if (block.type === 'tool_use' && block.name === 'TodoWrite') return block.input.todos as readonly Todo[];
    }
  }
  return undefined;
}

// The gate before the agent's own writes into a memory folder: what it keeps must rest on its conversation.

interface AgentWriteFacts extends AgentSpanFacts {
  readonly memory: Memory;
  /** Where what is not the user's word is looked up. */
  readonly projectRoot: string;
  readonly limits: Place['limits'];
  readonly sessionId: string;
  readonly now: () => Date;
}

export function agentWriteGuard(facts: AgentWriteFacts): WriteGuard {
  const { memory, projectRoot, limits, sessionId, now } = facts;
  const memoryFolders = Object.values(memory.folders);
  return {
    async judge(write) {
      const { span, lastSaid } = await agentSpan(facts);
      return judgeWrite(write, {
        memory,
        gate: (given) => checkWrite(given, { limits: limits.gate }),
        span,
        origin: { session: sessionId, ...(lastSaid === null ? {} : { message: lastSaid }) },
        viewProject: (text) => viewProject(text, { projectRoot, memoryFolders, limits }),
        now,
        limits,
      });
    },
    onWritten: () => {},
  };
}

/** The same guard; what it refuses is told to whoever listens, but for slips that the agent puts right itself. */
function heardGuard(guard: WriteGuard, onRefused: (rule: RefusalRule) => void): WriteGuard {
  return {
    ...guard,
    async judge(write) {
      const judged = await guard.judge(write);
      if (judged.kind === 'refused' && !isSlip(judged.rule)) onRefused(judged.rule);
      return judged;
    },
  };
}
