/** Dot products of one int8 row with many others: vector instructions where the machine has them, plain loops elsewhere. */

export interface RowTable {
  /** All rows one after the other; fill it before asking. */
  readonly bytes: Int8Array;
  /** The products of row `row` with each row of `rows`, in their order. The result is overwritten by the next call. */
  dots(row: number, rows: Uint32Array): Int32Array;
  /** The product of every row with itself. */
  squares(): Int32Array;
}

interface Shape {
  readonly rows: number;
  readonly dimensions: number;
}

export function createRowTable(shape: Shape): RowTable {
  return createVectorTable(shape) ?? createPlainTable(shape);
}

export function createPlainTable({ rows, dimensions }: Shape): RowTable {
  const bytes = new Int8Array(rows * dimensions);
  const results = new Int32Array(rows);
  return {
    bytes,
    dots(row, wanted) {
      const own = row * dimensions;
      for (let at = 0; at < wanted.length; at++) {
        const other = wanted[at]! * dimensions;
        let sum = 0;
        for (let j = 0; j < dimensions; j++) sum += bytes[own + j]! * bytes[other + j]!;
        results[at] = sum;
      }
      return results.subarray(0, wanted.length);
    },
    squares() {
      const found = new Int32Array(rows);
      for (let at = 0; at < bytes.length; at++) found[(at / dimensions) | 0]! += bytes[at]! * bytes[at]!;
      return found;
    },
  };
}

/** Null where WebAssembly, its vector instructions or a row length they fit are missing. */
export function createVectorTable({ rows, dimensions }: Shape): RowTable | null {
  if (dimensions % 16 !== 0 || typeof WebAssembly === 'undefined') return null;
  const queryAt = align(rows * dimensions);
  const listAt = queryAt + align(dimensions * 2);
  const resultsAt = listAt + align(rows * 4);
  const pages = Math.ceil((resultsAt + rows * 4) / 65_536);
  let memory: WebAssemblyMemory;
  let dotRows: RowFunction;
  let squareRows: RowFunction;
  try {
    memory = new WebAssembly.Memory({ initial: pages });
    const module = new WebAssembly.Module(dotRowsModule());
    const { d, s } = new WebAssembly.Instance(module, { m: { m: memory } }).exports;
    [dotRows, squareRows] = [d as RowFunction, s as RowFunction];
  } catch {
    return null;
  }
  const bytes = new Int8Array(memory.buffer, 0, rows * dimensions);
  const query = new Int16Array(memory.buffer, queryAt, dimensions);
  const list = new Uint32Array(memory.buffer, listAt, rows);
  const results = new Int32Array(memory.buffer, resultsAt, rows);
  return {
    bytes,
    dots(row, wanted) {
      if (wanted.length === 0) return results.subarray(0, 0);
      query.set(bytes.subarray(row * dimensions, (row + 1) * dimensions));
      list.set(wanted);
      dotRows(queryAt, listAt, wanted.length, resultsAt, dimensions);
      return results.subarray(0, wanted.length);
    },
    squares() {
      for (let row = 0; row < rows; row++) list[row] = row;
      squareRows(queryAt, listAt, rows, resultsAt, dimensions);
      return results.slice();
    },
  };
}

function align(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

type RowFunction = (query: number, list: number, count: number, results: number, dimensions: number) => void;

interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
}

/** Node has it; the type library for browsers, which declares it, would bring in the whole DOM. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => WebAssemblyMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> };
};

/** The module by hand, since a compiler for forty instructions would be one more tool. Locals: 0 query (int16), 1 list,
 *  2 count, 3 results, 4 dimensions; 5 row, 6 end of row, 7 position in the query, 8 four running sums. */
function dotRowsModule(): Uint8Array {
  const get = (local: number) => [0x20, local];
  const set = (local: number) => [0x21, local];
  const plus = (local: number, amount: number) => [...get(local), 0x41, amount, 0x6a, ...set(local)];
  const vector = (code: number) => (code < 0x80 ? [0xfd, code] : [0xfd, (code & 0x7f) | 0x80, code >> 7]);
  const [load, loadBytesWide, zero, lane, dot, add] = [0x00, 0x01, 0x0c, 0x1b, 0xba, 0xae].map(vector) as number[][];
  const products = { withQuery: [...get(7), ...load!], withItself: [...get(5), ...loadBytesWide!] };
  const eightProducts = (factor: keyof typeof products, at: number) => [
    ...[...get(5), ...loadBytesWide!, 0, at],
    ...[...products[factor], 0, factor === 'withQuery' ? at * 2 : at],
    ...[...dot!, ...get(8), ...add!, ...set(8)],
  ];
  const body = (factor: keyof typeof products) => [
    ...[2, 3, 0x7f, 1, 0x7b], // three integers, one vector
    ...[0x03, 0x40], // for each row of the list
    ...[...get(1), 0x28, 2, 0, ...get(4), 0x6c, ...set(5)], // row = list[0] * dimensions
    ...[...get(5), ...get(4), 0x6a, ...set(6)], // end = row + dimensions
    ...[...get(0), ...set(7)],
    ...[...zero!, ...new Array<number>(16).fill(0), ...set(8)],
    ...[0x03, 0x40], // for each sixteen values
    ...[...eightProducts(factor, 0), ...eightProducts(factor, 8)],
    ...[...plus(5, 16), ...plus(7, 32)],
    ...[...get(5), ...get(6), 0x49, 0x0d, 0, 0x0b], // while row < end
    ...get(3),
    ...[0, 1, 2, 3].flatMap((at) => [...get(8), ...lane!, at]),
    ...[0x6a, 0x6a, 0x6a, 0x36, 2, 0], // results[0] = sum of the four
    ...[...plus(1, 4), ...plus(3, 4)],
    ...[...get(2), 0x41, 0x7f, 0x6a, 0x22, 2, 0x0d, 0, 0x0b], // while --count
    0x0b,
  ];
  const [dots, squares] = [body('withQuery'), body('withItself')];
  const section = (id: number, content: number[]) => [id, ...size(content.length), ...content];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0]),
    ...section(2, [1, 1, 0x6d, 1, 0x6d, 2, 0, 1]),
    ...section(3, [2, 0, 0]),
    ...section(7, [2, 1, 0x64, 0, 0, 1, 0x73, 0, 1]),
    ...section(10, [2, ...size(dots.length), ...dots, ...size(squares.length), ...squares]),
  ]);
}

/** Lengths are written seven bits a byte. */
function size(length: number): number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
}
