/**
 * Messages between the agents of one session that is killed at random points and resumed: each message that its sender was told is
 * queued enters the session's own conversation once. `REVERIE_AGENT_KILLS` says how often it is killed.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { agentCall, calls, isOf, lastOf, pause, text, tool, wholeOf } from '../support/agents-story.ts';
import { startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { seededRandom } from './seeded-random.mjs';

const DIST = pathToFileURL(fileURLToPath(new URL('../../dist/', import.meta.url))).href;
const WORKER = fileURLToPath(new URL('./agents-worker.mjs', import.meta.url));
const KILLS = Number(process.env.REVERIE_AGENT_KILLS ?? 6);
const AGENTS = 5;

/** How often each message entered the conversation, by the word in it. */
function enteredIn(transcript: string): ReadonlyMap<string, number> {
  const byUuid = new Map<string, string>();
  for (const line of readFileSync(transcript, 'utf8').split('\n')) {
    if (!line.startsWith('{"type":"message"')) continue;
    const { uuid, message, injected = [] } = JSON.parse(line);
    const blocks = injected.filter(({ source }: { source: string }) => source === 'agent-message');
    byUuid.set(uuid, blocks.map(({ block }: { block: number }) => JSON.stringify(message.content[block])).join());
  }
  const times = new Map<string, number>();
  for (const word of [...byUuid.values()].join().match(/WORD-\d+/g) ?? []) times.set(word, (times.get(word) ?? 0) + 1);
  return times;
}

it(`brings each message once, through ${KILLS} kills`, async () => {
  const root = temporaryFolder('messages-kill');
  mkdirSync(join(root, 'project'));
  const random = seededRandom(5);
  const queued = new Set<string>();
  let made = 0;
  const server = await startMessagesServer(async (request) => {
    if (isOf(request, 'TASK-')) {
      const sent = /toolu_(\d+)_s/.exec(wholeOf(request))?.[1];
      if (sent === undefined) {
        made += 1;
        return tool('SendMessage', { to: 'main', message: `WORD-${made} for you`, summary: 's' }, `toolu_${made}_s`);
      }
      if (lastOf(request).includes('Queued for main')) queued.add(`WORD-${sent}`);
      await pause(random() * 40);
      return text('Said it.');
    }
    const last = lastOf(request);
    if (last.includes('PARENT-ROUND') && !last.includes('tool_result')) {
      return calls(
        ...Array.from({ length: AGENTS }, (_, at) =>
          agentCall({ prompt: `TASK-${at}`, run_in_background: true }, `toolu_${server.requests.length}_${at}`),
        ),
      );
    }
    await pause(random() * 40);
    return text('I wait.');
  });
  const env = {
    ...{ HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    ...{ REVERIE_DISABLE_NOTES: '1', REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_RECALL: '1' },
  };
  let session: string | null = null;
  let transcript = '';

  async function start(rounds: number) {
    const place = { cwd: join(root, 'project'), home: join(root, 'home'), env };
    const facts = { ...place, dist: DIST, session, rounds, compactsEvery: 0 };
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
      const wanted = 5 + Math.floor(random() * 30);
      const deadline = Date.now() + 20_000;
      while (server.requests.length < before + wanted && Date.now() < deadline) await pause(5);
      child.kill('SIGKILL');
      await ended;
    }
    const { ended } = await start(2);
    expect(await ended).toContain('DONE');
    const times = enteredIn(transcript);
    expect(queued.size).toBeGreaterThan(AGENTS);
    expect([...queued].filter((word) => times.get(word) !== 1)).toEqual([]);
    expect([...times].filter(([, count]) => count > 1)).toEqual([]);
    process.stdout.write(`messages: ${queued.size} queued through ${KILLS} kills, each read once\n`);
  } finally {
    await server.close();
  }
}, 600_000);
