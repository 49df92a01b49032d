// How well, how surely and how fast the local index recalls.
// `npm run bench:recall [-- --data DIR] [-- --no-speed] [-- --loop] [-- --no-sets] [-- --before DIR]`; --before names another built checkout, measured beside this one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import { measureCertainty, printCertainty } from './recall-certainty.mjs';
import { dataFolder, memoryOf, mergePools, readSets, sourceOf } from './recall-data.mjs';
import { measureEveryday } from './recall-everyday.mjs';
import { measureLanguages } from './recall-languages.mjs';
import { measureLoop } from './recall-loop.mjs';
import { createTally, TALLY_COLUMNS } from './recall-measure.mjs';
import { measureSpeed } from './recall-speed.mjs';

const folder = dataFolder();
const sets = readSets(folder);
const scratch = mkdtempSync(join(tmpdir(), 'reverie-bench-'));
try {
  const builds = await openBuilds();
  if (process.argv.includes('--no-sets')) console.log('Without sets of questions.');
  else if (sets === null)
    console.log(`No questions in ${folder}: give a folder with --data DIR or REVERIE_RECALL_DATA.`);
  else await measureSets(builds);
  for (const build of builds) await measureEveryday(build, join(scratch, `everyday-${build.name}`));
  for (const build of builds) await measureLanguages(build, join(scratch, `languages-${build.name}`));
  if (!process.argv.includes('--no-speed')) await measureSpeed(scratch, builds);
  if (!process.argv.includes('--no-speed') || process.argv.includes('--loop')) await measureLoop(scratch);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** This checkout, after the one it is compared with. */
async function openBuilds() {
  const flag = process.argv.indexOf('--before');
  const now = await openBuild('now', fileURLToPath(new URL('..', import.meta.url)));
  return flag === -1 ? [now] : [await openBuild('before', resolve(process.argv[flag + 1])), now];
}

async function openBuild(name, root) {
  const load = (file) => import(pathToFileURL(join(root, 'dist', file)).href);
  const { openEncoder } = await load('model/encoder/encoder.js');
  const { openLocalIndex } = await load('search/local-index.js');
  const encoder = openEncoder();
  return {
    ...{ name, root },
    open: (directory) => openLocalIndex({ directory, encoder: () => encoder }),
    openWords: (directory) => openLocalIndex({ directory, encoder: () => null }),
  };
}

async function measureSets(builds) {
  const pools = new Map();
  for (const build of builds) pools.set(build, await openPools(build, sets, 'apart'));
  printQuality(builds, pools);
  for (const build of builds)
    printCertainty(`${build.name}, each pool apart`, measureCertainty(pools.get(build), sets));
  for (const build of builds) {
    const merged = await openPools(build, sets.map(mergePools), 'merged');
    printCertainty(`${build.name}, the pools of a set merged into one`, measureCertainty(merged, sets));
  }
}

async function openPools(build, all, label) {
  const pools = [];
  for (const set of all) {
    for (const pool of set.pools) {
      const index = build.open(join(scratch, build.name, label, set.name, String(pool.id)));
      await index.update(pool.items.map((item) => sourceOf(memoryOf(item))));
      await index.ready();
      pools.push({ set: set.name, pool, index });
    }
  }
  return pools;
}

/** Each build whole, the parts of this build's score, and MiniSearch as a yardstick. */
function printQuality(builds, pools) {
  const methods = new Map([['minisearch', createTally()]]);
  for (const part of ['words', 'cosine', 'tokens']) methods.set(part, createTally());
  for (const { name } of builds) methods.set(name, createTally());
  for (const build of builds) {
    for (const { set, pool, index } of pools.get(build)) {
      const yardstick = build.name === 'now' ? yardstickOf(pool) : null;
      for (const { q, relevant, kind } of pool.queries) {
        const names = [set, `${set} ${kind}`];
        const hits = index.search(q, { limit: pool.items.length });
        const add = (method, ranked) => methods.get(method).add(names, ranked, relevant);
        add(
          build.name,
          hits.map(({ key }) => key),
        );
        if (yardstick === null) continue;
        const by = (part) => [...hits].sort((left, right) => part(right) - part(left)).map(({ key }) => key);
        add(
          'minisearch',
          yardstick.search(q).map(({ id }) => id),
        );
        add(
          'words',
          by(({ why }) => why.lexical),
        );
        add(
          'cosine',
          by(({ why }) => why.cosine),
        );
        add(
          'tokens',
          by(({ why }) => why.meaning),
        );
      }
    }
  }
  console.log(`\n${TALLY_COLUMNS.padEnd(50)}${[...methods.keys()].map((name) => name.padEnd(22)).join('')}`);
  for (const name of methods.get('now').names().sort()) {
    const { count } = methods.get('now').line(name);
    const cells = [...methods.values()].map((tally) => tally.line(name).text.padEnd(22));
    console.log(`${name.padEnd(44)}${String(count).padEnd(6)}${cells.join('')}`);
  }
}

function yardstickOf(pool) {
  const search = new MiniSearch({ fields: ['name', 'description', 'body'], idField: 'key' });
  search.addAll(pool.items.map(memoryOf));
  return search;
}
