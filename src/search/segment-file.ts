/** One segment as a file: written once, named by its content, read back as the same flat arrays. */

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { DocumentNames, Segment } from './segment.ts';

export interface SegmentFile {
  /** SHA-256 of the content, so that the same segment has the same name in every process. */
  readonly name: string;
  readonly bytes: number;
  readonly checksum: number;
}

/** Read as a native number: a file from a machine with another byte order does not match. */
const MAGIC = 0x31495652;
const HEADER_WORDS = 6;
const BYTES_PER_STEP = 1 << 18;
const NAMES_PER_STEP = 500;

export function* encodeSegment(
  segment: Segment,
): Generator<void, { chunks: readonly Uint8Array[]; file: SegmentFile }> {
  const names: Uint8Array[] = [];
  const nameStart = new Uint32Array(segment.documents.length + 1);
  for (let number = 0; number < segment.documents.length; number++) {
    const name = Buffer.from(JSON.stringify(segment.documents.at(number)));
    names.push(name);
    nameStart[number + 1] = nameStart[number]! + name.length;
    if (number % NAMES_PER_STEP === 0) yield;
  }
  const header = Uint32Array.of(
    MAGIC,
    segment.documents.length,
    segment.tokens.length,
    segment.holders.held.length,
    segment.terms.length,
    segment.termDocuments.length,
  );
  const numbers = [
    nameStart,
    segment.tokenStart,
    segment.tokens,
    segment.holders.held,
    segment.holders.start,
    segment.holders.numbers,
    segment.sumLengths,
    segment.termLengths,
    segment.terms,
    segment.termStart,
    segment.termDocuments,
    segment.termFrequencies,
  ];
  const chunks = [header, ...numbers, Buffer.concat(names)].map(
    (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  );
  const hash = createHash('sha256');
  let checksum = 0;
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += BYTES_PER_STEP) {
      const slice = chunk.subarray(from, from + BYTES_PER_STEP);
      hash.update(slice);
      checksum = crc32(slice, checksum);
      yield;
    }
  }
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return { chunks, file: { name: `${hash.digest('hex').slice(0, 32)}.segment`, bytes, checksum } };
}

/** Null when the bytes are not what was written. In steps: a hundred megabytes take a while to check. */
export function* decodeSegment(bytes: Uint8Array, file: SegmentFile): Generator<void, Segment | null> {
  if (bytes.length !== file.bytes) return null;
  let checksum = 0;
  for (let from = 0; from < bytes.length; from += BYTES_PER_STEP) {
    checksum = crc32(bytes.subarray(from, from + BYTES_PER_STEP), checksum);
    yield;
  }
  return checksum === file.checksum ? segmentIn(bytes) : null;
}

function segmentIn(bytes: Uint8Array): Segment | null {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  let at = aligned.byteOffset;
  const words = (count: number) => {
    const array = new Uint32Array(aligned.buffer, at, count);
    at += count * 4;
    return array;
  };
  const decimals = (count: number) => {
    const array = new Float32Array(aligned.buffer, at, count);
    at += count * 4;
    return array;
  };
  const [magic, documentCount, tokenCount, heldCount, termCount, entryCount] = words(HEADER_WORDS);
  if (magic !== MAGIC) return null;
  const nameStart = words(documentCount! + 1);
  const numbers = {
    tokenStart: words(documentCount! + 1),
    tokens: words(tokenCount!),
    holders: { held: words(heldCount!), start: words(heldCount! + 1), numbers: words(tokenCount!) },
    sumLengths: decimals(documentCount!),
    termLengths: decimals(documentCount!),
    terms: words(termCount!),
    termStart: words(termCount! + 1),
    termDocuments: words(entryCount!),
    termFrequencies: new Uint8Array(aligned.buffer, at, entryCount!),
  };
  const names = Buffer.from(aligned.buffer, at + entryCount!, nameStart[documentCount!]);
  return { ...numbers, documents: namesIn(names, nameStart) };
}

function namesIn(bytes: Buffer, start: Uint32Array): DocumentNames {
  return {
    length: start.length - 1,
    at: (number) => JSON.parse(bytes.toString('utf8', start[number], start[number + 1])),
  };
}
