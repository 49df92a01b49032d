// What `certain` would let through at other distances from the noise of a folder. `npm run bench:certain [-- --data DIR]`
// The pools of a set are merged into one; every second question is in the first half. Whole messages only, no parts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEncoder } from '../dist/model/encoder/encoder.js';
import { openLocalIndex } from '../dist/search/local-index.js';
import { share } from './recall-certainty.mjs';
import { dataFolder, memoryOf, mergePools, readSets, sourceOf } from './recall-data.mjs';

const DISTANCES = [0.03, 0.05, 0.07, 0.09, 0.11, 0.13, 0.15, 0.17, 0.2];
/** As in src/search/certain.ts. */
const BEHIND_THE_BEST = 0.2;

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
      answers.push(...pool.queries.map((query, at) => answerOf(index, { ...query, set: set.name, at, isOwn: true })));
      const strangers = all
        .filter(({ name }) => name !== set.name)
        .flatMap(({ pools }) => pools.flatMap((one) => one.queries));
      answers.push(
        ...strangers.map(({ q }, at) => answerOf(index, { q, relevant: [], set: set.name, at, isOwn: false })),
      );
      await index.close();
    }
    print(answers);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function answerOf(index, { q, relevant, set, at, isOwn }) {
  const hits = index.search(q, { limit: 5 }).map(({ key, why }) => ({
    isRight: relevant.includes(key),
    above: why.evidence - why.noise,
    isNamed: why.named.length > 0,
  }));
  return { set, half: at % 2, isOwn, hits };
}

function print(answers) {
  const names = [...new Set(answers.map(({ set }) => set))];
  console.log('own questions with a certain and relevant hit / foreign ones with any certain hit');
  console.log(
    `${'above the noise'.padEnd(18)}${['first half', 'second half', ...names].map((name) => name.padEnd(22)).join('')}`,
  );
  for (const distance of DISTANCES) {
    const groups = [0, 1].map((half) => answers.filter((one) => one.half === half));
    groups.push(...names.map((name) => answers.filter(({ set }) => set === name)));
    const cells = groups.map((group) => cellOf(group, distance).padEnd(22));
    console.log(`${distance.toFixed(2).padEnd(18)}${cells.join('')}`);
  }
}

function cellOf(answers, distance) {
  const [own, foreign] = [answers.filter(({ isOwn }) => isOwn), answers.filter(({ isOwn }) => !isOwn)];
  const right = own.filter((one) => certainOf(one, distance).some(({ isRight }) => isRight)).length;
  const spoke = foreign.filter((one) => certainOf(one, distance).length > 0).length;
  return `${share(right, own.length)} / ${share(spoke, foreign.length)}`;
}

function certainOf({ hits }, distance) {
  const best = Math.max(...hits.map(({ above }) => above));
  return hits.filter(({ above, isNamed }) => isNamed || above >= Math.max(distance, best - BEHIND_THE_BEST));
}
