/** The index on disk: segment files that never change, and a manifest renamed into place that says which are current. */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { atOnce, inTurns } from '../base/async/in-turns.ts';
import { whyNotMade } from '../disk/storage-error.ts';
import { errnoOf } from '../errors.ts';
import type { Noise } from './noise.ts';
import type { Segment } from './segment.ts';
import { decodeSegment, type SegmentFile } from './segment-file.ts';

/** Raised whenever segments or terms are built differently; an index with another format is rebuilt. */
const FORMAT = 9;
export const MANIFEST = 'manifest.json';
/** Another process may replace the manifest and remove a segment between two reads. */
const READ_ATTEMPTS = 3;

export interface ManifestEntry extends SegmentFile {
  /** Numbers of the memories that are gone. */
  readonly dead: readonly number[];
}

export interface StoredIndex {
  readonly segments: ReadonlyArray<{ readonly segment: Segment; readonly entry: ManifestEntry }>;
  readonly noise: Noise | null;
  /** Which encoder it was made with; empty when there is no usable index. */
  readonly encoder: string;
  /** Why there is no usable index. */
  readonly rebuild: 'missing' | 'damaged' | 'another-format' | null;
}

/** At once, for who cannot wait. */
export function readIndex(directory: string): StoredIndex {
  let found = NOTHING;
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    const manifest = readManifest(directory);
    if (typeof manifest === 'string') found = { ...NOTHING, rebuild: manifest };
    else
      found = storedIndex(
        manifest,
        manifest.segments.map((entry) => readSegment(join(directory, entry.name), entry)),
      );
    if (found.rebuild !== 'damaged') return found;
  }
  return found;
}

/** The same while others have their turn. */
export async function readIndexInTurns(directory: string, sliceMs: number): Promise<StoredIndex> {
  let found = NOTHING;
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    const manifest = readManifest(directory);
    if (typeof manifest === 'string') found = { ...NOTHING, rebuild: manifest };
    else {
      const segments: (Segment | null)[] = [];
      for (const entry of manifest.segments) {
        const bytes = await readFile(join(directory, entry.name)).catch(() => null);
        segments.push(bytes === null ? null : await inTurns(decodeSegment(bytes, entry), sliceMs));
      }
      found = storedIndex(manifest, segments);
    }
    if (found.rebuild !== 'damaged') return found;
  }
  return found;
}

/** Overwrites a file with that name: it may be the damaged one that this replaces. */
export async function writeSegmentFile(directory: string, name: string, chunks: readonly Uint8Array[]): Promise<void> {
  await writeWhole(join(directory, name), chunks);
}

export interface Manifest {
  readonly encoder: string;
  readonly noise: Noise | null;
  readonly segments: readonly ManifestEntry[];
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const content = { format: FORMAT, ...manifest };
  const text = JSON.stringify({ checksum: crc32(JSON.stringify(content)), content });
  await writeWhole(join(directory, MANIFEST), [Buffer.from(text)]);
}

/** Which files of a manifest are gone because another process cleaned up. */
export async function missingFiles(directory: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const present = new Set(await readdir(directory).catch(() => []));
  return new Set(names.filter((name) => !present.has(name)));
}

export async function removeOrphans(
  directory: string,
  facts: { readonly inForce: ReadonlySet<string>; readonly olderThanMs: number; readonly now: number },
): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    if (facts.inForce.has(name) || !/\.(segment|temporary)$/.test(name)) continue;
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && facts.now - found.mtimeMs > facts.olderThanMs) await rm(path, { force: true });
  }
}

/** Either the whole file under its name or nothing: temporary name, all bytes, fsync, rename. */
export async function writeWhole(path: string, chunks: readonly Uint8Array[]): Promise<void> {
  const directory = join(path, '..');
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new Error(whyNotMade(directory, error), { cause: error });
  });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.temporary`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    for (const chunk of chunks) await writeAll(file, chunk);
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  for (let from = 0; from < chunk.length; ) from += (await file.write(chunk, from)).bytesWritten;
}

const NOTHING: StoredIndex = { segments: [], noise: null, encoder: '', rebuild: 'missing' };

/** Or why there is none. */
function readManifest(directory: string): Manifest | NonNullable<StoredIndex['rebuild']> {
  try {
    const { checksum, content } = JSON.parse(readFileSync(join(directory, MANIFEST), 'utf8'));
    if (checksum !== crc32(JSON.stringify(content))) return 'damaged';
    return content.format === FORMAT ? content : 'another-format';
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? 'missing' : 'damaged';
  }
}

function storedIndex(manifest: Manifest, segments: ReadonlyArray<Segment | null>): StoredIndex {
  const read = segments.flatMap((segment, at) =>
    segment === null ? [] : [{ segment, entry: manifest.segments[at]! }],
  );
  if (read.length < segments.length) return { ...NOTHING, rebuild: 'damaged' };
  return { segments: read, noise: manifest.noise, encoder: manifest.encoder, rebuild: null };
}

function readSegment(path: string, entry: ManifestEntry): Segment | null {
  try {
    return atOnce(decodeSegment(readFileSync(path), entry));
  } catch {
    return null;
  }
}
