/** Bytes to text and back without loss: bytes that are not UTF-8 survive the round trip. */

import { isUtf8 } from 'node:buffer';

export interface DecodedText {
  /** Without the byte order mark. A byte that is not UTF-8 becomes a lone surrogate, U+DC00 plus the byte. */
  readonly text: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly byteOrderMark: boolean;
  readonly validUtf8: boolean;
}

const FIRST_STRAY = 0xdc00;
const STRAY = /[\udc80-\udcff]/u;
const PIECES = /[\udc80-\udcff]|[^\udc80-\udcff]+/gu;

export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be');
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const content = byteOrderMark ? bytes.subarray(3) : bytes;
  const validUtf8 = isUtf8(content);
  const text = validUtf8 ? decodeValid(content) : decodeWithStrays(content);
  return { text, encoding: 'utf-8', byteOrderMark, validUtf8 };
}

export function encodeText(decoded: Pick<DecodedText, 'text' | 'encoding' | 'byteOrderMark'>): Uint8Array {
  const mark = decoded.byteOrderMark ? '\ufeff' : '';
  if (decoded.encoding === 'utf-8') return Buffer.concat([Buffer.from(mark), encodeWithStrays(decoded.text)]);
  const bytes = Buffer.from(mark + decoded.text, 'utf16le');
  return decoded.encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** The text for people to read: a replacement character for anything that is not UTF-8. */
export function readableText(text: string): string {
  return STRAY.test(text) ? new TextDecoder().decode(encodeWithStrays(text)) : text;
}

/** How many leading bytes end on a character boundary, so that a cut inside a character does not look like damage. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return lengthFromFirstByte(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lengthFromFirstByte(byte: number): number {
  if (byte >= 0xf0) return 4;
  return byte >= 0xe0 ? 3 : 2;
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(2));
  return { text, encoding, byteOrderMark: true, validUtf8: false };
}

/** Faster than a TextDecoder for small pieces such as headers. */
function decodeValid(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function decodeWithStrays(bytes: Uint8Array): string {
  let text = '';
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += decodeValid(bytes.subarray(start, at)) + String.fromCharCode(FIRST_STRAY + bytes[at]!);
    at += 1;
    start = at;
  }
  return text + decodeValid(bytes.subarray(start));
}

/** Bytes of the valid UTF-8 character at `at`; 0 when there is none. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = lengthFromFirstByte(first);
  return isUtf8(bytes.subarray(at, at + length)) && at + length <= bytes.length ? length : 0;
}

function encodeWithStrays(text: string): Uint8Array {
  if (!STRAY.test(text)) return Buffer.from(text);
  const pieces = text.match(PIECES) ?? [];
  return Buffer.concat(
    pieces.map((piece) => (STRAY.test(piece) ? Buffer.of(piece.charCodeAt(0) - FIRST_STRAY) : Buffer.from(piece))),
  );
}
