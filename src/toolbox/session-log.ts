/** One session's place on the disk: begun, gone on with, or forked from one that is open elsewhere; or kept nowhere at all. */

import { randomUUID } from 'node:crypto';
import type { Rendered } from '../agent/rendered.ts';
import type { Entry } from '../conversation/entry.ts';
import { repairConversation } from '../conversation/repair.ts';
import { sessionLayout } from '../disk/home.ts';
import { holdSession, type SessionHold } from '../disk/sessions/hold.ts';
import { forkSession } from '../disk/sessions/hold-fork.ts';
import { newestSession, resolveSession } from '../disk/sessions/sessions.ts';
import { TRANSCRIPT_VERSION, type TranscriptRecord } from '../disk/transcript/record.ts';
import {
  type Conversation,
  createTranscript,
  openTranscript,
  readConversation,
  type Transcript,
} from '../disk/transcript/transcript.ts';
import { ReverieError } from '../errors.ts';
import type { Place } from '../settings/place.ts';

/** A session as it was left. */
export interface KeptSession {
  /** Null where the record of it is damaged: it is rendered again, as for a new session. */
  readonly rendered: Rendered | null;
  readonly model: string;
  readonly entries: readonly Entry[];
  /** The newest state of each part, by its name. */
  readonly states: ReadonlyMap<string, unknown>;
  /** What was decided of results, and which were cleared. */
  readonly replacements: Conversation['replacements'];
  readonly cleared: Conversation['cleared'];
  /** Null where the transcript does not say. */
  readonly title: string | null;
}

export interface SessionLog {
  readonly sessionId: string;
  readonly forkedFrom: string | null;
  /** Null for a new session. */
  readonly kept: KeptSession | null;
  /** The transcript, and the folder of all else that the session keeps; null when nothing is kept. */
  readonly file: string | null;
  readonly folder: string | null;
  readonly toolResults: string | null;
  /** Before anything is appended to a new session. */
  begin(facts: {
    readonly rendered: Rendered;
    readonly model: string;
    readonly windowTokens: number;
    readonly cwd: string;
    readonly at: Date;
  }): void;
  append(record: TranscriptRecord): void;
  /** All of them or, should the process die, none. */
  appendAll(records: readonly TranscriptRecord[]): void;
  /** On the disk, as far as it goes. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const HOLD_CHECK_MS = 1_000;

export interface LogOptions {
  readonly place: Place;
  readonly resume?: string | undefined;
  readonly continueNewest?: boolean | undefined;
  readonly keepsTranscript: boolean;
  /** Whose session it is in a team of processes. */
  readonly name?: string | undefined;
  readonly team?: string | undefined;
  readonly onProblem: (line: string) => void;
}

export async function openSessionLog(options: LogOptions): Promise<SessionLog> {
  const wanted = await wantedSession(options);
  if (wanted === null) return options.keepsTranscript ? newLog(options) : unkeptLog();
  return resumedLog(options, wanted);
}

async function wantedSession({ place, resume, continueNewest }: LogOptions): Promise<string | null> {
  const sessions = { home: place.home, slug: place.slug, limits: place.limits.transcripts };
  if (resume !== undefined) return resolveSession({ ...sessions, id: resume });
  if (continueNewest !== true) return null;
  const newest = await newestSession(sessions);
  if (newest !== null) return newest.id;
  const message = 'There is no session to continue in this project.';
  throw new ReverieError({ code: 'not-found', message, fix: 'Begin one: leave --continue out.' });
}

async function newLog(options: LogOptions): Promise<SessionLog> {
  const { name, team } = options;
  const place = sessionPlace(options, randomUUID());
  const hold = await holdSession(place).catch(unkeepable);
  let transcript: Transcript | null = null;
  return {
    ...logOver(options, { hold, transcript: () => transcript }),
    sessionId: place.sessionId,
    forkedFrom: null,
    kept: null,
    file: sessionLayout(place).transcript,
    folder: sessionLayout(place).folder,
    toolResults: sessionLayout(place).toolResults,
    begin({ rendered, model, windowTokens, cwd, at }) {
      const { sessionId } = place;
      const first = {
        type: 'session',
        at: at.toISOString(),
        version: TRANSCRIPT_VERSION,
        sessionId,
        cwd,
        model,
        windowTokens,
        ...(name === undefined || team === undefined ? {} : { member: { name, team } }),
        rendered,
      } as const;
      transcript = createTranscript({ ...place, first, onProblem: ({ message }) => options.onProblem(message) });
    },
  };
}

/** Nobody has to do without an answer because it cannot be kept; but that is theirs to say. */
function unkeepable(error: unknown): never {
  if (!(error instanceof ReverieError) || !['storage', 'refused'].includes(error.code)) throw error;
  throw new ReverieError({
    code: 'storage',
    message: `This conversation cannot be kept. ${error.message}`,
    fix: `${error.fix}\nTo talk without a record of it: --no-transcript`.trim(),
    cause: error,
  });
}

async function resumedLog(options: LogOptions, wanted: string): Promise<SessionLog> {
  const original = sessionPlace(options, wanted);
  if (!options.keepsTranscript) {
    const kept = await readKept(sessionLayout(original).transcript, options);
    return { ...unkeptLog(), forkedFrom: wanted, kept };
  }
  let place = original;
  let hold = await holdSession(original);
  let forkedFrom: string | null = null;
  if (hold.kind === 'open-elsewhere') {
    const sessionId = randomUUID();
    const at = new Date().toISOString();
    const fallback = { cwd: options.place.projectRoot, model: 'unknown' };
    await forkSession({ from: original, sessionId, at, fallback });
    place = sessionPlace(options, sessionId);
    hold = await holdSession(place);
    forkedFrom = wanted;
  }
  try {
    const kept = await readKept(sessionLayout(place).transcript, options);
    const transcript = openTranscript({ ...place, onProblem: ({ message }) => options.onProblem(message) });
    return {
      ...logOver(options, { hold, transcript: () => transcript }),
      sessionId: place.sessionId,
      forkedFrom,
      kept,
      file: transcript.file,
      folder: sessionLayout(place).folder,
      toolResults: sessionLayout(place).toolResults,
      begin: () => {},
    };
  } catch (error) {
    if (hold.kind === 'held') await hold.release();
    throw error;
  }
}

async function readKept(file: string, { place, onProblem }: LogOptions): Promise<KeptSession> {
  const conversation = await readConversation(file, { limits: place.limits.transcripts });
  const { first, entries, states, damaged } = conversation;
  const rendered = isRendered(conversation.rendered) ? conversation.rendered : null;
  if (rendered === null && entries.length === 0) {
    throw new ReverieError({
      code: 'damaged',
      message: `${file} is damaged: no message of it can be read.`,
      fix: 'Leave --resume and --continue out to begin a new session, or take another: `reverie sessions` lists them.',
    });
  }
  if (rendered === null) onProblem(lostBeginning(file, damaged));
  else if (damaged.length > 0) onProblem(`Damaged lines of ${file} were left out: ${damaged.length}.`);
  const { replacements, cleared, meta } = conversation;
  const kept = { rendered, states, replacements, cleared, title: meta?.title ?? null };
  return { ...kept, model: first?.model ?? '', entries: repairConversation(entries) };
}

function lostBeginning(file: string, damaged: readonly number[]): string {
  const others = damaged.filter((start) => start > 0).length;
  const more = others === 0 ? '' : ` Other damaged lines were left out: ${others}.`;
  return (
    `The first line of ${file} is damaged: the instructions and the memory index that this session began with are lost. ` +
    `It goes on with today's, and with the messages that can be read.${more}`
  );
}

function isRendered(value: unknown): value is Rendered {
  if (typeof value !== 'object' || value === null) return false;
  const { system, tools, context, thinking, cacheTtl } = value as Partial<Record<keyof Rendered, unknown>>;
  return [system, tools, context].every(Array.isArray) && typeof thinking === 'object' && typeof cacheTtl === 'string';
}

function sessionPlace({ place }: LogOptions, sessionId: string) {
  return { home: place.home, slug: place.slug, sessionId, limits: place.limits.transcripts };
}

function logOver(
  options: LogOptions,
  { hold, transcript }: { readonly hold: SessionHold; readonly transcript: () => Transcript | null },
) {
  let isLost = false;
  let checkedAtMs = Number.NEGATIVE_INFINITY;

  /** A session is taken over only from a process that stood still for a day, so a look now and then is enough. */
  function isStillOurs(): boolean {
    const nowMs = performance.now();
    if (hold.kind !== 'held' || nowMs - checkedAtMs < HOLD_CHECK_MS) return true;
    checkedAtMs = nowMs;
    return hold.stillHeld();
  }

  function appendAll(records: readonly TranscriptRecord[]): void {
    if (isLost) return;
    if (!isStillOurs()) {
      isLost = true;
      options.onProblem('Another process has taken this session over; what is said here is no longer kept.');
      return;
    }
    transcript()?.appendAll(records);
  }
  return {
    append: (record: TranscriptRecord) => appendAll([record]),
    appendAll,
    flush: async () => transcript()?.flush(),
    async close(): Promise<void> {
      await transcript()?.close();
      if (hold.kind === 'held') await hold.release();
    },
  };
}

function unkeptLog(): SessionLog {
  return {
    sessionId: randomUUID(),
    forkedFrom: null,
    kept: null,
    file: null,
    folder: null,
    toolResults: null,
    begin: () => {},
    append: () => {},
    appendAll: () => {},
    flush: async () => {},
    close: async () => {},
  };
}
