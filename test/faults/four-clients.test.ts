/** Four coding agents at once on one project, each with its hooks as processes and its MCP server: nothing lost, nothing twice, nobody held up. */

import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import type { HostName } from '../../src/hooks/hosts/host.ts';
import { readHookProblems } from '../../src/hooks/run/status.ts';
import { openMemory } from '../../src/index.ts';
import { contextOf, wrongAnswer } from '../support/damaged-payloads.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inThisRun, say } from './fault-run.ts';

const HOOK = fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url));
const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Ten have everything in them once: every kind of prompt, a tool, a save by the server, and words that all clients hear. */
const TURNS = inThisRun({ short: 10, long: 50 });
/** A hook that exceeds it says so in the record of problems, which must stay empty; far above what one takes on a busy machine. */
const BUDGET_MS = '30000';

/** The budget of a hook outside this test: how many exceeded it is said, since a busy machine is no failure. */
const USUAL_BUDGET_MS = 2_000;

/** Five hundred processes, on a machine that may do much else. */
const LONGEST_MS = 1_800_000;

interface ClientFacts {
  readonly host: HostName;
  readonly events: { readonly start: string; readonly prompt: string; readonly tool: string; readonly stop: string };
  /** Below the user's folder; null where the host's transcripts cannot be read. */
  readonly transcript: string | null;
  line(text: string, at: string): object;
}

const CLAUDE_EVENTS = { start: 'SessionStart', prompt: 'UserPromptSubmit', tool: 'PostToolUse', stop: 'Stop' };
const CLIENTS: readonly ClientFacts[] = [
  {
    host: 'claude-code',
    events: CLAUDE_EVENTS,
    transcript: '.claude/projects/p/s.jsonl',
    line: (text, timestamp) => ({ type: 'user', timestamp, message: { role: 'user', content: text } }),
  },
  {
    host: 'codex',
    events: CLAUDE_EVENTS,
    transcript: '.codex/sessions/s.jsonl',
    line: (message, timestamp) => ({ type: 'event_msg', timestamp, payload: { type: 'user_message', message } }),
  },
  {
    host: 'gemini',
    events: { start: 'SessionStart', prompt: 'BeforeAgent', tool: 'AfterTool', stop: 'AfterAgent' },
    transcript: '.gemini/tmp/s.jsonl',
    line: (content, timestamp) => ({ type: 'user', timestamp, content }),
  },
  { host: 'opencode', events: CLAUDE_EVENTS, transcript: null, line: () => ({}) },
];

it(
  'keeps every acknowledged memory of four clients once',
  async () => {
    const root = temporaryFolder('four-clients');
    const [home, user, project] = [join(root, 'home'), join(root, 'user'), join(root, 'project')];
    for (const folder of [user, project]) mkdirSync(folder);
    const env = { PATH: process.env.PATH ?? '', HOME: user, REVERIE_HOME: home, REVERIE_HOOK_BUDGET_MS: BUDGET_MS };
    const waitedMs: number[] = [];
    const place = { cwd: project, env, waitedMs, meet: meeting(CLIENTS.length) };
    const acknowledged = (await Promise.all(CLIENTS.map((client) => work(client, place)))).flat();
    const memory = await openMemory({ cwd: project, home, env });
    const entries = await memory.list();
    const index = readFileSync(join(memory.folders.project ?? '', 'MEMORY.md'), 'utf8');
    await memory.close();
    const descriptions = entries.map(({ description }) => description);
    // What two clients were told in the same words is one memory.
    expect(descriptions.toSorted()).toEqual([...new Set(acknowledged)].toSorted());
    expect(index.match(/(?<=\]\()[^)]+\.md(?=\))/g)?.toSorted()).toEqual(entries.map(({ file }) => file).toSorted());
    const unquoted = entries.filter(({ description, source, quote }) => {
      const isTyped = source === 'said' && quote[0]?.text === description;
      return description.startsWith('Remember') && !isTyped;
    });
    expect(unquoted).toEqual([]);
    expect(readHookProblems(home)).toEqual([]);
    say(delaysText(waitedMs, descriptions.length));
  },
  LONGEST_MS,
);

interface Place {
  /** Waits for all clients: what they are told at once they keep at once. */
  meet(): Promise<void>;
  /** How long each hook kept its client waiting. */
  readonly waitedMs: number[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** The descriptions of what it was told to keep, each after a hook or the server said that it is done. */
async function work({ host, events, transcript, line }: ClientFacts, place: Place): Promise<readonly string[]> {
  const path = transcript === null ? null : join(place.env.HOME ?? '', transcript);
  if (path !== null) mkdirSync(dirname(path), { recursive: true });
  const common = {
    session_id: `session-of-${host}`,
    cwd: place.cwd,
    ...(path === null ? {} : { transcript_path: path }),
  };
  let indexes = 0;
  const hook = async (event: string, fields: object = {}) => {
    const stdout = await runHook(
      [host, event],
      JSON.stringify({ ...common, hook_event_name: event, ...fields }),
      place,
    );
    expect({ host, event, wrong: wrongAnswer({ host, event }, stdout) }).toEqual({ host, event, wrong: null });
    if (contextOf({ host, event }, stdout)?.includes('<reverie-memory>')) indexes += 1;
  };
  const client = new Client({ name: host, version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BINARY, 'mcp'], cwd: place.cwd, env: place.env }),
  );
  const kept: string[] = [];
  await hook(events.start, { source: 'startup' });
  for (let turn = 0; turn < TURNS; turn++) {
    const prompt = promptOf(host, turn);
    await hook(events.prompt, { prompt });
    if (path !== null) appendFileSync(path, `${JSON.stringify(line(prompt, new Date().toISOString()))}\n`);
    if (turn % 10 === 4) await hook(events.tool, { tool_name: 'Read', tool_input: { file_path: 'pay.ts' } });
    if (turn % 10 === 7) kept.push(await save(client, `The ${host} server has page ${turn}`));
    if (prompt === sharedPrompt(turn)) await place.meet();
    await hook(events.stop);
    if (prompt.startsWith('Remember')) kept.push(prompt);
  }
  await client.close();
  expect({ host, indexes }).toEqual({ host, indexes: 1 });
  return kept;
}

/** Every fifth asks for something of the client's own, every tenth for the same as the others at the same time. */
function promptOf(host: string, turn: number): string {
  if (turn % 10 === 9) return sharedPrompt(turn);
  if (turn % 5 === 2) return `Remember that queue ${turn} of ${host} is drained by hand.`;
  return `What does step ${turn} of the build do?`;
}

function sharedPrompt(turn: number): string {
  return `Remember that shared table ${turn} belongs to Mara.`;
}

/** Lets them all go when the last one has come. */
function meeting(count: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length < count) return;
      for (const go of waiting) go();
      waiting = [];
    });
}

async function save(client: Client, description: string): Promise<string> {
  const memory = { type: 'project', name: description, description, body: `${description}.` };
  const answer = await client.callTool({ name: 'memory_save', arguments: memory });
  expect(answer.isError ?? false).toBe(false);
  return description;
}

/** What it printed. */
function runHook(words: readonly string[], input: string, place: Place): Promise<string> {
  const begunMs = performance.now();
  const child = spawn(process.execPath, [HOOK, 'hook', ...words], { cwd: place.cwd, env: place.env });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      place.waitedMs.push(performance.now() - begunMs);
      if (code === 0) resolve(stdout);
      else reject(new Error(`hook ${words.join(' ')} ended with ${code}: ${stdout}`));
    });
  });
}

function delaysText(waitedMs: readonly number[], memories: number): string {
  const sorted = waitedMs.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  const over = sorted.filter((each) => each > USUAL_BUDGET_MS).length;
  return `four clients, ${TURNS} turns each: ${memories} memories, each once; ${sorted.length} hooks, half within ${at(0.5)} ms, 95% within ${at(0.95)} ms, the slowest ${at(1)} ms, ${over} over ${USUAL_BUDGET_MS} ms`;
}
