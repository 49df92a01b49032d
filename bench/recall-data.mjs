// Reads sets of questions for the recall benchmark and makes one memory from each item.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export function dataFolder(argv = process.argv) {
  const flag = argv.indexOf('--data');
  const given = flag === -1 ? process.env.REVERIE_RECALL_DATA : argv[flag + 1];
  return given ? resolve(given) : fileURLToPath(new URL('../../shared/data/recall', import.meta.url));
}

/** Null when there is no data. A set: `{ name, pools: [{ id, items: [{ id, text }], queries: [{ q, relevant, kind }] }] }`. */
export function readSets(folder) {
  if (!existsSync(folder)) return null;
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const sets = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return sets.length === 0 ? null : sets;
}

/** All pools of a set as one large folder. */
export function mergePools(set) {
  const within = (pool, id) => `${pool.id}/${id}`;
  const items = set.pools.flatMap((pool) => pool.items.map((item) => ({ ...item, id: within(pool, item.id) })));
  const queries = set.pools.flatMap((pool) =>
    pool.queries.map((query) => ({ ...query, relevant: query.relevant.map((id) => within(pool, id)) })),
  );
  return { ...set, pools: [{ id: 'all', items, queries }] };
}

/** Questions of the other sets. One that this set asks too is not foreign to it: its answer is there. Those of a set that shares some questions with
 * this one are about the same things, and some of them fit. */
export function strangersOf(set, sets) {
  const questions = ({ pools }) => pools.flatMap((pool) => pool.queries.map(({ q }) => q));
  const own = new Set(questions(set));
  return sets
    .filter(({ name }) => name !== set.name)
    .map((other) => ({
      name: other.name,
      isRelated: questions(other).some((q) => own.has(q)),
      questions: questions(other).map((q) => ({ q, isAskedHereToo: own.has(q) })),
    }));
}

/** As a memory would be saved: a name, a description that fits its line of the index, and the whole text below. */
export function memoryOf(item) {
  const name = item.text.split(/\s+/).slice(0, 6).join('-');
  const date = item.date == null ? {} : { date: item.date };
  return { key: item.id, hash: item.id, name, description: item.text.slice(0, 150), body: item.text, ...date };
}

export function sourceOf(document) {
  return { key: document.key, hash: document.hash, read: () => document };
}
