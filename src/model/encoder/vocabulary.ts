/** The encoder's words: numbers by word and words by number, over the bytes of the file, since a process that asks one
 *  question needs a dozen of thirty thousand. */

import {
  ADD,
  AND,
  type Code,
  EQUAL,
  EXCLUSIVE_OR,
  get,
  increase,
  integer,
  LESS,
  load,
  loadByte,
  MORE,
  MULTIPLY,
  repeatWhile,
  SHIFT_LEFT,
  SHIFT_RIGHT,
  set,
  startModule,
  store,
  when,
} from './wasm-module.ts';

export interface Vocabulary {
  readonly size: number;
  /** -1 for a word that is not there. */
  find(word: string): number;
  word(token: number): string;
  /** Tokens of four letters and more that begin with the same three, and perhaps a few others. */
  beginningLike(word: string): number[];
}

/** The tables that lead to a token count from 1, so that 0 means "none". */
export interface WordTables {
  /** Where the line of a token begins, and where the one after the last would. */
  readonly starts: Uint32Array;
  /** Open addressing by hash. */
  readonly bySpelling: Uint32Array;
  /** The last token of each beginning, and for each token the one before. */
  readonly lastWith: Uint32Array;
  readonly before: Uint32Array;
}

export interface WordLines {
  /** One word a line, without an end after the last. */
  readonly text: Uint8Array;
  readonly size: number;
}

const LINE_END = 10;
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const STIR = 15;
const BEGINNING_LETTERS = 3;
const BEGINNINGS = 1 << 14;

/** Null when the text has another number of lines. `known`: the tables, where they need not be computed. */
export function createVocabulary(lines: WordLines, known: WordTables | null = null): Vocabulary | null {
  const { text, size } = lines;
  const tables = known ?? readWordsFast(lines) ?? readWords(lines);
  if (tables.starts[size] !== text.length + 1) return null;
  const { starts, bySpelling, lastWith, before } = tables;
  const characters = Buffer.from(text.buffer, text.byteOffset, text.length);

  function isAt(token: number, word: string): boolean {
    const start = starts[token]!;
    if (starts[token + 1]! - start !== word.length + 1) return false;
    for (let at = 0; at < word.length; at++) if (text[start + at] !== word.charCodeAt(at)) return false;
    return true;
  }

  return {
    size,
    find(word) {
      const mask = bySpelling.length - 1;
      for (let slot = stirred(hashOf(word)) & mask; bySpelling[slot] !== 0; slot = (slot + 1) & mask) {
        const token = bySpelling[slot]! - 1;
        if (isAt(token, word)) return token;
      }
      return -1;
    },
    word(token) {
      return token < size ? characters.toString('latin1', starts[token]!, starts[token + 1]! - 1) : '';
    },
    beginningLike(word) {
      const found: number[] = [];
      if (word.length <= BEGINNING_LETTERS) return found;
      const bucket = hashOf(word.slice(0, BEGINNING_LETTERS)) & (BEGINNINGS - 1);
      for (let next = lastWith[bucket]!; next !== 0; next = before[next - 1]!) found.push(next - 1);
      return found;
    },
  };
}

function hashOf(word: string): number {
  let hash = SEED;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), PRIME);
  return hash;
}

function stirred(hash: number): number {
  return hash ^ (hash >>> STIR);
}

export function readWords({ text, size }: WordLines): WordTables {
  const tables = tablesIn(new ArrayBuffer(layoutOf(0, size).bytes), layoutOf(0, size));
  const { starts, bySpelling, lastWith, before } = tables;
  const mask = bySpelling.length - 1;
  let [token, hash, length, beginning] = [0, SEED, 0, 0];
  for (let at = 0; at <= text.length && token < size; at++) {
    const letter = at === text.length ? LINE_END : text[at]!;
    if (letter !== LINE_END) {
      hash = Math.imul(hash ^ letter, PRIME);
      if (++length === BEGINNING_LETTERS) beginning = hash & (BEGINNINGS - 1);
      continue;
    }
    starts[++token] = at + 1;
    let slot = stirred(hash) & mask;
    while (bySpelling[slot] !== 0) slot = (slot + 1) & mask;
    bySpelling[slot] = token;
    if (length > BEGINNING_LETTERS) {
      before[token - 1] = lastWith[beginning]!;
      lastWith[beginning] = token;
    }
    [hash, length] = [SEED, 0];
  }
  return tables;
}

/** The same, ten times faster in a fresh process, where our own loop runs long before it is compiled. */
export function readWordsFast({ text, size }: WordLines): WordTables | null {
  const layout = layoutOf(text.length + 1, size);
  const module = startModule([readFunction(layout, size)], layout.bytes);
  if (module === null) return null;
  const copy = new Uint8Array(module.buffer, 0, text.length + 1);
  copy.set(text);
  copy[text.length] = LINE_END;
  if (size > 0) module.run.read(0, text.length + 1);
  return tablesIn(module.buffer, layout);
}

type Layout = ReturnType<typeof layoutOf>;

function layoutOf(textBytes: number, size: number) {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(2, size * 2)));
  const startsAt = Math.ceil(textBytes / 4) * 4;
  const spellingAt = startsAt + (size + 1) * 4;
  const lastAt = spellingAt + slots * 4;
  const beforeAt = lastAt + BEGINNINGS * 4;
  return { size, slots, startsAt, spellingAt, lastAt, beforeAt, bytes: beforeAt + size * 4 };
}

function tablesIn(buffer: ArrayBuffer, layout: Layout): WordTables {
  return {
    starts: new Uint32Array(buffer, layout.startsAt, layout.size + 1),
    bySpelling: new Uint32Array(buffer, layout.spellingAt, layout.slots),
    lastWith: new Uint32Array(buffer, layout.lastAt, BEGINNINGS),
    before: new Uint32Array(buffer, layout.beforeAt, layout.size),
  };
}

/** Takes the text and its end; `token` is stored multiplied by four, the byte offset of its numbers. */
function readFunction(layout: Layout, size: number) {
  const [at, end, token, hash, length, beginning, letter, slot] = [0, 1, 2, 3, 4, 5, 6, 7];
  const timesFour: Code = [...integer(2), ...SHIFT_LEFT];
  const tokenNumber: Code = [...get(token), ...integer(2), ...SHIFT_RIGHT];
  const masked = (mask: number): Code => [...integer(mask), ...AND];
  const nextLetter: Code = [
    ...[...get(hash), ...get(letter), ...EXCLUSIVE_OR, ...integer(PRIME), ...MULTIPLY, ...set(hash)],
    ...increase(length, 1),
    ...[...get(length), ...integer(BEGINNING_LETTERS), ...EQUAL],
    ...when([...get(hash), ...masked(BEGINNINGS - 1), ...timesFour, ...set(beginning)]),
  ];
  const slotMask = layout.slots * 4 - 1;
  const nextWord: Code = [
    ...increase(token, 4),
    ...[...get(token), ...get(at), ...store(layout.startsAt)],
    // One slot before the first to look at, because the search begins with a step.
    ...[...get(hash), ...get(hash), ...integer(STIR), ...SHIFT_RIGHT, ...EXCLUSIVE_OR, ...timesFour],
    ...[...integer(-4), ...ADD, ...masked(slotMask), ...set(slot)],
    ...repeatWhile([
      ...[...get(slot), ...integer(4), ...ADD, ...masked(slotMask), ...set(slot)],
      ...[...get(slot), ...load(layout.spellingAt)],
    ]),
    ...[...get(slot), ...tokenNumber, ...store(layout.spellingAt)],
    ...[...get(length), ...integer(BEGINNING_LETTERS), ...MORE],
    ...when([
      ...[...get(token), ...get(beginning), ...load(layout.lastAt), ...store(layout.beforeAt - 4)],
      ...[...get(beginning), ...tokenNumber, ...store(layout.lastAt)],
    ]),
    ...[...integer(SEED), ...set(hash), ...integer(0), ...set(length)],
  ];
  return {
    name: 'read' as const,
    parameters: 2,
    locals: { integers: 6 },
    body: [
      ...[...integer(SEED), ...set(hash)],
      ...repeatWhile([
        ...[...get(at), ...loadByte(0), ...set(letter), ...increase(at, 1)],
        ...[...get(letter), ...integer(LINE_END), ...EQUAL, ...when(nextWord, nextLetter)],
        ...[...get(at), ...get(end), ...LESS, ...get(token), ...integer(size * 4), ...LESS, ...AND],
      ]),
    ],
  };
}
