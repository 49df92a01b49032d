/** What a query means to each memory: every token of the query looks for its nearest token in the memory. */

import type { Encoder } from '../model/encoder/encoder.ts';
import type { Corpus } from './corpus.ts';
import type { Segment } from './segment.ts';
import { createWordFamilies } from './word-families.ts';

/** The heaviest tokens of a query; a pasted page would otherwise cost as much as fifty questions. */
const QUERY_TOKENS = 32;
/** Rows of a vocabulary are never quite strangers: below this a likeness is chance. */
const CHANCE = 0.1;
/** Long texts have a near token for everything. */
const LENGTH_EXPONENT = 0.2;
/** Likeness of two words with one stem: the table does not always know that "baking" is "bake". */
const SAME_STEM = 0.8;
/** Queries repeat their words; one list of likenesses takes up to 120 KB. */
const REMEMBERED_TOKENS = 128;

export interface QueryToken {
  readonly token: number;
  /** How much it counts: by its row, and by how few memories hold it. */
  readonly weight: number;
}

export interface QueryMeaning {
  readonly tokens: readonly QueryToken[];
  readonly totalWeight: number;
  /** Length of the sum of the query's rows. */
  readonly sumLength: number;
  /** Likeness of query token `t` to the corpus token in slot `s`: `likeness[s * tokens.length + t]`. */
  readonly likeness: Float32Array;
  /** Product of the query's sum and the corpus token in slot `s`, for the cosine. */
  readonly products: Float32Array;
  /** Slot of each token in use. */
  readonly slots: Int32Array;
}

export interface MeaningReader {
  readQuery(corpus: Corpus, query: string): QueryMeaning | null;
}

export function createMeaningReader(encoder: Encoder): MeaningReader {
  const slots = new Int32Array(encoder.rows).fill(-1);
  const remembered = new Map<number, Float32Array>();
  const familyOf = createWordFamilies(encoder);
  let generation = -1;
  let inUse = new Uint32Array(0);
  let weights = new Float32Array(0);

  /** Which tokens the corpus has: the rest of the vocabulary need not be compared. */
  function refresh(corpus: Corpus): void {
    if (generation === corpus.generation) return;
    generation = corpus.generation;
    remembered.clear();
    slots.fill(-1);
    const used: number[] = [];
    for (let token = 0; token < slots.length; token++) {
      if (corpus.tokenCounts[token] === 0) continue;
      slots[token] = used.length;
      used.push(token);
    }
    inUse = Uint32Array.from(used);
    weights = Float32Array.from(used, encoder.weight);
  }

  function likenesses(tokens: readonly number[]): readonly Float32Array[] {
    const fresh = tokens.filter((token) => !remembered.has(token));
    for (const [at, found] of encoder.similarities(fresh, inUse).entries()) {
      const token = fresh[at]!;
      remembered.set(token, found);
      for (const relative of familyOf(token)) {
        const slot = slots[relative]!;
        if (slot !== -1) found[slot] = Math.max(found[slot]!, SAME_STEM);
      }
    }
    const lists = tokens.map((token) => remembered.get(token)!);
    for (const [at, token] of tokens.entries()) {
      remembered.delete(token);
      remembered.set(token, lists[at]!);
    }
    for (const token of remembered.keys()) {
      if (remembered.size <= REMEMBERED_TOKENS) break;
      remembered.delete(token);
    }
    return lists;
  }

  return {
    readQuery(corpus, query) {
      const all = [...new Set(encoder.tokens(query))];
      if (all.length === 0) return null;
      refresh(corpus);
      const size = corpus.size;
      const tokens = all
        .map((token) => {
          const rarity = Math.sqrt(Math.log(1 + size / (corpus.tokenCounts[token]! + 0.5)));
          return { token, weight: encoder.weight(token) * rarity };
        })
        .sort((left, right) => right.weight - left.weight)
        .slice(0, QUERY_TOKENS);
      const likeness = new Float32Array(inUse.length * tokens.length);
      const products = new Float32Array(inUse.length);
      const lists = likenesses(tokens.map(({ token }) => token));
      const lengths = tokens.map(({ token }) => encoder.weight(token));
      for (let slot = 0, at = 0; slot < products.length; slot++) {
        let product = 0;
        for (let t = 0; t < lists.length; t++, at++) {
          const found = lists[t]![slot]!;
          likeness[at] = found;
          product += lengths[t]! * found;
        }
        products[slot] = product * weights[slot]!;
      }
      return {
        tokens,
        totalWeight: tokens.reduce((sum, { weight }) => sum + weight, 0),
        sumLength: Math.hypot(...encoder.sum(all)),
        likeness,
        products,
        slots,
      };
    },
  };
}

export interface MeaningScore {
  /** 0 … about 1: the share of the query's weight that the memory answers, damped for long memories. */
  readonly match: number;
  readonly cosine: number;
}

export function scoreMeaning(
  meaning: QueryMeaning,
  place: { readonly segment: Segment; readonly number: number; readonly averageLength: number },
  nearest: Float32Array,
): MeaningScore {
  const { likeness, products, slots, tokens } = meaning;
  const { segment, number } = place;
  const width = tokens.length;
  const [from, to] = [segment.tokenStart[number]!, segment.tokenStart[number + 1]!];
  nearest.fill(0, 0, width);
  let product = 0;
  for (let at = from; at < to; at++) {
    const slot = slots[segment.tokens[at]!]!;
    product += products[slot]!;
    const row = slot * width;
    for (let t = 0; t < width; t++) if (likeness[row + t]! > nearest[t]!) nearest[t] = likeness[row + t]!;
  }
  let match = 0;
  for (let t = 0; t < width; t++) if (nearest[t]! > CHANCE) match += tokens[t]!.weight * nearest[t]!;
  const length = Math.max(1, to - from) / place.averageLength;
  return {
    match: match / (meaning.totalWeight || 1) / length ** LENGTH_EXPONENT,
    cosine: product / (meaning.sumLength * segment.sumLengths[number]! || 1),
  };
}

/** For each token of the query the memory's token it met, for explanations. */
export function metTokens(meaning: QueryMeaning, segment: Segment, number: number) {
  const width = meaning.tokens.length;
  const [from, to] = [segment.tokenStart[number]!, segment.tokenStart[number + 1]!];
  return meaning.tokens.map(({ token, weight }, t) => {
    let [met, likeness] = [-1, 0];
    for (let at = from; at < to; at++) {
      const found = meaning.likeness[meaning.slots[segment.tokens[at]!]! * width + t]!;
      if (found > likeness) [met, likeness] = [segment.tokens[at]!, found];
    }
    return { token, weight: weight / meaning.totalWeight, met, likeness };
  });
}
