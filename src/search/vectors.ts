/** Vectors from an embedding model the user brings: stored with the index, computed in the background, compared at once. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { createRowTable, type RowTable } from '../model/encoder/dot-rows.ts';
import type { Corpus, CorpusPart } from './corpus.ts';
import { writeWhole } from './index-files.ts';
import { isOutdated, type Noise, UNRELATED_QUESTIONS } from './noise.ts';

/** An embedding model of your own. */
export interface Embedder {
  /** Names the model; vectors of another one are not used. */
  readonly id: string;
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>;
}

export interface EmbedOptions {
  /** Some models want to know. */
  readonly purpose: 'query' | 'document';
  /** Fires when nobody needs the answer any more. */
  readonly signal?: AbortSignal;
}

export interface VectorStore {
  has(hash: string): boolean;
  /** Embeds and stores; failures are retried with the next update. */
  add(texts: ReadonlyArray<{ readonly hash: string; readonly text: string }>): Promise<void>;
  /** Embeds a query, so that `scores` has something to compare. */
  prepare(query: string): Promise<void>;
  /** Likeness of each memory to the query above that of a random one, 0 … 1; null when the query is not prepared. */
  scores(corpus: Corpus, query: string): readonly Float32Array[] | null;
  /** Above what unrelated questions reach with this model in this folder; null until it is measured. */
  certainFrom(): number | null;
  /** Returns whether that was due. */
  measureNoise(): Promise<boolean>;
}

/** Digest of the memory, checksum of what follows, scale, then one byte per dimension. */
const DIGEST_BYTES = 16;
const HEAD_BYTES = DIGEST_BYTES + 8;
const PREPARED_QUERIES = 16;
const LARGEST = 127;
/** Each model has its own scale: what counts is how far unrelated questions scatter on it. */
const DEVIATIONS_ABOVE_NOISE = 2.5;
const QUESTIONS_PER_CALL = 13;

export function openVectorStore(directory: string, embedder: Embedder, signal?: AbortSignal): VectorStore {
  const rows = new Map<string, number>();
  const prepared = new Map<string, Float32Array>();
  const rowsOfPart = new WeakMap<CorpusPart, { version: number; rows: Int32Array }>();
  let table: RowTable | undefined;
  /** The query's row counts too. */
  let [dimensions, capacity, version, count] = [0, 0, 0, 1];

  function put(digest: string, scale: number, values: Int8Array): void {
    if (rows.has(digest)) return;
    const row = count;
    if (table === undefined || row >= capacity) grow(values.length);
    table!.bytes.set(values, row * dimensions);
    table!.factors[row] = scale;
    count++;
    rows.set(digest, row);
    version++;
  }

  /** Row 0 is the query's. */
  function grow(length: number): void {
    dimensions = length;
    capacity = Math.max(256, capacity * 2);
    const larger = createRowTable({ rows: capacity, dimensions });
    if (table !== undefined) {
      larger.bytes.set(table.bytes);
      larger.factors.set(table.factors);
    }
    table = larger;
  }

  const prefix = filePrefix(embedder.id);
  const path = (length: number) => join(directory, `${prefix}${length}.vectors`);

  function load(length: number): void {
    const size = HEAD_BYTES + length;
    const bytes = readFileSync(path(length));
    for (let at = 0; at + size <= bytes.length; at += size) {
      const record = bytes.subarray(at, at + size);
      if (crc32(record.subarray(DIGEST_BYTES + 4)) !== record.readUInt32LE(DIGEST_BYTES)) continue;
      const values = new Int8Array(record.buffer, record.byteOffset + HEAD_BYTES, length);
      put(record.toString('hex', 0, DIGEST_BYTES), record.readFloatLE(DIGEST_BYTES + 4), values);
    }
  }

  /** Appends in one write; a torn end, which would misalign everything after it, is cut off first. */
  async function save(records: readonly Buffer[], length: number): Promise<void> {
    const bytes = statSync(path(length), { throwIfNoEntry: false })?.size ?? 0;
    const torn = bytes % (HEAD_BYTES + length);
    const joined = Buffer.concat(records);
    if (bytes > 0 && torn === 0) return appendFile(path(length), joined);
    const whole = bytes === 0 ? [] : [readFileSync(path(length)).subarray(0, bytes - torn)];
    await writeWhole(path(length), [...whole, joined]);
  }

  async function add(texts: ReadonlyArray<{ hash: string; text: string }>): Promise<void> {
    const vectors = await embedder.embed(
      texts.map(({ text }) => text),
      { purpose: 'document', signal },
    );
    const length = vectors[0]?.length ?? 0;
    if (length === 0) return;
    if (dimensions === 0) grow(length);
    const records: Buffer[] = [];
    for (const [at, vector] of vectors.entries()) {
      const digest = digestOf(texts[at]!.hash);
      if (vector.length !== dimensions || rows.has(digest)) continue;
      const { scale, values } = quantize(vector);
      put(digest, scale, values);
      records.push(recordOf(digest, scale, values));
    }
    if (records.length > 0) await save(records, length);
  }

  function rowsIn(part: CorpusPart): Int32Array {
    const known = rowsOfPart.get(part);
    if (known?.version === version) return known.rows;
    const { documents } = part.segment;
    const rowAt = (number: number) => rows.get(digestOf(documents.at(number)![1])) ?? -1;
    const found = Int32Array.from({ length: documents.length }, (_, number) => rowAt(number));
    rowsOfPart.set(part, { version, rows: found });
    return found;
  }

  const stored = storedLength(directory, prefix);
  if (stored !== null) load(stored);

  /** Above a random one, by row. */
  function likeness(vector: Float32Array): (row: number) => number {
    const { scale, values } = quantize(vector);
    table!.bytes.set(values, 0);
    table!.factors[0] = scale;
    const rowNumbers = Uint32Array.from({ length: count - 1 }, (_, at) => at + 1);
    const cosines = table!.products([0], rowNumbers)[0]!;
    const background = cosines.subarray(1, count).reduce((sum, cosine) => sum + cosine, 0) / (count - 1);
    return (row) => (row === -1 ? 0 : Math.max(0, (cosines[row]! - background) / (1 - background)));
  }

  const noisePath = join(directory, `${prefix}noise.json`);
  let noise = readNoise(noisePath);

  async function measureNoise(): Promise<boolean> {
    if (table === undefined || !isOutdated(noise, count - 1)) return false;
    const reached: number[] = [];
    for (let from = 0; from < UNRELATED_QUESTIONS.length; from += QUESTIONS_PER_CALL) {
      const texts = UNRELATED_QUESTIONS.slice(from, from + QUESTIONS_PER_CALL);
      for (const vector of await embedder.embed(texts, { purpose: 'query', signal })) {
        if (vector.length !== dimensions) continue;
        const of = likeness(vector);
        let best = 0;
        for (let row = 1; row < count; row++) best = Math.max(best, of(row));
        reached.push(best);
        await setImmediate();
      }
    }
    const mean = reached.reduce((sum, value) => sum + value, 0) / reached.length;
    const deviation = Math.sqrt(reached.reduce((sum, value) => sum + (value - mean) ** 2, 0) / reached.length);
    noise = { level: mean + DEVIATIONS_ABOVE_NOISE * deviation, size: count - 1 };
    await writeWhole(noisePath, [Buffer.from(JSON.stringify(noise))]);
    return true;
  }

  return {
    add,
    has: (hash) => rows.has(digestOf(hash)),
    async prepare(query) {
      if (prepared.has(query)) return;
      const [vector] = await embedder.embed([query], { purpose: 'query', signal });
      if (vector === undefined) return;
      if (prepared.size >= PREPARED_QUERIES) prepared.delete(prepared.keys().next().value!);
      prepared.set(query, vector);
    },
    scores(corpus, query) {
      const vector = prepared.get(query);
      if (vector === undefined || table === undefined || vector.length !== dimensions || count === 1) return null;
      const above = likeness(vector);
      return corpus.parts.map((part) => Float32Array.from(rowsIn(part), above));
    },
    certainFrom: () => noise?.level ?? null,
    measureNoise,
  };
}

function readNoise(path: string): Noise | null {
  try {
    const { level, size } = JSON.parse(readFileSync(path, 'utf8'));
    return Number.isFinite(level) && Number.isFinite(size) ? { level, size } : null;
  } catch {
    return null;
  }
}

/** At unit length, as integers on one scale. */
function quantize(vector: Float32Array): { scale: number; values: Int8Array } {
  const length = Math.hypot(...vector) || 1;
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return {
    scale: largest / LARGEST / length,
    values: Int8Array.from(vector, (value) => Math.round((value / largest) * LARGEST)),
  };
}

function recordOf(digest: string, scale: number, values: Int8Array): Buffer {
  const record = Buffer.alloc(HEAD_BYTES + values.length);
  record.write(digest, 0, 'hex');
  record.writeFloatLE(scale, DIGEST_BYTES + 4);
  record.set(new Uint8Array(values.buffer, values.byteOffset, values.length), HEAD_BYTES);
  record.writeUInt32LE(crc32(record.subarray(DIGEST_BYTES + 4)), DIGEST_BYTES);
  return record;
}

/** Content hashes are already long hexadecimal numbers; anything else becomes one. */
function digestOf(hash: string): string {
  const digits = DIGEST_BYTES * 2;
  return /^[0-9a-f]{32}/.test(hash)
    ? hash.slice(0, digits)
    : createHash('sha256').update(hash).digest('hex').slice(0, digits);
}

function filePrefix(id: string): string {
  return `${crc32(id).toString(16)}-`;
}

/** How many memories have a vector of this model. */
export function countStoredVectors(directory: string, id: string): number {
  const prefix = filePrefix(id);
  const length = storedLength(directory, prefix);
  if (length === null) return 0;
  const { size = 0 } = statSync(join(directory, `${prefix}${length}.vectors`), { throwIfNoEntry: false }) ?? {};
  return Math.floor(size / (HEAD_BYTES + length));
}

/** Dimensions of the existing vectors, from the file's name. */
function storedLength(directory: string, prefix: string): number | null {
  try {
    const name = readdirSync(directory).find((one) => one.startsWith(prefix) && one.endsWith('.vectors'));
    return name === undefined ? null : Number.parseInt(name.slice(prefix.length), 10);
  } catch {
    return null;
  }
}
