// What `certain` would let through at other distances from the noise of a folder. `npm run bench:certain [-- --data DIR]`
// The pools of a set are merged into one. The questions are in two halves by their hash, to see how far a value holds for both; the one in
// force was chosen with both in sight. Whole messages only, no parts.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEncoder } from '../dist/model/encoder/encoder.js';
import { openLocalIndex } from '../dist/search/local-index.js';
import { share } from './recall-certainty.mjs';
import { dataFolder, memoryOf, mergePools, readSets, sourceOf, strangersOf } from './recall-data.mjs';

const DISTANCES = [0.05, 0.07, 0.09, 0.11, 0.12, 0.13, 0.14, 0.15, 0.17, 0.2];
/** As in src/search/certain.ts. */
const IN_FORCE = 0.12;
const BEHIND_THE_BEST = 0.2;
const LEAST = 0.8;

const sets = readSets(dataFolder());
if (sets === null)
  console.log(`No questions in ${dataFolder()}: give a folder with --data DIR or REVERIE_RECALL_DATA.`);
else await calibrate(sets);

async function calibrate(all) {
  const scratch = mkdtempSync(join(tmpdir(), 'reverie-bench-'));
  try {
    const answers = [];
    const encoder = openEncoder();
    for (const set of all.map(mergePools)) {
      const [pool] = set.pools;
      const index = openLocalIndex({ directory: join(scratch, set.name), encoder: () => encoder });
      await index.update(pool.items.map((item) => sourceOf(memoryOf(item))));
      await index.ready();
      const ask = (question) => answers.push(answerOf(index, { set: set.name, ...question }));
      for (const { q, relevant } of pool.queries) ask({ q, relevant, kind: 'own' });
      for (const { q, isAskedHereToo } of strangersOf(set, all).flatMap(({ questions }) => questions)) {
        ask({ q, relevant: [], kind: isAskedHereToo ? 'shared' : 'foreign' });
      }
      await index.close();
    }
    print(answers);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function answerOf(index, { q, relevant, set, kind }) {
  const hits = index.search(q, { limit: 5 }).map(({ key, why }) => ({
    isRight: relevant.includes(key),
    evidence: why.evidence,
    noise: why.noise,
    isNamed: why.named.length > 0,
  }));
  return { set, half: createHash('sha1').update(q).digest()[0] % 2, kind, hits };
}

function print(answers) {
  const names = [...new Set(answers.map(({ set }) => set))];
  const groups = [0, 1].map((half) => answers.filter((one) => one.half === half));
  groups.push(answers, ...names.map((name) => answers.filter(({ set }) => set === name)));
  console.log(
    'own questions with a certain and relevant hit / foreign ones with any certain hit / the same with those that the set asks too',
  );
  const titles = ['first half', 'second half', 'both', ...names];
  console.log(`${'above the noise'.padEnd(18)}${titles.map((name) => name.padEnd(24)).join('')}`);
  for (const distance of DISTANCES) {
    const cells = groups.map((group) => cellOf(group, distance).padEnd(24));
    console.log(`${`${distance.toFixed(2)}${distance === IN_FORCE ? ' (in force)' : ''}`.padEnd(18)}${cells.join('')}`);
  }
}

function cellOf(answers, distance) {
  const of = (...kinds) => answers.filter(({ kind }) => kinds.includes(kind));
  const right = of('own').filter((one) => certainOf(one, distance).some(({ isRight }) => isRight)).length;
  const spoke = (asked) =>
    share(asked.filter((one) => certainOf(one, distance).length > 0).length, Math.max(1, asked.length));
  return `${share(right, of('own').length)} / ${spoke(of('foreign'))} / ${spoke(of('foreign', 'shared'))}`;
}

function certainOf({ hits }, distance) {
  const best = Math.max(...hits.map(({ evidence }) => evidence));
  return hits.filter(({ evidence, noise, isNamed }) => {
    return isNamed || evidence >= Math.max(LEAST, noise + distance, best - BEHIND_THE_BEST);
  });
}
