import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { stem } from '../base/text/stem.ts';
import { openEncoder } from '../model/encoder/encoder.ts';
import { openLocalIndex } from './local-index.ts';

const encoder = openEncoder();
const WORDS =
  `coffee tea drinks drinking deploy deployment test tests testing invoice garden harbour holiday budget parser
guitar morning baking bake workmates q3 2024 2025 2290 the what before every user prefers violin teacher`.split(/\s+/);

let directory: string;
beforeEach(() => {
  directory = temporaryFolder('rank');
});

const bodies = fc.array(
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join(' ')),
  { minLength: 1, maxLength: 12 },
);
const query = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));

function sourcesOf(texts: readonly string[]) {
  return texts.map((body, at) => {
    const document = { key: `m${at}`, hash: `${at}:${body}`, name: '', description: '', body };
    return { key: document.key, hash: document.hash, read: () => document };
  });
}

function dot(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += left[at]! * right[at]!;
  return sum;
}

/** Few words, asked about again and again. */
function remembered<T>(find: (token: number) => T): (token: number) => T {
  const known = new Map<number, T>();
  return (token) => {
    if (!known.has(token)) known.set(token, find(token));
    return known.get(token)!;
  };
}

const rowOf = remembered((token) => encoder.sum([token]));
const lengthOf = remembered((token) => Math.sqrt(dot(rowOf(token), rowOf(token))));

/** The plain formula: every query token looks for its nearest token, and the whole texts are compared. */
function meaningOf(asked: string, texts: readonly string[]) {
  const memories = texts.map((text) => [...new Set(encoder.tokens(text))]);
  function likeness(left: number, right: number): number {
    const cosine = dot(rowOf(left), rowOf(right)) / (lengthOf(left) * lengthOf(right));
    const [a, b] = [encoder.word(left), encoder.word(right)];
    const related = a.length > 3 && b.length > 3 && /^[a-z]{3}/.test(a) && stem(a) === stem(b);
    return related ? Math.max(cosine, 0.8) : cosine;
  }
  const tokens = [...new Set(encoder.tokens(asked))].map((token) => {
    const holders = memories.filter((memory) => memory.includes(token)).length;
    return { token, weight: lengthOf(token) * Math.sqrt(Math.log(1 + texts.length / (holders + 0.5))) };
  });
  const total = tokens.reduce((sum, { weight }) => sum + weight, 0);
  const average = memories.reduce((sum, { length }) => sum + length, 0) / memories.length;
  const asSum = encoder.sum(tokens.map(({ token }) => token));
  return memories.map((memory) => {
    let [match, product] = [0, 0];
    for (const { token, weight } of tokens) {
      const nearest = Math.max(...memory.map((other) => likeness(token, other)));
      if (nearest > (/^(##)?[0-9]+$/.test(encoder.word(token)) ? 0.99 : 0.1)) match += weight * nearest;
      for (const other of memory) product += lengthOf(token) * likeness(token, other) * lengthOf(other);
    }
    const own = encoder.sum(memory);
    return {
      match: match / total / (memory.length / average) ** 0.2,
      cosine: product / Math.sqrt(dot(asSum, asSum) * dot(own, own)),
    };
  });
}

describe('what a query means to a memory', () => {
  it('is what the formula says, also for words added after the first question', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodies, { minLength: 1, maxLength: 3 }), query, async (states, asked) => {
        const index = openLocalIndex({ directory: mkdtempSync(join(directory, 'i-')), encoder: () => encoder });
        for (const texts of states) {
          await index.update(sourcesOf(texts));
          const wanted = meaningOf(asked, texts);
          const hits = index.search(asked, { limit: texts.length });
          for (const { key, why } of hits) {
            const { match, cosine } = wanted[Number(key.slice(1))]!;
            expect(Math.abs(why.meaning - match)).toBeLessThan(1e-5);
            expect(Math.abs(why.cosine - cosine)).toBeLessThan(1e-5);
          }
          const scores = hits.map(({ why }) => why.meaning + 0.15 * why.cosine + 0.4 * why.lexical);
          if (hits[0]?.why.trust === 1) expect(scores).toEqual([...scores].sort((left, right) => right - left));
        }
      }),
      { numRuns: runs(40) },
    );
  });

  it('does not depend on how many hits are requested, or on what is left out', async () => {
    await fc.assert(
      fc.asyncProperty(
        bodies,
        query,
        fc.nat(12),
        fc.subarray(['m0', 'm1', 'm2', 'm3']),
        async (texts, asked, limit, out) => {
          const index = openLocalIndex({ directory: mkdtempSync(join(directory, 'i-')), encoder: () => encoder });
          await index.update(sourcesOf(texts));
          const keys = (some: { limit: number; exclude?: ReadonlySet<string> }) =>
            index.search(asked, some).map(({ key }) => key);
          const all = keys({ limit: texts.length }).filter((key) => !out.includes(key));
          expect(keys({ limit, exclude: new Set(out) })).toEqual(all.slice(0, limit));
          const every = index.search(asked, { limit: texts.length });
          const unseen = index.search(asked, { limit: texts.length, seen: new Set(out) });
          expect(unseen).toEqual(every.filter(({ key }) => !out.includes(key)));
        },
      ),
      { numRuns: runs(40) },
    );
  });
});
