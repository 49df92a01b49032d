/**
 * One of many processes that save, change, forget and undo in one folder. What it was told is done, it writes down at
 * once in a log of its own: the judge holds the folder to that.
 */

import { appendFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { seededRandom } from './seeded-random.mjs';

const facts = JSON.parse(process.argv[2]);
const { openMemory } = await import(new URL('index.js', facts.dist).href);
const random = seededRandom(facts.seed);
const own = [];
let count = 0;

const operations = {
  save: (mark) =>
    memory.save({
      type: pick(['user', 'project', 'feedback', 'reference']),
      // Some names are everybody's, so that file names clash.
      name: random() < 0.3 ? `shared ${Math.floor(random() * 4)}` : `mine ${mark}`,
      description: `described by ${mark}`,
      body: `body ${mark}\n${'x'.repeat(random() * 3000)}\n`,
    }),
  async update(mark) {
    const file = pick(await filesOfAll());
    return file ? memory.update(file, { description: `changed ${mark}`, body: `changed ${mark}\n` }) : null;
  },
  async forget() {
    const file = pick(await filesOfAll());
    return file ? memory.forget(file) : null;
  },
  async undo() {
    const earlier = pick(own);
    if (earlier === undefined) return null;
    const entry = await memory.undo(earlier.change);
    return { file: earlier.file, change: entry.id, undoes: earlier.change };
  },
};

let memory = await openMemory(facts.place);
writeSync(1, 'READY\n');
for (let done = 0; done < facts.operations; done += 1) {
  // A program that lives long and one that opens the folder for each change must see the same.
  if (facts.reopens) {
    await memory.close();
    memory = await openMemory(facts.place);
  }
  await doSomething();
}
await memory.close();
log({ event: 'end', problems: memory.problems() });

async function doSomething() {
  const name = pick(facts.editsByHand ? ['edit'] : ['save', 'save', 'save', 'update', 'update', 'forget', 'undo']);
  count += 1;
  const mark = `${facts.seed}.${count}.${Math.floor(random() * 1e9)}`;
  if (name === 'edit') return editByHand(mark);
  try {
    const done = await operations[name](mark);
    if (done === null) return;
    const { file, change } = done;
    own.push({ file, change });
    log({ event: name, mark, file: file ?? null, change, ...(done.undoes ? { undoes: done.undoes } : {}) });
  } catch (error) {
    // Others forget and change the same files: these answers are right, whatever came first.
    const isExpected = ['not-found', 'refused'].includes(error.code);
    log({ event: isExpected ? 'refused' : 'error', name, code: error.code, message: error.stack });
  }
}

/** What is edited by hand is left to the hand: who writes at the same moment as a person loses on purpose. */
async function filesOfAll() {
  return (await memory.list()).map((entry) => entry.file).filter((file) => !file.startsWith('hand-'));
}

/** As an editor does it: a new file beside, then a rename over the old one. */
async function editByHand(mark) {
  const file = `hand-${Math.floor(random() * 3)}.md`;
  const { directory } = facts.place;
  const text = `---\nname: by hand\ndescription: ${mark}\ntype: user\n---\nby hand ${mark}\n`;
  writeFileSync(`${directory}/.${file}.swap`, text, { mode: 0o600 });
  renameSync(`${directory}/.${file}.swap`, `${directory}/${file}`);
  log({ event: 'edit', mark, file });
  await new Promise((resolve) => setTimeout(resolve, random() * 30));
}

function pick(items) {
  return items[Math.floor(random() * items.length)];
}

function log(line) {
  appendFileSync(facts.log, `${JSON.stringify(line)}\n`);
}
