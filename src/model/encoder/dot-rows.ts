/** Dot products of int8 rows with many others: vector instructions if the machine has them, plain loops otherwise. */

import {
  ADD,
  type Code,
  DECIMAL_DIVIDE,
  DECIMAL_MAXIMUM,
  DECIMAL_MULTIPLY,
  decimal,
  get,
  increase,
  integer,
  LESS,
  lane,
  load,
  loadBytesWide,
  loadDecimal,
  loadVector,
  MULTIPLY,
  repeatWhile,
  SHIFT_LEFT,
  SQUARE_ROOT,
  set,
  startModule,
  storeDecimal,
  TO_DECIMAL,
  times,
  VECTOR_ADD,
  VECTOR_DOT,
  ZERO_VECTOR,
} from './wasm-module.ts';

export interface RowTable {
  /** All rows one after the other; fill it before use. */
  readonly bytes: Int8Array;
  /** The factor for each row's products; fill it, or let `normalize`. */
  readonly factors: Float32Array;
  /** For each of up to `ROWS_AT_ONCE` rows its products with `others`, times both factors, each at the number of the other
   * row; other positions keep values from earlier calls. Overwritten by the next call. */
  products(rows: readonly number[], others: Uint32Array): readonly Float32Array[];
  /** Makes every factor the inverse of its row's length, so that products are cosines. A row of zeros counts as length 1. */
  normalize(): void;
}

/** The table is larger than a processor's cache: fetching a row costs more than multiplying it, so it is used four times. */
export const ROWS_AT_ONCE = 4;

/** Code is only optimised from one call to the next: one long call would run to its end unoptimised. */
const ROWS_A_CALL = 256;

interface Shape {
  readonly rows: number;
  readonly dimensions: number;
}

export function createRowTable(shape: Shape): RowTable {
  return createVectorTable(shape) ?? createPlainTable(shape);
}

export function createPlainTable({ rows, dimensions }: Shape): RowTable {
  const bytes = new Int8Array(rows * dimensions);
  const factors = new Float32Array(rows).fill(1);
  function product(left: number, right: number): number {
    let sum = 0;
    for (let j = 0; j < dimensions; j++) sum += bytes[left * dimensions + j]! * bytes[right * dimensions + j]!;
    return sum;
  }
  return {
    bytes,
    factors,
    products(wanted, others) {
      return wanted.map((row) => {
        const found = new Float32Array(rows);
        for (const other of others) found[other] = product(row, other) * factors[row]! * factors[other]!;
        return found;
      });
    },
    normalize() {
      for (let row = 0; row < rows; row++) factors[row] = 1 / Math.fround(Math.sqrt(Math.max(1, product(row, row))));
    },
  };
}

/** Null when WebAssembly, its vector instructions or a suitable row length is missing. */
export function createVectorTable({ rows, dimensions }: Shape): RowTable | null {
  if (dimensions % 16 !== 0) return null;
  const queryAt = align(rows * dimensions);
  const ownAt = queryAt + align(dimensions * 2 * ROWS_AT_ONCE);
  const factorsAt = ownAt + align(ROWS_AT_ONCE * 4);
  const listAt = factorsAt + align(rows * 4);
  const resultsAt = listAt + align(rows * 4);
  const layout = { rows, dimensions, queryAt, ownAt, factorsAt, resultsAt };
  const module = startModule(rowFunctions(layout), resultsAt + rows * 4 * ROWS_AT_ONCE);
  if (module === null) return null;
  const { buffer, run } = module;
  const bytes = new Int8Array(buffer, 0, rows * dimensions);
  const factors = new Float32Array(buffer, factorsAt, rows).fill(1);
  const own = new Float32Array(buffer, ownAt, ROWS_AT_ONCE);
  const queries = new Int16Array(buffer, queryAt, dimensions * ROWS_AT_ONCE);
  const list = new Uint32Array(buffer, listAt, rows);
  return {
    bytes,
    factors,
    products(wanted, others) {
      for (const [at, row] of wanted.entries()) {
        queries.set(bytes.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions);
        own[at] = factors[row]!;
      }
      list.set(others);
      const name = wanted.length === 1 ? 'one' : 'four';
      for (let from = 0; from < others.length; from += ROWS_A_CALL) {
        run[name](listAt + from * 4, listAt + Math.min(from + ROWS_A_CALL, others.length) * 4);
      }
      return wanted.map((_, at) => new Float32Array(buffer, resultsAt + at * rows * 4, rows));
    },
    normalize() {
      for (let from = 0; from < rows; from += ROWS_A_CALL) {
        run.itself(from, Math.min(from + ROWS_A_CALL, rows));
      }
    },
  };
}

function align(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

type RowFunctionName = 'one' | 'four' | 'itself';

interface Layout extends Shape {
  /** The rows asked for, as integers of 16 bits, and their factors. */
  readonly queryAt: number;
  readonly ownAt: number;
  readonly factorsAt: number;
  readonly resultsAt: number;
}

/** `one` and `four` take a list of row numbers and its end; `itself` takes rows from … to instead. */
function rowFunctions(layout: Layout) {
  const { rows, dimensions, queryAt, ownAt, factorsAt, resultsAt } = layout;
  const [list, end, place, row, position, rowEnd, values, sums] = [0, 1, 2, 3, 4, 5, 6, 7];
  const eightProducts = (name: RowFunctionName, from: number): Code => [
    ...[...get(row), ...loadBytesWide(from), ...set(values)],
    ...times(name === 'four' ? ROWS_AT_ONCE : 1, (at) => [
      ...get(values),
      ...(name === 'itself' ? get(values) : [...get(position), ...loadVector(queryAt + (from + at * dimensions) * 2)]),
      ...[...VECTOR_DOT, ...get(sums + at), ...VECTOR_ADD, ...set(sums + at)],
    ]),
  ];
  const sum = (at: number): Code => [
    ...times(4, (which) => [...get(sums + at), ...lane(which)]),
    ...[...ADD, ...ADD, ...ADD, ...TO_DECIMAL],
  ];
  const scaled = (at: number): Code => [
    ...sum(at),
    ...[...integer(0), ...loadDecimal(ownAt + at * 4), ...DECIMAL_MULTIPLY],
    ...[...get(place), ...loadDecimal(factorsAt), ...DECIMAL_MULTIPLY],
  ];
  const inverseLength: Code = [
    ...decimal(1),
    ...[...sum(0), ...decimal(1), ...DECIMAL_MAXIMUM, ...SQUARE_ROOT, ...DECIMAL_DIVIDE],
  ];
  const functionOf = (name: RowFunctionName) => ({
    name,
    parameters: 2,
    locals: { integers: 4, vectors: 1 + ROWS_AT_ONCE },
    body: repeatWhile([
      ...[...get(list), ...(name === 'itself' ? [] : load(0)), ...set(row)],
      ...[...get(row), ...integer(2), ...SHIFT_LEFT, ...set(place)],
      ...[...get(row), ...integer(dimensions), ...MULTIPLY, ...set(row)],
      ...[...get(row), ...integer(dimensions), ...ADD, ...set(rowEnd)],
      ...[...integer(0), ...set(position)],
      ...times(ROWS_AT_ONCE, (at) => [...ZERO_VECTOR, ...set(sums + at)]),
      ...repeatWhile([
        ...[...eightProducts(name, 0), ...eightProducts(name, 8)],
        ...[...increase(row, 16), ...increase(position, 32)],
        ...[...get(row), ...get(rowEnd), ...LESS],
      ]),
      ...times(name === 'four' ? ROWS_AT_ONCE : 1, (at) => [
        ...get(place),
        ...(name === 'itself' ? [...inverseLength, ...storeDecimal(factorsAt)] : scaled(at)),
        ...(name === 'itself' ? [] : storeDecimal(resultsAt + at * rows * 4)),
      ]),
      ...increase(list, name === 'itself' ? 1 : 4),
      ...[...get(list), ...get(end), ...LESS],
    ]),
  });
  return [functionOf('one'), functionOf('four'), functionOf('itself')];
}
