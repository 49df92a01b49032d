// How long hooks keep their host waiting, as processes, at 1,000 and 10,000 memories: each one, and all of an ordinary turn, against
// `node -e 0`, in turns, in one run; and what the MCP server takes from its start to its first answer. `node bench/hook.mjs ROUNDS MEMORIES` measures with one number of memories.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../dist/index.js';

const ROUNDS = Number(process.argv[2] ?? 40);
const SIZES = process.argv[3] === undefined ? [1_000, 10_000] : [Number(process.argv[3])];
/** What an ordinary turn starts: the session, a message, two tools, the answer. */
const TURN = [
  'SessionStart',
  'UserPromptSubmit, recall by meaning',
  'PostToolUse, a file was read',
  'PostToolUse, nothing to recall',
  'Stop',
];
const TOPICS = 'database deploys billing tests frontend login cache logs metrics queue'.split(' ');
const VERBS = 'prefers owns broke moved renamed forbids requires documents replaced tracks'.split(' ');
const INITIALIZE = `${JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
})}\n`;
const QUESTION = 'can I fake sql storage while testing?';

// What `reverie install` writes into a host's settings.
const binary = fileURLToPath(new URL('../dist/hook.cjs', import.meta.url));
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
for (const size of SIZES) await measure(size);

async function measure(memories) {
  const scratch = mkdtempSync(join(tmpdir(), 'reverie-bench-hook-'));
  const place = { home: join(scratch, 'home'), cwd: join(scratch, 'project') };
  // Certificates that an environment makes Node load at every start (NODE_EXTRA_CA_CERTS) change the ratio: both are measured.
  const environments = {
    'bare environment': { PATH: process.env.PATH, HOME: scratch },
    'environment of this shell': { ...process.env, HOME: scratch },
  };
  try {
    mkdirSync(place.cwd);
    await fill(place, memories);
    execFileSync('git', ['init', '-q'], { cwd: place.cwd });
    const measured = hooksOf(place, transcriptIn(scratch));
    const { output } = measured['UserPromptSubmit, recall by meaning'](environments['bare environment']);
    console.log(
      `\n${memories} memories, ${ROUNDS} rounds; "${QUESTION}" finds its memory: ${output.includes('No mocks')}`,
    );
    for (const [label, environment] of Object.entries(environments))
      report(label, await timesOf(measured, environment));
    console.log(`processes left behind: ${leftBehind()}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** As Claude Code stores it, where it does, from the second message on. */
function transcriptIn(scratch) {
  const folder = join(scratch, '.claude', 'projects', 'bench');
  mkdirSync(folder, { recursive: true });
  const message = { role: 'user', content: 'hello' };
  const transcript = join(folder, 'transcript.jsonl');
  writeFileSync(transcript, `${JSON.stringify({ type: 'user', timestamp: new Date().toISOString(), message })}\n`);
  return transcript;
}

function hooksOf(place, transcript) {
  let session = 0;
  const hook = (event, fields) => (environment) => {
    const common = { cwd: place.cwd, transcript_path: transcript, hook_event_name: event };
    const payload = { session_id: `bench-${session++}`, ...common, ...fields };
    const words = [binary, 'hook', 'claude-code', event, '--home', place.home];
    return run(words, { input: JSON.stringify(payload), environment, cwd: place.cwd });
  };
  return {
    'node -e 0': (environment) => run(['-e', '0'], { input: '', environment, cwd: place.cwd }),
    SessionStart: hook('SessionStart', { source: 'startup' }),
    'UserPromptSubmit, recall by meaning': hook('UserPromptSubmit', { prompt: QUESTION }),
    'PostToolUse, a file was read': hook('PostToolUse', { tool_name: 'Read', tool_input: { file_path: 'src/pay.ts' } }),
    'PostToolUse, nothing to recall': hook('PostToolUse', { tool_name: 'Bash', tool_response: { stdout: 'ok' } }),
    Stop: hook('Stop', {}),
    'MCP, initialize': (environment) =>
      firstAnswer([program, 'mcp', '--home', place.home], { environment, cwd: place.cwd }),
  };
}

async function timesOf(measured, environment) {
  const times = Object.fromEntries(Object.keys(measured).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, start] of Object.entries(measured)) times[name].push((await start(environment)).ms);
  }
  const rounds = times['node -e 0'].map((_time, round) => round);
  times['all hooks of a turn'] = rounds.map((round) => TURN.reduce((sum, name) => sum + times[name][round], 0));
  return times;
}

function report(label, times) {
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

/** Written as files, the way a folder comes that was cloned: thousands of saves would take longer than all that is measured. */
async function fill(place, memories) {
  const memory = await openMemory(place);
  const folder = memory.folders.project;
  mkdirSync(folder, { recursive: true });
  const lines = [];
  for (let at = 0; at < memories - 1; at++) {
    const type = ['feedback', 'project', 'reference'][at % 3];
    const file = `${type}_${TOPICS[at % 10]}-${at}.md`;
    const description = `Team ${at % 37} ${VERBS[at % 9]} ${TOPICS[(at * 7) % 10]} item ${at} in region ${at % 13}`;
    const body = `The ${TOPICS[at % 10]} of service-${at} ${VERBS[(at * 3) % 10]} component-${(at * 17) % 911}.\n\n**Why:** incident ${at}.`;
    const head = `---\nname: ${TOPICS[at % 10]} ${at}\ndescription: ${description}\ntype: ${type}\n---\n`;
    writeFileSync(join(folder, file), `${head}\n${body}\n`);
    lines.push(`- [${TOPICS[at % 10]} ${at}](${file}) — ${description}`);
  }
  writeFileSync(join(folder, 'MEMORY.md'), `${lines.join('\n')}\n`);
  await memory.noticeOutsideEdits();
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

function run(parameters, { input, environment, cwd }) {
  const started = performance.now();
  const { status, stdout } = spawnSync(process.execPath, parameters, { input, cwd, env: environment });
  if (status !== 0) throw new Error(`${parameters.join(' ')} ended with ${status}`);
  return { ms: performance.now() - started, output: String(stdout) };
}

/** Until the program has written something; the round goes on when it has ended. */
async function firstAnswer(parameters, { environment, cwd }) {
  const started = performance.now();
  const child = spawn(process.execPath, parameters, { cwd, env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  child.stdin.write(INITIALIZE);
  const [output] = await once(child.stdout, 'data');
  const ms = performance.now() - started;
  if (!String(output).includes('serverInfo')) throw new Error(`${parameters.join(' ')} answered ${output}`);
  child.stdin.end();
  await ended;
  return { ms, output: String(output) };
}

function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))];
}

function leftBehind() {
  const listed = spawnSync('pgrep', ['-fc', `${binary} hook`], { encoding: 'utf8' });
  return listed.error ? 'not counted, there is no pgrep' : listed.stdout.trim();
}
