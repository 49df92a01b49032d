/**
 * What opening the encoder would compute from the package's model, written once by the build: where each word is, and the length of each row.
 * A process that asks one question would spend more on that than on the question. Without the file, all is computed as before.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { packagePath } from '../../base/package-files.ts';
import type { WordTables } from './vocabulary.ts';

const MAGIC = 0x31544352;
const HEADER_WORDS = 7;
const FILE = 'dist/recall-en.tables.bin';

export interface ModelShape {
  readonly rows: number;
  readonly dimensions: number;
  /** Of the vocabulary's file. */
  readonly bytes: number;
}

export interface EncoderTables {
  readonly checksum: number;
  readonly words: WordTables;
  /** As the row table has them once it is normalised. */
  readonly factors: Float32Array;
  readonly weights: Float32Array;
}

/** Null when there are none, or they are of another model. */
export function readEncoderTables(shape: ModelShape, path: string = packagePath(FILE)): EncoderTables | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return null;
  }
  if (bytes.length < HEADER_WORDS * 4) return null;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(bytes);
  const header = new Uint32Array(aligned.buffer, aligned.byteOffset, HEADER_WORDS);
  const [magic, rows, dimensions, vocabularyBytes, checksum, slots, beginnings] = header;
  if (magic !== MAGIC || rows !== shape.rows || dimensions !== shape.dimensions || vocabularyBytes !== shape.bytes) {
    return null;
  }
  let at = aligned.byteOffset + HEADER_WORDS * 4;
  const isWhole = aligned.length === 4 * (HEADER_WORDS + (rows + 1) + slots! + beginnings! + 3 * rows);
  if (!isWhole) return null;
  const next = (length: number) => {
    at += length * 4;
    return [aligned.buffer, at - length * 4, length] as const;
  };
  return {
    checksum: checksum!,
    words: {
      starts: new Uint32Array(...next(rows + 1)),
      bySpelling: new Uint32Array(...next(slots!)),
      lastWith: new Uint32Array(...next(beginnings!)),
      before: new Uint32Array(...next(rows)),
    },
    factors: new Float32Array(...next(rows)),
    weights: new Float32Array(...next(rows)),
  };
}

/** For the build. */
export function writeEncoderTables(shape: ModelShape, tables: EncoderTables, path: string = packagePath(FILE)): void {
  const { starts, bySpelling, lastWith, before } = tables.words;
  const { rows, dimensions, bytes } = shape;
  const header = Uint32Array.of(MAGIC, rows, dimensions, bytes, tables.checksum, bySpelling.length, lastWith.length);
  const arrays = [header, starts, bySpelling, lastWith, before, tables.factors, tables.weights];
  const parts = arrays.map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  writeFileSync(path, Buffer.concat(parts));
}
