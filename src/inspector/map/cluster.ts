/** Groups vectors by nearness (k-means from spread seeds), in steps: ten thousand memories must hold nobody up. Pure, and the same each time. */

import type { Steps } from '../../base/async/in-turns.ts';

/** Rows one after the other, each of unit length. */
export interface Vectors {
  readonly values: Float32Array;
  readonly count: number;
  readonly dimensions: number;
}

export interface Clusters {
  /** The cluster of each row. */
  readonly of: Uint16Array;
  /** How near each row is to the middle of its cluster: the higher, the nearer. */
  readonly nearness: Float32Array;
  readonly centres: Vectors;
}

const ROUNDS = 10;
const ROWS_PER_STEP = 64;

/** About as many as are read at a glance, fewer where there are few rows. */
export function clusterCount(rows: number): number {
  return Math.max(1, Math.min(32, Math.round(Math.sqrt(rows / 8))));
}

export function* cluster(vectors: Vectors, wanted: number): Steps<Clusters> {
  const { count, dimensions } = vectors;
  const centres = yield* spreadSeeds(vectors, Math.min(wanted, count));
  const of = new Uint16Array(count);
  const nearness = new Float32Array(count);
  for (let round = 0; round < ROUNDS; round += 1) {
    let moved = 0;
    const sums = new Float32Array(centres.values.length);
    for (let row = 0; row < count; row += 1) {
      if (row % ROWS_PER_STEP === 0) yield;
      const { at, likeness } = nearest(vectors, row, centres);
      if (of[row] !== at) moved += 1;
      of[row] = at;
      nearness[row] = likeness;
      for (let j = 0; j < dimensions; j += 1) sums[at * dimensions + j]! += vectors.values[row * dimensions + j]!;
    }
    if (round > 0 && moved === 0) break;
    for (let at = 0; at < centres.count; at += 1) {
      const sum = sums.subarray(at * dimensions, (at + 1) * dimensions);
      // One that nothing is nearest to stays where it is.
      if (toUnitLength(sum) > 0) centres.values.set(sum, at * dimensions);
    }
  }
  return { of, nearness, centres };
}

/** The first row, then each time the one that is farthest from all chosen. */
function* spreadSeeds(vectors: Vectors, wanted: number): Steps<Vectors> {
  const { count, dimensions } = vectors;
  const values = new Float32Array(wanted * dimensions);
  const best = new Float32Array(count).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  for (let at = 0; at < wanted; at += 1) {
    values.set(rowOf(vectors, next), at * dimensions);
    const centre = { values: values.subarray(at * dimensions, (at + 1) * dimensions), count: 1, dimensions };
    let farthest = Number.POSITIVE_INFINITY;
    for (let row = 0; row < count; row += 1) {
      if (row % (ROWS_PER_STEP * 8) === 0) yield;
      best[row] = Math.max(best[row]!, nearest(vectors, row, centre).likeness);
      if (best[row]! >= farthest) continue;
      farthest = best[row]!;
      next = row;
    }
  }
  return { values, count: wanted, dimensions };
}

function nearest(vectors: Vectors, row: number, centres: Vectors): { at: number; likeness: number } {
  const { values, dimensions } = vectors;
  const from = row * dimensions;
  let [at, likeness] = [0, Number.NEGATIVE_INFINITY];
  for (let centre = 0; centre < centres.count; centre += 1) {
    const to = centre * dimensions;
    let product = 0;
    for (let j = 0; j < dimensions; j += 1) product += values[from + j]! * centres.values[to + j]!;
    if (product <= likeness) continue;
    likeness = product;
    at = centre;
  }
  return { at, likeness };
}

export function rowOf({ values, dimensions }: Vectors, row: number): Float32Array {
  return values.subarray(row * dimensions, (row + 1) * dimensions);
}

/** The length it had. */
export function toUnitLength(vector: Float32Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (length > 0) for (let j = 0; j < vector.length; j += 1) vector[j]! /= length;
  return length;
}
