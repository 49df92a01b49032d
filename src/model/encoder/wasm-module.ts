/** WebAssembly modules by hand: names for the few instructions we use, since a compiler for them would be one more tool. */

export type Code = readonly number[];

export interface WasmFunction {
  readonly name: string;
  /** All integers. */
  readonly parameters: number;
  /** Numbered after the parameters, in this order. */
  readonly locals: {
    readonly integers: number;
    readonly decimals?: number;
    readonly doubles?: number;
    readonly vectors?: number;
  };
  readonly body: Code;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export type WasmCall = (...parameters: number[]) => void;

/** Node has it; the type library for browsers, which declares it, would bring in the whole DOM. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => WasmMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> };
};

/** Null when WebAssembly or an instruction is missing. */
export function startModule<Name extends string>(
  functions: ReadonlyArray<WasmFunction & { readonly name: Name }>,
  memoryBytes: number,
): { readonly buffer: ArrayBuffer; readonly run: Readonly<Record<Name, WasmCall>> } | null {
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(memoryBytes / 65_536) });
    const module = new WebAssembly.Module(moduleOf(functions));
    const { exports } = new WebAssembly.Instance(module, { m: { m: memory } });
    return { buffer: memory.buffer, run: exports as Record<Name, WasmCall> };
  } catch {
    return null;
  }
}

export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const integer = (value: number): Code => [0x41, ...signed(value)];
export const increase = (local: number, amount: number): Code => [
  ...get(local),
  ...integer(amount),
  ...ADD,
  ...set(local),
];

export const ADD: Code = [0x6a];
export const MULTIPLY: Code = [0x6c];
export const AND: Code = [0x71];
export const EXCLUSIVE_OR: Code = [0x73];
export const SHIFT_LEFT: Code = [0x74];
export const SHIFT_RIGHT: Code = [0x76];
export const EQUAL: Code = [0x46];
export const LESS: Code = [0x49];
export const MORE: Code = [0x4b];
export const load = (offset: number): Code => [0x28, 2, ...unsigned(offset)];
export const loadByte = (offset: number): Code => [0x2d, 0, ...unsigned(offset)];
export const store = (offset: number): Code => [0x36, 2, ...unsigned(offset)];

export const loadDecimal = (offset: number): Code => [0x2a, 2, ...unsigned(offset)];
export const storeDecimal = (offset: number): Code => [0x38, 2, ...unsigned(offset)];
export const decimal = (value: number): Code => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];
export const TO_DECIMAL: Code = [0xb2];
export const SQUARE_ROOT: Code = [0x91];
export const DECIMAL_MULTIPLY: Code = [0x94];
export const DECIMAL_DIVIDE: Code = [0x95];
export const DECIMAL_MAXIMUM: Code = [0x97];

export const double = (value: number): Code => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)];
export const storeDouble = (offset: number): Code => [0x39, 3, ...unsigned(offset)];
export const TO_DOUBLE: Code = [0xbb];
export const DOUBLE_ADD: Code = [0xa0];
export const DOUBLE_MULTIPLY: Code = [0xa2];

const vector = (code: number): Code => [0xfd, ...unsigned(code)];
export const loadVector = (offset: number): Code => [...vector(0x00), 0, ...unsigned(offset)];
/** Eight bytes as eight integers of 16 bits. */
export const loadBytesWide = (offset: number): Code => [...vector(0x01), 0, ...unsigned(offset)];
export const ZERO_VECTOR: Code = [...vector(0x0c), ...new Array<number>(16).fill(0)];
export const lane = (which: number): Code => [...vector(0x1b), which];
/** Eight products of 16 bits, added in pairs. */
export const VECTOR_DOT: Code = vector(0xba);
export const VECTOR_ADD: Code = vector(0xae);

/** Runs `body`, and again as long as the integer it leaves is not zero. */
export const repeatWhile = (body: Code): Code => [0x03, 0x40, ...body, 0x0d, 0, 0x0b];
/** Takes an integer. */
export const when = (then: Code, otherwise: Code = []): Code => [0x04, 0x40, ...then, 0x05, ...otherwise, 0x0b];

export function times(count: number, part: (at: number) => Code): Code {
  return Array.from({ length: count }, (_, at) => part(at)).flat();
}

function moduleOf(functions: readonly WasmFunction[]): Uint8Array {
  const sized = (content: Code): Code => [...unsigned(content.length), ...content];
  const section = (id: number, items: readonly Code[]): Code => [
    id,
    ...sized([...unsigned(items.length), ...items.flat()]),
  ];
  const bodyOf = ({ locals, body }: WasmFunction) => {
    const { integers, decimals = 0, doubles = 0, vectors = 0 } = locals;
    const declared = [integers, 0x7f, decimals, 0x7d, doubles, 0x7c, vectors, 0x7b];
    return sized([declared.length / 2, ...declared, ...body, 0x0b]);
  };
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      functions.map(({ parameters }) => [0x60, ...sized(new Array<number>(parameters).fill(0x7f)), 0]),
    ),
    ...section(2, [[1, 0x6d, 1, 0x6d, 2, 0, 1]]), // memory "m" of "m"
    ...section(
      3,
      functions.map((_, at) => [at]),
    ),
    ...section(
      7,
      functions.map(({ name }, at) => [...sized([...Buffer.from(name)]), 0, at]),
    ),
    ...section(10, functions.map(bodyOf)),
  ]);
}

/** Numbers are written seven bits per byte. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** A constant's last byte carries its sign. */
function signed(value: number): Code {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
