/** All memories on a plane by meaning: groups with a name each, near each other where their meanings are. Made once for a state of the memory. */

import { inTurns, type Steps } from '../../base/async/in-turns.ts';
import type { MemoryEntry } from '../../memory/memory.ts';
import type { Encoder } from '../../model/encoder/encoder.ts';
import { cluster, clusterCount, rowOf, toUnitLength, type Vectors } from './cluster.ts';
import { labelsOf } from './labels.ts';
import { type Disc, layOut } from './lay-out.ts';

export interface MapGroup extends Disc {
  readonly label: string;
  /** `scope:file` of its memories, the most typical first. */
  readonly members: readonly string[];
}

export interface MemoryMap {
  readonly groups: readonly MapGroup[];
}

/** Of the encoder's numbers that groups are told from: fewer are as good, and far quicker. */
const DIMENSIONS = 64;
const SLICE_MS = 4;

type MapEncoder = Pick<Encoder, 'tokens' | 'sum' | 'dimensions' | 'weights'>;

type Shown = Pick<MemoryEntry, 'scope' | 'file' | 'name' | 'description' | 'modified'>;

export function createMapMaker(encoder: () => Promise<Encoder>) {
  let made: { readonly state: string; readonly map: Promise<MemoryMap> } | null = null;
  return async function mapOf(entries: readonly Shown[]): Promise<MemoryMap> {
    const state = stateOf(entries);
    if (made?.state !== state) {
      const map = encoder().then((opened) => inTurns(drawMap(entries, opened), SLICE_MS));
      made = { state, map };
      map.catch(() => {
        made = null;
      });
    }
    return made.map;
  };
}

/** A number that any save, edit or removal changes. */
function stateOf(entries: readonly Shown[]): string {
  let hash = 0;
  for (const { scope, file, modified } of entries)
    for (const text of [scope, file, modified])
      for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return `${entries.length} ${hash}`;
}

export function* drawMap(entries: readonly Shown[], encoder: MapEncoder): Steps<MemoryMap> {
  if (entries.length === 0) return { groups: [] };
  const texts = entries.map(({ name, description }) => `${name}\n${description}`);
  const vectors = yield* embedded(texts, encoder);
  const { of, nearness, centres } = yield* cluster(vectors, clusterCount(entries.length));
  const labels = yield* labelsOf(texts, of, { count: centres.count, weightOf: (word) => weightOf(word, encoder) });
  const members = Array.from({ length: centres.count }, () => [] as number[]);
  for (const [row, group] of of.entries()) members[group]!.push(row);
  for (const rows of members) {
    yield;
    rows.sort((one, other) => nearness[other]! - nearness[one]!);
  }
  yield;
  const used = members.flatMap((rows, at) => (rows.length === 0 ? [] : [at]));
  const values = new Float32Array(used.length * centres.dimensions);
  for (const [at, group] of used.entries()) values.set(rowOf(centres, group), at * centres.dimensions);
  const discs = yield* layOut(
    { values, count: used.length, dimensions: centres.dimensions },
    used.map((group) => members[group]!.length),
  );
  return {
    groups: used.map((group, at) => ({
      ...discs[at]!,
      label: labels[group] || 'other',
      members: members[group]!.map((row) => `${entries[row]!.scope}:${entries[row]!.file}`),
    })),
  };
}

/** Less what all have in common, so that what sets them apart counts. */
function* embedded(texts: readonly string[], encoder: MapEncoder): Steps<Vectors> {
  const values = new Float32Array(texts.length * DIMENSIONS);
  const project = projection(encoder.dimensions);
  const mean = new Float32Array(DIMENSIONS);
  const vectors = { values, count: texts.length, dimensions: DIMENSIONS };
  for (const [row, text] of texts.entries()) {
    if (row % 8 === 0) yield;
    const target = rowOf(vectors, row);
    project(encoder.sum(encoder.tokens(text)), target);
    toUnitLength(target);
    for (let j = 0; j < DIMENSIONS; j += 1) mean[j]! += target[j]! / texts.length;
  }
  for (let row = 0; row < texts.length; row += 1) {
    if (row % 500 === 0) yield;
    const target = rowOf(vectors, row);
    // The only one there is has nothing to be set apart from.
    if (texts.length > 1) for (let j = 0; j < DIMENSIONS; j += 1) target[j]! -= mean[j]!;
    toUnitLength(target);
  }
  return vectors;
}

/** By its weightiest token; a word without any is a name of something. */
function weightOf(word: string, encoder: MapEncoder): number {
  const weights = encoder.tokens(word).map((token) => encoder.weights[token]!);
  return weights.length === 0 ? 1 : Math.max(...weights);
}

/** By signs that are the same each time: distances stay about what they were. */
function projection(from: number): (vector: Float32Array, target: Float32Array) => void {
  const signs = new Int8Array(from * DIMENSIONS);
  let state = 1;
  for (let at = 0; at < signs.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    signs[at] = state < 0 ? -1 : 1;
  }
  return (vector, target) => {
    for (let i = 0; i < from; i += 1) {
      const value = vector[i]!;
      if (value === 0) continue;
      const row = i * DIMENSIONS;
      for (let j = 0; j < DIMENSIONS; j += 1) target[j]! += value * signs[row + j]!;
    }
  };
}
