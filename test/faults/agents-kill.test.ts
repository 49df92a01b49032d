/**
 * Results of agents in the background, with the session killed, compacted and resumed at random points: each agent that was started is
 * told of in the conversation once, with its own result or as cut off. `REVERIE_AGENT_KILLS` says at how many points; five results come to one point.
 */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentCall, calls, isOf, lastOf, pause, text } from '../support/agents-story.ts';
import { startMessagesServer } from '../support/messages-server.ts';
import { inTemporaryFolder, say, twoAtOnce } from './fault-run.ts';
import { seededRandom } from './seeded-random.mjs';
import { startWorker } from './worker-process.ts';

const POINTS = Number(process.env.REVERIE_AGENT_KILLS ?? 6);
/** A transcript that grows for too long makes each resume slower: points are shared out among sessions. */
const POINTS_OF_A_SESSION = 20;
const RESULTS_OF_A_POINT = 5;
const AT_ONCE = 20;
const PATIENCE_MS = 60_000;

/** Where the session is struck: some requests later, in the middle of a summary, as it goes on, or not at all: it ends and goes on. */
const WAYS = ['requests', 'summary', 'requests', 'opening', 'requests', 'end'] as const;

interface Told {
  readonly id: string;
  readonly state: string;
  readonly text: string;
}

interface Session {
  readonly started: ReadonlyMap<string, string>;
  readonly told: readonly Told[];
}

function readSession(transcript: string): Session {
  const started = new Map<string, string>();
  const messages = new Map<string, readonly Told[]>();
  for (const line of readFileSync(transcript, 'utf8').split('\n')) {
    const record = parsed(line);
    if (record?.type === 'agent' && record.event === 'started') started.set(record.id, record.name);
    // A compaction writes the messages that stay once more.
    if (record?.type === 'message') messages.set(record.uuid, toldIn(record));
  }
  return { started, told: [...messages.values()].flat() };
}

/** A kill may leave the last line cut. */
function parsed(line: string) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a record as it is on the disk.
function toldIn({ injected = [], message }: any): readonly Told[] {
  return injected.flatMap(({ source, id, block }: { source: string; id?: string; block: number }) => {
    if (source !== 'agent-result' || id === undefined) return [];
    const { text: words } = message.content[block];
    return [{ id, state: /state="([^"]*)"/.exec(words)?.[1] ?? '', text: words }];
  });
}

/** What an agent wrote down itself before anybody was told. */
function ownState(folder: string, id: string): string | null {
  const file = join(folder, `${id}.jsonl`);
  if (!existsSync(file)) return null;
  const records = readFileSync(file, 'utf8').split('\n').map(parsed);
  return records.findLast((record) => record?.type === 'agent' && record.event === 'ended')?.state ?? null;
}

async function strikeSession(points: number, seed: number, root: string) {
  mkdirSync(join(root, 'project'), { recursive: true });
  const random = seededRandom(seed);
  let made = 0;
  let summaries = 0;
  const server = await startMessagesServer(async (request) => {
    const task = /TASK-(\d+)/.exec(JSON.stringify(request.body.messages[0]))?.[1];
    if (task !== undefined && !isOf(request, 'PARENT')) {
      await pause(random() * 60);
      return text(`FOUND-${task}.`);
    }
    const last = lastOf(request);
    if (last.includes('PARENT-ROUND') && !last.includes('tool_result')) {
      const all = Array.from({ length: AT_ONCE }, () => {
        const number = made++;
        return agentCall({ prompt: `TASK-${number}`, name: `a${number}`, run_in_background: true }, `toolu_${number}`);
      });
      return calls(...all);
    }
    if (last.includes('agent-result')) return text('I see.');
    summaries += 1;
    await pause(random() * 60);
    return text('<summary>We start agents.</summary>');
  });
  const env = {
    ...{ HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    ...{ REVERIE_DISABLE_NOTES: '1', REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_RECALL: '1' },
  };
  let session: string | null = null;
  let transcript = '';

  /** Until it has opened its session. */
  async function start(rounds: number) {
    const place = { cwd: join(root, 'project'), home: join(root, 'home'), env };
    const worker = startWorker('./agents-worker.mjs', { ...place, session, rounds, compactsEvery: 1 });
    const [, id, file] = /SESSION (\S+) (\S+)/.exec((await worker.line('SESSION')) ?? '') ?? [];
    if (id === undefined || file === undefined) throw new Error(worker.complaints());
    [session, transcript] = [id, file];
    return worker;
  }

  async function until(isThere: () => boolean): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!isThere() && Date.now() < deadline) await pause(2);
  }

  async function strike(way: (typeof WAYS)[number]): Promise<void> {
    const worker = await start(way === 'end' ? 1 : 1_000);
    const [asked, summarised] = [server.requests.length, summaries];
    if (way === 'requests') {
      const wanted = Math.floor(random() * 60);
      await until(() => server.requests.length >= asked + wanted);
    }
    if (way === 'summary') await until(() => summaries > summarised);
    if (way !== 'end') {
      await pause(random() * 20);
      worker.signal('SIGKILL');
    }
    await worker.ended;
  }

  try {
    for (let point = 0; point < points; point++) await strike(WAYS[point % WAYS.length]!);
    const finishedSoFar = readSession(transcript).told.filter(({ state }) => state === 'finished').length;
    const missing = Math.max(0, points * RESULTS_OF_A_POINT - finishedSoFar);
    const last = await start(1 + Math.ceil(missing / AT_ONCE));
    expect(await last.line('DONE'), last.complaints()).toBe('DONE');
    await last.ended;
  } finally {
    await server.close();
  }

  const { started, told } = readSession(transcript);
  const folder = join(transcript.replace(/\.jsonl$/, ''), 'agents');
  const times = new Map<string, number>();
  for (const { id } of told) times.set(id, (times.get(id) ?? 0) + 1);
  expect([...started.keys()].filter((id) => times.get(id) !== 1)).toEqual([]);
  expect(told.filter(({ id }) => !started.has(id))).toEqual([]);
  // Each with its own words, and none without any.
  const wrong = told.filter(({ id, state, text: words }) => {
    return (state === 'finished') !== words.includes(`FOUND-${started.get(id)!.slice(1)}.`);
  });
  expect(wrong).toEqual([]);
  // What was written down is told, not said to be cut off.
  expect(told.filter(({ id, state }) => state !== 'finished' && ownState(folder, id) === 'finished')).toEqual([]);
  const finished = told.filter(({ state }) => state === 'finished').length;
  return { points, started: started.size, finished, cutOff: told.length - finished, summaries };
}

it(`reports each agent once, struck at ${POINTS} points`, { timeout: 60_000 + POINTS * 30_000 }, async () => {
  const sessions = Array.from({ length: Math.ceil(POINTS / POINTS_OF_A_SESSION) }, (_, at) => at);
  const totals = { points: 0, started: 0, finished: 0, cutOff: 0, summaries: 0 };
  const fromMs = performance.now();
  await inTemporaryFolder(async (folder) => {
    await twoAtOnce(sessions, async (at) => {
      const points = Math.min(POINTS_OF_A_SESSION, POINTS - at * POINTS_OF_A_SESSION);
      const counted = await strikeSession(points, 7 + at, join(folder, `session-${at}`));
      for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += counted[key];
    });
  });
  const { points, started, finished, cutOff, summaries } = totals;
  const seconds = ((performance.now() - fromMs) / 1_000).toFixed(0);
  say(`agents: ${points} points, ${summaries} summaries, ${started} agents started in ${seconds} s;`);
  say(`  ${finished} results told once, ${cutOff} told as cut off, 0 lost, 0 twice`);
  expect(finished).toBeGreaterThanOrEqual(POINTS * RESULTS_OF_A_POINT);
});
