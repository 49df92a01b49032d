/** A home with a stand-in for `claude`, whose sessions can be begun, gone on with, left and learnt from. */

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { namedDay } from '../../src/base/dates/local-time.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { runCommandHere } from './command-here.ts';
import { temporaryFolder } from './temporary-folder.ts';

const BINARY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** What hosts start. */
const HOOK = fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url));
export const BUSY_MS = 90_000;

const BEGUN = Date.UTC(2026, 5, 1, 9);
/** How a question names the day on which it was said. */
export const SAID_ON = namedDay(new Date(BEGUN));

/** Ten that are worth keeping, without a word that asks for it, and ten that are not. */
export const WORTH = [
  'the staging database lives in the Frankfurt region, billing wanted that',
  'our release train leaves on Thursdays because support is staffed on Fridays',
  'I have been writing Go for about nine years, frontend is new to me',
  'Mira owns the payment adapter, ask her about its retries',
  'incident reports go to the Linear project called OPS',
  'we cut the nightly job since it woke the on-call twice a week',
  'reviewers here want the test in the same commit as the fix',
  'the customer in Oslo is the reason we keep the XML export',
  'dashboards for latency are in the Grafana folder named edge',
  'short answers suit me best, I read them on the phone',
];
export const CHATTER = Array.from(
  { length: 10 },
  (_, at) => `could you look at test number ${at} again and run it once more`,
);

export function createLearningPlace() {
  const root = temporaryFolder('learn');
  const at = (...parts: string[]) => join(root, ...parts);
  const transcripts = at('user', '.claude', 'projects', 'p');
  for (const folder of [transcripts, at('bin'), at('project'), at('home')]) mkdirSync(folder, { recursive: true });
  const transcriptOf = (session: string) => join(transcripts, `${session}.jsonl`);
  const transcript = transcriptOf('s1');
  const environment = { HOME: at('user'), PATH: `${at('bin')}:${process.env.PATH}`, REVERIE_HOOK_BUDGET_MS: '40000' };

  /** Answers as `claude -p` does, after it called the hooks that the user installed, as the real one does. */
  function installClaude(memories: readonly object[], delayMs = 0) {
    const script = `#!${process.execPath}
const { execFileSync } = require('node:child_process');
const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync(${JSON.stringify(at('asked.log'))}, JSON.stringify({ words: process.argv.slice(2), cwd: process.cwd(), text: readFileSync(0, 'utf8'), nested: process.env.CLAUDECODE !== undefined, pid: process.pid }) + '\\n');
const payload = { session_id: 'child', cwd: process.cwd(), hook_event_name: 'SessionEnd', transcript_path: ${JSON.stringify(transcript)} };
execFileSync(${JSON.stringify(process.execPath)}, [${JSON.stringify(BINARY)}, 'hook', 'claude-code', 'SessionEnd', '--home', ${JSON.stringify(at('home'))}], { input: JSON.stringify(payload) });
const answer = { memories: ${JSON.stringify(memories)} };
const usage = { input_tokens: 1000, output_tokens: 100, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
setTimeout(() => console.log(JSON.stringify({ type: 'result', is_error: false, result: JSON.stringify(answer), total_cost_usd: 0.01, usage })), ${delayMs});
`;
    writeFileSync(at('bin', 'claude'), script);
    chmodSync(at('bin', 'claude'), 0o755);
  }

  function say(texts: readonly string[], from = 0, { session = 's1', begun = BEGUN } = {}) {
    const lines = texts.flatMap((text, position) => {
      const timestamp = new Date(begun + (from + position) * 60_000).toISOString();
      return [
        { type: 'user', timestamp, message: { role: 'user', content: text } },
        {
          type: 'assistant',
          timestamp,
          message: { role: 'assistant', content: [{ type: 'text', text: 'All right.' }] },
        },
      ];
    });
    writeFileSync(transcriptOf(session), lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flag: 'a' });
  }

  function run(words: readonly string[], input = '', killAfterMs?: number): Promise<string> {
    const isHook = words[0] === 'hook';
    const child = spawn(process.execPath, [isHook ? HOOK : BINARY, ...words, '--home', at('home')], {
      cwd: at('project'),
      // Hosts mark what they start, their hooks among it.
      env: isHook ? { ...environment, CLAUDECODE: '1' } : environment,
    });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    return new Promise((resolve) => {
      child.on('close', () => {
        clearTimeout(timer);
        resolve(output);
      });
    });
  }

  /** A command that starts nothing, without a process. */
  const tell = async (...words: string[]) =>
    (await runCommandHere([...words, '--home', at('home')], { cwd: at('project'), environment })).stdout;

  const kept = () => memoryFiles(at('home', 'projects'));
  /** Learning that is killed as soon as this holds, or that ends before. */
  async function killedWhen(holds: () => boolean) {
    const words = [BINARY, 'learn', 'from', 'claude-code', 's1', transcript, '--home', at('home')];
    const child = spawn(process.execPath, words, { cwd: at('project'), env: environment, stdio: 'ignore' });
    const watch = setInterval(() => holds() && child.kill('SIGKILL'), 1);
    await new Promise((resolve) => child.on('close', resolve));
    clearInterval(watch);
  }
  const settings = (values: object) => writeFileSync(at('home', 'settings.json'), JSON.stringify(values));
  const learnFrom = (killAfterMs?: number) => run(['learn', 'from', 'claude-code', 's1', transcript], '', killAfterMs);
  const hook = (event: string, session: string, fields: object = {}) => {
    const named = { session_id: session, hook_event_name: event, transcript_path: transcriptOf(session) };
    return run(['hook', 'claude-code', event], JSON.stringify({ ...named, cwd: at('project'), ...fields }));
  };
  const startSession = (session: string, source = 'startup') => hook('SessionStart', session, { source });
  const endSession = (session = 's1') => hook('SessionEnd', session);
  /** As if nothing had been written in it since then. */
  function age(session: string, minutes: number) {
    const then = new Date(Date.now() - minutes * 60_000);
    utimesSync(transcriptOf(session), then, then);
  }
  const asked = () =>
    (existsSync(at('asked.log')) ? readFileSync(at('asked.log'), 'utf8') : '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { words: string[]; cwd: string; text: string; nested: boolean; pid: number });
  async function list() {
    const memory = await openMemory({ cwd: at('project'), home: at('home'), env: environment });
    const entries = await memory.list();
    await memory.close();
    return entries;
  }
  return {
    ...{ at, run, tell, say, settings, installClaude, learnFrom, killedWhen, kept, asked, list },
    ...{ startSession, endSession, age },
  };
}

export const proposed = WORTH.map((said, at) => ({
  ...{ type: 'project', name: `Fact ${at}`, description: said, body: `Said in passing: ${said}.`, quote: said },
}));

function memoryFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /memory\/project_[^/]+\.md$/.test(path),
  );
}
