/** Puts discs on a plane: near each other where their meanings are, never over each other. Pure. */

import type { Steps } from '../../base/async/in-turns.ts';
import { rowOf, type Vectors } from './cluster.ts';

export interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

const POWER_ROUNDS = 30;
const PUSHES = 300;
/** Between two discs, as a share of the smaller radius. */
const GAP = 0.15;
/** How far each disc is drawn to the middle in a round, so that the map stays one. */
const PULL = 0.01;

/** The radius of each grows with the root of its size, so that every member has the same room. */
export function* layOut(centres: Vectors, sizes: readonly number[]): Steps<readonly Disc[]> {
  const first = axisOf(centres, null);
  const second = axisOf(centres, first);
  const spread = Math.sqrt(sizes.reduce((sum, size) => sum + size, 0));
  const discs = sizes.map((size, at) => {
    const row = rowOf(centres, at);
    return { x: dot(row, first) * spread * 2, y: dot(row, second) * spread * 2, radius: Math.sqrt(Math.max(1, size)) };
  });
  for (let round = 0; round < PUSHES; round += 1) {
    if (round % 10 === 0) yield;
    pushApart(discs);
  }
  return discs;
}

/** The direction in which they differ most, at right angles to the first. */
function axisOf(centres: Vectors, first: Float32Array | null): Float32Array {
  const { count, dimensions } = centres;
  let axis = Float32Array.from({ length: dimensions }, (_, j) => Math.sin(j + (first === null ? 1 : 2)));
  for (let round = 0; round < POWER_ROUNDS; round += 1) {
    const next = new Float32Array(dimensions);
    for (let at = 0; at < count; at += 1) {
      const row = rowOf(centres, at);
      const product = dot(row, axis);
      for (let j = 0; j < dimensions; j += 1) next[j]! += product * row[j]!;
    }
    const overlap = first === null ? 0 : dot(next, first);
    if (first !== null) for (let j = 0; j < dimensions; j += 1) next[j]! -= overlap * first[j]!;
    const length = Math.sqrt(dot(next, next));
    if (length === 0) break;
    axis = next.map((value) => value / length);
  }
  return axis;
}

function pushApart(discs: { x: number; y: number; readonly radius: number }[]): void {
  for (const disc of discs) {
    disc.x *= 1 - PULL;
    disc.y *= 1 - PULL;
  }
  for (const [at, one] of discs.entries()) {
    for (const other of discs.slice(at + 1)) {
      const [dx, dy] = [other.x - one.x, other.y - one.y];
      const distance = Math.hypot(dx, dy);
      const wanted = one.radius + other.radius + GAP * Math.min(one.radius, other.radius);
      if (distance >= wanted) continue;
      // Two in one place part sideways.
      const [ux, uy] = distance === 0 ? [1, 0] : [dx / distance, dy / distance];
      const push = (wanted - distance) / 2;
      one.x -= ux * push;
      one.y -= uy * push;
      other.x += ux * push;
      other.y += uy * push;
    }
  }
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let j = 0; j < one.length; j += 1) sum += one[j]! * other[j]!;
  return sum;
}
