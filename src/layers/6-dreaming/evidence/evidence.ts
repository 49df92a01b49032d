/** Looks up what a dreamer quotes: whether it is really there, and whose word it is. */

import { lstatSync, realpathSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isWithin } from '../../../base/paths.ts';
import type { MemorySource } from '../../../base/taxonomy.ts';
import type { Entry } from '../../../conversation/entry.ts';
import { isSessionId, sessionLayout } from '../../../disk/home.ts';
import { linesForward, openBytes } from '../../../disk/transcript/lines.ts';
import { entryOf, parseRecord } from '../../../disk/transcript/record.ts';
import { errnoOf } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import { dayOfLogFile } from '../../../memory/daily-log/place.ts';
import { readLog } from '../../../memory/daily-log/read.ts';
import { INDEX_FILE } from '../../../memory/files/walk.ts';
import type { SpanMessage } from '../../../memory/gate/index.ts';
import { normalise } from '../../../memory/gate/normalise.ts';
import { spanOf } from '../../../memory/gate/writer/judge-write.ts';
import { parseIndex } from '../../../memory/index/index-file.ts';
import type { BaseMemory, FoundEvidence } from '../proposal.ts';
import type { DreamEvidence } from '../records/record.ts';
import { passageOf } from './passage.ts';

/** Bytes of a transcript, and of a project file, that are searched for a quote. */
const TRANSCRIPT_BYTES = 134_217_728;
const PROJECT_FILE_BYTES = 1_048_576;

export interface EvidencePlaces {
  readonly base: ReadonlyMap<string, BaseMemory>;
  readonly index: string;
  /** The real path of the memory folder, for its daily logs. */
  readonly memoryFolder: string;
  readonly projectRoot: string;
  readonly home: string;
  readonly slug: string;
  readonly limits: Pick<Limits, 'dailyLog' | 'dreaming' | 'transcripts'>;
}

/** All of them at once; each source is read once for everything quoted from it. */
export async function findEvidence(
  evidence: readonly DreamEvidence[],
  places: EvidencePlaces,
): Promise<(evidence: DreamEvidence) => FoundEvidence> {
  const found = new Map<string, FoundEvidence>();
  const transcripts = new Map<string, DreamEvidence[]>();
  const elsewhere: DreamEvidence[] = [];
  for (const each of evidence) {
    const session = sessionOf(each.from);
    if (session === null) elsewhere.push(each);
    else if (transcripts.has(session)) transcripts.get(session)!.push(each);
    else transcripts.set(session, [each]);
  }
  const read = readInTurn(PROJECT_FILE_BYTES);
  for (const each of elsewhere.sort((one, other) => (one.from < other.from ? -1 : 1))) {
    if (found.has(keyOf(each))) continue;
    // A conversation may be running alongside.
    await setImmediate();
    found.set(keyOf(each), await findOne(each, { ...places, read }));
  }
  for (const [session, quoted] of transcripts) {
    const quotes = quoted.map(({ quote }) => quote);
    const { transcript } = sessionLayout({ home: places.home, slug: places.slug, sessionId: session });
    const passages = await findInTranscript(transcript, { quotes, limits: places.limits });
    for (const each of quoted) found.set(keyOf(each), passages.get(each.quote) ?? missing(each));
  }
  return (each) => found.get(keyOf(each)) ?? missing(each);
}

function keyOf({ from, quote }: DreamEvidence): string {
  return JSON.stringify([from, quote]);
}

/** A session by its id, or by the transcript path the dreamer was given. */
function sessionOf(from: string): string | null {
  const id = from.replace(/^.*\//, '').replace(/\.jsonl$/, '');
  return isSessionId(id) ? id : null;
}

interface Reading extends EvidencePlaces {
  readonly read: ReturnType<typeof readInTurn>;
}

async function findOne(evidence: DreamEvidence, places: Reading): Promise<FoundEvidence> {
  const { quote } = evidence;
  if (normalise(quote) === '') return { kind: 'missing', reason: 'the quote is empty' };
  const from = normalize(evidence.from.trim());
  const memory = places.base.get(from);
  if (memory !== undefined) return inMemory(memory, evidence, places);
  if (from === INDEX_FILE) return inIndex(evidence, places);
  const day = dayOfLogFile(from);
  if (day !== null) return inLog(day, evidence, places);
  return inProject(from, evidence, places);
}

/** What a memory says counts as much as what it rests on: writing it down again raises no trust. */
const SPEAKERS: Readonly<Record<MemorySource, 'user' | 'assistant' | 'tool'>> = {
  said: 'user',
  imported: 'user',
  inferred: 'assistant',
  seen: 'tool',
};

function inMemory(memory: BaseMemory, evidence: DreamEvidence, { limits }: EvidencePlaces): FoundEvidence {
  const { name, description, body, quotes, source, modified, file } = memory;
  const said = [name, description, body, ...quotes.map(({ text }) => text)].join('\n\n');
  const text = passageOf(said, evidence.quote, limits.dreaming);
  if (text === null) return missing(evidence);
  return { kind: 'found', passage: { from: SPEAKERS[source], text, at: modified }, memory: file };
}

/** A line speaks for its memory; other words in the index belong to nobody we know. */
function inIndex(evidence: DreamEvidence, { index, base, limits }: EvidencePlaces): FoundEvidence {
  const quote = normalise(evidence.quote);
  const lines = index.split(/\r?\n/);
  const entry = parseIndex(index).entries.find(({ line }) => normalise(lines[line] ?? '').includes(quote));
  const memory = entry && base.get(entry.file);
  if (entry !== undefined) {
    const text = lines[entry.line] ?? '';
    const from = memory === undefined ? 'assistant' : SPEAKERS[memory.source];
    return { kind: 'found', passage: { from, text }, ...(memory ? { memory: memory.file } : {}) };
  }
  const text = passageOf(index, evidence.quote, limits.dreaming);
  return text === null ? missing(evidence) : { kind: 'found', passage: { from: 'assistant', text } };
}

function inLog(day: string, evidence: DreamEvidence, { memoryFolder, limits }: EvidencePlaces): FoundEvidence {
  const quote = normalise(evidence.quote);
  const line = readLog(memoryFolder, { day, limits: limits.dailyLog })?.lines.find((each) =>
    [each.line, each.text].some((text) => normalise(text).includes(quote)),
  );
  if (line === undefined) return missing(evidence);
  const from = line.mark === 'said' ? 'user' : line.mark === 'seen' ? 'tool' : 'assistant';
  return { kind: 'found', passage: { from, text: line.text, at: day } };
}

async function inProject(
  path: string,
  evidence: DreamEvidence,
  { projectRoot, limits, read }: Reading,
): Promise<FoundEvidence> {
  const root = realPathOrNull(projectRoot);
  const target = root === null ? null : path.startsWith('/') ? path : join(root, path);
  if (root === null || target === null || !isWithin(target, root)) {
    return { kind: 'missing', reason: `${evidence.from} is no memory, log, session or file of the project` };
  }
  const real = realPathOrNull(target);
  if (real === null) {
    // A path quoted on its own claims that nothing is there; a broken link says nothing.
    const isGone = normalize(evidence.quote.trim()) === path && lstatOrNull(target) === null;
    if (isGone) return { kind: 'found', passage: { from: 'tool', text: `${path} does not exist any more.` } };
    return { kind: 'missing', reason: `${evidence.from} does not exist; quote the path itself to say that it is gone` };
  }
  if (!isWithin(real, root)) return { kind: 'missing', reason: `${evidence.from} leads out of the project` };
  const file = await read(real);
  const facts = { ...limits.dreaming, ...(file === null ? {} : { normalised: file.normalised }) };
  const passage = file === null ? null : passageOf(file.text, evidence.quote, facts);
  return passage === null ? missing(evidence) : { kind: 'found', passage: { from: 'file', text: passage } };
}

/** Keeps the last file read: quotes arrive sorted by source. */
function readInTurn(maxBytes: number) {
  let kept: { readonly path: string; readonly file: { text: string; normalised: () => string } | null } | null = null;
  return async (path: string) => {
    if (kept?.path === path) return kept.file;
    const text = await readStart(path, maxBytes);
    let evened: string | null = null;
    const normalised = () => {
      evened ??= normalise(text ?? '');
      return evened;
    };
    kept = { path, file: text === null ? null : { text, normalised } };
    return kept.file;
  };
}

async function readStart(path: string, maxBytes: number): Promise<string | null> {
  const source = await openBytes(path).catch(() => null);
  if (source === null) return null;
  try {
    return (await source.read(0, Math.min(source.size, maxBytes))).toString('utf8');
  } finally {
    await source.close();
  }
}

function realPathOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(errnoOf(error))) return null;
    throw error;
  }
}

function lstatOrNull(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** The caller names the quote. */
function missing({ from }: DreamEvidence): FoundEvidence {
  return { kind: 'missing', reason: `it does not stand in ${from}` };
}

// Finds quotes in a transcript and who said them. The file is streamed; what Reverie put there itself is nobody's word.

interface QuoteSearch {
  readonly quotes: readonly string[];
  readonly limits: Pick<Limits, 'dreaming' | 'transcripts'>;
}

/** By quote; those found nowhere are left out. */
async function findInTranscript(
  file: string,
  { quotes, limits }: QuoteSearch,
): Promise<ReadonlyMap<string, FoundEvidence>> {
  const best = new Map<string, SpanMessage>();
  const wanted = [...new Set(quotes)].map((quote) => ({ quote, normalised: normalise(quote) }));
  for await (const said of messagesOf(file, limits)) {
    const text = normalise(said.text);
    for (const { quote, normalised } of wanted) {
      if (normalised === '' || !text.includes(normalised)) continue;
      const before = best.get(quote);
      if (before === undefined || RANK[said.from] > RANK[before.from]) best.set(quote, said);
    }
  }
  return new Map([...best].map(([quote, said]) => [quote, foundAs(quote, said, limits)]));
}

/**
 * Whose word it is when several said it: the user's if they did; else the world's, since an assistant repeating a page
 * adds nothing to it; else the assistant's.
 */
const RANK: Readonly<Record<SpanMessage['from'], number>> = {
  user: 3,
  agent: 2,
  pasted: 2,
  piped: 2,
  web: 2,
  file: 2,
  tool: 2,
  assistant: 1,
  injected: 0,
};

function foundAs(quote: string, said: SpanMessage, limits: QuoteSearch['limits']): FoundEvidence {
  if (said.from === 'injected') {
    return {
      kind: 'missing',
      reason: `${JSON.stringify(quote)} is text that Reverie itself put there: nobody said it`,
    };
  }
  return { kind: 'found', passage: { ...said, text: passageOf(said.text, quote, limits.dreaming) ?? quote } };
}

async function* messagesOf(file: string, limits: QuoteSearch['limits']): AsyncGenerator<SpanMessage> {
  const source = await openBytes(file).catch(() => null);
  if (source === null) return;
  try {
    const { chunkBytes, recordBytes } = limits.transcripts;
    const span = { chunkBytes, recordBytes, to: TRANSCRIPT_BYTES };
    /** The answer before it, which names the tools whose results follow. */
    let answer: Entry | null = null;
    for await (const line of linesForward(source, span)) {
      const parsed = line.text === null ? null : parseRecord(line.text);
      if (parsed?.kind !== 'record' || parsed.record.type !== 'message') continue;
      const entry = entryOf(parsed.record);
      const own = spanOf([entry]).length;
      const both = answer === null ? spanOf([entry]) : spanOf([answer, entry]);
      yield* own === 0 ? [] : both.slice(-own);
      if (entry.message.role === 'assistant') answer = entry;
    }
  } finally {
    await source.close();
  }
}
