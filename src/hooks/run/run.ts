/** Answers one hook of a coding agent: which part of the memory is asked at which moment of the host's conversation. */

import { statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { HOOK_LIMITS } from '../../limits.ts';
import { openReadScopes } from '../../memory/read-scopes.ts';
import type { Scopes } from '../../memory/scopes.ts';
import { findPlace, type Place, type PlaceOptions } from '../../settings/place.ts';
import { rememberRequest, rememberSession, whereItStood } from '../last/in-hook.ts';
import type { HookEvent, HookReach, HookResult } from './event.ts';
import { type HookSession, openHookSession, sweepHookSessions } from './session.ts';
import { readTailLines } from './tail.ts';
import { confirmedBy, type HostVoice, typedInTranscript } from './typed.ts';

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
  /** What its transcript says: what the user typed, and when it was compacted. */
  readonly voice: HostVoice;
  readonly userHome: string;
  /** A command of an agent called it, not the host: what it reports as typed nobody typed. */
  readonly isForged: boolean;
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
  readonly reach: HookReach;
  /** What the host need not wait for to have its answer, and the process does. */
  finish(): Promise<void>;
}

const NOTHING: HookRun = { context: null, reach: 'nothing', finish: async () => undefined };
const DONE: HookRun = { ...NOTHING, reach: 'silence' };

export async function runHook(event: HookEvent, ports: HookPorts): Promise<HookRun> {
  if (event.kind === 'tool-result' && event.file === null && event.failure === null) return NOTHING;
  const options = placeOptionsOf(event, ports);
  const place = findPlace(options);
  if (place.offReason !== null) return NOTHING;
  const session = openHookSession(ports.home, { host: ports.host, sessionId: event.sessionId });
  const { sessionId, transcriptFile } = event;
  const conversation = { ports, place, options, session, sessionId, transcriptFile };
  switch (event.kind) {
    case 'session-start':
      return start(event, conversation);
    case 'prompt':
      return answerPrompt(event, conversation);
    case 'tool-result':
      return answerToolResult(event, conversation);
    case 'before-compaction':
      // Some hosts say so before each request: the context is lost when it is, which the host or its transcript tells.
      if (ports.voice.tellsOnlyBeforeCompaction) session.forgetSurfaced();
      if (ports.voice.tellsTooOften) return DONE;
      await extract(event, conversation);
      await learnLater(event, conversation);
      return DONE;
    case 'stop':
      await extract(event, conversation);
      return DONE;
    case 'session-end':
      await extract(event, conversation);
      await learnLater(event, conversation);
      await settle(place);
      return DONE;
  }
}

function placeOptionsOf(event: HookEvent, ports: HookPorts): PlaceOptions {
  const folder = [ports.projectFolder, event.cwd].find((path) => path !== null && isFolder(path));
  return {
    env: ports.environment,
    home: ports.home,
    ...(folder == null ? {} : { cwd: folder }),
    ...(ports.directory === undefined ? {} : { directory: ports.directory }),
  };
}

function isFolder(path: string): boolean {
  try {
    return isAbsolute(path) && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
  } catch {
    return false;
  }
}

type Of<Kind extends HookEvent['kind']> = Extract<HookEvent, { kind: Kind }>;

async function start(event: Of<'session-start'>, conversation: Conversation): Promise<HookRun> {
  const { ports, place, session } = conversation;
  sweepHookSessions(ports.home, { now: ports.now, keptDays: KEPT_DAYS });
  if (event.reason === 'compact' || event.reason === 'clear') session.forgetSurfaced();
  // A resumed conversation still holds what it was told.
  if (event.reason === 'resume' && session.read().start === 'told') return NOTHING;
  session.markStarted();
  const [{ startContext }, { lookAtAll, lookingOnce }] = await Promise.all([import('./start.ts'), import('./look.ts')]);
  const scopes = lookingOnce(await openReadScopes(place));
  return withScopes(scopes, {
    async ask() {
      const parts = [startContext(scopes), await whereItStood(event.reason, conversation)];
      return parts.filter((part) => part !== null).join('\n\n');
    },
    finish() {
      lookAtAll(scopes);
      rememberSession(conversation);
    },
  });
}

async function answerPrompt(event: Of<'prompt'>, conversation: Conversation): Promise<HookRun> {
  const { ports, place, session } = conversation;
  if (!ports.isForged && place.switches.isOn('layers.extraction') && isToBeKept(event, ports)) {
    const { rememberSaid } = await import('./extract.ts');
    await rememberSaid(
      { text: event.text, at: ports.now.toISOString() },
      { session, transcriptFile: event.transcriptFile },
    );
  }
  const run = await recallPrompt(event, conversation);
  return { ...run, finish: () => run.finish().then(() => rememberRequest(event.text, conversation)) };
}

async function recallPrompt(event: Of<'prompt'>, conversation: Conversation): Promise<HookRun> {
  if (!conversation.ports.takesContext || !isRecallOn(conversation.place)) return NOTHING;
  const { recallForPrompt } = await import('./recall.ts');
  return recalling(conversation, (recallPorts) => recallForPrompt(event.text, recallPorts));
}

/** Words with which people ask to have something kept; few other messages hold one. */
const ASKS_TO_KEEP = /\b(?:remember|prefer|always|never|from now on|going forward|merke? dir|ab jetzt)\b|记住|以后/i;
/** Enough to see by its end that it holds the user's words in a form we know. */
const TRANSCRIPT_GLANCE_BYTES = 65_536;

/**
 * A host that keeps a transcript has the message there when the turn ends, as a rule: then nobody waits for the cues to be
 * looked for. Where the words ask outright, they are looked for all the same, since it may come late or not at all.
 */
function isToBeKept({ text, transcriptFile }: Of<'prompt'>, ports: HookPorts): boolean {
  if (transcriptFile === null || ASKS_TO_KEEP.test(text)) return true;
  return ports.voice.userTexts(readTailLines(transcriptFile, TRANSCRIPT_GLANCE_BYTES)).length === 0;
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

/** `scope:file` when the path is a memory of ours. */
function memoryKey(path: string, place: Place): string | null {
  for (const folder of place.folders) {
    const inside = relative(folder.path, path);
    if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) {
      return `${folder.scope}:${inside.split(sep).join('/')}`;
    }
  }
  return null;
}

type RecallPorts = import('./recall.ts').HookRecallPorts;

async function recalling(
  conversation: Conversation,
  ask: (ports: RecallPorts) => Promise<string | null>,
): Promise<HookRun> {
  const { ports, place, session, sessionId } = conversation;
  const { memoryRecall } = await import('../../memory/recall.ts');
  const scopes = await openReadScopes(place);
  return withScopes(scopes, {
    ask: async () => {
      const { recall } = memoryRecall(scopes, { look: 'by-marks' });
      const origin = { home: place.home, session: sessionId, project: place.slug, now: ports.now };
      const parts = [
        await startAgain(scopes, conversation),
        await ask({ session, recall, origin, limits: place.limits }),
      ];
      return parts.filter((part) => part !== null).join('\n\n') || null;
    },
  });
}

/** For hosts that do not start again after a compaction: the index comes back with the first thing that is said. */
async function startAgain(scopes: Scopes, conversation: Conversation): Promise<string | null> {
  const { session } = conversation;
  if (session.read().start !== 'lost' && !wasCompacted(conversation)) return null;
  const { startContext } = await import('./start.ts');
  session.forgetSurfaced();
  session.markStarted();
  return startContext(scopes);
}

/** Whether the transcript has a compaction since the conversation was told of its memory. */
function wasCompacted({ ports, session, transcriptFile }: Conversation): boolean {
  if (transcriptFile === null) return false;
  const { start, toldAtMs } = session.read();
  if (start !== 'told' || ports.voice.compactedAt === undefined) return false;
  const compactedAt = ports.voice.compactedAt(readTailLines(transcriptFile, TRANSCRIPT_GLANCE_BYTES));
  return compactedAt !== null && compactedAt > toldAtMs;
}

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

async function extract(event: HookEvent, { ports, place, options, session }: Conversation): Promise<void> {
  if (ports.isForged || !place.switches.isOn('layers.extraction')) return;
  const { extractSaid } = await import('./extract.ts');
  const { openMemory } = await import('../../session/open-memory.ts');
  const facts = { env: ports.environment, userHome: ports.userHome };
  const typed = typedInTranscript(event.transcriptFile, ports.voice, facts);
  const oldest = ports.now.getTime() - HOOK_LIMITS.transcriptHours * 3_600_000;
  const recent = typed.filter(({ at }) => !(Date.parse(at) < oldest));
  const opened: Awaited<ReturnType<typeof openMemory>>[] = [];
  try {
    await extractSaid(recent, {
      session,
      origin: { host: ports.host, sessionId: event.sessionId },
      isTyped: confirmedBy(event.transcriptFile, ports.voice, facts),
      typedCharacters: place.limits.gate.typedCharacters,
      isLast: event.kind === 'session-end',
      memory: async () => {
        opened[0] ??= await openMemory(options);
        return opened[0];
      },
    });
  } finally {
    await opened[0]?.close();
  }
}

/** Where the user wants it, a process of its own asks the host's model what to keep. */
async function learnLater(event: HookEvent, { ports, place }: Conversation): Promise<void> {
  if (ports.isForged || place.settings.values.learn !== 'on' || event.transcriptFile === null) return;
  const { startLearning } = await import('../learn/start-learning.ts');
  startLearning({
    ...{ host: ports.host, sessionId: event.sessionId, transcriptFile: event.transcriptFile },
    ...{ home: ports.home, cwd: place.projectRoot, environment: ports.environment },
  });
}

/** What was edited by hand meanwhile goes into the journal now, when nobody waits for an answer. */
async function settle(place: Place): Promise<void> {
  const { openScopes } = await import('../../memory/scopes.ts');
  const scopes = await openScopes(place);
  await scopes.settled();
  await Promise.all(scopes.folders.map((folder) => folder.close()));
}

function isRecallOn({ settings, switches }: Place): boolean {
  return switches.isOn('layers.recall') && settings.values['recall.selector'] !== 'off';
}
