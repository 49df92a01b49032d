// How long a hook keeps its host waiting, as a process, at 1,000 memories: against `node -e 0`, in turns, in one run.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../dist/index.js';

const MEMORIES = 1_000;
const ROUNDS = Number(process.argv[2] ?? 40);
const TOPICS = 'database deploys billing tests frontend login cache logs metrics queue'.split(' ');
const VERBS = 'prefers owns broke moved renamed forbids requires documents replaced tracks'.split(' ');
const QUESTION = 'can I fake sql storage while testing?';

const scratch = mkdtempSync(join(tmpdir(), 'reverie-bench-hook-'));
const place = { home: join(scratch, 'home'), cwd: join(scratch, 'project') };
const binary = fileURLToPath(new URL('../dist/main.js', import.meta.url));
// Certificates that an environment makes Node load at every start (NODE_EXTRA_CA_CERTS) change the ratio: both are measured.
const ENVIRONMENTS = {
  'bare environment': { PATH: process.env.PATH, HOME: scratch },
  'environment of this shell': { ...process.env, HOME: scratch },
};
const transcript = join(scratch, 'transcript.jsonl');
try {
  mkdirSync(place.cwd);
  await fill();
  execFileSync('git', ['init', '-q'], { cwd: place.cwd });
  // As Claude Code stores it, from the second message on.
  const message = { role: 'user', content: 'hello' };
  writeFileSync(transcript, `${JSON.stringify({ type: 'user', timestamp: new Date().toISOString(), message })}\n`);
  let session = 0;
  const hook = (event, fields) => (environment) => {
    const common = { cwd: place.cwd, transcript_path: transcript, hook_event_name: event };
    const payload = { session_id: `bench-${session++}`, ...common, ...fields };
    const words = [binary, 'hook', 'claude-code', event, '--home', place.home];
    return run(words, { input: JSON.stringify(payload), environment });
  };
  const measured = {
    'node -e 0': (environment) => run(['-e', '0'], { input: '', environment }),
    SessionStart: hook('SessionStart', { source: 'startup' }),
    'UserPromptSubmit, recall by meaning': hook('UserPromptSubmit', { prompt: QUESTION }),
    'PostToolUse, a file was read': hook('PostToolUse', { tool_name: 'Read', tool_input: { file_path: 'src/pay.ts' } }),
    'PostToolUse, nothing to recall': hook('PostToolUse', { tool_name: 'Bash', tool_response: { stdout: 'ok' } }),
    Stop: hook('Stop', {}),
  };
  const { output } = measured['UserPromptSubmit, recall by meaning'](ENVIRONMENTS['bare environment']);
  console.log(`${MEMORIES} memories, ${ROUNDS} rounds; "${QUESTION}" finds its memory: ${output.includes('No mocks')}`);
  for (const [label, environment] of Object.entries(ENVIRONMENTS)) {
    const times = Object.fromEntries(Object.keys(measured).map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, start] of Object.entries(measured)) times[name].push(start(environment).ms);
    }
    console.log(`\n${label}`);
    const base = percentile(times['node -e 0'], 50);
    for (const [name, each] of Object.entries(times)) {
      const [p50, p95] = [percentile(each, 50), percentile(each, 95)];
      const ratio = `(${(p50 / base).toFixed(1)}x)`;
      console.log(
        `${name.padEnd(38)} p50 ${p50.toFixed(0).padStart(4)} ms ${ratio}   p95 ${p95.toFixed(0).padStart(4)} ms`,
      );
    }
  }
  console.log(`processes left behind: ${leftBehind()}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function fill() {
  const memory = await openMemory(place);
  for (let at = 0; at < MEMORIES - 1; at++) {
    await memory.save({
      type: ['feedback', 'project', 'reference', 'user'][at % 4],
      name: `${TOPICS[at % 10]} ${at}`,
      description: `Team ${at % 37} ${VERBS[at % 9]} ${TOPICS[(at * 7) % 10]} item ${at} in region ${at % 13}`,
      body: `The ${TOPICS[at % 10]} of service-${at} ${VERBS[(at * 3) % 10]} component-${(at * 17) % 911}.\n\n**Why:** incident ${at}.`,
    });
  }
  const body = 'Use the real database in integration tests: a mocked one hid a broken migration.';
  await memory.save({
    type: 'feedback',
    name: 'No mocks',
    description: 'Integration tests never mock the database',
    body,
  });
  await memory.ready();
  await memory.close();
}

function run(parameters, { input, environment }) {
  const started = performance.now();
  const { status, stdout } = spawnSync(process.execPath, parameters, { input, cwd: place.cwd, env: environment });
  if (status !== 0) throw new Error(`${parameters.join(' ')} ended with ${status}`);
  return { ms: performance.now() - started, output: String(stdout) };
}

function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))];
}

function leftBehind() {
  const listed = spawnSync('pgrep', ['-fc', `${binary} hook`], { encoding: 'utf8' });
  return listed.error ? 'not counted, there is no pgrep' : listed.stdout.trim();
}
