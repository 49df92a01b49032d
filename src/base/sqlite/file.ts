/** Reads the rows of a SQLite database from its bytes, without SQLite: no SQLite package runs everywhere this one does. Pure. */

import { pagesInWal } from './wal.ts';

export type SqliteValue = string | number | bigint | Uint8Array | null;
export type SqliteRow = Readonly<Record<string, SqliteValue>>;

export interface SqliteDatabase {
  readonly tables: readonly string[];
  /** In row number order. Throws if the file is damaged; rows before that count. */
  rows(table: string): Generator<SqliteRow>;
}

const MAGIC = 'SQLite format 3\0';
const LEAF = 13;
const INTERIOR = 5;
const ENCODINGS = ['utf-8', 'utf-8', 'utf-16le', 'utf-16be'];

/** Throws when the bytes are not a database. `wal` is its log, which holds the newest changes. */
export function openSqlite(file: Uint8Array, wal?: Uint8Array): SqliteDatabase {
  const header = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 100 || Buffer.from(file.subarray(0, 16)).toString('latin1') !== MAGIC) {
    throw new Error('it is not a SQLite database');
  }
  const pageBytes = header.getUint16(16) === 1 ? 65_536 : header.getUint16(16);
  if (pageBytes < 512 || (pageBytes & (pageBytes - 1)) !== 0) throw damaged('its page size');
  const newer = wal === undefined ? new Map<number, Uint8Array>() : pagesInWal(wal, pageBytes);

  function page(number: number): Uint8Array {
    const bytes = newer.get(number) ?? file.subarray((number - 1) * pageBytes, number * pageBytes);
    if (number < 1 || bytes.length !== pageBytes) throw damaged(`page ${number}`);
    return bytes;
  }

  const first = page(1);
  const usableBytes = pageBytes - first[20]!;
  const decoder = new TextDecoder(ENCODINGS[viewOf(first).getUint32(56)] ?? 'utf-8');
  const mostBytes = file.length + (wal?.length ?? 0);
  const context: Context = { page, mostBytes, usableBytes, decode: (bytes) => decoder.decode(bytes) };
  const schema = new Map<string, { root: number; sql: string }>();
  for (const { values } of cellsOf(context, 1)) {
    const [type, name, , root, sql] = values;
    if (type !== 'table' || typeof name !== 'string' || typeof root !== 'number') continue;
    if (typeof sql === 'string') schema.set(name, { root, sql });
  }
  return {
    tables: [...schema.keys()],
    *rows(table) {
      const found = schema.get(table);
      if (found === undefined) return;
      const { names, rowNumber } = columnsOf(found.sql);
      for (const { rowId, values } of cellsOf(context, found.root)) {
        const cells = names.map((name, at) => [name, name === rowNumber ? rowId : (values[at] ?? null)]);
        yield Object.fromEntries(cells) as SqliteRow;
      }
    },
  };
}

interface Context {
  /** No record is longer than the whole file. */
  readonly mostBytes: number;
  readonly usableBytes: number;
  page(number: number): Uint8Array;
  decode(bytes: Uint8Array): string;
}

interface Cell {
  readonly rowId: number | bigint;
  readonly values: readonly SqliteValue[];
}

/** The cells of a table's tree, in order; visiting a page twice would never end. */
function* cellsOf(context: Context, root: number, seen = new Set<number>()): Generator<Cell> {
  if (seen.has(root)) throw damaged(`page ${root}, which holds itself`);
  seen.add(root);
  const bytes = context.page(root);
  const view = viewOf(bytes);
  const start = root === 1 ? 100 : 0;
  const kind = bytes[start];
  if (kind !== LEAF && kind !== INTERIOR) throw damaged(`page ${root}`);
  const count = view.getUint16(start + 3);
  const pointers = start + (kind === LEAF ? 8 : 12);
  for (let index = 0; index < count; index += 1) {
    const at = view.getUint16(pointers + index * 2);
    if (kind === INTERIOR) yield* cellsOf(context, view.getUint32(at), seen);
    else yield readCell(context, { bytes, at });
  }
  if (kind === INTERIOR) yield* cellsOf(context, view.getUint32(start + 8), seen);
}

function readCell(context: Context, cell: { bytes: Uint8Array; at: number }): Cell {
  const size = readVarint(cell.bytes, cell.at);
  const rowId = readVarint(cell.bytes, size.end);
  const payload = readPayload(context, { bytes: cell.bytes, at: rowId.end, size: Number(size.value) });
  return { rowId: plainNumber(BigInt.asIntN(64, rowId.value)), values: readRecord(context, payload) };
}

/** A long record begins in its page and continues in a chain of others. */
function readPayload(context: Context, cell: { bytes: Uint8Array; at: number; size: number }): Uint8Array {
  const { bytes, at, size } = cell;
  if (size > context.mostBytes) throw damaged('a record');
  const usable = context.usableBytes;
  const most = usable - 35;
  if (size <= most) return wholeSlice(bytes, at, size);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  const local = fitting <= most ? fitting : least;
  const parts = [wholeSlice(bytes, at, local)];
  let next = viewOf(bytes).getUint32(at + local);
  for (let missing = size - local; missing > 0; missing -= usable - 4) {
    const overflow = context.page(next);
    parts.push(overflow.subarray(4, 4 + Math.min(missing, usable - 4)));
    next = viewOf(overflow).getUint32(0);
  }
  return Buffer.concat(parts);
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];

function readRecord(context: Context, payload: Uint8Array): SqliteValue[] {
  const header = readVarint(payload, 0);
  const values: SqliteValue[] = [];
  let at = Number(header.value);
  for (let position = header.end; position < Number(header.value); ) {
    const type = readVarint(payload, position);
    position = type.end;
    const kind = Number(type.value);
    if (kind === 0) values.push(null);
    else if (kind === 8 || kind === 9) values.push(kind - 8);
    else if (kind < 7) {
      const bytes = wholeSlice(payload, at, INTEGER_BYTES[kind]!);
      values.push(readInteger(bytes));
      at += bytes.length;
    } else if (kind === 7) {
      values.push(viewOf(wholeSlice(payload, at, 8)).getFloat64(0));
      at += 8;
    } else {
      const bytes = wholeSlice(payload, at, Math.floor((kind - 12) / 2));
      values.push(kind % 2 === 0 ? bytes : context.decode(bytes));
      at += bytes.length;
    }
  }
  return values;
}

function readInteger(bytes: Uint8Array): number | bigint {
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return plainNumber(BigInt.asIntN(bytes.length * 8, value));
}

function plainNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Seven bits per byte, the highest first; the ninth byte counts whole. */
function readVarint(bytes: Uint8Array, start: number): { value: bigint; end: number } {
  let value = 0n;
  for (let index = 0; index < 9; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) throw damaged('a number');
    if (index === 8) return { value: (value << 8n) | BigInt(byte), end: start + 9 };
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value, end: start + index + 1 };
  }
  throw damaged('a number');
}

function wholeSlice(bytes: Uint8Array, start: number, length: number): Uint8Array {
  const slice = bytes.subarray(start, start + length);
  if (!(length >= 0) || slice.length !== length) throw damaged('a record');
  return slice;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(what: string): Error {
  return new Error(`the database is damaged at ${what}`);
}

// Reads the names of a table's columns from the SQL that SQLite stores. Pure.

interface TableColumns {
  readonly names: readonly string[];
  /** The column that is the row's own number; it is not stored with the others. */
  readonly rowNumber: string | null;
}

const QUOTED = /^(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\])/;
const TOKENS = new RegExp(`--[^\\n]*|/\\*[\\s\\S]*?\\*/|${QUOTED.source.slice(1)}|[(),]|[^(),"'\`[/-]+|.`, 'g');

const LONGEST_DEFINITION = 20_000;

export function columnsOf(sql: string): TableColumns {
  if (sql.length > LONGEST_DEFINITION) throw damaged('a table whose definition is too long');
  const names: string[] = [];
  let rowNumber: string | null = null;
  for (const definition of definitionsOf(sql)) {
    if (/^(?:constraint|primary|unique|check|foreign)\b/i.test(definition)) continue;
    const written = QUOTED.exec(definition)?.[0] ?? /^[^\s(]*/.exec(definition)![0];
    const name = QUOTED.test(written) ? written.slice(1, -1) : written;
    names.push(name);
    const isRowNumber = /^\s*integer\s+(?:constraint\s+\S+\s+)?primary\s+key\b(?!\s+desc)/i;
    if (isRowNumber.test(definition.slice(written.length))) rowNumber = name;
  }
  return { names, rowNumber };
}

/** The parts between the commas of the outermost parentheses; commas in quotes, comments and inner ones do not separate. */
function definitionsOf(sql: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of sql.matchAll(TOKENS)) {
    const isComment = token.startsWith('--') || token.startsWith('/*');
    if (token === ')') depth -= 1;
    if (depth === 1 && token === ',') parts.push('');
    else if (depth > 0) parts.push(parts.pop()! + (isComment ? ' ' : token));
    else if (token === ')') break;
    if (token === '(') depth += 1;
  }
  return parts.map((part) => part.trim());
}
