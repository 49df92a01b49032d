/** Dot products of int8 rows with many others: vector instructions where the machine has them, plain loops elsewhere. */

export interface RowTable {
  /** All rows one after the other; fill it before asking. */
  readonly bytes: Int8Array;
  /** For each of up to `ROWS_AT_ONCE` rows its products with `others`, in their order; overwritten by the next call. */
  dots(rows: readonly number[], others: Uint32Array): readonly Int32Array[];
  /** The product of every row with itself. */
  squares(): Int32Array;
}

/** The table is larger than a processor's cache: fetching a row costs more than multiplying it, so it is used four times. */
export const ROWS_AT_ONCE = 4;

/** Code is only optimized from one call to the next: one long call would run to its end as it was first compiled. */
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
  function product(left: number, right: number): number {
    let sum = 0;
    for (let j = 0; j < dimensions; j++) sum += bytes[left + j]! * bytes[right + j]!;
    return sum;
  }
  return {
    bytes,
    dots(wanted, others) {
      return wanted.map((row) => Int32Array.from(others, (other) => product(row * dimensions, other * dimensions)));
    },
    squares: () => Int32Array.from({ length: rows }, (_, row) => product(row * dimensions, row * dimensions)),
  };
}

/** Null where WebAssembly, its vector instructions or a row length they fit are missing. */
export function createVectorTable({ rows, dimensions }: Shape): RowTable | null {
  if (dimensions % 16 !== 0 || typeof WebAssembly === 'undefined') return null;
  const queryAt = align(rows * dimensions);
  const listAt = queryAt + align(dimensions * 2 * ROWS_AT_ONCE);
  const resultsAt = listAt + align(rows * 4);
  const pages = Math.ceil((resultsAt + rows * 4 * ROWS_AT_ONCE) / 65_536);
  let memory: WebAssemblyMemory;
  let run: Record<RowFunctionName, RowFunction>;
  try {
    memory = new WebAssembly.Memory({ initial: pages });
    const module = new WebAssembly.Module(rowModule({ rows, dimensions }));
    run = new WebAssembly.Instance(module, { m: { m: memory } }).exports as typeof run;
  } catch {
    return null;
  }
  const bytes = new Int8Array(memory.buffer, 0, rows * dimensions);
  const queries = new Int16Array(memory.buffer, queryAt, dimensions * ROWS_AT_ONCE);
  const list = new Uint32Array(memory.buffer, listAt, rows);
  const resultsOf = (at: number) => new Int32Array(memory.buffer, resultsAt + at * rows * 4, rows);
  return {
    bytes,
    dots(wanted, others) {
      for (const [at, row] of wanted.entries()) {
        queries.set(bytes.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions);
      }
      list.set(others);
      const name = wanted.length === 1 ? 'one' : 'four';
      for (let from = 0; from < others.length; from += ROWS_A_CALL) {
        run[name](queryAt, listAt + from * 4, Math.min(ROWS_A_CALL, others.length - from), resultsAt + from * 4);
      }
      return wanted.map((_, at) => resultsOf(at).subarray(0, others.length));
    },
    squares() {
      for (let row = 0; row < rows; row++) list[row] = row;
      run.itself(queryAt, listAt, rows, resultsAt);
      return resultsOf(0).slice();
    },
  };
}

function align(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

type RowFunctionName = 'one' | 'four' | 'itself';
type RowFunction = (queries: number, list: number, count: number, results: number) => void;

interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
}

/** Node has it; the type library for browsers, which declares it, would bring in the whole DOM. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => WebAssemblyMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> };
};

/** The module by hand, since a compiler for forty instructions would be one more tool. Locals: 0 queries (int16), 1 list,
 *  2 count, 3 results; 4 row, 5 end of row, 6 position in the queries; 7 eight values of the row, from 8 on running sums. */
function rowModule({ rows, dimensions }: Shape): Uint8Array {
  const get = (local: number) => [0x20, local];
  const set = (local: number) => [0x21, local];
  const plus = (local: number, amount: number) => [...get(local), 0x41, amount, 0x6a, ...set(local)];
  const vector = (code: number) => [0xfd, ...number(code)];
  const [load, loadBytesWide, zero, lane, dot, add] = [0x00, 0x01, 0x0c, 0x1b, 0xba, 0xae].map(vector) as number[][];
  const repeat = (count: number, part: (at: number) => number[]) =>
    Array.from({ length: count }, (_, at) => part(at)).flat();
  const eightProducts = (name: RowFunctionName, from: number) => [
    ...[...get(4), ...loadBytesWide!, 0, from, ...set(7)],
    ...repeat(name === 'four' ? ROWS_AT_ONCE : 1, (at) => [
      ...get(7),
      ...(name === 'itself' ? get(7) : [...get(6), ...load!, 0, ...number((from + at * dimensions) * 2)]),
      ...[...dot!, ...get(8 + at), ...add!, ...set(8 + at)],
    ]),
  ];
  const body = (name: RowFunctionName) => [
    ...[2, 3, 0x7f, 1 + ROWS_AT_ONCE, 0x7b], // three integers, five vectors
    ...[0x03, 0x40], // for each row of the list
    ...[...get(1), 0x28, 2, 0, ...[0x41, ...signed(dimensions)], 0x6c, ...set(4)], // row = list[0] * dimensions
    ...[...get(4), ...[0x41, ...signed(dimensions)], 0x6a, ...set(5)], // end = row + dimensions
    ...[...get(0), ...set(6)],
    ...repeat(ROWS_AT_ONCE, (at) => [...zero!, ...new Array<number>(16).fill(0), ...set(8 + at)]),
    ...[0x03, 0x40], // for each sixteen values
    ...[...eightProducts(name, 0), ...eightProducts(name, 8)],
    ...[...plus(4, 16), ...plus(6, 32)],
    ...[...get(4), ...get(5), 0x49, 0x0d, 0, 0x0b], // while row < end
    ...repeat(name === 'four' ? ROWS_AT_ONCE : 1, (at) => [
      ...get(3),
      ...[0, 1, 2, 3].flatMap((which) => [...get(8 + at), ...lane!, which]),
      ...[0x6a, 0x6a, 0x6a, 0x36, 2, ...number(at * rows * 4)], // results[at][0] = sum of the four
    ]),
    ...[...plus(1, 4), ...plus(3, 4)],
    ...[...get(2), 0x41, 0x7f, 0x6a, 0x22, 2, 0x0d, 0, 0x0b], // while --count
    0x0b,
  ];
  const names: readonly RowFunctionName[] = ['one', 'four', 'itself'];
  const sized = (content: number[]) => [...number(content.length), ...content];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, ...sized([1, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 0])],
    ...[2, ...sized([1, 1, 0x6d, 1, 0x6d, 2, 0, 1])],
    ...[3, ...sized([names.length, 0, 0, 0])],
    ...[7, ...sized([names.length, ...names.flatMap((name, at) => [...sized([...Buffer.from(name)]), 0, at])])],
    ...[10, ...sized([names.length, ...names.flatMap((name) => sized(body(name)))])],
  ]);
}

/** Numbers are written seven bits a byte. */
function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)];
}

/** A constant's last byte carries its sign. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
