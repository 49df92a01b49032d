/** The nearest token of each memory to one query token, and the sum of all: the innermost loop of every search. */

import {
  DECIMAL_MAXIMUM,
  DOUBLE_ADD,
  DOUBLE_MULTIPLY,
  decimal,
  double,
  get,
  increase,
  integer,
  LESS,
  load,
  loadDecimal,
  repeatWhile,
  SHIFT_LEFT,
  set,
  startModule,
  storeDecimal,
  storeDouble,
  TO_DOUBLE,
  when,
} from '../model/encoder/wasm-module.ts';

export interface TokenScores {
  /** Likeness of the nearest token, by memory; 0 when none is similar. */
  readonly nearest: Float32Array;
  /** Likenesses times the lengths of the tokens' rows, added up. */
  readonly sums: Float64Array;
}

export interface TokenScorer {
  /** Loads as many of these memories as there is room for, replacing the previous ones; returns how many. */
  take(segment: ForwardTokens, numbers: Uint32Array): number;
  /** Of the loaded memories, in their order. `likeness` by token. Overwritten by the next call. */
  score(likeness: Float32Array): TokenScores;
}

/** Tokens of document `d`: `tokens[tokenStart[d]] … tokens[tokenStart[d + 1] - 1]`. */
export interface ForwardTokens {
  readonly tokenStart: Uint32Array;
  readonly tokens: Uint32Array;
}

/** Tokens, and memories, processed in one go; one memory has at most a thousand tokens. */
const ROOM = 1 << 16;

/** `lengths` of the rows, by token. */
export function createTokenScorer(lengths: Float32Array): TokenScorer {
  return createFastScorer(lengths) ?? createPlainScorer(lengths);
}

export function createPlainScorer(lengths: Float32Array): TokenScorer {
  const places = { starts: new Uint32Array(ROOM + 1), tokens: new Uint32Array(ROOM) };
  const { starts, tokens } = places;
  let memories = 0;
  return {
    take(segment, numbers) {
      memories = join(segment, numbers, places);
      return memories;
    },
    score(likeness) {
      const nearest = new Float32Array(memories);
      const sums = new Float64Array(memories);
      for (let memory = 0; memory < memories; memory++) {
        for (let at = starts[memory]!; at < starts[memory + 1]!; at++) {
          const found = likeness[tokens[at]!]!;
          sums[memory]! += found * lengths[tokens[at]!]!;
          if (found > nearest[memory]!) nearest[memory] = found;
        }
      }
      return { nearest, sums };
    },
  };
}

/** The same with WebAssembly, which is fast from its first call on. */
export function createFastScorer(lengths: Float32Array): TokenScorer | null {
  const layout = layoutOf(lengths.length);
  const module = startModule([scoreFunction(layout)], layout.bytes);
  if (module === null) return null;
  const { buffer, run } = module;
  new Float32Array(buffer, layout.lengthsAt, lengths.length).set(lengths);
  const likenessPlace = new Float32Array(buffer, layout.likenessAt, lengths.length);
  const places = {
    starts: new Uint32Array(buffer, layout.startsAt, ROOM + 1),
    tokens: new Uint32Array(buffer, layout.tokensAt, ROOM),
  };
  let memories = 0;
  return {
    take(segment, numbers) {
      memories = join(segment, numbers, places);
      return memories;
    },
    score(likeness) {
      likenessPlace.set(likeness);
      if (memories > 0) run.score(0, memories * 4);
      return {
        nearest: new Float32Array(buffer, layout.nearestAt, memories),
        sums: new Float64Array(buffer, layout.sumsAt, memories),
      };
    },
  };
}

function join(
  { tokens, tokenStart }: ForwardTokens,
  numbers: Uint32Array,
  places: { readonly starts: Uint32Array; readonly tokens: Uint32Array },
): number {
  let [count, filled] = [0, 0];
  for (; count < numbers.length && count < ROOM; count++) {
    const own = tokens.subarray(tokenStart[numbers[count]!]!, tokenStart[numbers[count]! + 1]!);
    if (filled + own.length > ROOM) break;
    places.tokens.set(own, filled);
    filled += own.length;
    places.starts[count + 1] = filled;
  }
  return count;
}

type Layout = ReturnType<typeof layoutOf>;

/** Sums first, because they must be aligned to eight bytes. A memory takes up a slot even without a token. */
function layoutOf(rows: number) {
  const sumsAt = 0;
  const nearestAt = sumsAt + ROOM * 8;
  const startsAt = nearestAt + ROOM * 4;
  const tokensAt = startsAt + (ROOM + 1) * 4;
  const lengthsAt = tokensAt + ROOM * 4;
  const likenessAt = lengthsAt + rows * 4;
  return { sumsAt, nearestAt, startsAt, tokensAt, lengthsAt, likenessAt, bytes: likenessAt + rows * 4 };
}

/** Takes the first memory and the end, both times four. */
function scoreFunction(layout: Layout) {
  const [memory, end, at, to, token, found, nearest, sum] = [0, 1, 2, 3, 4, 5, 6, 7];
  const timesFour = [...integer(2), ...SHIFT_LEFT];
  return {
    name: 'score' as const,
    parameters: 2,
    locals: { integers: 3, decimals: 2, doubles: 1 },
    body: repeatWhile([
      ...[...decimal(0), ...set(nearest), ...double(0), ...set(sum)],
      ...[...get(memory), ...load(layout.startsAt), ...timesFour, ...set(at)],
      ...[...get(memory), ...load(layout.startsAt + 4), ...timesFour, ...set(to)],
      ...[...get(at), ...get(to), ...LESS],
      ...when(
        repeatWhile([
          ...[...get(at), ...load(layout.tokensAt), ...timesFour, ...set(token)],
          ...[...get(token), ...loadDecimal(layout.likenessAt), ...set(found)],
          ...[...get(found), ...get(nearest), ...DECIMAL_MAXIMUM, ...set(nearest)],
          ...[...get(found), ...TO_DOUBLE, ...get(token), ...loadDecimal(layout.lengthsAt), ...TO_DOUBLE],
          ...[...DOUBLE_MULTIPLY, ...get(sum), ...DOUBLE_ADD, ...set(sum)],
          ...increase(at, 4),
          ...[...get(at), ...get(to), ...LESS],
        ]),
      ),
      ...[...get(memory), ...get(nearest), ...storeDecimal(layout.nearestAt)],
      ...[...get(memory), ...integer(1), ...SHIFT_LEFT, ...get(sum), ...storeDouble(layout.sumsAt)],
      ...increase(memory, 4),
      ...[...get(memory), ...get(end), ...LESS],
    ]),
  };
}
