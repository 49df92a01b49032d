/** Syncs the index with the files: adds what is new, drops what is gone, saves, all in short slices. */

import { inTurns } from '../base/async/in-turns.ts';
import { whyNotMade } from '../disk/storage-error.ts';
import type { Limits } from '../limits.ts';
import type { Encoder } from '../model/encoder/encoder.ts';
import { addNewSegment, type Corpus, type CorpusPart, findPlaces, removeDocument, replaceParts } from './corpus.ts';
import { missingFiles, removeOrphans, writeManifest, writeSegmentFile } from './index-files.ts';
import { mergeSegments } from './merge-segments.ts';
import { isOutdated, measureNoise } from './noise.ts';
import { memoryKeyOf, passageKey, passagesOf } from './passages/passages.ts';
import type { Ranker } from './rank.ts';
import { buildSegment, type RecallDocument } from './segment.ts';
import { encodeSegment } from './segment-file.ts';

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
  /** Why the index could not be saved; it still serves this process. */
  readonly unsaved: string | null;
}

/** The in-memory index. */
export interface IndexState {
  readonly directory: string;
  readonly encoder: Encoder | null;
  readonly corpus: Corpus;
  readonly ranker: Ranker;
  /** Whether memory and disk agree. */
  saved: boolean;
}

export interface UpdateOptions {
  readonly limits: Limits['localIndex'];
  readonly now: () => number;
}

/** A segment with more dead memories than this share is rewritten without them. */
const DEAD_SHARE = 0.3;

export async function updateIndex(
  index: IndexState,
  documents: Iterable<DocumentSource>,
  options: UpdateOptions,
): Promise<IndexUpdate> {
  const { corpus } = index;
  const { sliceMs, batchMemories } = options.limits;
  await inTurns(findPlaces(corpus), sliceMs);
  const listed = new Set<string>();
  let [added, kept, removed] = [0, 0, 0];
  let batch: RecallDocument[] = [];
  function* read(): Generator<void, void> {
    for (const source of documents) {
      if (corpus.places.get(source.key)?.hash === source.hash) {
        for (const key of keysOf(corpus, source.key)) listed.add(key);
        kept++;
      } else {
        const document = source.read();
        if (document !== null && !listed.has(source.key)) {
          const parts = [document, ...partsOf(document)];
          batch.push(...parts);
          for (const { key } of parts) listed.add(key);
          added++;
        }
      }
      yield;
    }
  }
  const reading = read();
  for (let done = false; !done; ) {
    done = await inTurns(
      untilEnough(reading, () => batch.length >= batchMemories),
      sliceMs,
    );
    if (batch.length === 0) continue;
    index.saved = false;
    const segment = await inTurns(buildSegment(batch, index.encoder), sliceMs);
    await inTurns(addNewSegment(corpus, segment), sliceMs);
    batch = [];
    await tidy(index, sliceMs);
  }
  const gone = corpus.size === listed.size ? [] : [...corpus.places.keys()].filter((key) => !listed.has(key));
  for (const key of gone) if (removeDocument(corpus, key) && key === memoryKeyOf(key)) removed++;
  if (gone.length > 0) index.saved = false;
  await tidy(index, sliceMs);
  return { added, removed, kept, unsaved: index.saved ? null : await save(index, options) };
}

/** The parts of a long memory are found under its name, aliases and date, with its content's hash. */
function partsOf(memory: RecallDocument): readonly RecallDocument[] {
  return passagesOf(memory.body).map(({ heading, text }, number) => {
    const description = text.includes(heading) ? '' : heading;
    return { ...memory, key: passageKey(memory.key, number), description, body: text };
  });
}

/** Of a memory and its parts, which are numbered without a gap. */
function* keysOf(corpus: Corpus, key: string): Generator<string, void> {
  yield key;
  for (let number = 0; corpus.places.has(passageKey(key, number)); number++) yield passageKey(key, number);
}

async function tidy(index: IndexState, sliceMs: number): Promise<void> {
  const { corpus } = index;
  corpus.parts = corpus.parts.filter(({ aliveCount }) => aliveCount > 0);
  const merging = partsToMerge(corpus.parts);
  if (merging.length === 0) return;
  index.saved = false;
  const segment = await inTurns(mergeSegments(merging), sliceMs);
  await inTurns(replaceParts(corpus, merging, segment), sliceMs);
}

/** After an update, while questions are answered by the noise of before. Returns why it could not be saved. */
export async function updateNoise(index: IndexState, options: UpdateOptions): Promise<string | null> {
  const { corpus, ranker } = index;
  if (index.encoder === null || !isOutdated(corpus.noise, corpus.size)) return null;
  const measuring = measureNoise(corpus.size, (question) => ranker.bestEvidence(corpus, question));
  corpus.noise = await inTurns(measuring, options.limits.sliceMs);
  return save(index, options);
}

/** Segments first, then the manifest that names them: a concurrent reader finds the old state whole. */
async function save(index: IndexState, { limits, now }: UpdateOptions): Promise<string | null> {
  const { directory } = index;
  const { parts } = index.corpus;
  try {
    const names = parts.flatMap(({ file }) => (file === undefined ? [] : [file.name]));
    const missing = await missingFiles(directory, names);
    for (const part of parts) {
      if (part.file !== undefined && !missing.has(part.file.name)) continue;
      const { chunks, file } = await inTurns(encodeSegment(part.segment), limits.sliceMs);
      await writeSegmentFile(directory, file.name, chunks);
      part.file = file;
    }
    await writeManifest(directory, {
      encoder: encoderId(index.encoder),
      noise: index.corpus.noise,
      segments: parts.map(manifestEntry),
    });
    index.saved = true;
    const inForce = new Set(parts.map(({ file }) => file!.name));
    await removeOrphans(directory, { inForce, olderThanMs: limits.orphanAfterMs, now: now() });
    return null;
  } catch (error) {
    return whyNotMade(directory, error);
  }
}

export function encoderId(encoder: Encoder | null): string {
  return encoder?.id ?? 'none';
}

function manifestEntry(part: CorpusPart) {
  const dead: number[] = [];
  for (let number = 0; number < part.alive.length; number++) if (part.alive[number] === 0) dead.push(number);
  return { ...part.file!, dead };
}

/** Sizes at least double from part to part, so that there are few parts and each memory is rewritten rarely. */
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

/** Runs steps until there is enough, or nothing more; returns which. */
function* untilEnough(steps: Generator<void, void>, enough: () => boolean): Generator<void, boolean> {
  while (!enough()) {
    if (steps.next().done) return true;
    yield;
  }
  return false;
}
