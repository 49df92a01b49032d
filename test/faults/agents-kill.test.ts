/**
 * Results of agents in the background, with the session killed at random points, compacted and resumed: each agent that was started
 * is told of in the conversation once, with its result or as cut off. `REVERIE_AGENT_KILLS` says how often it is killed.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { agentCall, calls, isOf, lastOf, pause, text } from '../support/agents-story.ts';
import { startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { seededRandom } from './seeded-random.mjs';

const DIST = pathToFileURL(fileURLToPath(new URL('../../dist/', import.meta.url))).href;
const WORKER = fileURLToPath(new URL('./agents-worker.mjs', import.meta.url));
const KILLS = Number(process.env.REVERIE_AGENT_KILLS ?? 6);
const AT_ONCE = 20;

interface Told {
  readonly started: ReadonlySet<string>;
  /** How often a message brought the result of an agent, by id. */
  readonly times: ReadonlyMap<string, number>;
}

function toldIn(transcript: string): Told {
  const started = new Set<string>();
  const messages = new Map<string, readonly string[]>();
  for (const line of readFileSync(transcript, 'utf8').split('\n')) {
    if (line === '') continue;
    const record = JSON.parse(line);
    if (record.type === 'agent' && record.event === 'started') started.add(record.id);
    if (record.type !== 'message') continue;
    // A compaction writes the messages that stay once more.
    const ids = (record.injected ?? []).flatMap(({ id }: { id?: string }) => id ?? []);
    if (ids.length > 0) messages.set(record.uuid, ids);
  }
  const times = new Map<string, number>();
  for (const id of [...messages.values()].flat()) times.set(id, (times.get(id) ?? 0) + 1);
  return { started, times };
}

it(`tells of each agent once, through ${KILLS} kills`, async () => {
  const root = temporaryFolder('agents-kill');
  mkdirSync(join(root, 'project'));
  const random = seededRandom(7);
  let made = 0;
  const server = await startMessagesServer(async (request) => {
    if (isOf(request, 'TASK-')) {
      await pause(random() * 60);
      return text(`FOUND ${made}`);
    }
    const last = lastOf(request);
    if (last.includes('PARENT-ROUND') && !last.includes('tool_result')) {
      const all = Array.from({ length: AT_ONCE }, () => {
        return agentCall({ prompt: `TASK-${made++}`, run_in_background: true }, `toolu_${made}`);
      });
      return calls(...all);
    }
    return text('<summary>We start agents.</summary>');
  });
  const env = {
    ...{ HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    ...{ REVERIE_DISABLE_NOTES: '1', REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_RECALL: '1' },
  };
  let session: string | null = null;
  let transcript = '';

  /** Until it has opened its session. */
  async function start(rounds: number): Promise<{ readonly child: ChildProcess; readonly ended: Promise<string> }> {
    const place = { cwd: join(root, 'project'), home: join(root, 'home'), env };
    const facts = { ...place, dist: DIST, session, rounds, compactsEvery: 2 };
    const child = spawn(process.execPath, [WORKER, JSON.stringify(facts)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    const opened = new Promise<void>((resolve) => {
      child.stdout!.setEncoding('utf8').on('data', (more) => {
        printed += more;
        const [, id, file] = /SESSION (\S+) (\S+)/.exec(printed) ?? [];
        if (id === undefined || file === undefined) return;
        [session, transcript] = [id, file];
        resolve();
      });
    });
    const ended = new Promise<string>((resolve) => child.on('close', () => resolve(printed)));
    await Promise.race([opened, ended]);
    return { child, ended };
  }

  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = await start(1_000);
      const before = server.requests.length;
      const wanted = Math.floor(random() * 60);
      const deadline = Date.now() + 20_000;
      while (server.requests.length < before + wanted && Date.now() < deadline) await pause(5);
      child.kill('SIGKILL');
      await ended;
    }
    const { ended } = await start(2);
    expect(await ended).toContain('DONE');
    const { started, times } = toldIn(transcript);
    expect(started.size).toBeGreaterThan(AT_ONCE);
    expect([...started].filter((id) => times.get(id) !== 1)).toEqual([]);
    expect([...times.keys()].filter((id) => !started.has(id))).toEqual([]);
    const files = readdirSync(join(transcript.replace(/\.jsonl$/, ''), 'agents'));
    expect(files.length).toBeGreaterThanOrEqual(times.size - AT_ONCE * KILLS);
  } finally {
    await server.close();
  }
}, 600_000);
