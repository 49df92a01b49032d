/** The sentence encoder that ships with the package: a table of token rows, read from models/, summed and compared. */

import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { atOnce, type Steps } from '../../base/async/in-turns.ts';
import { packagePath } from '../../base/package-files.ts';
import { ReverieError } from '../../errors.ts';
import { createRowTable, ROWS_AT_ONCE, type RowTable } from './dot-rows.ts';
import { type EncoderTables, readEncoderTables, writeEncoderTables } from './tables.ts';
import { createVocabulary, readWords, type Vocabulary } from './vocabulary.ts';

const HEADER_BYTES = 16;
const BYTES_PER_STEP = 1 << 21;
/** Tokens of one text that are used; later ones change a sum of this many too little to matter. */
const LONGEST_TEXT_TOKENS = 512;

export interface Encoder {
  /** Changes with the model, so that data derived from another one is noticed. */
  readonly id: string;
  readonly rows: number;
  readonly dimensions: number;
  tokens(text: string): number[];
  /** Whether a word, in lower case and without accents, is a token of its own. */
  knows(word: string): boolean;
  word(token: number): string;
  /** Tokens of four letters and more that begin with the same three, and perhaps a few others. */
  beginningLike(word: string): number[];
  /** How much each token counts: the length of its row. */
  readonly weights: Float32Array;
  /** For each token its cosines with `others`, each at the other's number; the caller owns the result. */
  similarities(tokens: readonly number[], others: Uint32Array): Float32Array[];
  /** The sum of the rows, not normalised; zero for a text without tokens. */
  sum(tokens: Iterable<number>): Float32Array;
  /** One vector of unit length for a text. */
  embed(text: string): Float32Array;
}

/** Where the package stores its own model. */
export function packagedEncoderFolder(): string {
  return packagePath('models/recall-en');
}

export function openEncoder(folder: string = packagedEncoderFolder(), tablesOf = readEncoderTables): Encoder {
  return atOnce(openingEncoder(folder, tablesOf));
}

function* openingEncoder(folder: string, tablesOf: typeof readEncoderTables): Steps<Encoder> {
  const { rows, dimensions, scales, vocabulary, checksum, tables } = readVocabulary(vocabularyFile(folder), tablesOf);
  yield;
  const table = createRowTable({ rows, dimensions });
  yield;
  yield* readInto(table.bytes, join(folder, 'recall-en.weights.bin'));
  const id = `recall-en-${rows}x${dimensions}-${checksum.toString(16)}`;
  return createEncoder({ id, scales, vocabulary, table, tables });
}

function vocabularyFile(folder: string): string {
  return join(folder, 'recall-en.vocab.bin');
}

/** For the build: what later processes need not compute. */
export function keepEncoderTables(path?: string): void {
  const file = vocabularyFile(packagedEncoderFolder());
  const { rows, dimensions, scales, bytes, text, checksum } = readVocabulary(file, () => null);
  const words = readWords({ text, size: rows });
  const table = createRowTable({ rows, dimensions });
  atOnce(readInto(table.bytes, join(packagedEncoderFolder(), 'recall-en.weights.bin')));
  table.normalize();
  const { factors } = table;
  const weights = weightsOf(scales, factors);
  writeEncoderTables({ rows, dimensions, bytes }, { checksum, words, factors, weights }, path);
}

function weightsOf(scales: Float32Array, factors: Float32Array): Float32Array {
  const weights = new Float32Array(scales.length);
  for (let row = 0; row < scales.length; row++) weights[row] = scales[row]! / factors[row]!;
  return weights;
}

let packaged: Encoder | null = null;

/** The package's own model, read once in a process however many memories it opens: the table is eight megabytes, and never changes. */
export function packagedEncoder(): Encoder {
  packaged ??= openEncoder();
  return packaged;
}

/** The same in steps, for a process in which somebody types. */
export function* openingPackagedEncoder(): Steps<Encoder> {
  const opened = packaged ?? (yield* openingEncoder(packagedEncoderFolder(), readEncoderTables));
  packaged ??= opened;
  return packaged;
}

/** Data about single words, without the table: a row is read on demand. */
export interface WordWeights {
  readonly knows: Encoder['knows'];
  /** How much a word counts, as in `weights`; null for an unknown one. */
  weightOf(word: string): number | null;
}

export function openWordWeights(folder: string = packagedEncoderFolder()): WordWeights {
  const { dimensions, scales, vocabulary } = readVocabulary(vocabularyFile(folder), readEncoderTables);
  const rows = join(folder, 'recall-en.weights.bin');
  return {
    knows: (word) => vocabulary.find(word) !== -1,
    weightOf(word) {
      const row = vocabulary.find(word);
      if (row === -1) return null;
      const values = new Int8Array(dimensions);
      const file = openSync(rows, 'r');
      try {
        if (readSync(file, values, 0, dimensions, row * dimensions) < dimensions) throw damaged(rows);
      } finally {
        closeSync(file);
      }
      return scales[row]! * Math.hypot(...values);
    },
  };
}

export function createEncoder(parts: {
  readonly id: string;
  readonly scales: Float32Array;
  readonly vocabulary: Vocabulary;
  readonly table: RowTable;
  /** Where lengths of rows need not be computed. */
  readonly tables?: Pick<EncoderTables, 'factors' | 'weights'> | null;
}): Encoder {
  const { id, scales, vocabulary, table, tables = null } = parts;
  const rows = vocabulary.size;
  const dimensions = table.bytes.length / rows;
  const tokenizer = createTokenizer(vocabulary);
  if (tables === null) table.normalize();
  else table.factors.set(tables.factors);
  const weights = tables?.weights ?? weightsOf(scales, table.factors);

  function sum(tokens: Iterable<number>): Float32Array {
    const total = new Float32Array(dimensions);
    for (const token of tokens) {
      const scale = scales[token]!;
      const from = token * dimensions;
      for (let j = 0; j < dimensions; j++) total[j]! += scale * table.bytes[from + j]!;
    }
    return total;
  }

  return {
    id,
    rows,
    dimensions,
    sum,
    tokens: (text) => tokenizer.tokenize(text, LONGEST_TEXT_TOKENS),
    knows: (word) => vocabulary.find(word) !== -1,
    word: vocabulary.word,
    beginningLike: vocabulary.beginningLike,
    weights,
    similarities(tokens, others) {
      const result: Float32Array[] = [];
      for (let from = 0; from < tokens.length; from += ROWS_AT_ONCE) {
        const group = tokens.slice(from, from + ROWS_AT_ONCE);
        for (const products of table.products(group, others)) result.push(products.slice());
      }
      return result;
    },
    embed(text) {
      const total = sum(tokenizer.tokenize(text, LONGEST_TEXT_TOKENS));
      const length = Math.hypot(...total);
      return length === 0 ? total : total.map((value) => value / length);
    },
  };
}

function readVocabulary(path: string, tablesOf: typeof readEncoderTables) {
  const bytes = readFileSync(path);
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'RCV1') throw damaged(path);
  const rows = bytes.readUInt32LE(4);
  const textFrom = HEADER_BYTES + 4 * rows;
  const textTo = textFrom + bytes.readUInt32LE(12);
  if (bytes.length < textTo) throw damaged(path);
  const scales = new Float32Array(rows);
  new Uint8Array(scales.buffer).set(bytes.subarray(HEADER_BYTES, textFrom));
  const dimensions = bytes.readUInt32LE(8);
  const text = bytes.subarray(textFrom, textTo);
  const tables = tablesOf({ rows, dimensions, bytes: bytes.length });
  const vocabulary = createVocabulary({ text, size: rows }, tables?.words);
  if (vocabulary === null) throw damaged(path);
  const checksum = tables?.checksum ?? crc32(bytes);
  return { rows, dimensions, bytes: bytes.length, text, scales, vocabulary, checksum, tables };
}

/** Straight into the table, so that eight megabytes are not held twice. */
function* readInto(target: Int8Array, path: string): Steps<void> {
  const file = openSync(path, 'r');
  try {
    if (fstatSync(file).size !== target.length) throw damaged(path);
    let filled = 0;
    while (filled < target.length) {
      const count = readSync(file, target, filled, Math.min(BYTES_PER_STEP, target.length - filled), filled);
      if (count === 0) throw damaged(path);
      filled += count;
      yield;
    }
  } finally {
    closeSync(file);
  }
}

function damaged(path: string): ReverieError {
  return new ReverieError({
    code: 'damaged',
    message: `The recall model is damaged: ${path}`,
    fix: 'Install the package again.',
  });
}

// Text to token numbers, by the rules of models/recall-en/FORMAT.md.

/** Longer runs of letters are hashes and keys: their pieces mean nothing. */
const LONGEST_WORD = 40;
/** Words whose pieces are remembered; a corpus has a long tail of words that appear once. */
const REMEMBERED_WORDS = 20_000;

interface Tokenizer {
  tokenize(text: string, limit: number): number[];
}

function createTokenizer(vocabulary: Vocabulary): Tokenizer {
  const piecesOf = new Map<string, readonly number[]>();

  function pieces(word: string): readonly number[] {
    const known = piecesOf.get(word);
    if (known !== undefined) return known;
    const found = splitIntoPieces(word, vocabulary);
    if (piecesOf.size < REMEMBERED_WORDS) piecesOf.set(word, found);
    return found;
  }

  return {
    tokenize(text, limit) {
      const tokens: number[] = [];
      for (const word of latinWords(text)) {
        if (tokens.length >= limit) break;
        const token = vocabulary.find(word);
        if (token === -1) tokens.push(...pieces(word));
        else tokens.push(token);
      }
      return tokens.length > limit ? tokens.slice(0, limit) : tokens;
    },
  };
}

function latinWords(text: string): readonly string[] {
  return (
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/['\u2019](s\b)?/g, '')
      .match(/[a-z]+|[0-9]+/g) ?? []
  );
}

function splitIntoPieces(word: string, vocabulary: Vocabulary): readonly number[] {
  const found: number[] = [];
  if (word.length > LONGEST_WORD) return found;
  let start = 0;
  while (start < word.length) {
    let end = word.length;
    let token = -1;
    for (; end > start; end--) {
      const piece = word.slice(start, end);
      token = vocabulary.find(start === 0 ? piece : `##${piece}`);
      if (token !== -1) break;
    }
    if (token === -1) start++;
    else {
      found.push(token);
      start = end;
    }
  }
  return found;
}
