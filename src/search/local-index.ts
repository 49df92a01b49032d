/** The local index: finds memories by words and meaning without any model service; derived from the files, disposable. */

import { messageOf } from '../base/values.ts';
import { LIMITS, type Limits } from '../limits.ts';
import type { Encoder } from '../model/encoder/encoder.ts';
import { addStoredSegment, createCorpus } from './corpus.ts';
import type { RecallHit } from './explain.ts';
import { readIndex } from './index-files.ts';
import { createRanker, type RankOptions } from './rank.ts';
import {
  type DocumentSource,
  encoderId,
  type IndexState,
  type IndexUpdate,
  updateIndex,
  updateNoise,
} from './update-index.ts';
import { type Embedder, openVectorStore, type VectorStore } from './vectors.ts';

export type { RecallExplanation, RecallHit } from './explain.ts';
export { explainHit } from './explain.ts';
export type { RecallDocument } from './segment.ts';
export type { DocumentSource, IndexUpdate } from './update-index.ts';
export type { Embedder } from './vectors.ts';

export interface LocalIndexPorts {
  /** Where the derived files are stored. */
  readonly directory: string;
  /** Called at first use; null when there is none, and only words rank. */
  readonly encoder: () => Encoder | null;
  /** The user's own embedding model, which then counts in addition to ours. */
  readonly embed?: Embedder;
  readonly limits?: Limits['localIndex'];
  readonly now?: () => number;
  /** Called after each update and each use of the user's model, with what went wrong; null when nothing did. Ranking goes on. */
  readonly onProblem?: (part: IndexPart, reason: string | null) => void;
}

/** What may fail without ending recall: keeping the index on disk, and the user's own embedding model. */
export type IndexPart = 'saving' | 'embedding';

export interface LocalIndex {
  /** Brings the index to exactly these documents; only new and changed ones are read. */
  update(documents: Iterable<DocumentSource>): Promise<IndexUpdate>;
  /** Embeds the query with the user's model, if there is one; without it `search` ranks by words and our encoder. */
  prepare(query: string): Promise<void>;
  search(query: string, options: RankOptions): RecallHit[];
  /** Resolves when the index is loaded and nothing is being indexed or embedded. */
  ready(): Promise<void>;
  size(): number;
  close(): Promise<void>;
}

interface Opened extends IndexState {
  readonly vectors: VectorStore | null;
}

/** Texts sent to the user's model at once. */
const TEXTS_PER_CALL = 32;

export function openLocalIndex(ports: LocalIndexPorts): LocalIndex {
  const options = { limits: ports.limits ?? LIMITS.localIndex, now: ports.now ?? Date.now };
  let state: Opened | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  function opened(): Opened {
    state ??= load(ports);
    return state;
  }

  const tell = (part: IndexPart, reason: string | null) => ports.onProblem?.(part, reason);

  async function embedding(work: (vectors: VectorStore) => Promise<void>): Promise<void> {
    const { vectors } = opened();
    if (vectors === null) return;
    try {
      await work(vectors);
      tell('embedding', null);
    } catch (error) {
      tell('embedding', messageOf(error));
    }
  }

  return {
    update(documents) {
      const listed = ports.embed === undefined ? documents : [...documents];
      const result = queue.then(() => updateIndex(opened(), listed, options));
      queue = result
        .then(async ({ unsaved }) => {
          tell('saving', unsaved ?? (await updateNoise(opened(), options)));
          return embedding((vectors) => embedMissing(vectors, listed));
        })
        .catch(() => undefined);
      return result;
    },
    prepare: (query) => embedding((vectors) => vectors.prepare(query)),
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
  const { directory } = ports;
  const encoder = ports.encoder();
  const corpus = createCorpus(encoder?.rows ?? 0);
  const stored = readIndex(directory, encoderId(encoder));
  for (const { segment, entry } of stored.segments) {
    const { name, bytes, checksum } = entry;
    addStoredSegment(corpus, segment, entry.dead).file = { name, bytes, checksum };
  }
  corpus.noise = stored.noise;
  const vectors = ports.embed === undefined ? null : openVectorStore(directory, ports.embed);
  return { directory, encoder, corpus, vectors, ranker: createRanker(encoder), saved: stored.rebuild === null };
}

/** In the background of an update: words answer at once, the vectors catch up. */
async function embedMissing(vectors: VectorStore, documents: Iterable<DocumentSource>): Promise<void> {
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
