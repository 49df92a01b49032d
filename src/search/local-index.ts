/** The local index: finds memories by words and meaning without any model service; derived from the files, disposable. */

import { atOnce, inTurns, type Steps } from '../base/async/in-turns.ts';
import { within } from '../base/async/within.ts';
import { messageOf } from '../base/values.ts';
import { LIMITS, type Limits } from '../limits.ts';
import type { Encoder } from '../model/encoder/encoder.ts';
import { type AsideFacts, createAsideSearch } from './aside/search-aside.ts';
import { addStoredSegment, asOfNow, createCorpus } from './corpus.ts';
import type { RecallHit } from './explain.ts';
import { holdsWords } from './holds-words.ts';
import { readIndex, readIndexInTurns, type StoredIndex } from './index-files.ts';
import { createRanker, type RankFacts, type RankOptions } from './rank.ts';
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
export type { Embedder, EmbedOptions } from './vectors.ts';

export interface LocalIndexPorts {
  /** Where the derived files are stored. */
  readonly directory: string;
  /** Called at first use; null when there is none, and only words rank. */
  readonly encoder: () => Encoder | null;
  /** The same in steps, where it takes a while. */
  readonly encoderInSteps?: () => Steps<Encoder>;
  /** The user's own embedding model, which then counts in addition to ours. */
  readonly embed?: Embedder;
  /** How long that model is waited for; without it, as long as it takes. */
  readonly patience?: Patience;
  /** For a process that stays: `find` searches in turns with what else it does, and a large index in a thread of its own. */
  readonly aside?: Pick<AsideFacts, 'start'> & { readonly from?: number | undefined };
  readonly limits?: Limits['localIndex'];
  readonly now?: () => number;
  /** Called after each update and each use of the user's model, with what went wrong; null when nothing did. Ranking goes on. */
  readonly onProblem?: (part: IndexPart, reason: string | null) => void;
}

export interface Patience {
  readonly queryMs: number;
  /** After a failure or a late answer no question waits for this long. */
  readonly restMs: number;
  /** What is being embedded when the index is closed. */
  readonly closeMs: number;
}

/** What may fail without ending recall: keeping the index on disk, and the user's own embedding model. */
export type IndexPart = 'saving' | 'embedding';

export interface LocalIndex {
  /** Brings the index to exactly these documents; only new and changed ones are read. */
  update(documents: Iterable<DocumentSource>): Promise<IndexUpdate>;
  /** Embeds the query with the user's model, if there is one; without it `search` ranks by words and our encoder. */
  prepare(query: string): Promise<void>;
  search(query: string, options: RankOptions): RecallHit[];
  /** The same without holding up anything else, also while the index is large or not loaded yet. */
  find(query: string, options: RankOptions): Promise<RecallHit[]>;
  /** Resolves when the index is loaded and nothing is being indexed or embedded. */
  ready(): Promise<void>;
  size(): number;
  /** How many entries the index on disk has; null when there is none that can be used. Loads no encoder. */
  storedSize(): number | null;
  /** Whether one entry of the index on disk has all these words. Loads no encoder. */
  storedHolds(words: string): boolean;
  /** Whether a search goes to another thread, and an update takes a while. */
  isLarge(): Promise<boolean>;
  close(): Promise<void>;
}

interface Opened extends IndexState {
  readonly vectors: VectorStore | null;
}

/** Entries from which on a search may take more than five milliseconds. */
const ASIDE_FROM = 10_000;
/** Texts sent to the user's model at once. */
const TEXTS_PER_CALL = 32;

export function openLocalIndex(ports: LocalIndexPorts): LocalIndex {
  const options = { limits: ports.limits ?? LIMITS.localIndex, now: ports.now ?? Date.now };
  let state: Opened | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();
  let isClosed = false;

  let onDisk: StoredIndex | undefined;
  function stored(): StoredIndex {
    onDisk ??= readIndex(ports.directory);
    return onDisk;
  }

  function opened(): Opened {
    state ??= atOnce(loading(ports, stored(), closing.signal));
    onDisk = undefined;
    return state;
  }

  let opening: Promise<Opened> | undefined;
  async function openedInTurns(): Promise<Opened> {
    if (state !== undefined || onDisk !== undefined) return opened();
    const { sliceMs } = options.limits;
    opening ??= readIndexInTurns(ports.directory, sliceMs).then(async (found) => {
      const loaded = state ?? (await inTurns(loading(ports, found, closing.signal)));
      state ??= loaded;
      return state;
    });
    return opening;
  }

  const aside = ports.aside === undefined ? null : createAsideSearch({ ...ports.aside, directory: ports.directory });
  /** Whether the files say what was listed last; the thread knows nothing else. */
  let isOnDisk = true;

  const tell = (part: IndexPart, reason: string | null) => ports.onProblem?.(part, reason);

  let restsUntilMs = 0;
  const rest = () => {
    if (ports.patience !== undefined) restsUntilMs = options.now() + ports.patience.restMs;
  };

  /** The work says whether the model was asked. */
  async function embedding(work: (vectors: VectorStore) => Promise<boolean>): Promise<void> {
    const { vectors } = await openedInTurns();
    if (vectors === null) return;
    try {
      if (await work(vectors)) tell('embedding', null);
    } catch (error) {
      if (closing.signal.aborted) return;
      rest();
      tell('embedding', messageOf(error));
    }
  }

  async function prepare(query: string): Promise<void> {
    const { patience } = ports;
    if (options.now() < restsUntilMs) return;
    const asked = embedding((vectors) => vectors.prepare(query).then(() => true)).then(() => true);
    if (patience === undefined) return void (await asked);
    if (await within(asked, patience.queryMs)) return;
    rest();
    tell('embedding', `${ports.embed?.id}: no answer within ${patience.queryMs} ms`);
  }

  /** Beside the updates: the next one waits for no model, and what it lists is embedded after what is under way. */
  let catchingUp: Promise<void> = Promise.resolve();
  let listedLast: readonly DocumentSource[] | null = null;
  function catchUp(listed: readonly DocumentSource[]): void {
    listedLast = listed;
    catchingUp = catchingUp.then(() => {
      const newest = listedLast;
      listedLast = null;
      if (newest === null || options.now() < restsUntilMs) return;
      const isEnough = () => closing.signal.aborted || (isClosed && ports.patience !== undefined);
      return embedding(async (vectors) => {
        const wasAsked = await embedMissing(vectors, newest, isEnough);
        return (!isEnough() && (await vectors.measureNoise())) || wasAsked;
      });
    });
  }

  function asked(query: string, rankOptions: RankOptions): RankFacts {
    const { corpus, vectors } = opened();
    const scores = vectors?.scores(corpus, query) ?? null;
    return { ...rankOptions, corpus, query, vectors: scores, vectorCertainFrom: vectors?.certainFrom() ?? null };
  }

  const search = (query: string, rankOptions: RankOptions) => opened().ranker.rank(asked(query, rankOptions));

  async function searchInTurns(query: string, rankOptions: RankOptions): Promise<RecallHit[]> {
    const facts = asked(query, rankOptions);
    return inTurns(opened().ranker.ranking({ ...facts, corpus: asOfNow(facts.corpus) }));
  }

  return {
    update(documents) {
      const listed = ports.embed === undefined ? documents : [...documents];
      const result = queue.then(async () => {
        const updated = await updateIndex(await openedInTurns(), listed, options);
        isOnDisk = updated.unsaved === null;
        aside?.refresh();
        return updated;
      });
      queue = result
        .then(async ({ unsaved }) => {
          if (Array.isArray(listed)) catchUp(listed);
          tell('saving', unsaved ?? (await updateNoise(opened(), options)));
        })
        .catch(() => undefined);
      return result;
    },
    prepare,
    search,
    async find(query, rankOptions) {
      const { corpus, vectors, saved } = await openedInTurns();
      const isLarge = corpus.size >= (ports.aside?.from ?? ASIDE_FROM);
      const isKnown = isOnDisk && (saved || corpus.parts.some(({ file }) => file !== undefined));
      const found = isLarge && isKnown && vectors === null ? await aside?.search(query, rankOptions) : null;
      if (ports.aside === undefined) return search(query, rankOptions);
      return found ?? searchInTurns(query, rankOptions);
    },
    async ready() {
      await openedInTurns();
      await queue;
      await catchingUp;
    },
    size: () => opened().corpus.size,
    storedSize() {
      const { segments, rebuild } = stored();
      if (rebuild !== null) return null;
      return segments.reduce((sum, { segment, entry }) => sum + segment.documents.length - entry.dead.length, 0);
    },
    storedHolds: (words) => holdsWords(stored().segments, words),
    isLarge: async () => (await openedInTurns()).corpus.size >= (ports.aside?.from ?? ASIDE_FROM),
    async close() {
      isClosed = true;
      await queue;
      await aside?.close();
      if (ports.patience === undefined) return catchingUp;
      await within(catchingUp, ports.patience.closeMs);
      closing.abort();
    },
  };
}

function* loading(ports: LocalIndexPorts, found: StoredIndex, closing: AbortSignal): Steps<Opened> {
  const { directory } = ports;
  const encoder = ports.encoderInSteps === undefined ? ports.encoder() : yield* ports.encoderInSteps();
  yield;
  const corpus = createCorpus(encoder?.rows ?? 0);
  const isUsable = found.rebuild === null && found.encoder === encoderId(encoder);
  for (const { segment, entry } of isUsable ? found.segments : []) {
    const { name, bytes, checksum } = entry;
    const part = yield* addStoredSegment(corpus, segment, entry.dead);
    part.file = { name, bytes, checksum };
  }
  corpus.noise = isUsable ? found.noise : null;
  yield;
  const vectors = ports.embed === undefined ? null : openVectorStore(directory, ports.embed, closing);
  return { directory, encoder, corpus, vectors, ranker: createRanker(encoder), saved: isUsable };
}

/** In the background of an update: words answer at once, the vectors catch up. Returns whether there was anything to embed. A process that asks
 * once embeds some each time. */
async function embedMissing(
  vectors: VectorStore,
  documents: readonly DocumentSource[],
  isEnough: () => boolean,
): Promise<boolean> {
  const missing = documents.filter(({ hash }) => !vectors.has(hash));
  for (let from = 0; from < missing.length && (from === 0 || !isEnough()); from += TEXTS_PER_CALL) {
    const texts = missing.slice(from, from + TEXTS_PER_CALL).flatMap(({ hash, read }) => {
      const document = read();
      if (document === null) return [];
      return [{ hash, text: `${document.name}\n${document.description}\n${document.body}` }];
    });
    if (texts.length > 0) await vectors.add(texts);
  }
  return missing.length > 0;
}
