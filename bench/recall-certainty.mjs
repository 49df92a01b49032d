// How often the right memory is shown unasked, and how often something is shown to a question about something else.

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
      by: new Map(),
    };
    const strangers = sets.filter((other) => other !== set);
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
        for (const { q } of other.pools.flatMap((one) => one.queries)) {
          of.asked++;
          of.spoke += index.search(q, { limit: 5 }).some((hit) => hit.certain);
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
  const names = ['asked', 'answered', 'spoke', 'wrong', 'foreign', 'foreignSpoke'];
  console.log(lineOf({ name: 'all', ...Object.fromEntries(names.map((name) => [name, total(name)])) }));
}

function lineOf({ name, asked, answered, spoke, wrong, foreign, foreignSpoke, by = new Map() }) {
  const strangers = [...by].map(([other, one]) => `, ${other} ${share(one.spoke, one.asked)}`).join('');
  return (
    `${name.padEnd(22)} own ${share(answered, asked)}, spoke ${share(spoke, asked)}, wrong ${(wrong / asked).toFixed(2)} | ` +
    `foreign with any: ${share(foreignSpoke, foreign)}${strangers}`
  );
}

export function share(part, whole) {
  return `${((100 * part) / whole).toFixed(1)}%`;
}
