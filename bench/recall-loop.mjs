// How long recall holds up everything else in a process: rows are what happens, columns are numbers of memories, each cell the longest block
// in milliseconds, the median of a few runs. `node bench/recall-loop.mjs [--sizes 100,1000] [--runs 3] [--before DIR]` runs it alone.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../dist/index.js';
import { CHECKED_QUESTION, makeFolder, settle } from './recall-loop-folder.mjs';
import { percentile } from './recall-measure.mjs';
import { madeUpQuestions } from './recall-speed.mjs';

const SIZES = [100, 1_000, 5_000, 9_000, 10_000, 100_000];
const RUNS = 3;
const QUESTIONS = 20;
const child = fileURLToPath(new URL('recall-loop-child.mjs', import.meta.url));
const ownDist = fileURLToPath(new URL('../dist', import.meta.url));

export async function measureLoop(scratch, { sizes = SIZES, runs = RUNS, dist = ownDist } = {}) {
  const questions = JSON.stringify([CHECKED_QUESTION, ...madeUpQuestions(QUESTIONS - 1)]);
  const cells = new Map();
  for (const size of sizes) {
    const made = join(scratch, 'loop');
    console.error(`recall-loop: ${size.toLocaleString('en')} memories …`);
    await makeFolder(made, size, openMemory);
    for (let run = 0; run < runs; run++) {
      for (const who of ['idle', 'library', 'missing', 'agent']) {
        const output = execFileSync(process.execPath, [child, who, made, questions, dist], { encoding: 'utf8' });
        for (const [name, { blockMs }] of Object.entries(JSON.parse(output))) {
          const row = cells.get(name) ?? new Map();
          cells.set(name, row.set(size, [...(row.get(size) ?? []), blockMs]));
        }
        // The next process finds nothing to journal.
        await settle(made, openMemory);
      }
    }
    rmSync(made, { recursive: true });
  }
  console.log(`\nthe longest block of the loop in ms, median of ${runs} runs, by number of memories`);
  console.log(''.padEnd(32) + sizes.map((size) => size.toLocaleString('en').padStart(9)).join(''));
  for (const [name, row] of cells) {
    const medians = sizes.map((size) =>
      percentile(row.get(size) ?? [Number.NaN], 0.5)
        .toFixed(1)
        .padStart(9),
    );
    console.log(name.padEnd(32) + medians.join(''));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const argument = (flag) => (process.argv.includes(flag) ? process.argv[process.argv.indexOf(flag) + 1] : undefined);
  const before = argument('--before');
  const options = {
    sizes: argument('--sizes')?.split(',').map(Number) ?? SIZES,
    runs: Number(argument('--runs') ?? RUNS),
  };
  const scratch = mkdtempSync(join(tmpdir(), 'reverie-bench-loop-'));
  try {
    if (before !== undefined) await measureLoop(scratch, { ...options, dist: join(resolve(before), 'dist') });
    await measureLoop(scratch, options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
