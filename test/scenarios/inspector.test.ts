/** The inspector beside a real session: its numbers are those of the terminal and the ledger, and nobody's edit is lost. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { contextOf } from '../../src/inspector/open.ts';
import { type Inspector, startInspector } from '../../src/inspector/serve.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { readAgentStats } from '../../src/reports/stats/read.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { findPlace } from '../../src/settings/place.ts';
import { type Browser, openBrowser } from '../support/inspector-client.ts';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Row {
  readonly read: number;
  readonly written: number;
  readonly fresh: number;
  readonly output: number;
  readonly money: number | null;
  readonly tokens: readonly number[];
}

interface Session {
  readonly names: readonly string[];
  readonly requests: readonly Row[];
  readonly isRecorded: boolean;
}

let root: string;
let server: MessagesServer | null = null;
let agent: SteerableAgent | null = null;
let inspector: Inspector | null = null;
let memory: Memory | null = null;

beforeEach(() => {
  root = temporaryFolder('inspector');
  mkdirSync(join(root, 'project'));
  writeFileSync(join(root, 'project', 'AGENTS.md'), 'Use pnpm here.\n');
});

afterEach(async () => {
  await agent?.close();
  await inspector?.close();
  await memory?.close();
  await server?.close();
  [agent, inspector, memory, server] = [null, null, null, null];
});

const text = (words: string): ServerAnswer => ({ content: [{ type: 'text', text: words }] });

const place = () => ({ cwd: join(root, 'project'), home: join(root, 'home'), env: { HOME: root } });

async function converse(
  answers: readonly ServerAnswer[],
  prompts: readonly string[],
  { hasRecall = false } = {},
): Promise<SteerableAgent> {
  const left = [...answers];
  server = await startMessagesServer(() => left.shift() ?? text('Done.'));
  agent = await openAgent({
    ...place(),
    env: {
      ...{ HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
      ...{ REVERIE_DISABLE_NOTES: '1', REVERIE_DISABLE_EXTRACTION: '1' },
      ...(hasRecall ? {} : { REVERIE_DISABLE_RECALL: '1' }),
    },
    permissionMode: 'bypass',
    // A busy machine ranks later than the few milliseconds that a request is held for.
    settings: { 'limits.prefetch.holdMs': 10_000 },
  });
  if (hasRecall) await agent.memory.ready();
  for (const prompt of prompts) for await (const _event of agent.send(prompt));
  return agent;
}

async function inspect(files: readonly { id: string; name: string; path: string }[] = []): Promise<Browser> {
  memory ??= await openMemory(place());
  const context = contextOf({ place: findPlace(place()), memory, files, isReadOnly: false });
  inspector = await startInspector(context, { port: 0, idleMs: null });
  return openBrowser(inspector.url);
}

describe('numbers on the page', () => {
  it('are those of /context, of the ledger and of reverie stats, to the token', async () => {
    writeFileSync(join(root, 'project', 'notes.txt'), 'one line of notes\n'.repeat(40));
    const file = join(root, 'project', 'notes.txt');
    const talking = await converse(
      [
        { content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: file } }] },
        text('It has forty lines.'),
        text('You are welcome.'),
      ],
      ['How many lines are in notes.txt?', 'Thank you.'],
    );
    const browser = await inspect();
    const session = await browser.get<Session>(`/api/session?id=${talking.sessionId}`);
    expect(session.isRecorded).toBe(true);
    expect(session.requests).toHaveLength(3);

    const { parts, usedTokens } = talking.window();
    const last = session.requests.at(-1)!;
    const shown = session.names.map((name, at) => ({ name, tokens: last.tokens[at]! }));
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    expect(shown.filter(({ tokens }) => tokens > 0).sort(byName)).toEqual([...parts].sort(byName));
    expect(parts.map(({ name }) => name)).toContain('results of Read');
    expect(last.read + last.written + last.fresh + last.output).toBe(usedTokens);

    const stats = await readAgentStats({ home: join(root, 'home'), now: new Date(), session: talking.sessionId });
    const [main] = stats.byPurpose;
    const sum = (of: (row: Row) => number) => session.requests.reduce((total, row) => total + of(row), 0);
    expect(sum(({ read }) => read)).toBe(main!.usage.cacheReadTokens);
    expect(sum(({ written }) => written)).toBe(main!.usage.cacheWriteTokens);
    expect(sum(({ fresh }) => fresh)).toBe(main!.usage.inputTokens);
    expect(sum(({ output }) => output)).toBe(main!.usage.outputTokens);
    expect(sum(({ money }) => money ?? 0)).toBeCloseTo(main!.money, 10);
    const page = await browser.get<{ stats: object }>('/api/ledger?days=30');
    const whole = await readAgentStats({ home: join(root, 'home'), now: new Date(), days: 30 });
    expect(page.stats).toEqual(JSON.parse(JSON.stringify(whole)));
    expect(await (await openBrowserAgain()).get(`/api/session?id=${talking.sessionId}`)).toEqual(session);
  });

  it('cost at most 200 bytes of the ledger a request', async () => {
    await converse([], ['Hello there, who are you?']);
    const folder = join(root, 'home', 'ledger');
    const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
    const calls = lines
      .map((line) => JSON.parse(line) as { type: string; parts?: string })
      .filter(({ parts }) => parts);
    expect(calls).toHaveLength(1);
    for (const { parts } of calls) expect(Buffer.byteLength(`,"parts":"${parts}"`)).toBeLessThanOrEqual(200);
  });

  it('count a message once that a transcript of Claude Code has several times: a row a block, and copies of a resume', async () => {
    const usage = (output: number) => ({
      input_tokens: 3,
      output_tokens: output,
      cache_read_input_tokens: 900,
      cache_creation_input_tokens: 97,
    });
    const answer = (uuid: string, id: string, content: object, output: number) => ({
      ...{ type: 'assistant', uuid, requestId: `req_${id}`, timestamp: '2026-05-04T10:00:00.000Z' },
      message: { role: 'assistant', id, model: 'claude-sonnet-5', content: [content], usage: usage(output) },
    });
    const user = (uuid: string, text: string) => ({
      type: 'user',
      uuid,
      timestamp: '2026-05-04T09:59:00.000Z',
      message: { role: 'user', content: text },
    });
    const rows = [
      user('u1', 'Look at it'),
      answer('a1', 'msg_1', { type: 'text', text: 'Looking.' }, 4),
      answer('a2', 'msg_1', { type: 'tool_use', id: 't1', name: 'Read', input: {} }, 60),
      user('u2', 'Thanks'),
      answer('a3', 'msg_2', { type: 'text', text: 'Sure.' }, 9),
      answer('a4', 'msg_1', { type: 'text', text: 'Looking.' }, 60),
      answer('a5', 'msg_2', { type: 'text', text: 'Sure.' }, 9),
    ];
    const path = join(root, 'foreign.jsonl');
    writeFileSync(path, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
    const browser = await inspect([{ id: 'file-1', name: 'foreign.jsonl', path }]);
    const { requests, isRecorded } = await browser.get<Session>('/api/session?id=file-1');
    expect(isRecorded).toBe(false);
    expect(requests.map(({ read, written, fresh, output }) => [read, written, fresh, output])).toEqual([
      [900, 97, 3, 60],
      [900, 97, 3, 9],
    ]);
  });
});

describe('recall on the page', () => {
  it('is what was noted down as the prompt came: the nearest and how near, or why it was silent', async () => {
    memory = await openMemory(place());
    await memory.save({
      type: 'project',
      name: 'Staging port',
      description: 'the staging server listens on port 8143',
      body: 'It is 8143.',
    });
    const talking = await converse([], ['Which port does the staging server listen on?', 'Thanks'], {
      hasRecall: true,
    });
    const browser = await inspect();
    interface Prompts {
      prompts: { closed: string | null; candidates: object[] | null; joined: object[] }[];
    }
    // The ledger is written behind the conversation.
    await vi.waitFor(async () => {
      const { prompts } = await browser.get<Prompts>(`/api/recall?id=${talking.sessionId}`);
      expect(prompts).toMatchObject([
        {
          closed: null,
          candidates: [
            { scope: 'project', certain: true, evidence: expect.any(Number), threshold: expect.any(Number) },
          ],
          joined: [{ scope: 'project', selector: 'ranking' }],
        },
        { closed: 'one-word', candidates: null, joined: [] },
      ]);
    }, 10_000);
    const lines = readFileSync(talking.transcriptFile!, 'utf8').split('\n');
    const notes = lines.filter((line) => line.includes('"reason":"recall"'));
    expect(notes).toHaveLength(2);
    for (const line of notes) expect(Buffer.byteLength(`${line}\n`)).toBeLessThanOrEqual(200);
  });
});

async function openBrowserAgain(): Promise<Browser> {
  await inspector?.close();
  return inspect();
}

describe('an edit in the page, in an editor and by the agent at the same moment', () => {
  it('loses nothing, and the page is told what happened', async () => {
    memory = await openMemory(place());
    const { file } = await memory.save({ type: 'project', name: 'Port', description: 'the port', body: 'It is 8080.' });
    const browser = await inspect();
    const path = join(memory.folders.project!, file);
    const read = async () =>
      (await browser.get<{ text: { text: string } }>(`/api/memory?scope=project&file=${file}`)).text.text;
    const base = await read();
    writeFileSync(path, base.replace('8080', '8081 (by an editor)'));
    await memory.update(file, { description: 'the port, by the agent' }, { who: 'agent' });
    const refused = await browser.post('edit', {
      scope: 'project',
      file,
      base,
      text: base.replace('8080', '8082 (in the page)'),
    });
    expect(refused.status).toBe(409);
    const { problem } = JSON.parse(refused.text) as { problem: { message: string; fix: string; newest: string } };
    expect(problem.message).toContain('changed while you edited it');
    expect(problem.newest).toContain('8081 (by an editor)');
    expect(problem.newest).toContain('by the agent');
    const mine = problem.newest.replace('8081 (by an editor)', '8082 (in the page)');
    const saved = await browser.post('edit', { scope: 'project', file, base: problem.newest, text: mine });
    expect(saved.status).toBe(200);
    expect(readFileSync(path, 'utf8')).toContain('8082 (in the page)');
    const texts = await Promise.all((await memory.log({ file })).map(({ id }) => memory!.diff(id)));
    const kept = JSON.stringify(texts);
    for (const words of ['8080', '8081 (by an editor)', '8082 (in the page)', 'by the agent'])
      expect(kept).toContain(words);
    const { change } = JSON.parse(saved.text) as { change: string };
    expect((await browser.post('undo', { change })).status).toBe(200);
    expect(await read()).toContain('8081 (by an editor)');
  });
});
