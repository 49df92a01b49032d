// How often the right memory is shown unasked, and how often something is shown to a question about something else.
import { strangersOf } from './recall-data.mjs';

/** Silence is the right answer to an unrelated question: each pool is asked the other sets' questions. */
export function measureCertainty(pools, sets) {
  return sets.map((set) => {
    const row = {
      name: set.name,
      asked: 0,
      answered: 0,
      spoke: 0,
      wrong: 0,
      foreign: 0,
      foreignSpoke: 0,
      shared: 0,
      sharedSpoke: 0,
      by: new Map(),
    };
    const strangers = strangersOf(set, sets);
    for (const { pool, index } of pools.filter((one) => one.set === set.name)) {
      for (const { q, relevant } of pool.queries) {
        const certain = index.search(q, { limit: 5 }).filter((hit) => hit.certain);
        const right = certain.filter(({ key }) => relevant.includes(key)).length;
        row.asked++;
        row.answered += right > 0;
        row.spoke += certain.length > 0;
        row.wrong += certain.length - right;
      }
      for (const other of strangers) {
        const of = row.by.get(other.name) ?? { asked: 0, spoke: 0 };
        row.by.set(other.name, of);
        for (const { q, isAskedHereToo } of other.questions) {
          const spoke = index.search(q, { limit: 5 }).some((hit) => hit.certain);
          row.shared += isAskedHereToo;
          row.sharedSpoke += isAskedHereToo && spoke;
          of.asked += !isAskedHereToo;
          of.spoke += !isAskedHereToo && spoke;
        }
      }
    }
    for (const { asked, spoke } of row.by.values()) {
      row.foreign += asked;
      row.foreignSpoke += spoke;
    }
    return row;
  });
}

export function printCertainty(title, rows) {
  console.log(
    `\ncertain hits, ${title}: own = a certain and relevant one among five; wrong = certain, not relevant, a question`,
  );
  for (const row of rows) console.log(lineOf(row));
  const total = (name) => rows.reduce((sum, row) => sum + row[name], 0);
  const names = ['asked', 'answered', 'spoke', 'wrong', 'foreign', 'foreignSpoke', 'shared', 'sharedSpoke'];
  console.log(lineOf({ name: 'all', ...Object.fromEntries(names.map((name) => [name, total(name)])) }));
}

function lineOf({ name, asked, answered, spoke, wrong, foreign, foreignSpoke, shared, sharedSpoke, by = new Map() }) {
  const strangers = [...by].map(([other, one]) => `, ${other} ${share(one.spoke, one.asked)}`).join('');
  return (
    `${name.padEnd(22)} own ${share(answered, asked)}, spoke ${share(spoke, asked)}, wrong ${(wrong / asked).toFixed(2)} | ` +
    `foreign with any: ${share(foreignSpoke, foreign)}${strangers}` +
    (shared === 0
      ? ''
      : `; with the ${shared} that this set asks too: ${share(foreignSpoke + sharedSpoke, foreign + shared)}`)
  );
}

export function share(part, whole) {
  return `${((100 * part) / whole).toFixed(1)}%`;
}
