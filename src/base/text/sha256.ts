/** SHA-256 of short texts without Node's crypto, which takes longer to load than a hook takes for its work. */

import { createHash } from 'node:crypto';

/** Of longer ones, what loads once is faster. */
const SHORT_BYTES = 1_024;
const BLOCK_BYTES = 64;

/** In hex digits; the same for any length. */
export function sha256(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length > SHORT_BYTES ? createHash('sha256').update(bytes).digest('hex') : shortSha256(bytes);
}

/** As FIPS 180-4 has it. */
export function shortSha256(bytes: Uint8Array): string {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES));
  for (let at = 0; at < bytes.length; at++) padded.setUint8(at, bytes[at]!);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const state = Int32Array.from(FIRST_STATE);
  const words = new Int32Array(64);
  for (let from = 0; from < padded.byteLength; from += BLOCK_BYTES) {
    for (let at = 0; at < 16; at++) words[at] = padded.getInt32(from + at * 4);
    addBlock(state, words);
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function addBlock(state: Int32Array, words: Int32Array): void {
  for (let at = 16; at < 64; at++) {
    const [before, near] = [words[at - 15]!, words[at - 2]!];
    const low = turned(before, 7) ^ turned(before, 18) ^ (before >>> 3);
    const high = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    words[at] = (words[at - 16]! + low + words[at - 7]! + high) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let at = 0; at < 64; at++) {
    const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + mixed + ((e & f) ^ (~e & g)) + ROUNDS[at]! + words[at]!) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    // Word by word: a list for each round takes ten times as long before the engine has warmed up.
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at]! + word) | 0;
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

const FIRST_STATE = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const ROUNDS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
];
