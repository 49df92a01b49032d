/** A session's messages as its transcript has them, of our own or another program's, each with the window it belongs to. */

import { readFile } from 'node:fs/promises';
import type { Entry } from '../conversation/entry.ts';
import { isSessionId, sessionLayout } from '../disk/home.ts';
import { agentTranscript } from '../disk/sessions/stop-agent.ts';
import { linesForward, openBytes } from '../disk/transcript/lines.ts';
import { type BoundaryRecord, entryOf, parseRecord } from '../disk/transcript/record.ts';
import { type RecallNote, readRecallNote } from '../recall/transcript-note.ts';
import { readRecording } from '../reports/replay/read-recording.ts';
import type { Recording } from '../reports/replay/recording.ts';
import type { InspectorContext } from './context.ts';
import { Refusal } from './refusal.ts';

export interface ReadTranscript {
  readonly messages: readonly Entry[];
  /** Where a compaction began the conversation again: the index of its first message, and what it kept. */
  readonly cuts: readonly { readonly at: number; readonly kept: readonly Entry[] }[];
  readonly model: string | null;
  readonly windowTokens: number | null;
  /** What every request began with, as it was first rendered; unknown where another program wrote it. */
  readonly rendered: unknown;
  /** What recall noted down, oldest first. */
  readonly recalls: readonly { readonly at: string; readonly note: RecallNote }[];
}

type Place = Pick<InspectorContext, 'place' | 'files'>;

/** An id of a session of this project, with `:` of an agent of it, or of a transcript that was named; nothing else leads to a file. */
export function transcriptPath({ place, files }: Place, id: string): string {
  const named = files.find((file) => file.id === id);
  if (named !== undefined) return named.path;
  const [sessionId = '', agentId] = id.split(':');
  const { transcript, folder } = sessionLayout({ home: place.home, slug: place.slug, sessionId });
  if (agentId === undefined) return transcript;
  if (!isSessionId(agentId)) throw missing(id);
  return agentTranscript(folder, agentId);
}

export async function readTranscript(context: Place, id: string): Promise<ReadTranscript> {
  const isNamed = context.files.some((file) => file.id === id);
  const path = transcriptPath(context, id);
  const own = await readOwn(path, context.place.limits.transcripts);
  if (own === null) throw missing(id);
  if (own.messages.length > 0 || !isNamed) return own;
  const recording = await readRecordingAt(path);
  return recording === null ? own : fromRecording(recording);
}

/** Tokens of the window that a session had, from its first record alone; null where it does not say. */
export async function readWindowTokens(context: Place, id: string): Promise<number | null> {
  const source = await openBytes(transcriptPath(context, id));
  if (source === null) return null;
  try {
    for await (const { text } of linesForward(source, context.place.limits.transcripts)) {
      const parsed = text === null ? null : parseRecord(text);
      const record = parsed?.kind === 'record' ? parsed.record : null;
      return record?.type === 'session' ? (record.windowTokens ?? null) : null;
    }
    return null;
  } finally {
    await source.close();
  }
}

export async function readRecordingAt(path: string): Promise<Recording | null> {
  return readRecording(await readFile(path, 'utf8'), path);
}

async function readOwn(
  path: string,
  limits: InspectorContext['place']['limits']['transcripts'],
): Promise<ReadTranscript | null> {
  const source = await openBytes(path);
  if (source === null) return null;
  const messages: Entry[] = [];
  const places = new Map<string, number>();
  const cuts: { at: number; kept: readonly Entry[] }[] = [];
  const recalls: { at: string; note: RecallNote }[] = [];
  let first: { model: string; windowTokens?: number; rendered: unknown } | null = null;
  try {
    for await (const { text } of linesForward(source, limits)) {
      const parsed = text === null ? null : parseRecord(text);
      if (parsed?.kind !== 'record') continue;
      const { record } = parsed;
      if (record.type === 'session') first ??= record;
      const note = record.type === 'note' ? readRecallNote(record) : null;
      if (note !== null) recalls.push({ at: record.at, note });
      if (record.type === 'boundary') cuts.push({ at: messages.length, kept: keptBy(record, { messages, places }) });
      if (record.type !== 'message' || places.has(record.uuid)) continue;
      places.set(record.uuid, messages.length);
      messages.push(entryOf(record));
    }
  } finally {
    await source.close();
  }
  const { model = null, windowTokens = null, rendered = null } = first ?? {};
  return { messages, cuts, model, windowTokens, rendered, recalls };
}

function keptBy(
  { preserved }: BoundaryRecord,
  { messages, places }: { readonly messages: readonly Entry[]; readonly places: ReadonlyMap<string, number> },
): readonly Entry[] {
  const [from, to] = [places.get(preserved?.head ?? ''), places.get(preserved?.tail ?? '')];
  return from === undefined || to === undefined ? [] : messages.slice(from, to + 1);
}

function fromRecording({ messages, model, windowTokens }: Recording): ReadTranscript {
  const seen = new Set<string>();
  const entries = messages.flatMap(({ role, content, injected, usage, responseId, atMs }, index): Entry[] => {
    if (role === 'assistant' && responseId !== null && seen.has(responseId)) return [];
    if (responseId !== null) seen.add(responseId);
    const response =
      usage === null ? {} : { response: { model: model ?? '', usage, stopReason: 'end' as const, id: responseId } };
    return [
      {
        uuid: String(index),
        parentUuid: index === 0 ? null : String(index - 1),
        at: atMs === null ? '' : new Date(atMs).toISOString(),
        message: { role, content },
        injected: injected.map((block) => ({ block, source: 'notification' as const })),
        ...response,
      },
    ];
  });
  return { messages: entries, cuts: [], model, windowTokens, rendered: null, recalls: [] };
}

/** The messages of the request that a response answered, its own included. */
export function windowUpTo({ messages, cuts }: ReadTranscript, index: number): readonly Entry[] {
  const cut = cuts.findLast(({ at }) => at <= index);
  return [...(cut?.kept ?? []), ...messages.slice(cut?.at ?? 0, index + 1)];
}

function missing(id: string): Refusal {
  return new Refusal({
    status: 404,
    message: `There is no transcript of session ${id}.`,
    fix: 'It may have been removed: transcripts are kept for a time only. `reverie sessions` lists those there are.',
  });
}
