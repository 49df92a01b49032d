/** The local index: finds memories by words and meaning without any model service; derived from the files, disposable. */

import { setImmediate } from 'node:timers/promises';
import { LIMITS, type Limits } from '../limits.ts';
import type { Encoder } from '../model/encoder/encoder.ts';
import {
  addNewSegment,
  addStoredSegment,
  type Corpus,
  type CorpusPart,
  createCorpus,
  findPlaces,
  removeDocument,
  replaceParts,
} from './corpus.ts';
import type { RecallHit } from './explain.ts';
import { missingFiles, readIndex, removeOrphans, writeManifest, writeSegmentFile } from './index-files.ts';
import { mergeSegments } from './merge-segments.ts';
import { createRanker, type Ranker, type RankOptions } from './rank.ts';
import { buildSegment, type RecallDocument } from './segment.ts';
import { encodeSegment } from './segment-file.ts';
import { turnOverTokens } from './token-holders.ts';
import { type Embedder, openVectorStore, type VectorStore } from './vectors.ts';

export type { RecallExplanation, RecallHit } from './explain.ts';
export { explainHit } from './explain.ts';
export type { RecallDocument } from './segment.ts';
export type { Embedder } from './vectors.ts';

export interface LocalIndexPorts {
  /** Where the derived files are kept. */
  readonly directory: string;
  /** Called at first use; null when there is none, and words alone rank. */
  readonly encoder: () => Encoder | null;
  /** An embedding model of the user's own, which then counts beside ours. */
  readonly embed?: Embedder;
  readonly limits?: Limits['localIndex'];
  readonly now?: () => number;
}

export interface DocumentSource {
  readonly key: string;
  readonly hash: string;
  /** Null when the file is gone by now. */
  read(): RecallDocument | null;
}

export interface IndexUpdate {
  readonly added: number;
  readonly removed: number;
  readonly kept: number;
  /** Why the index could not be saved; it serves this process all the same. */
  readonly unsaved: string | null;
}

export interface LocalIndex {
  /** Brings the index to exactly these documents; only new and changed ones are read. */
  update(documents: Iterable<DocumentSource>): Promise<IndexUpdate>;
  /** Embeds the query with the user's model, where there is one; without it `search` ranks by words and our encoder. */
  prepare(query: string): Promise<void>;
  search(query: string, options: RankOptions): RecallHit[];
  /** Resolves when the index is loaded and nothing is being indexed or embedded. */
  ready(): Promise<void>;
  size(): number;
  close(): Promise<void>;
}

interface Opened {
  readonly encoder: Encoder | null;
  readonly corpus: Corpus;
  readonly ranker: Ranker;
  readonly vectors: VectorStore | null;
  /** Whether memory and disk say the same. */
  saved: boolean;
}

/** Texts given to the user's model at once. */
const TEXTS_PER_CALL = 32;
/** A segment with more dead memories than this share is rewritten without them. */
const DEAD_SHARE = 0.3;

export function openLocalIndex(ports: LocalIndexPorts): LocalIndex {
  const limits = ports.limits ?? LIMITS.localIndex;
  const now = ports.now ?? Date.now;
  let state: Opened | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  function opened(): Opened {
    state ??= load(ports);
    return state;
  }

  async function inSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
    let sliceEnd = performance.now() + limits.sliceMs;
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (performance.now() < sliceEnd) continue;
      await setImmediate();
      sliceEnd = performance.now() + limits.sliceMs;
    }
  }

  async function update(documents: Iterable<DocumentSource>): Promise<IndexUpdate> {
    const index = opened();
    const { corpus } = index;
    await inSlices(findPlaces(corpus));
    const listed = new Set<string>();
    let [added, kept] = [0, 0];
    let batch: RecallDocument[] = [];
    async function takeIn(): Promise<void> {
      if (batch.length === 0) return;
      added += batch.length;
      index.saved = false;
      addNewSegment(corpus, await inSlices(buildSegment(batch, index.encoder)));
      batch = [];
      await tidy();
    }
    async function tidy(): Promise<void> {
      corpus.parts = corpus.parts.filter(({ aliveCount }) => aliveCount > 0);
      const merging = partsToMerge(corpus.parts);
      if (merging.length === 0) return;
      index.saved = false;
      const segment = await inSlices(mergeSegments(merging));
      const part = await inSlices(replaceParts(corpus, merging, segment));
      part.holders = await inSlices(turnOverTokens(segment, corpus.tokenCounts.length));
    }
    function* read(): Generator<void, void> {
      for (const source of documents) {
        const place = corpus.places.get(source.key);
        if (place?.hash === source.hash) {
          listed.add(source.key);
          kept++;
        } else {
          const document = source.read();
          if (document !== null && !listed.has(source.key)) batch.push(document);
          if (document !== null) listed.add(source.key);
        }
        yield;
      }
    }
    const reading = read();
    for (let done = false; !done; ) {
      done = await inSlices(untilBatch(reading, () => batch.length >= limits.batchMemories));
      await takeIn();
    }
    let removed = 0;
    const gone = corpus.size === listed.size ? [] : [...corpus.places.keys()].filter((key) => !listed.has(key));
    for (const key of gone) if (removeDocument(corpus, key)) removed++;
    if (removed > 0) index.saved = false;
    await tidy();
    return { added, removed, kept, unsaved: index.saved ? null : await save(index) };
  }

  /** Segments first, then the manifest that names them: whoever reads meanwhile finds the old state whole. */
  async function save(index: Opened): Promise<string | null> {
    const { directory } = ports;
    try {
      const parts = index.corpus.parts;
      const names = parts.flatMap(({ file }) => (file === undefined ? [] : [file.name]));
      const missing = await missingFiles(directory, names);
      for (const part of parts) {
        if (part.file !== undefined && !missing.has(part.file.name)) continue;
        const { chunks, file } = await inSlices(encodeSegment(part.segment));
        await writeSegmentFile(directory, file.name, chunks);
        part.file = file;
      }
      await writeManifest(directory, encoderId(index.encoder), parts.map(manifestEntry));
      index.saved = true;
      const inForce = new Set(parts.map(({ file }) => file!.name));
      await removeOrphans(directory, { inForce, olderThanMs: limits.orphanAfterMs, now: now() });
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  return {
    update(documents) {
      const listed = ports.embed === undefined ? documents : [...documents];
      const result = queue.then(() => update(listed));
      queue = result.then(() => embedMissing(opened().vectors, listed)).catch(() => undefined);
      return result;
    },
    async prepare(query) {
      await opened()
        .vectors?.prepare(query)
        .catch(() => undefined);
    },
    search(query, options) {
      const { corpus, ranker, vectors } = opened();
      return ranker.rank({ ...options, corpus, query, vectors: vectors?.scores(corpus, query) ?? null });
    },
    async ready() {
      opened();
      await queue;
    },
    size: () => opened().corpus.size,
    async close() {
      await queue;
    },
  };
}

function load(ports: LocalIndexPorts): Opened {
  const encoder = ports.encoder();
  const corpus = createCorpus(encoder?.rows ?? 0);
  const stored = readIndex(ports.directory, encoderId(encoder));
  for (const { segment, entry } of stored.segments) {
    const { name, bytes, checksum } = entry;
    addStoredSegment(corpus, segment, entry.dead).file = { name, bytes, checksum };
  }
  const vectors = ports.embed === undefined ? null : openVectorStore(ports.directory, ports.embed);
  return { encoder, corpus, vectors, ranker: createRanker(encoder), saved: stored.rebuild === null };
}

/** In the background of an update: words answer at once, the vectors catch up. */
async function embedMissing(vectors: VectorStore | null, documents: Iterable<DocumentSource>): Promise<void> {
  if (vectors === null) return;
  let batch: Array<{ hash: string; text: string }> = [];
  for (const source of documents) {
    if (vectors.has(source.hash)) continue;
    const document = source.read();
    if (document === null) continue;
    batch.push({ hash: source.hash, text: `${document.name}\n${document.description}\n${document.body}` });
    if (batch.length < TEXTS_PER_CALL) continue;
    await vectors.add(batch);
    batch = [];
  }
  if (batch.length > 0) await vectors.add(batch);
}

function encoderId(encoder: Encoder | null): string {
  return encoder?.id ?? 'none';
}

function manifestEntry(part: CorpusPart) {
  const dead: number[] = [];
  for (let number = 0; number < part.alive.length; number++) if (part.alive[number] === 0) dead.push(number);
  return { ...part.file!, dead };
}

/** Sizes stay at least doubling from part to part, so that there are few of them and each memory is rewritten rarely. */
export function partsToMerge(parts: readonly CorpusPart[]): readonly CorpusPart[] {
  const bySize = [...parts].sort((left, right) => left.aliveCount - right.aliveCount);
  let [gathered, upTo] = [0, 0];
  for (const [at, { aliveCount }] of bySize.entries()) {
    if (at > 0 && aliveCount <= gathered * 2) upTo = at + 1;
    gathered += aliveCount;
  }
  const merging = bySize.slice(0, upTo);
  const rotten = bySize.slice(upTo).filter(({ alive, aliveCount }) => aliveCount < alive.length * (1 - DEAD_SHARE));
  return [...merging, ...rotten];
}

/** Goes on with the steps until there is enough, or nothing more; says which. */
function* untilBatch(steps: Generator<void, void>, enough: () => boolean): Generator<void, boolean> {
  while (!enough()) {
    if (steps.next().done) return true;
    yield;
  }
  return false;
}
