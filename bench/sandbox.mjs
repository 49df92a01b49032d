// What a sandbox adds to a command: `ls` with bash alone and inside, in turns, in one run.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { findSandbox } from '../dist/agent/sandbox/find-sandbox.js';

const ROUNDS = Number(process.argv[2] ?? 60);
const MOST_MS = 15;

const startedMs = performance.now();
const found = await findSandbox();
console.log(`probe ${(performance.now() - startedMs).toFixed(1)} ms`);
if (found.sandbox === null) {
  console.log(found.why);
  process.exit(1);
}
const project = realpathSync(mkdtempSync(join(tmpdir(), 'reverie-bench-sandbox-')));
try {
  mkdirSync(join(project, 'src'));
  for (let count = 0; count < 50; count += 1) writeFileSync(join(project, 'src', `${count}.ts`), '');
  writeFileSync(join(project, '.env'), 'KEY=1');
  const policy = {
    ...{ cwd: project, readable: [project], writable: [], protected: [], denied: [join(project, '.env')] },
    environment: process.env,
  };
  const bare = { program: '/bin/bash', args: ['-c', 'ls src'], environment: process.env };
  const kinds = { 'bash alone': () => bare, sandboxed: () => found.sandbox.start('ls src', policy) };
  const times = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, plan] of Object.entries(kinds)) times[name].push(timeOf(plan));
  }
  for (const [name, each] of Object.entries(times)) console.log(`${name.padEnd(12)} p50 ${median(each).toFixed(1)} ms`);
  const more = median(times.sandboxed) - median(times['bash alone']);
  console.log(`${'difference'.padEnd(12)} p50 ${more.toFixed(1)} ms (at most ${MOST_MS})`);
} finally {
  rmSync(project, { recursive: true, force: true });
}

/** Including the time to plan it. */
function timeOf(plan) {
  const beganMs = performance.now();
  const { program, args, environment } = plan();
  const run = spawnSync(program, args, { cwd: project, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  if (run.status !== 0) throw new Error(run.stderr.toString());
  return performance.now() - beganMs;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
