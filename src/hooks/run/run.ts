/** Answers one hook of a coding agent: which part of the memory is asked at which moment of the host's conversation. */

import { leftHostSessions, newestHostSessions } from '../../disk/sessions/host-sessions.ts';
import type { WorkStep } from '../../disk/work-log/work-log.ts';
import type { Recalled } from '../../memory/memory.ts';
import type { Scopes } from '../../memory/scopes.ts';
import { findPlace, type Place, type PlaceOptions } from '../../settings/place.ts';
import { isHeavy } from '../heavy.ts';
import { rememberEnd, rememberRequest, rememberSession, whereItStood } from '../last/in-hook.ts';
import { callsForNothing, type HookEvent, type HookReach, type HookResult } from './event.ts';
import { keepSaid } from './keep-said.ts';
import { keptStart } from './kept-start.ts';
import { isToBeKept } from './may-ask.ts';
import { withMessages } from './messages.ts';
import { isRecallOn, memoryKey, placeOptionsOf } from './place.ts';
import { type HookSession, openHookSession, sweepHookSessions } from './session.ts';
import { joined, LAST_SESSIONS_BYTES, startAgain } from './start-again.ts';
import { INSTRUCTIONS } from './start-instructions.ts';
import { taskOfSubagent } from './subagent-task.ts';
import { teamNews, teamNewsBytes } from './team-news.ts';
import { type HostVoice, ownTranscript } from './typed.ts';

/** Days for which the record of a conversation's hooks is kept. */
const KEPT_DAYS = 30;

export interface HookPorts {
  readonly host: string;
  readonly home: string;
  readonly directory?: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The folder that the host itself says it works in; before the payload's, which follows the agent's `cd`. */
  readonly projectFolder: string | null;
  readonly now: Date;
  /** Whether the host shows the model what is answered to this event. */
  readonly takesContext: boolean;
  /** Bytes of an answer that it shows whole. */
  readonly contextBytes: number;
  /** What its transcript says: what the user typed, and when it was compacted. */
  readonly voice: HostVoice;
  readonly userHome: string;
  /** A command of an agent called it, not the host: what it reports as typed nobody typed. */
  readonly isForged: boolean;
  /** Started by a hook that leaves the heavy work to it. */
  readonly isChild: boolean;
  /** What a tool did, where the user may want to have that captured. */
  readonly step?: WorkStep | null;
}

export interface Conversation {
  readonly ports: HookPorts;
  readonly place: Place;
  readonly options: PlaceOptions;
  readonly session: HookSession;
  readonly sessionId: string;
  readonly transcriptFile: string | null;
}

export interface HookRun extends HookResult {
  /** Nothing was done yet: it may take long and block the thread, so that a child should do it. */
  readonly isHeavy?: true;
  readonly reach: HookReach;
  /** What the host need not wait for to have its answer, and the process does. */
  finish(): Promise<void>;
}

const NOTHING: HookRun = { context: null, reach: 'nothing', finish: async () => undefined };
const DONE: HookRun = { ...NOTHING, reach: 'silence' };
const HEAVY: HookRun = { ...NOTHING, isHeavy: true };

export async function runHook(event: HookEvent, ports: HookPorts): Promise<HookRun> {
  const run = callsForNothing(event) && !ports.step ? NOTHING : await answerEvent(event, ports);
  return run.isHeavy ? run : withMessages(run, event, ports);
}

async function answerEvent(reported: HookEvent, ports: HookPorts): Promise<HookRun> {
  const facts = { env: ports.environment, userHome: ports.userHome };
  const event = { ...reported, transcriptFile: ownTranscript(reported.transcriptFile, ports.voice, facts) };
  const options = placeOptionsOf(event, ports);
  const place = findPlace(options);
  if (place.offReason !== null) return NOTHING;
  if (!ports.isChild && isHeavy(place)) return HEAVY;
  const session = openHookSession(ports.home, { host: ports.host, sessionId: event.sessionId });
  const { sessionId, transcriptFile } = event;
  const conversation = { ports, place, options, session, sessionId, transcriptFile };
  switch (event.kind) {
    case 'session-start':
      return start(event, conversation);
    case 'prompt':
      return answerPrompt(event, conversation);
    case 'tool-result': {
      const run = callsForNothing(event) ? NOTHING : await answerToolResult(event, conversation);
      return ports.step ? (await import('../capture/in-hook.ts')).withWork(run, ports.step, conversation) : run;
    }
    case 'subagent-start':
      return answerSubagent(event, conversation);
    case 'before-compaction':
      // Some hosts say so before each request: the context is lost when it is, which the host or its transcript tells.
      if (ports.voice.tellsOnlyBeforeCompaction) session.forgetSurfaced();
      if (ports.voice.tellsTooOften) return DONE;
      await keepSaid(conversation);
      await learnLater(conversation);
      return DONE;
    case 'after-compaction':
      session.forgetSurfaced();
      return tell(conversation);
    case 'stop':
      await keepSaid(conversation);
      return DONE;
    case 'session-end':
      await keepSaid(conversation, { isLast: true });
      if (!(await learnLater(conversation))) rememberEnd(conversation);
      await settle(place);
      return DONE;
  }
}

type Of<Kind extends HookEvent['kind']> = Extract<HookEvent, { kind: Kind }>;

async function start(event: Of<'session-start'>, conversation: Conversation): Promise<HookRun> {
  const { ports, place, session } = conversation;
  sweepHookSessions(ports.home, { now: ports.now, keptDays: KEPT_DAYS });
  if (event.reason === 'compact' || event.reason === 'clear') session.forgetSurfaced();
  const remember = () => {
    rememberSession(conversation);
    return lookThroughLeft(conversation);
  };
  if (event.reason === 'fork' && session.read().start === 'never') startFork(conversation);
  // A resumed conversation still holds what it was told.
  const isGoneOnWith = event.reason === 'resume' || event.reason === 'fork';
  if (isGoneOnWith && session.read().start === 'told') return { ...NOTHING, finish: remember };
  const told = await tell({ ports, place });
  const finish = () => told.finish().then(remember);
  if (ports.voice.startsWithMessage) {
    session.forgetSurfaced();
    return { ...told, context: null, finish };
  }
  session.markStarted();
  const parts = [told.context, await teamNews(conversation), await whereItStood(event.reason, conversation)];
  return { ...told, context: joined(parts), finish };
}

/** A fork holds what the conversation was told that it comes from. Hosts do not say which one that is: one of those here. */
function startFork({ ports, place, session }: Conversation): void {
  session.markForked(ports.now.toISOString());
  const isTold = newestHostSessions(place).some(
    ({ host, sessionId }) =>
      host === ports.host && openHookSession(ports.home, { host, sessionId }).read().start === 'told',
  );
  if (isTold) session.markStarted();
}

async function tell({ ports, place }: Pick<Conversation, 'ports' | 'place'>): Promise<HookRun> {
  const { now } = ports;
  const bytes = ports.contextBytes - LAST_SESSIONS_BYTES - teamNewsBytes(place);
  const kept = keptStart(place, { bytes, now, wording: INSTRUCTIONS });
  const before = kept.read();
  if (before !== null) return { context: before, reach: 'answer', finish: async () => undefined };
  const [{ startContext }, { lookAtAll, lookingOnce }] = await Promise.all([import('./start.ts'), import('./look.ts')]);
  const scopes = lookingOnce(await openToRead(place));
  const context = startContext(scopes, bytes);
  const finish = () => {
    lookAtAll(scopes);
    kept.write(context);
  };
  return withScopes(scopes, { ask: async () => context, finish });
}

/** What cannot be written down is a problem, and no reason to recall nothing. */
async function answerPrompt(event: Of<'prompt'>, conversation: Conversation): Promise<HookRun> {
  const failures = await rememberPrompt(event, conversation).then(
    () => [],
    (error: unknown) => [error],
  );
  const run = await recallPrompt(event, conversation);
  const finish = async () => {
    await run.finish();
    await rememberRequest(event.text, conversation);
    for (const failure of failures) throw failure;
  };
  return { ...run, finish };
}

async function rememberPrompt(event: Of<'prompt'>, { ports, place, session }: Conversation): Promise<void> {
  if (ports.isForged || !place.switches.isOn('layers.extraction') || !isToBeKept(event, ports)) return;
  const { rememberSaid } = await import('./extract.ts');
  await rememberSaid(
    { text: event.text, at: ports.now.toISOString() },
    { session, transcriptFile: event.transcriptFile },
  );
}

async function recallPrompt(event: Of<'prompt'>, conversation: Conversation): Promise<HookRun> {
  if (!conversation.ports.takesContext || !isRecallOn(conversation.place)) return NOTHING;
  const { recallForPrompt } = await import('./recall.ts');
  return recalling(conversation, (recallPorts) => recallForPrompt(event.text, recallPorts));
}

/** Loaded here, since most hooks read no memory. */
async function openToRead(place: Place): Promise<Scopes> {
  const { openReadScopes } = await import('../../memory/read-scopes.ts');
  const { teamOpener } = await import('../../team/opener.ts');
  return openReadScopes(place, await teamOpener(place));
}

async function answerToolResult(event: Of<'tool-result'>, conversation: Conversation): Promise<HookRun> {
  const { place, session } = conversation;
  if (!isRecallOn(place)) return NOTHING;
  const own = event.file === null ? null : memoryKey(event.file, place);
  if (own !== null) {
    // The agent has read this memory itself: it need not be shown again.
    session.claimSurfaced([{ key: own, bytes: 0 }]);
    return NOTHING;
  }
  const { recallForFailure, recallForFile } = await import('./recall.ts');
  const { file, failure } = event;
  return recalling(conversation, (recallPorts) => {
    if (failure !== null) return recallForFailure(failure, recallPorts);
    return recallForFile(file ?? '', { ...recallPorts, projectRoot: place.projectRoot });
  });
}

async function answerSubagent(event: Of<'subagent-start'>, conversation: Conversation): Promise<HookRun> {
  const { ports, place } = conversation;
  const { transcriptFile } = event;
  if (!isRecallOn(place) || transcriptFile === null || ports.voice.subagentTask === undefined) return NOTHING;
  const task = await taskOfSubagent(event, { transcriptFile, find: ports.voice.subagentTask });
  if (task === null) return NOTHING;
  const { recallForSubagent } = await import('./recall.ts');
  return recalling(conversation, (recallPorts) => recallForSubagent(task, recallPorts));
}

type RecallPorts = import('./recall.ts').HookRecallPorts;

async function recalling(
  conversation: Conversation,
  ask: (ports: RecallPorts) => Promise<string | null>,
): Promise<HookRun> {
  const { ports, place, session, sessionId } = conversation;
  const [{ memoryRecall }, { memoryReads }] = await Promise.all([
    import('../../memory/recall.ts'),
    import('../../memory/reads.ts'),
  ]);
  const scopes = await openToRead(place);
  return withScopes(scopes, {
    ask: async () => {
      const { recall, mayHold } = memoryRecall(scopes, { look: 'by-marks', workingFolder: conversation.options.cwd });
      const origin = { home: place.home, session: sessionId, project: place.slug, now: ports.now };
      const start = await startAgain(scopes, conversation);
      const bytes = ports.contextBytes - Buffer.byteLength(start ?? '') - SEPARATOR.length;
      const typeOf = async ({ file, scope }: Recalled) => (await memoryReads(scopes).get(file, { scope })).type;
      const recalled = await ask({ session, recall, mayHold, origin, limits: place.limits, bytes, typeOf });
      return [start, recalled].filter((part) => part !== null).join(SEPARATOR) || null;
    },
  });
}

const SEPARATOR = '\n\n';

interface ScopesUse {
  ask(): Promise<string | null>;
  finish?(): void;
}

async function withScopes(scopes: Scopes, use: ScopesUse): Promise<HookRun> {
  const context = await use.ask();
  const finish = async () => {
    use.finish?.();
    await scopes.settled();
    await Promise.all(scopes.folders.map((folder) => folder.close()));
  };
  return { context, reach: context === null ? 'silence' : 'answer', finish };
}

/** Where the user wants it, a process of its own asks the host's model what to keep. */
async function learnLater({ ports, place, sessionId, transcriptFile }: Conversation): Promise<boolean> {
  if (ports.isForged || place.settings.values.learn !== 'on') return false;
  if (transcriptFile === null && !ports.voice.exportsSessions) return false;
  const { startLearning } = await import('../learn/start-learning.ts');
  startLearning({ ...ports, cwd: place.projectRoot }, { host: ports.host, sessionId, transcriptFile });
  return true;
}

/** A separate process does for sessions whose end no hook reported what is done at the end of one. */
async function lookThroughLeft({ ports, place }: Conversation): Promise<void> {
  if (ports.isForged || leftHostSessions(place, ports.now).length === 0) return;
  const { startLearning } = await import('../learn/start-learning.ts');
  startLearning({ ...ports, cwd: place.projectRoot });
}

/** What was edited by hand meanwhile goes into the journal now, when nobody waits for an answer. */
async function settle(place: Place): Promise<void> {
  const { openScopes } = await import('../../memory/scopes.ts');
  const { teamOpener } = await import('../../team/opener.ts');
  const scopes = await openScopes(place, await teamOpener(place));
  await scopes.settled();
  await Promise.all(scopes.folders.map((folder) => folder.close()));
}
