// How the store grows: listing against a raw scan of the same headers, start-up against bare Node, a save among few and
// among many. Every ratio is between two things measured in this run; nothing here fails a build.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../dist/index.js';

const TYPES = ['user', 'feedback', 'project', 'reference'];
const binary = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const sizes = process.argv.includes('--short') ? [100, 1_000, 10_000] : [100, 1_000, 10_000, 100_000];
const workplace = mkdtempSync(join(tmpdir(), 'reverie-bench-'));

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function medianOf(times, work) {
  const results = [];
  for (let round = 0; round < times; round += 1) results.push(await timed(() => work(round)));
  return median(results);
}

/** Two designs for the same question are measured in turns, so that a slow moment of the machine affects both. */
async function inTurns(times, works) {
  const results = works.map(() => []);
  for (let round = 0; round < times; round += 1) {
    for (const [position, work] of works.entries()) results[position].push(await timed(work));
  }
  return results.map(median);
}

function makeFolder(count) {
  const directory = join(workplace, String(count), 'memory');
  mkdirSync(directory, { recursive: true });
  for (let number = 0; number < count; number += 1) {
    const type = TYPES[number % TYPES.length];
    const header = `---\nname: Memory number ${number}\ndescription: what was learnt on day ${number}, in one line\ntype: ${type}\n---\n`;
    const body = `The fact number ${number}, with enough words around it to be like a real one.\n\n**Why:** it was said.\n**How to apply:** always.\n`;
    writeFileSync(join(directory, `${type}_memory-${number}.md`), header + body);
  }
  return directory;
}

/** The minimum any listing must do: open each file and read its first page. */
function rawHeaderScan(directory) {
  const buffer = Buffer.alloc(4096);
  let bytes = 0;
  for (const name of readdirSync(directory)) {
    if (!name.endsWith('.md')) continue;
    const file = openSync(join(directory, name), 'r');
    bytes += readSync(file, buffer, 0, buffer.length, 0);
    closeSync(file);
  }
  return bytes;
}

const shown = (ms) => `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`.padStart(9);
const ratio = (value, bar) =>
  `${value.toFixed(2)}×${bar === undefined ? '' : value <= bar ? ` (bar ${bar}×: met)` : ` (bar ${bar}×: MISSED)`}`;

const saves = new Map();
console.log('memories   first open    list, cold    list, 2nd    raw scan    2nd/raw      one save');
for (const size of sizes) {
  const directory = makeFolder(size);
  const firstOpen = await timed(async () => {
    const memory = await openMemory({ directory });
    await memory.log({ limit: 1 });
    await memory.close();
  });
  let memory = await openMemory({ directory });
  await memory.log({ limit: 1 });
  await memory.close();
  memory = await openMemory({ directory });
  const coldList = await timed(() => memory.list());
  const rounds = size >= 100_000 ? 5 : 15;
  const [secondList, rawScan] = await inTurns(rounds, [() => memory.list(), async () => rawHeaderScan(directory)]);
  const saved = await medianOf(size >= 100_000 ? 9 : 41, (round) =>
    memory.save({
      type: 'reference',
      name: `bench ${size} ${round}`,
      description: 'measured',
      body: 'A line of text.',
    }),
  );
  saves.set(size, saved);
  await memory.close();
  console.log(
    `${String(size).padStart(8)}  ${shown(firstOpen)}     ${shown(coldList)}    ${shown(secondList)}   ${shown(rawScan)}   ${(secondList / rawScan).toFixed(2)}×     ${shown(saved)}`,
  );
  if (size === 10_000)
    console.log(`          listing 10,000, second time, against the raw scan: ${ratio(secondList / rawScan, 2)}`);
}
console.log(`\none save among 10,000 against one among 100: ${ratio(saves.get(10_000) / saves.get(100), 3)}`);

const home = join(workplace, 'home');
const directory = makeFolder(200);
const env = { ...process.env, REVERIE_HOME: home };
const run = (args) => spawnSync(process.execPath, args, { env, cwd: workplace, stdio: 'ignore' });
const list = [binary, 'memory', 'list', '--directory', directory];
run(list);
run(list);
const [listing, bare] = await inTurns(31, [async () => run(list), async () => run(['-e', '0'])]);
console.log(
  `cold \`reverie memory list\` at 200 memories ${shown(listing)}, \`node -e 0\` ${shown(bare)}: ${ratio(listing / bare, 2.5)}`,
);
rmSync(workplace, { recursive: true, force: true });
