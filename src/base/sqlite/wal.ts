/** Finds the pages in a SQLite write-ahead log that its database file does not have yet. Pure. */

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit gives the byte order of the checksums. */
const MAGIC = 0x377f0682;

type Sum = readonly [number, number];

/** By page number, as of the last finished transaction; empty for an invalid log, or one with another page size. */
export function pagesInWal(wal: Uint8Array, pageBytes: number): ReadonlyMap<number, Uint8Array> {
  const committed = new Map<number, Uint8Array>();
  const view = new DataView(wal.buffer, wal.byteOffset, wal.byteLength);
  if (wal.length < HEADER_BYTES || view.getUint32(0) >>> 1 !== MAGIC >>> 1 || view.getUint32(8) !== pageBytes) {
    return committed;
  }
  const isLittle = (view.getUint32(0) & 1) === 0;
  const add = (sum: Sum, from: number, to: number) => addChecksum(sum, { view, from, to, isLittle });
  let sum = add([0, 0], 0, 24);
  if (!isAt(view, 24, sum)) return committed;
  const pending = new Map<number, Uint8Array>();
  for (let at = HEADER_BYTES; at + FRAME_HEADER_BYTES + pageBytes <= wal.length; at += FRAME_HEADER_BYTES + pageBytes) {
    // A log is overwritten from its start; frames of an earlier round remain after it and have other salts.
    if (view.getUint32(at + 8) !== view.getUint32(16) || view.getUint32(at + 12) !== view.getUint32(20)) break;
    const content = at + FRAME_HEADER_BYTES;
    sum = add(add(sum, at, at + 8), content, content + pageBytes);
    if (!isAt(view, at + 16, sum)) break;
    pending.set(view.getUint32(at), wal.subarray(content, content + pageBytes));
    const isCommit = view.getUint32(at + 4) !== 0;
    if (!isCommit) continue;
    for (const [page, bytes] of pending) committed.set(page, bytes);
    pending.clear();
  }
  return committed;
}

function isAt(view: DataView, offset: number, [first, second]: Sum): boolean {
  return view.getUint32(offset) === first && view.getUint32(offset + 4) === second;
}

function addChecksum(sum: Sum, range: { view: DataView; from: number; to: number; isLittle: boolean }): Sum {
  const { view, from, to, isLittle } = range;
  let [first, second] = sum;
  for (let at = from; at < to; at += 8) {
    first = (first + view.getUint32(at, isLittle) + second) >>> 0;
    second = (second + view.getUint32(at + 4, isLittle) + first) >>> 0;
  }
  return [first, second];
}
