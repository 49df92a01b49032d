// How well, how surely and how fast the local index recalls. `npm run bench:recall [-- --data DIR] [-- --no-speed]`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { openEncoder } from '../dist/model/encoder/encoder.js';
import { openLocalIndex } from '../dist/search/local-index.js';
import { dataFolder, memoryOf, readSets, sourceOf } from './recall-data.mjs';
import { createTally } from './recall-measure.mjs';
import { measureSpeed } from './recall-speed.mjs';

const folder = dataFolder();
const sets = readSets(folder);
const encoder = openEncoder();
const scratch = mkdtempSync(join(tmpdir(), 'reverie-bench-'));
try {
  if (sets === null) {
    console.log(`No questions in ${folder}: give a folder with --data DIR or REVERIE_RECALL_DATA.`);
  } else {
    const pools = await openPools(sets);
    printQuality(pools);
    printCertainty(pools, sets);
    if (!process.argv.includes('--no-speed')) await measureSpeed(scratch);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function openPools(all) {
  const pools = [];
  for (const set of all) {
    for (const pool of set.pools) {
      const index = openLocalIndex({ directory: join(scratch, set.name, String(pool.id)), encoder: () => encoder });
      await index.update(pool.items.map((item) => sourceOf(memoryOf(item))));
      pools.push({ set: set.name, pool, index, yardstick: yardstickOf(pool) });
    }
  }
  return pools;
}

function yardstickOf(pool) {
  const search = new MiniSearch({ fields: ['name', 'description', 'body'], idField: 'key' });
  search.addAll(pool.items.map(memoryOf));
  return search;
}

function printQuality(pools) {
  const methods = {
    minisearch: createTally(),
    words: createTally(),
    cosine: createTally(),
    tokens: createTally(),
    reverie: createTally(),
  };
  for (const { set, pool, index, yardstick } of pools) {
    for (const { q, relevant, kind } of pool.queries) {
      const names = [set, `${set} ${kind}`];
      const hits = index.search(q, { limit: pool.items.length });
      const by = (part) => [...hits].sort((left, right) => part(right) - part(left)).map(({ key }) => key);
      methods.minisearch.add(
        names,
        yardstick.search(q).map(({ id }) => id),
        relevant,
      );
      methods.words.add(
        names,
        by(({ why }) => why.lexical),
        relevant,
      );
      methods.cosine.add(
        names,
        by(({ why }) => why.cosine),
        relevant,
      );
      methods.tokens.add(
        names,
        by(({ why }) => why.meaning),
        relevant,
      );
      methods.reverie.add(
        names,
        hits.map(({ key }) => key),
        relevant,
      );
    }
  }
  const columns = Object.keys(methods);
  console.log(`\nhit@1 hit@5 MRR${''.padEnd(35)}${columns.map((name) => name.padEnd(19)).join('')}`);
  for (const name of methods.reverie.names().sort()) {
    const { count } = methods.reverie.line(name);
    const cells = columns.map((column) => methods[column].line(name).text.padEnd(19));
    console.log(`${name.padEnd(44)}${String(count).padEnd(6)}${cells.join('')}`);
  }
}

/** Silence is the right answer to an unrelated question: each pool is asked the other sets' questions. */
function printCertainty(pools, all) {
  const total = { asked: 0, answered: 0, foreign: 0, spoke: 0 };
  console.log(
    '\ncertain hits: own = a certain and relevant one among five; wrong = certain ones that are not relevant, a question',
  );
  for (const set of all) {
    const own = { asked: 0, answered: 0, spoke: 0, wrong: 0 };
    const foreign = new Map();
    for (const { pool, index } of pools.filter((one) => one.set === set.name)) {
      for (const { q, relevant } of pool.queries) {
        const certain = index.search(q, { limit: 5 }).filter((hit) => hit.certain);
        const right = certain.filter(({ key }) => relevant.includes(key)).length;
        own.asked++;
        own.answered += right > 0;
        own.spoke += certain.length > 0;
        own.wrong += certain.length - right;
      }
      for (const other of all) {
        if (other === set) continue;
        const row = foreign.get(other.name) ?? { asked: 0, spoke: 0 };
        for (const { q } of other.pools.flatMap((one) => one.queries)) {
          row.asked++;
          row.spoke += index.search(q, { limit: 1 }).some((hit) => hit.certain);
        }
        foreign.set(other.name, row);
      }
    }
    const strange = [...foreign.values()];
    const [asked, spoke] = [sum(strange, 'asked'), sum(strange, 'spoke')];
    total.asked += own.asked;
    total.answered += own.answered;
    total.foreign += asked;
    total.spoke += spoke;
    const strangers = [...foreign].map(([name, { asked, spoke }]) => `${name} ${share(spoke, asked)}`).join(', ');
    console.log(
      `${set.name.padEnd(22)} own ${share(own.answered, own.asked)}, spoke ${share(own.spoke, own.asked)}, ` +
        `wrong ${(own.wrong / own.asked).toFixed(2)} | foreign with any: ${share(spoke, asked)} (${strangers})`,
    );
  }
  console.log(
    `all                    own ${share(total.answered, total.asked)} | foreign with any: ${share(total.spoke, total.foreign)}`,
  );
}

function sum(rows, name) {
  return rows.reduce((total, row) => total + row[name], 0);
}

function share(part, whole) {
  return `${((100 * part) / whole).toFixed(1)}%`;
}
