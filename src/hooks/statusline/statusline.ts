/** One short line on the memory for the status line of a coding agent, a shell or tmux. It is asked for often: it reads little and loads little. */

import { type Dirent, fstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { homeLayout } from '../../disk/home.ts';
import { JOURNAL_FILE } from '../../disk/journal/journal.ts';
import { CONTROL_FOLDER } from '../../disk/journal/journalled-folder.ts';
import { parseLine, readTailLines } from '../../disk/tail.ts';
import { isInLogs } from '../../memory/daily-log/place.ts';
import { findPlace, type Place } from '../../settings/place.ts';
import { fieldsOf, textOf } from '../hosts/payload.ts';
import type { HookCode } from '../process.ts';
import { openHookSession } from '../run/session.ts';

/** Of a journal and of a day's ledger: more than a day of work, less than takes time. */
const TAIL_BYTES = 1_048_576;
const PAYLOAD_BYTES = 1_048_576;
/** A caller that leaves standard input open gets its line all the same. */
const INPUT_MS = 300;
const MOST_FOLDERS_DEEP = 10;
/** Background calls are marked as such; this one is a host's own, and has a cap of its own. */
/** Of calls that no cap of our own background work counts. */
const THROUGH_HOSTS = new Set(['learn', 'dream']);

export interface StatusFacts {
  readonly memories: number;
  /** In this session since it was last compacted; null where no session is named. */
  readonly recalled: number | null;
  readonly savedToday: number;
  readonly today: { readonly calls: number; readonly money: number; readonly tokens: number };
}

export async function runStatusline(target: NodeJS.Process, { keepCode }: HookCode): Promise<void> {
  const words = target.argv.slice(3);
  let line = 'Reverie';
  try {
    line = statusLine(await readPayload(target.stdin), { words, env: target.env, now: new Date() });
    target.stdout.write(`${line}\n`);
    keepCode('answer');
  } catch {
    // Whoever asks shows what comes: an error belongs in `reverie status`, not in a status line.
    target.stdout.write(`${line}\n`);
  }
  target.exit(0);
}

interface LineFacts {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly now: Date;
}

/** The payload is what Claude Code sends; of another caller's, what is named the same is taken. */
export function statusLine(payload: unknown, { words, env, now }: LineFacts): string {
  const fields = fieldsOf(payload) ?? {};
  const workspace = fieldsOf(fields.workspace) ?? {};
  const cwd = optionOf(words, '--cwd') ?? textOf(workspace.project_dir) ?? textOf(fields.cwd);
  const home = optionOf(words, '--home');
  const place = findPlace({ env, ...(home === null ? {} : { home }), ...(cwd === null ? {} : { cwd }) });
  if (place.offReason !== null) return 'memory off';
  const host = words.find((word, at) => !word.startsWith('--') && !words[at - 1]?.startsWith('--')) ?? 'claude-code';
  const sessionId = textOf(fields.session_id);
  return statusText({
    memories: place.folders.reduce((sum, { path }) => sum + countMemories(path), 0),
    recalled: sessionId === null ? null : openHookSession(place.home, { host, sessionId }).read().given,
    savedToday: countSaved(place, now),
    today: costToday(place.home, now),
  });
}

export function statusText({ memories, recalled, savedToday, today }: StatusFacts): string {
  const cost =
    today.money > 0 ? `$${today.money.toFixed(today.money < 0.1 ? 4 : 2)}` : `${thousands(today.tokens)} tokens`;
  return [
    `${memories} ${memories === 1 ? 'memory' : 'memories'}`,
    ...(recalled === null ? [] : [`${recalled} recalled`]),
    `${savedToday} saved today`,
    ...(today.calls === 0 ? [] : [`${cost} learning today`]),
  ].join(' · ');
}

function thousands(tokens: number): string {
  return tokens < 1_000 ? String(Math.round(tokens)) : `${Math.round(tokens / 1_000)}k`;
}

function optionOf(words: readonly string[], name: string): string | null {
  const at = words.indexOf(name);
  return at === -1 ? null : (words[at + 1] ?? null);
}

/** By their names alone: no file is opened. */
function countMemories(folder: string, prefix = '', depth = 0): number {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return 0;
  }
  let count = 0;
  for (const entry of entries) {
    const { name } = entry;
    const file = prefix + name;
    if (name.startsWith('.') || isInLogs(file)) continue;
    if (entry.isDirectory() && depth < MOST_FOLDERS_DEEP)
      count += countMemories(join(folder, name), `${file}/`, depth + 1);
    else if (entry.isFile() && name.endsWith('.md') && name.toUpperCase() !== 'MEMORY.MD') count += 1;
  }
  return count;
}

/** In this project's folders, by whomever. */
function countSaved({ folders }: Place, now: Date): number {
  const day = now.toISOString().slice(0, 10);
  const saves = folders.flatMap(({ path }) =>
    readTailLines(join(path, CONTROL_FOLDER, 'journal', JOURNAL_FILE), TAIL_BYTES)
      .filter((line) => line.includes('"save"'))
      .map(parseLine),
  );
  return saves.filter((change) => change?.kind === 'save' && String(change.at).startsWith(day)).length;
}

/** Learning and background work, in all projects. */
function costToday(home: string, now: Date): StatusFacts['today'] {
  const file = join(homeLayout(home).ledger, `${now.toISOString().slice(0, 10)}.jsonl`);
  const today = { calls: 0, money: 0, tokens: 0 };
  for (const line of readTailLines(file, TAIL_BYTES)) {
    const call = line.includes('"call"') ? parseLine(line) : null;
    if (call?.type !== 'call' || (call.background !== true && !THROUGH_HOSTS.has(String(call.purpose)))) continue;
    today.calls += 1;
    today.money += Number(call.money) || 0;
    today.tokens += Number(call.equivalentTokens) || 0;
  }
  return today;
}

/** Null where nothing is sent, or what is sent is no JSON. */
async function readPayload(input: NodeJS.ReadStream): Promise<unknown> {
  if (!isSentSomething()) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, INPUT_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    input.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= PAYLOAD_BYTES) chunks.push(chunk);
    });
    input.on('end', end).on('error', end);
  });
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

/** A terminal and /dev/null are devices. */
function isSentSomething(): boolean {
  try {
    return !fstatSync(0).isCharacterDevice();
  } catch {
    return false;
  }
}
